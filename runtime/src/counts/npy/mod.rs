//! NumPy arrays of counts, as `numpy.save` writes them (NEP 1, versions 1 to 3 of the format).

mod elements;
mod header;

pub(super) use elements::Elements;
pub(super) use header::MAGIC;
