//! Kernels of the three walks over a contraction tree.
//!
//! A rate is a sum of products. Below the root, a tree is a sequence of pairwise contractions
//! ([`Pair`]) of dense arrays; at the root, every term of a count's rate meets in one product of two
//! matrices ([`Grid`], [`Operands`]), rows by inner and inner by columns, whose entries are the cells
//! of the data. The three walks are
//!
//! | walk | at a pair | at the root |
//! |---|---|---|
//! | forward | [`Pair::forward`] | rates of a block of cells ([`Block::rates`]) |
//! | adjoint | [`Pair::adjoint_left`], [`Pair::adjoint_right`] | [`Block::pull_left`], [`Block::pull_right`] of cell seeds |
//! | thin | [`Pair::thin`] | multinomial split of a cell's count over the inner index |
//!
//! Kernels know slices; they know nothing of models, channels or priors.

/// One dot product at a stored cell costs about as much as this many cells of a blocked product.
pub(crate) const SPARSE_COST: f64 = 12.0;

mod axis_values;
mod block;
mod each_entry;
mod entries;
mod gemm;
mod grid;
mod pair;
mod parts;
mod rate;
mod shifted;
mod slices;
mod split;
mod tile;
mod turned;
mod ways;

pub use axis_values::AxisValues;
pub use block::{Block, BlockSizes};
pub use each_entry::{gammas, gammas as parameters, simplices};
pub use entries::Entries;
pub use grid::{AxisGroup, Grid, Operands};
pub use pair::{Axis, ONE, Pair};
pub use parts::Parts;
pub use rate::{Adjoint, At, Handing, Hands, MOST_INDICES, Rate, part};
pub use shifted::Shifted;
pub use slices::dot;
pub use slices::{add, add_multiple, add_products, multiply};
pub(crate) use split::Split;
pub(crate) use tile::{Tile, add_weighed, dots, share};
pub use turned::Turned;
pub(crate) use ways::Ways;
