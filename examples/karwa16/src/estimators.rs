//! The estimators, by one trait.

use rand::RngExt;
use skellam::math::streams::Stream;

use super::Failure;
use super::declared::{ByCavi, ByGibbs};
use super::estimate::Estimate;
use super::exact::Exact;
use super::model::{Released, Tables};
use super::naive::{Naive, NonPrivate, Prior};
use super::published::Published;

/// Finds the parameters from a release.
pub trait Estimator {
    /// As it is called in tables.
    fn name(&self) -> &'static str;

    /// Means of `p` and `q`, with intervals of 90 %.
    ///
    /// # Errors
    ///
    /// An engine that refuses; closed forms never do.
    fn estimate(&self, released: &Released) -> Result<Estimate, Failure>;
}

/// Every estimator, in the order of tables and pictures. One of them sees the true tables, and says so by its name.
///
/// With `engines` those of the declared model are among them.
pub fn all<'a>(truth: &'a Tables, rng: Stream, engines: bool) -> Vec<Box<dyn Estimator + 'a>> {
    let seed = rng.clone().random();
    let mut all: Vec<Box<dyn Estimator + 'a>> = vec![Box::new(NonPrivate(truth)), Box::new(Exact { rng })];
    if engines {
        all.push(Box::new(ByGibbs { seed }));
        all.push(Box::new(ByCavi));
    }
    all.push(Box::new(Published));
    all.push(Box::new(Naive));
    all.push(Box::new(Prior));
    all
}
