//! Slice sampling of one variable (Neal 2003, *Slice sampling*), for conditionals that are no law of this module: those of a custom update.

use rand::{Rng, RngExt};

/// A step of a Markov chain on the interval `ends` that leaves the law with this log density, up to a constant, as it is. Draws a height below the density at `at`, then
/// proposes points until one lies above that height; each rejected point becomes an end of the interval. `at` lies between the ends. Where the density is zero, `ln_density`
/// is minus infinity, or NaN.
///
/// ```
/// use rand::SeedableRng;
/// use skellam_math::distribution::slice_step;
///
/// // A gamma law of shape 2.5 that is cut at one.
/// let ln_density = |x: f64| 1.5 * x.ln() - 3.0 * x;
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let x = (0..10).fold(0.5, |x, _| slice_step(x, [f64::MIN_POSITIVE, 1.0], ln_density, &mut rng));
/// assert!(0.0 < x && x <= 1.0);
/// ```
pub fn slice_step<R: Rng + ?Sized>(at: f64, ends: [f64; 2], ln_density: impl Fn(f64) -> f64, rng: &mut R) -> f64 {
    let height = ln_density(at) + (1.0 - rng.random::<f64>()).ln();
    // An interval without end would never become shorter.
    let [mut low, mut high] = ends.map(|end| end.clamp(0.5 * f64::MIN, 0.5 * f64::MAX));
    while low < high {
        let point = low + (high - low) * rng.random::<f64>();
        // Where the interval has shrunk to `at` itself, no other point is left.
        if ln_density(point) >= height || point == at {
            return point;
        }
        if point < at {
            low = point;
        } else {
            high = point;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The mean of 20,000 chains of 20 steps from 0.5, under a gamma law of shape 2 and rate 3 cut at one, against the integral by Simpson's rule: within five standard errors (false
    /// positives 6e-7). A step whose height is the density itself, so that it never goes down, is not within them.
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
        let chains = 20_000;
        let error = ((square - mean * mean) / f64::from(chains)).sqrt();
        // How many standard errors the mean is off, by a step.
        let off = |step: &dyn Fn(f64, &mut Xoshiro256PlusPlus) -> f64| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
            let ends = (0..chains).map(|_| (0..20).fold(0.5, |x, _| step(x, &mut rng)));
            ((ends.sum::<f64>() / f64::from(chains) - mean) / error).abs()
        };
        let right = off(&|x, rng| slice_step(x, [0.0, 1.0], ln_density, rng));
        assert!(right < 5.0, "{right}");
        let never_down = |x: f64, rng: &mut Xoshiro256PlusPlus| {
            let least = ln_density(x);
            slice_step(
                x,
                [0.0, 1.0],
                |at| if ln_density(at) >= least { 0.0 } else { f64::NAN },
                rng,
            )
        };
        assert!(off(&never_down) > 5.0, "{}", off(&never_down));
    }

    /// No step ends nowhere, even from a point that has no density.
    #[test]
    fn a_point_without_density_stays() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        assert_eq!(slice_step(0.25, [0.0, 1.0], |_| f64::NAN, &mut rng), 0.25);
        let ends = [f64::NEG_INFINITY, f64::INFINITY];
        assert_eq!(slice_step(0.25, ends, |_| f64::NAN, &mut rng), 0.25);
        assert!(slice_step(0.25, ends, |x| -x * x, &mut rng).abs() < 10.0);
        assert_eq!(slice_step(0.25, [f64::NAN, 1.0], |_| 0.0, &mut rng), 0.25);
    }

    #[test]
    fn a_density_that_is_nowhere_else_keeps_the_point() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let only = |x: f64| if x == 0.25 { 0.0 } else { f64::NAN };
        assert_eq!(slice_step(0.25, [0.0, 1.0], only, &mut rng), 0.25);
    }
}
