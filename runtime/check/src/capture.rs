//! A step that writes down the conditionals it is handed, and moves on to other values.

use rand::SeedableRng;

use skellam::model::family::{Custom, Family};
use skellam::model::{Complete, Step};
use skellam_math::streams::Stream;

use super::custom;
use super::point::{make_valid, normalise, some_value};

/// The complete conditional of some entries of a latent, as it was handed over.
pub(super) struct Captured {
    pub latent: usize,
    pub family: &'static dyn Family,
    /// Each with its conditional.
    pub lines: Vec<CapturedLine>,
    /// Positions in the latent.
    pub entries: Vec<usize>,
    /// The values that the entries have from then on.
    pub after: Vec<f64>,
}

/// One line and the parameters of its conditional.
pub(super) struct CapturedLine {
    /// Positions in the latent.
    pub entries: Vec<usize>,
    pub parameters: [Vec<f64>; 2],
}

/// See the module. Any positive value will do for the next conditional to be held against the joint density, so that
/// nothing is drawn from a conditional that may be wrong.
pub(super) struct Capture {
    pub conditionals: Vec<Captured>,
    /// What was found of custom updates: the latent and the statistic of [`custom::judge`].
    pub own: Vec<(usize, f64)>,
    /// How often a custom update is tried; the conditionals of the first slice will do.
    trials: usize,
    /// Whether an iteration is followed, and not a sweep.
    is_ascent: bool,
    rng: Stream,
    /// A separate generator, so that the values that follow are the same whether an update is judged or not.
    judge: Stream,
}

impl Capture {
    pub fn new(is_ascent: bool, seed: u64, trials: usize) -> Self {
        Self {
            is_ascent,
            conditionals: Vec::new(),
            own: Vec::new(),
            trials,
            rng: Stream::seed_from_u64(seed),
            judge: Stream::seed_from_u64(seed ^ 0x6a75_6467 << 32),
        }
    }

    fn judged(&self, latent: usize) -> bool {
        self.trials == 0 || self.own.iter().any(|(judged, _)| *judged == latent)
    }
}

impl Step for Capture {
    fn is_ascent(&self) -> bool {
        self.is_ascent
    }

    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        let (latent, family, lines) = (of.part.latent, of.prior, of.lines);
        if let Some(update) = of.family.update()
            && !self.judged(latent)
        {
            let own = Custom { family, update };
            // One simplex will do.
            let number = if family.has_lines() { 1 } else { lines.number() };
            let parameters = of.parameters_of(0, number);
            let found = custom::judge(&own, parameters, lines.size, self.trials, &mut self.judge);
            self.own.push((latent, found));
        }
        let place = |entry: usize| of.part.slice.map_or(entry, |slice| slice.entries[entry]);
        let mut captured = Vec::new();
        for line in 0..lines.number() {
            let entries: Vec<usize> = lines.entries(line).collect();
            entries.iter().for_each(|&entry| x[entry] = some_value(&mut self.rng));
            if family.has_lines() {
                normalise(x, entries.iter().copied());
            }
            let parameters = of.parameters_of(line, 1);
            if family.is_of_a_user() {
                make_valid(family, parameters.clone(), &mut x[entries[0]], &mut self.rng);
            }
            captured.push(CapturedLine {
                entries: entries.into_iter().map(place).collect(),
                parameters,
            });
        }
        self.conditionals.push(Captured {
            latent,
            family,
            lines: captured,
            entries: (0..x.len()).map(place).collect(),
            after: x.to_vec(),
        });
    }
}
