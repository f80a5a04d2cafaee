//! Random values, counts and releases for tests, from fixed seeds.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::math::distribution::{gamma_draw, poisson};
use skellam::model::{Factors, Model};

use crate::twin::Twin;

/// The generator of the tests.
pub type Stream = Xoshiro256PlusPlus;

/// A generator from a seed.
pub fn stream(seed: u64) -> Stream {
    Stream::seed_from_u64(seed)
}

/// A draw of every latent from its prior.
pub fn prior_draw(twin: &Twin, rng: &mut Stream) -> Vec<Vec<f64>> {
    let arrays = twin.leaves.iter().zip(twin.zeros());
    arrays
        .map(|(leaf, mut x)| {
            x.iter_mut()
                .for_each(|x| *x = gamma_draw(leaf.prior_shape, rng) / leaf.prior_rate);
            x
        })
        .collect()
}

/// Poisson counts at some rates.
pub fn counts_at(rates: &[f64], rng: &mut Stream) -> Vec<i64> {
    rates.iter().map(|&rate| poisson(rate, rng) as i64).collect()
}

/// Two-sided geometric noise, as the difference of two geometric draws by inversion.
pub fn noise(alpha: f64, rng: &mut Stream) -> i64 {
    let mut one_sided = || ((1.0 - rng.random::<f64>()).ln() / alpha.ln()).floor() as i64;
    one_sided() - one_sided()
}

/// How alpha varies over the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vary {
    /// Not at all.
    Scalar,
    /// Along one index of the count.
    Slice(usize),
    /// From cell to cell.
    Cell,
}

/// Laws over the cells of `shape`, with alphas from 0.3 to 0.6.
pub fn laws(vary: Vary, shape: &[usize]) -> Varying<TwoSidedGeometric> {
    let some = |n: usize| {
        let alpha = |i: usize| 0.3 + 0.3 * ((i * 29) % 31) as f64 / 30.0;
        (0..n)
            .map(|i| TwoSidedGeometric::new(alpha(i)).unwrap())
            .collect::<Vec<_>>()
    };
    match vary {
        Vary::Scalar => Varying::Uniform(TwoSidedGeometric::new(0.45).unwrap()),
        Vary::Slice(axis) => Varying::Slice {
            axis,
            laws: some(shape[axis]),
        },
        Vary::Cell => Varying::Cell(some(shape.iter().product())),
    }
}

/// The factors of a model with the values of `arrays`.
pub fn factors(model: &dyn Model, arrays: &[Vec<f64>]) -> Factors {
    let mut x = model.factors();
    x.iter_mut()
        .zip(arrays)
        .for_each(|(into, from)| into.copy_from_slice(from));
    x
}

/// The values of some factors, an array for each latent.
pub fn arrays(x: &Factors) -> Vec<Vec<f64>> {
    x.iter().map(<[f64]>::to_vec).collect()
}
