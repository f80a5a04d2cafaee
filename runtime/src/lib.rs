//! Poisson factorization of private counts: declare a model, read its derivation, run inference.
//!
//! ```text
//! declaration --model!--> Topics --bind--> TopicsModel --gibbs or cavi--> TopicsGibbs, TopicsCavi
//! ```
//!
//! A user names this crate only. [`model!`] derives every complete conditional and coordinate update of
//! a declared model; [`infer`] runs them; [`channel`] is how counts were observed, [`release`] how they
//! are made private, [`counts`] where they come from, [`diagnose`] how well it went; [`selftest`] checks all that was
//! derived for a model.

pub use skellam_macro::model;

pub mod channel;
pub mod contract;
pub mod counts;
pub mod diagnose;
pub mod distribution;
mod error;
pub mod infer;
pub mod model;
pub mod prelude;
#[doc(hidden)]
pub mod private;
pub mod release;
pub mod selftest;
pub mod special;

pub use error::Error;
