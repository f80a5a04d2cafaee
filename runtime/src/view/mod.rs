//! One count of a model with its data, and the passes over its cells.
//!
//! A [`View`] owns the cells of one count, sorted once into those that must be visited and those that are exposure only, and runs the
//! passes over them. Passes know rates, columns and weights; what was observed, and by which law, stands behind the block door
//! ([`Door`]), so that they are compiled once for all channels.

mod binding;
mod bound;
mod cells;
mod difference_cell;
mod differences;
mod door;
mod form;
mod geometric_cell;
mod guards;
mod held_out;
mod lanes;
mod passes;
mod runs;
mod seen;
mod slopes;
mod sorting;
mod source;
mod stored;
mod summed_out_cell;
mod table;
mod weighed;
mod weights;
mod written;

pub use binding::Binding;
pub use bound::{Mean, View};
pub use cells::{Cells, Observations};
pub use difference_cell::{DifferenceCell, PlainDifference};
pub use door::{AnyDoor, Auxiliary, DifferenceDoor, Door, Expect, Give, GiveBoth, Impute, Kept, Run};
pub use form::{Form, Steps};
pub use geometric_cell::GeometricCell;
pub use guards::{Guard, Guards};
pub use passes::{CellWeights, Correct};
pub(crate) use runs::LEAST_RATE;
pub use sorting::Forms;
pub use source::Source;
pub(crate) use summed_out_cell::written_laws;
pub use summed_out_cell::{SummedOutCell, WrittenLaw};
#[doc(hidden)]
pub use weights::tried_by;
pub use weights::{Base, Weights};
pub use written::GeometricSteps;
