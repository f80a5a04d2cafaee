//! Inference engines: Gibbs sampling and coordinate-ascent variational inference.
//!
//! An engine sees a model through [`crate::model::Model`] and its data through [`View`]; it decides when
//! to walk, what to keep and when to stop.

mod cavi;
mod fit;
mod form;
mod gammas;
mod gibbs;
mod progress;
mod settings;
mod start;
mod streams;
mod view;

pub use cavi::{Ascent, CaviRun, cavi};
pub use fit::{Collapse, Draws, FromArray, Posterior};
pub use form::{Augmented, Collapsed, Form};
pub use gibbs::{Chain, GibbsRun, gibbs, pool};
pub use progress::Progress;
pub use settings::{Cavi, CaviForm, CaviStart, Gibbs, GibbsForm};
pub use streams::{Purpose, Stream, Streams};
pub use view::{Auxiliary, Base, Bound, Cells, Laws, Mean, Observations, Store, View, Weights, Work};
