//! How good a fit is: convergence of its chains ([`Summary`], [`Doubt`], [`Chains`]), the order of its components ([`Alignment`]), errors
//! against a known truth ([`Scores`]), components in words ([`ComponentTable`]), the quality of topics, the probability of held-out documents ([`left_to_right`]), data that a fit would produce
//! ([`PredictiveCheck`]), and held-out scores over numbers of components ([`HeldOutCurve`], the one that runs fits itself).
//!
//! Nothing else here knows engines or models: draws are plain numbers, `(chain, draw)`, row-major. What is compared cell by cell may be a
//! slice, a matrix, an array, counts or a release ([`CellValues`]).

mod align;
mod cell_values;
mod chains;
mod components;
mod doubt;
mod error;
mod held_out;
mod left_to_right;
mod log_likelihood;
mod of_draws;
mod point;
mod predictive;
mod psis;
pub(crate) mod run;
mod scores;
mod summary;
mod topics;

pub(crate) use align::ComponentDraws;
pub use align::{Alignment, ChainOrder, Switching, assign};
pub use cell_values::CellValues;
pub use chains::Chains;
pub use components::{ComponentRow, ComponentTable, top_names, top_words};
pub use doubt::Doubt;
pub use error::DiagnoseError;
pub use held_out::{HeldOutCurve, HeldOutPoint};
pub use left_to_right::{DocumentEvidence, Evidence, LeftToRight, left_to_right};
pub(crate) use log_likelihood::RunningWaic;
pub use log_likelihood::{Elpd, LogLikelihood, Loo, Waic};
pub use point::{mean_absolute_error, poisson_deviance};
pub use predictive::{Discrepancy, PredictiveCheck, SliceTotals};
pub(crate) use predictive::{Statistics, Tally};
pub use scores::{Score, Scores};
pub use summary::{Row, Summary};
pub use topics::{coherence, npmi, perplexity};
