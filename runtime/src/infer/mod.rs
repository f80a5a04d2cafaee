//! Inference engines: Gibbs sampling and coordinate-ascent variational inference.
//!
//! An engine sees a model through [`crate::model::Model`] and its data through [`View`]; it decides when
//! to walk, what to keep and when to stop.

mod at_prior;
mod cavi;
mod fit;
mod form;
mod gammas;
mod gibbs;
mod own;
mod posteriors;
mod progress;
mod redraw;
mod settings;
mod simplices;
mod start;
mod streams;
mod view;

pub use cavi::{Ascent, CaviRun, cavi};
pub use fit::{Collapse, Draws, FromArray, Posterior, Simplex};
pub use form::{Augmented, Collapsed, Drawn, Form};
pub use gibbs::{Chain, GibbsRun, gibbs, pool};
pub(crate) use own::SUM_TOLERANCE;
pub use progress::Progress;
pub use settings::{Cavi, CaviForm, CaviStart, Gibbs, GibbsForm};
pub use streams::{Purpose, Stream, Streams};
pub use view::{Auxiliary, Base, Binding, Bound, Cells, Guards, Laws, Mean, Observations, Side, View, Weights, Work};
