//! Random counts and noise for tests, from fixed seeds.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::math::distribution::poisson;

/// The generator of the tests.
pub type Stream = Xoshiro256PlusPlus;

/// A generator from a seed.
pub fn stream(seed: u64) -> Stream {
    Stream::seed_from_u64(seed)
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
