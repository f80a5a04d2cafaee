//! What joint moves adapt while a chain is tuned, and then keep.

/// Share of trajectories that tuning aims to accept. 0.65, the optimum of many equal dimensions (Beskos et al. 2013), gave the
/// worst of 400 rates no more effective samples a second, and more chains that were slow.
const ACCEPTED: f64 = 0.8;
/// Share of moves of one level that tuning aims to accept: the optimum of a random walk in one dimension (Gelman, Roberts and Gilks 1996,
/// *Efficient Metropolis jumping rules*).
const LEVELS_ACCEPTED: f64 = 0.44;
/// The logarithm of the widest step: one of a factor of e^20. Wider ones leave the range of doubles where shapes are tiny.
const WIDEST: f64 = 3.0;
/// The step of that walk, in units of the spread (ibid.: 2.38, rounded).
const LEVEL_STEP: f64 = 2.4;
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
    /// How often each move that scales slices of a latent was made.
    turns: Vec<f64>,
    /// Logarithms of the widths of these moves, of which some have one for each slice.
    widths: Vec<f64>,
}

// Places in `step`.
const LN_STEP: usize = 0;
const LN_AVERAGED: usize = 1;
const ERROR: usize = 2;
const ROUNDS: usize = 3;
const CENTRE: usize = 4;

impl Adapted {
    pub(super) fn new(entries: usize, [scalings, widths]: [usize; 2]) -> Self {
        let mut new = Self {
            inverse_mass: vec![1.0; entries],
            mean: vec![0.0; entries],
            squares: vec![0.0; entries],
            window: [0.0],
            step: [0.0; 5],
            turns: vec![0.0; scalings],
            widths: vec![0.0; widths],
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
            ("turns", &self.turns),
            ("widths", &self.widths),
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
        let own: [(&str, &mut [f64]); 7] = [
            ("inverse_mass", &mut self.inverse_mass),
            ("mean", &mut self.mean),
            ("squares", &mut self.squares),
            ("window", &mut self.window),
            ("step", &mut self.step),
            ("turns", &mut self.turns),
            ("widths", &mut self.widths),
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
    #[doc(hidden)]
    pub fn restart_step(&mut self, step: f64) {
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

    /// The scaling that was made least often, and how often it will have been with this time.
    pub(super) fn take_turn(&mut self) -> Option<(usize, f64)> {
        let turns = self.turns.iter_mut().enumerate();
        let (number, turns) = turns.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        *turns += 1.0;
        Some((number, *turns))
    }

    /// Lets the scaling of this number, counted round, have the first turn and those behind it the next ones.
    #[doc(hidden)]
    pub fn begin_with(&mut self, number: usize) {
        let all = self.turns.len();
        for (place, turns) in self.turns.iter_mut().enumerate() {
            // Less than a turn apart: made once, it is behind all others.
            *turns = ((place + all - number % all) % all) as f64 / all as f64;
        }
    }

    /// The width of a scaling, on the log scale.
    pub(super) fn width(&self, at: usize) -> f64 {
        self.widths[at].exp()
    }

    /// The width for a slice whose logarithm is spread as that of a gamma of this shape: its variance `trigamma(a)` is about, and at most, `1/a + 1/a^2`.
    pub(super) fn guess_width(&mut self, at: usize, shape: f64) {
        let width = LEVEL_STEP.ln() + 0.5 * ((1.0 + shape) / (shape * shape)).ln();
        self.widths[at] = width.min(WIDEST);
    }

    /// Adapts a width to the acceptance at its scaling's turn of this number (Robbins and Monro 1951, with gains of `2 / sqrt(turns)`).
    pub(super) fn learn_width(&mut self, at: usize, acceptance: f64, turns: f64) {
        let width = self.widths[at] + 2.0 * (acceptance - LEVELS_ACCEPTED) / turns.sqrt();
        self.widths[at] = width.min(WIDEST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_are_variances_of_the_window() {
        let mut adapted = Adapted::new(2, [0, 0]);
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
        let mut adapted = Adapted::new(1, [0, 0]);
        for _ in 0..2000 {
            adapted.learn_step((-adapted.step()).exp());
        }
        adapted.fix_step();
        assert!((adapted.step() + ACCEPTED.ln()).abs() < 0.01, "{}", adapted.step());
    }

    /// *How it is built* in the book says at which shares tuning aims.
    #[test]
    fn the_book_has_the_shares() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/internals.md")).unwrap();
        for said in [
            format!("(dual averaging to {ACCEPTED},"),
            format!("(Robbins and Monro, to {LEVELS_ACCEPTED})"),
        ] {
            assert!(page.contains(&said), "{said}");
        }
    }

    #[test]
    fn scalings_take_turns() {
        let mut adapted = Adapted::new(0, [3, 3]);
        let mut turns = |n: usize| -> Vec<usize> {
            let taken = (0..n).map(|_| adapted.take_turn().map_or(9, |(number, _)| number));
            taken.collect()
        };
        assert_eq!(turns(6), [0, 1, 2, 0, 1, 2]);
        let mut adapted = Adapted::new(0, [3, 3]);
        adapted.begin_with(5);
        let taken: Vec<usize> = (0..5).filter_map(|_| Some(adapted.take_turn()?.0)).collect();
        assert_eq!(taken, [2, 0, 1, 2, 0]);
        assert_eq!(Adapted::new(5, [0, 0]).take_turn(), None);
    }

    /// A width of which exp(-width) are accepted ends where 44 in 100 are.
    #[test]
    fn a_width_finds_the_acceptance_that_is_asked_for() {
        let mut adapted = Adapted::new(0, [1, 2]);
        adapted.guess_width(1, 1e6);
        assert!((adapted.width(1) / 2.4e-3 - 1.0).abs() < 1e-3);
        for _ in 0..2000 {
            let (_, turns) = adapted.take_turn().unwrap();
            adapted.learn_width(1, (-adapted.width(1)).exp(), turns);
        }
        assert!(
            (adapted.width(1) + LEVELS_ACCEPTED.ln()).abs() < 0.01,
            "{}",
            adapted.width(1)
        );
        assert_eq!(adapted.width(0), 1.0);
    }

    #[test]
    fn what_was_written_is_restored() {
        let mut adapted = Adapted::new(3, [2, 5]);
        adapted.collect(&[1.0, 2.0, 3.0]);
        adapted.learn_step(0.3);
        adapted.take_turn();
        adapted.learn_width(4, 0.9, 1.0);
        let arrays: Vec<(&str, Vec<f64>)> = adapted.arrays().iter().map(|(n, v)| (*n, v.to_vec())).collect();
        let arrays: Vec<(&str, &[f64])> = arrays.iter().map(|(n, v)| (*n, &v[..])).collect();
        let mut other = Adapted::new(3, [2, 5]);
        assert!(other.restore(&arrays) && other == adapted);
        assert!(!Adapted::new(2, [2, 5]).restore(&arrays) && !Adapted::new(3, [2, 4]).restore(&arrays));
        assert!(!other.restore(&arrays[1..]));
    }
}
