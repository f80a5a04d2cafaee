//! Fits in files: what is saved, and what is read back without the model and its data.

mod about;
mod cavi;
mod contents;
mod gibbs;
mod load;
mod zarr;

pub(super) use about::About;
pub use load::Saved;
