//! What every law is given: an instance, how much is to be tried, and until when.

use std::time::Instant;

use rand::SeedableRng;

use skellam::Error;
use skellam::infer::Chain;
use skellam::model::{Factors, Model};
use skellam_math::streams::Stream;

use super::instance::Instance;
use super::report::Row;

/// What a law finds.
pub(super) type Found = Result<Vec<Row>, Stopped>;

/// Why a law ends without its rows.
#[derive(Debug)]
pub(super) enum Stopped {
    /// It could not be tried.
    Error(Error),
    /// It says nothing of this model, for this reason.
    LeftOut(String),
    /// The time was over.
    OutOfTime,
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// See the module.
pub(super) struct Trial<'a> {
    pub instance: &'a Instance,
    pub seed: u64,
    pub effort: f64,
    pub until: Option<Instant>,
}

impl Trial<'_> {
    /// A generator of its own for each law, which has another `salt`.
    pub fn rng(&self, salt: u64) -> Stream {
        Stream::seed_from_u64(self.seed ^ salt)
    }

    /// A usual number of draws or iterations by the effort, `least` of them at least.
    pub fn times(&self, usual: f64, least: f64) -> usize {
        (usual * self.effort).max(least) as usize
    }

    /// Ends a law that is under way when the time is over. Asked between steps that take a small part of a second.
    pub fn on_time(&self) -> Result<(), Stopped> {
        match self.until {
            Some(until) if Instant::now() >= until => Err(Stopped::OutOfTime),
            _ => Ok(()),
        }
    }

    /// A chain of a model that starts at `x`.
    pub fn chain<'m>(&self, model: &'m dyn Model, x: &[Vec<f64>], key: u64) -> Chain<'m> {
        Chain::starting_at(model, factors_at(model, x), self.seed, key)
    }
}

/// The factors of a model at some values.
pub(super) fn factors_at(model: &dyn Model, x: &[Vec<f64>]) -> Factors {
    let mut factors = model.factors();
    for (into, values) in factors.iter_mut().zip(x) {
        into.copy_from_slice(values);
    }
    factors
}

/// The values of some factors, an array for each latent.
pub(super) fn values_of(factors: &Factors) -> Vec<Vec<f64>> {
    factors.iter().map(<[f64]>::to_vec).collect()
}

/// Which ways over the cells are tried, [`WAYS`](skellam::model::WAYS) of them.
pub(super) const BOTH_WAYS: &str = "blocks and stored cells";

/// A way in words; beyond both, stored cells weigh by an index.
pub(super) fn name_of_way(way: usize) -> &'static str {
    let names = ["blocks", "stored cells"].get(way).copied();
    names.unwrap_or("stored cells weighed by an index")
}
