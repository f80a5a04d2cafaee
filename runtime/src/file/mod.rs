//! Fits and checkpoints in files: NumPy archives with a digest at their end, written whole or not at all.
//!
//! ```text
//! fit.npz   a zip archive of NumPy arrays, not compressed, which `numpy.load` reads without pickle
//!             meta          JSON in bytes: what the file holds, its version, names, settings
//!             posterior/..  and so on: arrays of doubles, integers or text
//!           its comment is `sha256:` and the digest of every byte before the digest
//! ```
//!
//! A byte that changed and a file that was cut are found before anything is read from it.

mod archive;
mod array;
mod error;
mod lock;
mod parts;
mod seal;

pub(crate) use archive::{Archive, ArrayValues, Entry};
pub(crate) use array::raw_bytes;
pub use error::SavedError;
pub(crate) use lock::Lock;
pub(crate) use parts::{Parts, fault, whole};
