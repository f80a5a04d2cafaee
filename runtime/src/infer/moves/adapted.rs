//! What joint moves adapt while a chain is tuned, and then keep.

/// Share of trajectories that tuning aims to accept. 0.65, the optimum of many equal dimensions (Beskos et al. 2013), gave the
/// worst of 400 rates no more effective samples a second, and more chains that were slow.
const ACCEPTED: f64 = 0.8;
/// Share of level moves that tuning aims to accept: the optimum of a random walk in one dimension.
const LEVELS_ACCEPTED: f64 = 0.44;
/// Draws that the mass before counts for beside those of a window.
const BEFORE: f64 = 5.0;
/// The first step, in units of the spreads: small enough for a hundred thousand entries.
const FIRST_STEP: f64 = 0.1;

/// Masses, step sizes and the counters of their adaptation: all that a chain's moves carry from sweep to sweep.
///
/// A continued chain has the same draws if [`Adapted::arrays`] are written and handed to [`Adapted::restore`].
#[derive(Clone, Debug, PartialEq)]
pub struct Adapted {
    /// For each entry that trajectories move, the square of the spread of its logarithm.
    inverse_mass: Vec<f64>,
    /// Mean of the logarithms in the present window.
    mean: Vec<f64>,
    /// Sum of squared distances from it.
    squares: Vec<f64>,
    /// Draws in the present window.
    window: [f64; 1],
    /// Step size: see [`Adapted::learn_step`].
    step: [f64; 5],
    /// For each latent that moves, the logarithm of its level move's width and how many of these were made.
    levels: Vec<f64>,
}

// Places in `step`.
const LN_STEP: usize = 0;
const LN_AVERAGED: usize = 1;
const ERROR: usize = 2;
const ROUNDS: usize = 3;
const CENTRE: usize = 4;

impl Adapted {
    pub(super) fn new(entries: usize, latents: usize) -> Self {
        let mut new = Self {
            inverse_mass: vec![1.0; entries],
            mean: vec![0.0; entries],
            squares: vec![0.0; entries],
            window: [0.0],
            step: [0.0; 5],
            levels: [0.0, 0.0].repeat(latents),
        };
        new.restart_step(FIRST_STEP);
        new
    }

    /// Everything, by name.
    pub fn arrays(&self) -> Vec<(&'static str, &[f64])> {
        vec![
            ("inverse_mass", &self.inverse_mass),
            ("mean", &self.mean),
            ("squares", &self.squares),
            ("window", &self.window),
            ("step", &self.step),
            ("levels", &self.levels),
        ]
    }

    /// Takes the values of [`Adapted::arrays`] of a chain of the same model and settings; `false` if one is missing or has
    /// another length, and then nothing changes.
    #[must_use]
    pub fn restore(&mut self, arrays: &[(&str, &[f64])]) -> bool {
        let find = |name: &str| {
            arrays
                .iter()
                .find(|(given, _)| *given == name)
                .map(|(_, values)| *values)
        };
        let fits = |(name, own): &(&'static str, &[f64])| find(name).is_some_and(|values| values.len() == own.len());
        if !self.arrays().iter().all(fits) {
            return false;
        }
        let own: [(&str, &mut [f64]); 6] = [
            ("inverse_mass", &mut self.inverse_mass),
            ("mean", &mut self.mean),
            ("squares", &mut self.squares),
            ("window", &mut self.window),
            ("step", &mut self.step),
            ("levels", &mut self.levels),
        ];
        for (name, own) in own {
            own.copy_from_slice(find(name).unwrap_or_default());
        }
        true
    }

    /// Step size of the trajectories, in units of the spreads.
    pub fn step(&self) -> f64 {
        self.step[LN_STEP].exp()
    }

    pub(super) fn inverse_mass(&self) -> &[f64] {
        &self.inverse_mass
    }

    pub(super) fn inverse_mass_mut(&mut self) -> &mut [f64] {
        &mut self.inverse_mass
    }

    /// Dual averaging towards [`ACCEPTED`] (Hoffman and Gelman 2014, section 3.2, with its constants).
    pub(super) fn learn_step(&mut self, acceptance: f64) {
        let [shrinkage, delay, decay] = [0.05, 10.0, 0.75];
        let step = &mut self.step;
        step[ROUNDS] += 1.0;
        let rounds = step[ROUNDS];
        let weight = 1.0 / (rounds + delay);
        step[ERROR] = (1.0 - weight) * step[ERROR] + weight * (ACCEPTED - acceptance);
        step[LN_STEP] = step[CENTRE] - rounds.sqrt() / shrinkage * step[ERROR];
        let forget = rounds.powf(-decay);
        step[LN_AVERAGED] = forget * step[LN_STEP] + (1.0 - forget) * step[LN_AVERAGED];
    }

    /// The averaged step from here on.
    pub(super) fn fix_step(&mut self) {
        if self.step[ROUNDS] > 0.0 {
            self.step[LN_STEP] = self.step[LN_AVERAGED];
        }
    }

    /// Goes on from `step`, as if nothing had been learnt of it.
    pub(crate) fn restart_step(&mut self, step: f64) {
        let ln = step.ln();
        self.step = [ln, ln, 0.0, 0.0, ln + 10f64.ln()];
    }

    /// Takes the logarithms of a draw into the present window (Welford's recursion).
    pub(super) fn collect(&mut self, logarithms: &[f64]) {
        self.window[0] += 1.0;
        let share = 1.0 / self.window[0];
        for ((mean, squares), value) in self.mean.iter_mut().zip(&mut self.squares).zip(logarithms) {
            let before = value - *mean;
            *mean += share * before;
            *squares += before * (value - *mean);
        }
    }

    /// Masses from the window, which starts anew, as does the step size.
    pub(super) fn set_mass(&mut self) {
        let draws = self.window[0];
        if draws >= 2.0 {
            for (mass, squares) in self.inverse_mass.iter_mut().zip(&self.squares) {
                let variance = squares / (draws - 1.0);
                *mass = (draws * variance + BEFORE * *mass) / (draws + BEFORE);
            }
            self.restart_step(self.step[LN_AVERAGED].exp());
            // A step that was good for other masses is a better centre than ten times itself.
            self.step[CENTRE] = self.step[LN_STEP] + 2f64.ln();
        }
        self.mean.fill(0.0);
        self.squares.fill(0.0);
        self.window = [0.0];
    }

    /// Width of the next level move, on the log scale, and the latent whose turn it is.
    pub(super) fn level(&self) -> Option<(usize, f64)> {
        let moves = self.levels.chunks_exact(2).enumerate();
        let next = moves.min_by(|(_, a), (_, b)| a[1].total_cmp(&b[1]))?;
        Some((next.0, next.1[0].exp()))
    }

    /// Counts a level move and, while tuning, adapts its width (Robbins and Monro).
    pub(super) fn learn_level(&mut self, latent: usize, acceptance: f64, tuning: bool) {
        let [ln_width, moves] = &mut self.levels[2 * latent..][..2] else {
            unreachable!("two numbers for each latent");
        };
        *moves += 1.0;
        if tuning {
            *ln_width += 2.0 * (acceptance - LEVELS_ACCEPTED) / moves.sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_are_variances_of_the_window() {
        let mut adapted = Adapted::new(2, 0);
        for i in 0..1000 {
            let x = f64::from(i % 10);
            adapted.collect(&[x, 100.0 - 3.0 * x]);
        }
        adapted.set_mass();
        let expected = 8.25 * 1000.0 / 999.0;
        for (mass, variance) in adapted.inverse_mass().iter().zip([expected, 9.0 * expected]) {
            assert!((mass - (1000.0 * variance + 5.0) / 1005.0).abs() < 1e-9, "{mass}");
        }
    }

    #[test]
    fn the_step_finds_the_acceptance_that_is_asked_for() {
        // A sampler that accepts exp(-step).
        let mut adapted = Adapted::new(1, 0);
        for _ in 0..2000 {
            adapted.learn_step((-adapted.step()).exp());
        }
        adapted.fix_step();
        assert!((adapted.step() + ACCEPTED.ln()).abs() < 0.01, "{}", adapted.step());
    }

    #[test]
    fn what_was_written_is_restored() {
        let mut adapted = Adapted::new(3, 2);
        adapted.collect(&[1.0, 2.0, 3.0]);
        adapted.learn_step(0.3);
        adapted.learn_level(1, 0.9, true);
        let arrays: Vec<(&str, Vec<f64>)> = adapted.arrays().iter().map(|(n, v)| (*n, v.to_vec())).collect();
        let arrays: Vec<(&str, &[f64])> = arrays.iter().map(|(n, v)| (*n, &v[..])).collect();
        let mut other = Adapted::new(3, 2);
        assert!(other.restore(&arrays) && other == adapted);
        assert!(!Adapted::new(2, 2).restore(&arrays));
        assert!(!other.restore(&arrays[1..]));
    }
}
