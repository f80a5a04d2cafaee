//! Slice sampling of one variable (Neal 2003, *Slice sampling*), for conditionals that are no law of this module: those of a custom update.

use rand::{Rng, RngExt};

/// A step of a Markov chain on the interval `ends` that leaves the law with this log density, up to a constant, as it is. A height below the density at `at` is
/// drawn, then points of the interval until one is above it: each of the others becomes an end. `at` lies between the ends and has a density above zero; a density may be zero
/// elsewhere (`ln_density` is minus infinity), and NaN counts as that.
///
/// ```
/// use rand::SeedableRng;
/// use skellam::distribution::slice_step;
///
/// // A gamma law of shape 2.5 that is cut at one.
/// let ln_density = |x: f64| 1.5 * x.ln() - 3.0 * x;
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let x = (0..10).fold(0.5, |x, _| slice_step(x, [f64::MIN_POSITIVE, 1.0], ln_density, &mut rng));
/// assert!(0.0 < x && x <= 1.0);
/// ```
pub fn slice_step<R: Rng + ?Sized>(
    at: f64,
    [mut low, mut high]: [f64; 2],
    ln_density: impl Fn(f64) -> f64,
    rng: &mut R,
) -> f64 {
    let height = ln_density(at) + (1.0 - rng.random::<f64>()).ln();
    loop {
        let point = low + (high - low) * rng.random::<f64>();
        // Where the interval has shrunk to the point itself, no other is left.
        if ln_density(point) >= height || low >= high {
            return if low >= high { at } else { point };
        }
        if point < at {
            low = point;
        } else {
            high = point;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The mean of chains of 20 steps from 0.5, under a gamma law of shape 2 and rate 3 cut at one: against the integral by Simpson's rule, within five standard errors (false
    /// positives 6e-7). A height that is the density itself, or an interval that is never shrunk on one side, would be seen: the mean of a uniform law is 0.5.
    #[test]
    fn steps_have_the_law() {
        let ln_density = |x: f64| x.ln() - 3.0 * x;
        let integral = |power: i32| -> f64 {
            let n = 2000;
            let term = |i: usize| {
                let x = i as f64 / n as f64;
                let weight = if i == 0 || i == n {
                    1.0
                } else {
                    2.0 + 2.0 * (i % 2) as f64
                };
                weight * x.powi(power) * x * (-3.0 * x).exp()
            };
            (0..=n).map(term).sum()
        };
        let (mean, square) = (integral(1) / integral(0), integral(2) / integral(0));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let chains = 20_000;
        let end = |rng: &mut Xoshiro256PlusPlus| (0..20).fold(0.5, |x, _| slice_step(x, [0.0, 1.0], ln_density, rng));
        let found = (0..chains).map(|_| end(&mut rng)).sum::<f64>() / f64::from(chains);
        let error = ((square - mean * mean) / f64::from(chains)).sqrt();
        assert!((found - mean).abs() < 5.0 * error, "{found} and {mean} ± {error}");
        assert!((mean - 0.5).abs() > 5.0 * error);
    }

    #[test]
    fn a_density_that_is_nowhere_else_keeps_the_point() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let only = |x: f64| if x == 0.25 { 0.0 } else { f64::NAN };
        assert_eq!(slice_step(0.25, [0.0, 1.0], only, &mut rng), 0.25);
    }
}
