//! Pictures of fits of skellam as SVG: one call each.
//!
//! | call | shows |
//! |---|---|
//! | [`trace`] | log joint density, mean rates and the rates that mix worst, draw by draw |
//! | [`rank`] | the same as histograms of ranks, one for each chain |
//! | [`intervals`] | medians with central intervals of 50 % and 95 %, a line for each entry |
//! | [`replicas`] | statistics of the data among those of replicas: a predictive check |
//! | [`held_out`] | the held-out score against the number of components |
//! | [`curves`] | curves in panels side by side |
//! | [`matrices`] | matrices side by side in one scale, negative values in blue |
//! | [`components`] | the largest entries of each component, with their labels |
//! | [`Report`] | all of a saved fit, as one page for a browser |
//!
//! Each of the others gives a [`Picture`], to be saved or shown in a notebook. A [`Figure`] puts several parts below each other.
//!
//! ```
//! use skellam_plot::{Matrices, matrices};
//!
//! let values = [3.0, -1.0, 0.0, 2.0, 5.0, 0.5];
//! let picture = matrices(&Matrices::new([2, 3]).panel("released", "", &values));
//! assert!(picture.svg().contains("released"));
//! // picture.save("released.svg")?;
//! ```

mod axes;
mod canvas;
mod components;
mod curve;
mod curves;
mod figure;
mod intervals;
mod matrices;
mod picture;
mod quantities;
mod rank;
mod replicas;
mod report;
#[cfg(test)]
mod tests;
mod trace;

pub use components::{Component, Components, components};
pub use curve::held_out;
pub use curves::{Curves, Panel, curves};
pub use figure::{Figure, Part};
pub use intervals::{Interval, intervals};
pub use matrices::{Group, Matrices, matrices};
pub use picture::{Picture, PlotError};
pub use rank::rank;
pub use replicas::replicas;
pub use report::Report;
pub use trace::trace;
