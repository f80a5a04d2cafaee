//! Components of draws brought into the order of a reference.

mod alignment;
mod assignment;
mod factor;
mod switching;
#[cfg(test)]
mod tests;

pub use alignment::Alignment;
pub use assignment::assign;
pub(crate) use factor::ComponentDraws;
pub use switching::{ChainOrder, Switching};
