//! Binomial draws, for any number of trials a count can have.

use rand::{Rng, RngExt};
use rand_distr::{Binomial, Distribution};

/// Up to this many trials one uniform per trial is the fastest way.
const TRIALS: u64 = 8;
/// Below this mean by inversion; from it on by BTPE (Kachitvichyanukul and Schmeiser 1988).
const INVERSION: f64 = 10.0;

/// A draw of Binomial(`n`, `p`), for `n <= 2^53` and `p` in `[0, 1]`. A `p` outside, which rounding makes of a quotient,
/// counts as the nearer end.
///
/// `rand_distr` serves means of ten and more. Below, it computes `(1 - p)^n` from the rounded `1 - p`, which is wrong in
/// the fourth digit when `n` is 2^40 and `p` is 1e-12; here the logarithm of `1 - p` is taken without that rounding.
#[inline]
pub fn binomial<R: Rng + ?Sized>(n: u64, p: f64, rng: &mut R) -> u64 {
    if n <= TRIALS {
        return (0..n).map(|_| u64::from(rng.random::<f64>() < p)).sum();
    }
    if p > 0.5 {
        n - at_most_half(n, 1.0 - p, rng)
    } else {
        at_most_half(n, p, rng)
    }
}

/// For `p <= 1/2`; zero successes where `p` is zero, negative or NaN.
fn at_most_half<R: Rng + ?Sized>(n: u64, p: f64, rng: &mut R) -> u64 {
    let trials = n as f64;
    if trials * p >= INVERSION {
        return Binomial::new(n, p).map_or(0, |law| law.sample(rng));
    }
    if p > 0.0 { by_inversion(n, p, rng) } else { 0 }
}

fn by_inversion<R: Rng + ?Sized>(n: u64, p: f64, rng: &mut R) -> u64 {
    let trials = n as f64;
    let none = (trials * (-p).ln_1p()).exp();
    let odds = p / (1.0 - p);
    let mut u: f64 = rng.random();
    let (mut k, mut probability) = (0, none);
    while u >= probability {
        u -= probability;
        probability *= odds * (trials - k as f64) / (k + 1) as f64;
        k += 1;
        // The mean is below ten: a remainder of rounding, of probability 1e-16, that no term covers.
        if k > n.min(110) {
            return 0;
        }
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::goodness::discrete_p;
    use crate::special::ln_poisson_pmf;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The binomial law as Poisson probabilities, which keep their digits at any `n`:
    /// `P(k) = Pois(k; np) Pois(n-k; nq) / Pois(n; n)`.
    fn ln_pmf(n: u64, p: f64, k: u64) -> f64 {
        let trials = n as f64;
        ln_poisson_pmf(k, trials * p) + ln_poisson_pmf(n - k, trials * (1.0 - p)) - ln_poisson_pmf(n, trials)
    }

    /// 1e-6 per case; the same draws against the law of one trial more are the mutant where that can be seen.
    #[test]
    fn draws_follow_the_law() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(31);
        for n in [0_u64, 1, 5, 8, 9, 30, 1000, 1 << 20, 1 << 33, 1 << 40] {
            for p in [0.0, 1e-12, 1e-9, 0.003, 0.2, 0.5, 0.77, 1.0 - 1e-9, 1.0] {
                let draws: Vec<u64> = (0..60_000).map(|_| binomial(n, p, &mut rng)).collect();
                let mean = (n as f64 * p) as u64;
                let width = (12.0 * (n as f64 * p * (1.0 - p)).sqrt() + 40.0) as u64;
                let first = mean.saturating_sub(width);
                let law: Vec<f64> = (first..=n.min(mean + width)).map(|k| ln_pmf(n, p, k).exp()).collect();
                assert!(discrete_p(&draws, first, &law) > 1e-6, "{n} {p}");
            }
        }
    }

    #[test]
    fn the_statistic_sees_one_trial_too_many() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(32);
        let draws: Vec<u64> = (0..60_000).map(|_| binomial(31, 0.2, &mut rng)).collect();
        let law: Vec<f64> = (0..=30).map(|k| ln_pmf(30, 0.2, k).exp()).collect();
        assert!(discrete_p(&draws, 0, &law) < 1e-6);
    }
}
