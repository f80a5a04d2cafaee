//! Components brought into one order: those of an estimate into that of the truth, those of draws into that of a reference.

mod alignment;
mod assignment;
mod error;
mod factor;
mod matching;
mod switching;
#[cfg(test)]
mod tests;

pub use alignment::Alignment;
pub use error::AlignError;
pub use factor::ComponentDraws;
pub use matching::{Match, likeness, matched};
pub use switching::{ChainOrder, Switching};
