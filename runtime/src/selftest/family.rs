//! The methods of a family of priors, held against each other.
//!
//! What is drawn must have the distribution function that the family states, and its density, its moments and its distances; and
//! the density must be conjugate: with `n` counts and an exposure of `e` it changes by `x^n exp(-e x)` and a constant.

use rand::SeedableRng;

use crate::family::{FAMILIES, Family, Reference};
use crate::streams::Stream;

use super::instance::Instance;
use super::report::{Law, Row};
use super::statistics::{KOLMOGOROV_LIMIT, kolmogorov};

/// Draws of each law.
const DRAWS: usize = 40_000;
/// Standard errors that a mean may be off: with some thirty means, false alarms 2e-5.
const LIMIT: f64 = 5.0;
/// How far ratios of densities may be off, relative to the largest logarithm.
const TOLERANCE: f64 = 1e-9;
/// First and second parameters that are tried, of laws that are far from normal and of one that is not.
const TRIED: [[f64; 2]; 3] = [[0.7, 0.9], [2.3, 1.6], [40.0, 25.0]];
/// Entries of a line where they depend on each other.
const SIZE: usize = 4;

/// Holds the methods of `family` against each other: a row for each law that a family must obey, with the worst that was found.
/// False alarms are below 1e-4. For tests of a family of one's own; `self_test()` of a model that names it has these rows, too.
pub fn family(family: &dyn Family) -> Vec<Row> {
    let mut found = Found::default();
    for (number, tried) in TRIED.into_iter().enumerate() {
        OneLine { family, tried }.run(number as u64, &mut found);
    }
    let row = |what: &str, value: f64, limit: f64, note: &str| {
        Row::tried(Law::Family, format!("{}, {what}", family.name()), value, limit, note)
    };
    vec![
        row(
            "draws",
            found.draws,
            KOLMOGOROV_LIMIT,
            "Kolmogorov-Smirnov against `distribution`; false alarms 2e-7",
        ),
        row(
            "moments",
            found.moments,
            LIMIT,
            "standard errors of means, geometric means and variances of draws",
        ),
        row(
            "density",
            found.density,
            LIMIT,
            "standard errors; the mean of a ratio of densities is one",
        ),
        row(
            "conjugacy",
            found.conjugacy,
            TOLERANCE,
            "densities given counts and exposure, relative",
        ),
        row(
            "divergence",
            found.divergence,
            LIMIT,
            "standard errors of the mean of ln q - ln p",
        ),
        row(
            "valid",
            found.invalid,
            0.0,
            "draws that `invalid` refuses, or a negative number that it takes",
        ),
    ]
}

/// The rows of every family of a user's own among the priors of a model; those of the library are held against each other in its tests.
pub(super) fn of_model(instance: &Instance) -> Vec<Row> {
    let mut seen: Vec<&dyn Family> = FAMILIES.to_vec();
    let mut rows = Vec::new();
    for latent in instance.twin.spec.latents {
        let of = latent.prior.family;
        if !seen.contains(&of) {
            seen.push(of);
            rows.extend(family(of));
        }
    }
    rows
}

/// The worst of each law.
#[derive(Default)]
struct Found {
    draws: f64,
    moments: f64,
    density: f64,
    conjugacy: f64,
    divergence: f64,
    invalid: f64,
}

/// The larger; what is not a number is larger than all.
fn raise(worst: &mut f64, value: f64) {
    if value.is_nan() || value > *worst {
        *worst = value;
    }
}

/// How many standard errors the mean of `values` is from `expected`.
fn off(values: impl Iterator<Item = f64>, expected: f64) -> f64 {
    let (mut n, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for value in values {
        n += 1.0;
        let before: f64 = value - mean;
        mean += before / n;
        squares += before * (value - mean);
    }
    let error = (squares / (n * (n - 1.0))).sqrt();
    // Rounding alone must not look like a deviation where nothing varies.
    (mean - expected).abs() / error.max(1e-12 * expected.abs())
}

/// One line of a family at given parameters.
struct OneLine<'a> {
    family: &'a dyn Family,
    tried: [f64; 2],
}

impl OneLine<'_> {
    fn size(&self) -> usize {
        if self.family.has_lines() { SIZE } else { 1 }
    }

    /// Both parameters of the line, with `more` counts and exposure.
    fn parameters(&self, [counts, exposure]: [f64; 2]) -> [Vec<f64>; 2] {
        let entries = 0..self.size();
        let first = entries.map(|i| self.tried[0] * (1.0 + 0.3 * i as f64) + counts * (1.0 + i as f64));
        // Exposure says nothing where it is the same along a line.
        let second = if self.family.parameters().len() > 1 {
            self.tried[1] + exposure
        } else {
            1.0
        };
        [first.collect(), vec![second; self.size()]]
    }

    fn run(&self, seed: u64, found: &mut Found) {
        let (family, size) = (self.family, self.size());
        let mut rng = Stream::seed_from_u64(0x0066_616d ^ seed);
        let here = self.parameters([0.0; 2]);
        let more = self.parameters([0.2 * self.tried[0], 0.1 * self.tried[1]]);
        let at = |parameters: &[Vec<f64>; 2], x: &[f64]| family.ln_density(x, [&parameters[0], &parameters[1]]);
        let mut draws = Vec::with_capacity(DRAWS);
        let mut x = vec![1.0 / size as f64; size];
        for _ in 0..DRAWS {
            let [mut one, mut other] = here.clone();
            family.draw([&mut one, &mut other], size, &mut x, &mut rng);
            draws.push(x.clone());
        }
        let refused = draws.iter().filter(|x| family.invalid(x).is_some()).count();
        let taken = family.invalid(&vec![-1.0; size]).is_none();
        raise(&mut found.invalid, refused as f64 + f64::from(u8::from(taken)));

        let (mut mean, mut geometric) = (vec![0.0; size], vec![0.0; size]);
        family.moments([&here[0], &here[1]], size, &mut mean, &mut geometric);
        let mut variance = vec![0.0; size];
        family.variance([&here[0], &here[1]], size, &mut variance);
        for i in 0..size {
            let parameters = [&here[0][..], &here[1][..]];
            let mut uniform: Vec<f64> = draws.iter().map(|x| family.distribution(parameters, i, x[i])).collect();
            raise(&mut found.draws, kolmogorov(&mut uniform));
            raise(&mut found.moments, off(draws.iter().map(|x| x[i]), mean[i]));
            raise(
                &mut found.moments,
                off(draws.iter().map(|x| x[i].ln()), geometric[i].ln()),
            );
            let square = |x: &Vec<f64>| (x[i] - mean[i]).powi(2);
            raise(&mut found.moments, off(draws.iter().map(square), variance[i]));
        }
        // Importance weights of a neighbour: their mean is one if both are densities, and these those of the draws.
        let weights = draws.iter().map(|x| (at(&more, x) - at(&here, x)).exp());
        raise(&mut found.density, off(weights, 1.0));

        let constant = |x: &[f64]| -> [f64; 2] {
            let (gained, lost) = (at(&more, x), at(&here, x));
            let entries = x.iter().enumerate();
            let kernel = entries.map(|(i, x)| (more[0][i] - here[0][i]) * x.ln() - (more[1][i] - here[1][i]) * x);
            [
                gained - lost - kernel.sum::<f64>(),
                gained.abs().max(lost.abs()).max(1.0),
            ]
        };
        let [first, _] = constant(&draws[0]);
        for x in draws.iter().take(100) {
            let [value, scale] = constant(x);
            raise(&mut found.conjugacy, (value - first).abs() / scale);
        }

        let prior = Reference {
            mean: [&more[0], &more[1]],
            geometric: &more[1],
        };
        let divergence = family.divergence([&here[0], &here[1]], prior);
        raise(
            &mut found.divergence,
            off(draws.iter().map(|x| at(&here, x) - at(&more, x)), divergence),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_families_obey_their_laws() {
        for known in FAMILIES {
            let rows = family(known);
            assert!(rows.iter().all(|row| row.passed), "{rows:#?}");
        }
    }

    /// What is wrong.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Wrong {
        Draw,
        Mean,
        Geometric,
        Variance,
        Surprise,
        Normaliser,
        Divergence,
        Distribution,
        Invalid,
    }

    #[derive(Debug)]
    struct Mutant(&'static dyn Family, Wrong);

    impl Family for Mutant {
        fn name(&self) -> &'static str {
            self.0.name()
        }

        fn parameters(&self) -> &'static [&'static str] {
            self.0.parameters()
        }

        fn has_lines(&self) -> bool {
            self.0.has_lines()
        }

        fn invalid(&self, line: &[f64]) -> Option<crate::family::Invalid> {
            self.0.invalid(line).filter(|_| self.1 != Wrong::Invalid)
        }

        fn draw(&self, [one, other]: [&mut [f64]; 2], size: usize, x: &mut [f64], rng: &mut Stream) {
            if self.1 == Wrong::Draw {
                one[0] *= 1.06;
            }
            self.0.draw([one, other], size, x, rng);
        }

        fn moments(&self, parameters: [&[f64]; 2], size: usize, mean: &mut [f64], geometric: &mut [f64]) {
            self.0.moments(parameters, size, mean, geometric);
            mean[0] *= if self.1 == Wrong::Mean { 1.05 } else { 1.0 };
            geometric[0] *= if self.1 == Wrong::Geometric { 1.05 } else { 1.0 };
        }

        fn variance(&self, parameters: [&[f64]; 2], size: usize, into: &mut [f64]) {
            self.0.variance(parameters, size, into);
            into[0] *= if self.1 == Wrong::Variance { 1.15 } else { 1.0 };
        }

        fn around(&self, mean: &[f64], size: usize, parameters: [&mut [f64]; 2], geometric: &mut [f64]) {
            self.0.around(mean, size, parameters, geometric);
        }

        fn divergence(&self, posterior: [&[f64]; 2], prior: Reference<'_>) -> f64 {
            let right = self.0.divergence(posterior, prior);
            if self.1 == Wrong::Divergence {
                1.1 * right
            } else {
                right
            }
        }

        fn surprise(&self, x: &[f64], prior: Reference<'_>) -> f64 {
            let more = match self.1 {
                Wrong::Surprise => 0.05 * x[0] * x[0] * prior.mean[0][0],
                Wrong::Normaliser => 0.5 * prior.mean[0][0].ln(),
                _ => 0.0,
            };
            self.0.surprise(x, prior) + more
        }

        fn distribution(&self, parameters: [&[f64]; 2], i: usize, x: f64) -> f64 {
            let more = if self.1 == Wrong::Distribution { 0.9 } else { 1.0 };
            self.0.distribution(parameters, i, more * x)
        }
    }

    #[test]
    fn every_wrong_method_is_seen() {
        for of in FAMILIES {
            for (wrong, law) in [
                (Wrong::Draw, "draws"),
                (Wrong::Mean, "moments"),
                (Wrong::Geometric, "moments"),
                (Wrong::Variance, "moments"),
                (Wrong::Surprise, "conjugacy"),
                (Wrong::Normaliser, "density"),
                (Wrong::Divergence, "divergence"),
                (Wrong::Distribution, "draws"),
                (Wrong::Invalid, "valid"),
            ] {
                let rows = family(&Mutant(of, wrong));
                let failed: Vec<&str> = rows.iter().filter(|row| !row.passed).map(|row| &*row.of).collect();
                assert!(
                    failed.iter().any(|row| row.ends_with(law)),
                    "{}: {wrong:?} fails {failed:?}",
                    of.name()
                );
            }
        }
    }
}
