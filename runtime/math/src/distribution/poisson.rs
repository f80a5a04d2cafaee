//! Poisson draws, free and truncated on either side, at a cost bounded in the rate and in the cut.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Poisson};

use crate::special::{ln_poisson_pmf, reciprocal};

/// Below this rate by inversion, from it on by `rand_distr` (Ahrens and Dieter 1982).
const INVERSION: f64 = 12.0;

/// A draw of Poisson(`rate`), for `0 <= rate <= 1e18`.
#[inline]
pub fn poisson<R: Rng + ?Sized>(rate: f64, rng: &mut R) -> u64 {
    if rate < INVERSION {
        return by_inversion(rate, rng);
    }
    match Poisson::new(rate) {
        Ok(law) => law.sample(rng) as u64,
        // Above 1.8e19 a draw does not fit the type; it would differ from the rate in the tenth digit at most.
        Err(_) => rate as u64,
    }
}

#[inline]
fn by_inversion<R: Rng + ?Sized>(rate: f64, rng: &mut R) -> u64 {
    let mut u: f64 = rng.random();
    // P(0) = e^-rate >= 1 - rate: at small rates most draws end here, without an exponential.
    if u < 1.0 - rate {
        return 0;
    }
    let (mut k, mut p) = (0, (-rate).exp());
    while u >= p {
        u -= p;
        k += 1;
        p *= rate * reciprocal(k);
        // Twenty-five standard deviations: a remainder of rounding, of probability 1e-16, that no term covers.
        if k > 100 {
            return 0;
        }
    }
    k
}

/// A draw of Poisson(`rate`) given that it is at most `c`; `0 <= rate <= 1e18`, `c <= 2^53`.
///
/// Far above the cut the law falls off from `c` downwards, below a geometric law of ratio `c / rate`; elsewhere a free
/// draw is at most `c` with probability 0.15 or more. Both rejections accept at least that often, whatever `c` is.
pub fn poisson_at_most<R: Rng + ?Sized>(rate: f64, c: u64, rng: &mut R) -> u64 {
    let cut = c as f64;
    if c == 0 {
        return 0;
    }
    if rate - cut < cut.sqrt().max(1.0) {
        return free_until(rate, rng, |y| y <= c);
    }
    // P(c - j) / P(c) = c! / ((c - j)! rate^j) = (c / rate)^j times c! / ((c - j)! c^j), the probability to accept. The
    // latter is a ratio of two Poisson(c) probabilities, which do not cancel at any c.
    let ln_ratio = (cut / rate).ln();
    loop {
        let j = geometric(ln_ratio, rng);
        if j <= c && accepts(rng, j, || ln_poisson_pmf(c - j, cut) - ln_poisson_pmf(c, cut)) {
            return c - j;
        }
    }
}

/// A draw of Poisson(`rate`) given that it is more than `c`; `0 < rate <= 1e18`, `c < 2^53`. Cost as for
/// [`poisson_at_most`].
pub fn poisson_more_than<R: Rng + ?Sized>(rate: f64, c: u64, rng: &mut R) -> u64 {
    let (first, next) = (c + 1, c as f64 + 2.0);
    if next - rate < next.sqrt() {
        return free_until(rate, rng, |y| y > c);
    }
    // P(c + 1 + j) / P(c + 1) = (rate / (c + 2))^j times (c + 2)^j / ((c + 2) .. (c + 1 + j)).
    let ln_ratio = (rate / next).ln();
    loop {
        let j = geometric(ln_ratio, rng);
        if accepts(rng, j, || ln_poisson_pmf(first + j, next) - ln_poisson_pmf(first, next)) {
            return first + j;
        }
    }
}

fn free_until<R: Rng + ?Sized>(rate: f64, rng: &mut R, holds: impl Fn(u64) -> bool) -> u64 {
    loop {
        let y = poisson(rate, rng);
        if holds(y) {
            return y;
        }
    }
}

/// `P(j) ~ exp(ln_ratio j)`, `ln_ratio < 0`.
#[inline]
fn geometric<R: Rng + ?Sized>(ln_ratio: f64, rng: &mut R) -> u64 {
    ((1.0 - rng.random::<f64>()).ln() / ln_ratio) as u64
}

/// True with probability `exp(ln_probability())`. At `j = 0` and `j = 1` both envelopes touch the law: certainty.
#[inline]
fn accepts<R: Rng + ?Sized>(rng: &mut R, j: u64, ln_probability: impl Fn() -> f64) -> bool {
    j <= 1 || rng.random::<f64>() < ln_probability().exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::goodness::discrete_p;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    const DRAWS: usize = 60_000;

    /// Probabilities of Poisson(rate) on `values`, normalised over them, from ten standard deviations around the bulk.
    fn law(rate: f64, low: u64, high: u64) -> (u64, Vec<f64>) {
        let logs: Vec<f64> = (low..=high).map(|y| ln_poisson_pmf(y, rate)).collect();
        let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|l| (l - top).exp()).collect();
        let total: f64 = weights.iter().sum();
        (low, weights.iter().map(|w| w / total).collect())
    }

    fn window(rate: f64) -> u64 {
        (12.0 * rate.sqrt() + 30.0) as u64
    }

    /// 1e-6 per case.
    #[test]
    fn free_draws_follow_the_law() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
        for rate in [1e-3, 0.2, 1.0, 5.0, 11.9, 12.1, 60.0, 1e4, 1e9] {
            let draws: Vec<u64> = (0..DRAWS).map(|_| poisson(rate, &mut rng)).collect();
            let centre = rate as u64;
            let (first, p) = law(rate, centre.saturating_sub(window(rate)), centre + window(rate));
            assert!(discrete_p(&draws, first, &p) > 1e-6, "{rate}");
        }
        assert_eq!(poisson(0.0, &mut rng), 0);
        assert!(poisson(1e18, &mut rng).abs_diff(1_000_000_000_000_000_000) < 20_000_000_000);
    }

    /// 1e-6 per case.
    #[test]
    fn truncated_draws_follow_the_law() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(22);
        for c in [0_u64, 1, 2, 5, 40, 1000, 100_000, 1 << 31] {
            let cut = c as f64;
            let spread = cut.sqrt().max(1.0);
            for rate in [
                0.01,
                0.9 * cut + 0.2,
                cut + 0.5,
                cut + 0.7 * spread,
                cut + 1.1 * spread,
                cut + 5.0 * spread,
                4.0 * cut + 3.0,
            ] {
                let draws: Vec<u64> = (0..DRAWS).map(|_| poisson_at_most(rate, c, &mut rng)).collect();
                let bulk = (rate as u64).min(c);
                let (first, p) = law(rate, bulk.saturating_sub(window(cut)), c.min(bulk + window(cut)));
                assert!(discrete_p(&draws, first, &p) > 1e-6, "at most {c}, rate {rate}");
            }
            for rate in [
                1e-6,
                0.3 * cut + 0.1,
                cut + 0.5,
                cut - 0.7 * spread,
                cut - 1.5 * spread,
                cut - 5.0 * spread,
                4.0 * cut + 3.0,
            ] {
                if rate <= 0.0 {
                    continue;
                }
                let draws: Vec<u64> = (0..DRAWS).map(|_| poisson_more_than(rate, c, &mut rng)).collect();
                let bulk = (rate as u64).max(c + 1);
                let (first, p) = law(
                    rate,
                    (c + 1).max(bulk.saturating_sub(window(rate))),
                    bulk + window(rate.max(cut)),
                );
                assert!(discrete_p(&draws, first, &p) > 1e-6, "more than {c}, rate {rate}");
            }
        }
    }
}
