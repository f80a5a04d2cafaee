//! How good an estimate is: errors against a known truth, deviance, and the quality of topics.

mod error;
mod point;
mod topics;

pub use error::DiagnoseError;
pub use point::{mean_absolute_error, poisson_deviance};
pub use topics::{coherence, npmi, top_words};
