//! Fits in files: what is saved, and what is read back without the model and its data.

mod about;
mod cavi;
mod contents;
mod gibbs;
mod load;
mod zarr;

pub(super) use about::About;
pub(super) use contents::{Contents, cell_labels};
pub(super) use gibbs::settings_of;
pub use load::Saved;
pub(super) use zarr::{Texts, coordinates, new_folder};
