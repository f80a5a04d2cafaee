//! A step that holds the conditionals it is handed against the joint density, and moves on to other values.

use rand::RngExt;

use skellam::model::family::{Custom, Family};
use skellam::model::{Complete, Step};
use skellam_math::streams::Stream;

use super::custom;
use super::point::{make_valid, normalise, some_value};
use super::weighed::Weighed;
use super::worst::Worst;

/// Ratios agree to this fraction of the logarithm of the joint density, or of one.
pub(super) const TOLERANCE: f64 = 1e-10;
/// Lines of a part whose ratios are taken: the first, the last and some between.
const LINES: usize = 5;

/// What was found of one latent.
#[derive(Clone, Default)]
pub(super) struct OfLatent {
    pub ratios: Worst,
    /// The statistic of its custom update, [`custom::judge`].
    pub own: Option<f64>,
}

/// See the module. Any positive value will do for the next conditional to be held against the joint density, so that
/// nothing is drawn from a conditional that may be wrong.
pub(super) struct Judge<'a> {
    pub weighed: &'a Weighed<'a>,
    /// Whether an iteration is followed, and not a sweep.
    pub is_ascent: bool,
    /// How often a custom update is tried; the conditionals of the first slice will do.
    pub trials: usize,
    /// The values of all latents.
    pub at: Vec<Vec<f64>>,
    /// For each latent.
    pub found: &'a mut [OfLatent],
    pub place: String,
    pub rng: Stream,
}

impl Step for Judge<'_> {
    fn is_ascent(&self) -> bool {
        self.is_ascent
    }

    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        let (latent, family, lines) = (of.part.latent, of.prior, of.lines);
        if let Some(update) = of.family.update()
            && self.trials > 0
            && self.found[latent].own.is_none()
        {
            let own = Custom { family, update };
            // One simplex will do.
            let number = if family.has_lines() { 1 } else { lines.number() };
            let parameters = of.parameters_of(0, number);
            let found = custom::judge(&own, parameters, lines.size, self.trials, &mut self.rng);
            self.found[latent].own = Some(found);
        }
        let place = |entry: usize| of.part.slice.map_or(entry, |slice| slice.entries[entry]);
        let before = self.weighed.ln_joint(&self.at);
        let tried = lines.number().min(LINES);
        for i in 0..tried {
            let line = i * (lines.number() - 1) / (tried - 1).max(1);
            let entries: Vec<usize> = lines.entries(line).map(place).collect();
            let parameters = of.parameters_of(line, 1);
            // A family with one parameter has no other than one.
            let is_one = family.parameters().len() > 1 || parameters[1].iter().all(|one| *one == 1.0);
            let ln = |x: &[f64]| family.ln_density(x, [&parameters[0], &parameters[1]]);
            let here: Vec<f64> = entries.iter().map(|&entry| self.at[latent][entry]).collect();
            for there in moves(family, &parameters, &here, &mut self.rng) {
                let conditional = ln(&there) - ln(&here);
                set(&mut self.at[latent], &entries, &there);
                let joint = self.weighed.ln_joint(&self.at) - before;
                set(&mut self.at[latent], &entries, &here);
                let gap = (conditional - joint).abs() / before.abs().max(1.0);
                let gap = if is_one { gap } else { f64::INFINITY };
                let place = || format!("entry {}, {}", entries[0], self.place);
                self.found[latent].ratios.add(gap, place);
            }
        }
        for line in 0..lines.number() {
            lines
                .entries(line)
                .for_each(|entry| x[entry] = some_value(&mut self.rng));
            if family.has_lines() {
                normalise(x, lines.entries(line));
            } else if family.is_of_a_user() {
                // A line is one entry.
                make_valid(family, of.parameters_of(line, 1), &mut x[line], &mut self.rng);
            }
        }
        let entries: Vec<usize> = (0..x.len()).map(place).collect();
        set(&mut self.at[latent], &entries, x);
    }
}

fn set(x: &mut [f64], entries: &[usize], values: &[f64]) {
    entries.iter().zip(values).for_each(|(&entry, value)| x[entry] = *value);
}

/// Other values of a line, where the density is not zero: shares of two entries that are exchanged, from the first entry to the last
/// and between neighbours, or a multiple of the one entry.
fn moves(family: &dyn Family, parameters: &[Vec<f64>; 2], values: &[f64], rng: &mut Stream) -> Vec<Vec<f64>> {
    if !family.has_lines() {
        let mut there = values[0] * rng.random_range(0.3..3.0);
        make_valid(family, parameters.clone(), &mut there, rng);
        return vec![vec![there]];
    }
    let pairs = [[0, values.len() - 1], [0, 1 % values.len()]].into_iter();
    let moved = pairs.filter(|[a, b]| a != b).map(|[a, b]| {
        let (both, share) = (values[a] + values[b], rng.random_range(0.1..0.9));
        let mut there = values.to_vec();
        (there[a], there[b]) = (share * both, (1.0 - share) * both);
        there
    });
    moved.collect()
}
