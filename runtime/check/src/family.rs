//! The methods of a family of priors, held against each other.
//!
//! What is drawn must have the distribution function that the family states, and its density, its moments and its distances; and
//! the density must be conjugate: with `n` counts and an exposure of `e` it changes by `x^n exp(-e x)` and a constant. What a run
//! starts with, and what ends it, must agree with the moments.

use rand::SeedableRng;

use skellam::model::family::{FAMILIES, Family, Reference};
use skellam_math::streams::Stream;

use super::law::Check;
use super::report::Row;
use super::statistics::{KOLMOGOROV_LIMIT, kolmogorov};
use super::trial::{Found, Trial};
use super::worst::Table;

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
/// By which factor, here 3, the mean of a start may differ from the one that was asked for, its logarithm: a start says as much as one count does, so that a
/// family with bounds cannot have every mean.
const LN_FACTOR: f64 = 1.098_612_288_668_109_8;
/// A mean that moves by less stays as it is.
const MOVES: f64 = 1e-6;

/// The laws of a family, each with its limit and its statistic.
const LAWS: [(&str, f64, &str); 10] = [
    ("draws", KOLMOGOROV_LIMIT, "against `distribution`; false alarms 2e-7"),
    ("moments", LIMIT, "standard errors of means and variances of draws"),
    ("density", LIMIT, "standard errors of a mean ratio of densities"),
    ("conjugacy", TOLERANCE, "densities given counts and exposure"),
    ("divergence", LIMIT, "standard errors of the mean of ln q - ln p"),
    ("valid", 0.0, "draws that are refused, a negative number taken"),
    ("around", TOLERANCE, "geometric means, against its parameters"),
    ("start", LN_FACTOR, "ln of the factor by which its mean is off"),
    ("level", 0.0, "parameters without which the mean stays as it is"),
    ("overflow", 0.0, "means that are taken for ones beyond all doubles"),
];

/// Holds the methods of `family` against each other: a row for each law that a family must obey, with the worst that was found.
/// False alarms are below 1e-4. For tests of a custom family; [`check`](crate::check) of a model that names it has these rows, too.
pub fn family(family: &dyn Family) -> Vec<Row> {
    let mut found = Table::new(&LAWS);
    for (number, tried) in TRIED.into_iter().enumerate() {
        OneLine { family, tried }.run(number as u64, &mut found);
    }
    found.rows(Check::Family, family.name())
}

/// The rows of every family of a user's own among the priors of a model; those of the library are held against each other in its tests.
pub(super) fn of_model(trial: &Trial<'_>) -> Found {
    let mut seen: Vec<&dyn Family> = FAMILIES.to_vec();
    let mut rows = Vec::new();
    for latent in trial.instance.twin.spec.latents {
        let of = latent.prior.family;
        if !seen.contains(&of) {
            trial.on_time()?;
            seen.push(of);
            rows.extend(family(of));
        }
    }
    Ok(rows)
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

    /// Means and geometric means.
    fn moments(&self, [one, other]: &[Vec<f64>; 2]) -> [Vec<f64>; 2] {
        let (mut mean, mut geometric) = (vec![0.0; self.size()], vec![0.0; self.size()]);
        self.family
            .moments([one, other], self.size(), &mut mean, &mut geometric);
        [mean, geometric]
    }

    fn run(&self, seed: u64, found: &mut Table<'_>) {
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
        let refused = draws.iter().any(|x| family.invalid(x).is_some());
        found
            .at("valid")
            .refuse(refused || family.invalid(&vec![-1.0; size]).is_none());

        let [mean, geometric] = self.moments(&here);
        let mut variance = vec![0.0; size];
        family.variance([&here[0], &here[1]], size, &mut variance);
        for i in 0..size {
            let parameters = [&here[0][..], &here[1][..]];
            let mut uniform: Vec<f64> = draws.iter().map(|x| family.distribution(parameters, i, x[i])).collect();
            found.at("draws").raise(kolmogorov(&mut uniform));
            found.at("moments").raise(off(draws.iter().map(|x| x[i]), mean[i]));
            let logarithms = draws.iter().map(|x| x[i].ln());
            found.at("moments").raise(off(logarithms, geometric[i].ln()));
            let square = |x: &Vec<f64>| (x[i] - mean[i]).powi(2);
            found.at("moments").raise(off(draws.iter().map(square), variance[i]));
        }
        // Importance weights of a neighbour: their mean is one if both are densities, and these those of the draws.
        let weights = draws.iter().map(|x| (at(&more, x) - at(&here, x)).exp());
        found.at("density").raise(off(weights, 1.0));

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
            found.at("conjugacy").raise((value - first).abs() / scale);
        }

        let prior = Reference {
            mean: [&more[0], &more[1]],
            geometric: &more[1],
        };
        let divergence = family.divergence([&here[0], &here[1]], prior);
        let gains = draws.iter().map(|x| at(&here, x) - at(&more, x));
        found.at("divergence").raise(off(gains, divergence));
        self.starts(&here, &mean, found);
    }

    /// Parameters around a mean, the parameter that is shaken so that entries differ, and means beyond all doubles.
    fn starts(&self, here: &[Vec<f64>; 2], mean: &[f64], found: &mut Table<'_>) {
        let (family, size) = (self.family, self.size());
        let (mut one, mut other, mut geometric) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
        family.around(mean, size, [&mut one, &mut other], &mut geometric);
        let [of_start, geometric_of_start] = self.moments(&[one, other]);
        for i in 0..size {
            found
                .at("around")
                .raise((geometric[i] / geometric_of_start[i] - 1.0).abs());
            found.at("start").raise((of_start[i] / mean[i]).ln().abs());
        }

        let mut shaken = here.clone();
        let stays = match shaken.get_mut(family.level()) {
            Some(parameter) => {
                parameter[0] *= 1.1;
                let [moved, _] = self.moments(&shaken);
                (moved[0] / mean[0] - 1.0).abs() < MOVES
            }
            None => true,
        };
        found.at("level").refuse(stays);

        // A finite mean did not overflow; one that is not finite is reported at its own place.
        let [one, other] = here;
        found.at("overflow").refuse(family.overflow([one, other]).is_some());
        if family.has_lines() {
            return;
        }
        // Three lines, of which one has a mean that is too large for a double, or too small.
        for [first, second] in [[f64::MAX, f64::MIN_POSITIVE], [f64::MIN_POSITIVE, f64::MAX]] {
            let (one, other) = ([one[0], first, one[0]], [other[0], second, other[0]]);
            let told = family.overflow([&one, &other]);
            let wrong = told.is_some_and(|(at, mean)| at != 1 || mean.is_normal());
            found.at("overflow").refuse(wrong);
        }
    }
}
