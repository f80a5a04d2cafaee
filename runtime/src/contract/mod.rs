//! What generated code says of rates ([`Rate`], [`Adjoint`]), what it computes with ([`Entries`] and sums over them), and the kernels of
//! the passes.
//!
//! The cells of a count are laid out in rows and columns ([`Grid`]), and the rate of a cell is a product of an operand of its row and
//! one of its column:
//!
//! | pass | dense data, by blocks | sparse data, by stored cells |
//! |---|---|---|
//! | rates | products of matrices | dot products |
//! | what is pulled back to rows and columns | products with a seed for each cell | sums of what cells add |
//! | Gibbs: the parts of a count | a multinomial split over the inner index | the same |
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
mod parts;
mod rate;
mod shifted;
mod slices;
mod sparse;
mod split;
mod tile;
mod tokens;
mod turned;
mod urn;
mod ways;
mod weights;

pub use axis_values::AxisValues;
pub use block::{Block, BlockSizes};
pub use each_entry::{EntryParameters, conjugate, over_rates, parameters, parameters_in_time};
pub use entries::Entries;
pub use grid::Grid;
pub use parts::Parts;
pub use rate::{Adjoint, At, Handing, Hands, MOST_INDICES, Rate, part};
pub use shifted::Shifted;
pub use slices::dot;
pub use slices::{add, add_multiple, add_products, multiply};
pub(crate) use sparse::SPARSE;
pub(crate) use split::Split;
pub(crate) use tile::{Tile, add_weighed, dots, share};
pub(crate) use tokens::indices_of;
pub use tokens::{Tokens, TokensOf, chosen};
pub use turned::Turned;
pub use urn::{Counted, Urn, UrnOf, Urns};
pub(crate) use ways::Ways;
pub use weights::Weights;
