//! The derivation as mathematics, as a graph and as words.

mod blocks;
mod cost;
mod formula;
mod graph;
mod tree;

pub use blocks::{Block, Parts, blocks, conditional, parts};
pub use cost::cost;
pub use graph::graph;
pub use tree::{layout, step};
