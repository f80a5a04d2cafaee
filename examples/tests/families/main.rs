//! The examples of the families, and the pages about them.

mod pages;
mod recovery;
mod rounding;
