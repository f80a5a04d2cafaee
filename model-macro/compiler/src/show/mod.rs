//! The derivation as mathematics, as a graph and as words.

mod blocks;
mod cost;
mod formula;
mod graph;
mod tree;
mod update;

pub use blocks::{Block, blocks};
pub use cost::cost;
pub use graph::graph;
pub use tree::{layout, step};
pub use update::{Parts, conditional, parts};
