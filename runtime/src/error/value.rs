//! Hyperparameters and data arrays.

use skellam_formula::{LEAST_HYPER, MOST_HYPER};
use thiserror::Error;

use crate::family::MOST_SHAPE;

crate::plain_debug!(ValueError);

/// A hyperparameter or an entry of a data array that is missing or not what it was declared to be.
#[derive(Error)]
#[non_exhaustive]
pub enum ValueError {
    /// A hyperparameter outside its domain.
    #[error("hyperparameter `{name}` = {value} is not {domain}")]
    Hyperparameter {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it was declared to be.
        domain: &'static str,
    },
    /// A hyperparameter so large or so small that what it is multiplied with leaves the range of doubles.
    #[error(
        "hyperparameter `{name}` = {value:e} is not between {:e} and {:e}: sums and products of numbers beyond these leave the range of \
         doubles; give it in units in which rates are of the size of counts",
        LEAST_HYPER,
        MOST_HYPER
    )]
    Extreme {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A prior so narrow that it is a constant.
    #[error(
        "the {parameter} of `{latent}` is {value:e}: it must be {MOST_SHAPE:e} or less; a prior as narrow as that is a constant, so freeze `{latent}` at its \
         mean (`.freeze_{latent}(..)`), or leave it out"
    )]
    Shape {
        /// The latent.
        latent: &'static str,
        /// What the parameter is called.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// A hyperparameter without default that was not set.
    #[error("hyperparameter `{name}` has no default: set it with `.{name}(value)`")]
    MissingHyperparameter {
        /// Its name.
        name: &'static str,
    },
    /// A data array that was not given.
    #[error("data array `{name}` was not given: pass it with `.{name}(&array)`")]
    MissingData {
        /// Its name.
        name: &'static str,
    },
    /// An entry of a data array outside its domain.
    #[error("`{name}` is {value} at position {entry} (row-major, from 0): it must be {domain}")]
    Entry {
        /// The data array.
        name: &'static str,
        /// Position of the entry.
        entry: usize,
        /// Its value.
        value: f64,
        /// What it was declared to be.
        domain: &'static str,
    },
    /// A position that is past the end of its index set.
    #[error(
        "`{name}` is {value} at position {entry} (row-major, from 0), and `{index}` has {size} values: positions are counted from 0"
    )]
    Outside {
        /// The array of positions.
        name: &'static str,
        /// Position of the entry.
        entry: usize,
        /// Its value.
        value: f64,
        /// The index set.
        index: &'static str,
        /// Its size.
        size: usize,
    },
    /// Positions none of which is zero, in an index set whose size nothing else tells.
    #[error(
        "no entry of `{name}` is 0: if its positions in `{index}` are counted from 1, subtract 1; if no entry refers to the first value, \
         give the size of the index set with `.{index}(..)`"
    )]
    FromOne {
        /// The array of positions.
        name: &'static str,
        /// The index set.
        index: &'static str,
    },
    /// Entries of a frozen latent that should sum to one.
    #[error(
        "the entries of `{name}` along `{index}` sum to {sum} on line {line} (row-major, from 0): they must sum to 1"
    )]
    NotASimplex {
        /// The latent.
        name: &'static str,
        /// The index set along which they are summed.
        index: &'static str,
        /// Which line, in row-major order of the other indices.
        line: usize,
        /// The sum.
        sum: f64,
    },
    /// A latent whose shape is learned is fixed.
    #[error(
        "the shape of `{latent}` is learned from counts with `{latent}` integrated out, so `{latent}` cannot be frozen: where `{latent}` is known, \
         declare it as `data`"
    )]
    FrozenShape {
        /// The latent.
        latent: &'static str,
    },
}
