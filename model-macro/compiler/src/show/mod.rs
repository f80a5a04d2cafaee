//! The derivation as mathematics, as a graph and as words.

mod blocks;
mod formula;
mod graph;
mod tree;

pub use blocks::{Block, blocks, conditional};
pub use graph::graph;
pub use tree::{layout, step};
