//! How long a chain is tuned: a round of `num_tune` sweeps, repeated while its log joint density still moves.

use std::path::Path;

use crate::file::{Parts, SavedError};

/// The log joint density is evaluated so many times in the second half of a round, or up to twice as often.
const LOOKS: u64 = 32;
/// Fewer values than this say nothing about a trend: rounds that are too short for them are not judged.
const FEWEST: usize = 16;

/// How far a chain's tuning has got.
#[derive(Clone, Debug)]
pub(super) struct Tuning {
    /// Sweeps of a round.
    num_tune: u64,
    /// Rounds after the first, at most.
    max_retunes: u64,
    /// Sweeps before the present round.
    before: u64,
    /// Rounds after the first, so far.
    retunes: u64,
    moving: bool,
    /// The log joint density in the second half of the present round.
    trace: Vec<f64>,
}

impl Tuning {
    pub fn new(num_tune: usize, max_retunes: usize) -> Self {
        Self {
            num_tune: num_tune as u64,
            max_retunes: max_retunes as u64,
            before: 0,
            retunes: 0,
            moving: false,
            trace: Vec::new(),
        }
    }

    /// Sweeps before the present round.
    pub fn before(&self) -> u64 {
        self.before
    }

    /// Sweeps of tuning, as far as is known now.
    pub fn sweeps(&self) -> u64 {
        self.before.saturating_add(self.num_tune)
    }

    /// Whether the log joint density still moved when tuning ended, after as many rounds as were allowed.
    pub fn moving(&self) -> bool {
        self.moving
    }

    /// Whether the log joint density after `sweep` is asked for.
    pub fn looks(&self, sweep: u64) -> bool {
        let left = self.sweeps().checked_sub(sweep);
        let (half, apart) = (self.num_tune / 2, (self.num_tune / 2 / LOOKS).max(1));
        left.is_some_and(|left| left < half && left.is_multiple_of(apart))
    }

    /// Takes the log joint density after a sweep that was asked for. Returns whether another round begins.
    pub fn see(&mut self, sweep: u64, ln_joint: f64) -> bool {
        self.trace.push(ln_joint);
        if sweep < self.sweeps() {
            return false;
        }
        self.moving = moves(&self.trace);
        let again = self.moving && self.retunes < self.max_retunes;
        if again {
            self.before = sweep;
            self.retunes += 1;
            self.trace.clear();
        }
        again
    }

    pub fn save(&self, parts: &mut Parts) {
        let moving = f64::from(u8::from(self.moving));
        parts.put("tuning", vec![self.before as f64, self.retunes as f64, moving]);
        parts.put("tuning/ln_joint", self.trace.clone());
    }

    pub fn restore(&mut self, parts: &mut Parts, path: &Path) -> Result<(), SavedError> {
        let [before, retunes, moving] = parts.whole(path, "tuning")?;
        (self.before, self.retunes, self.moving) = (before, retunes, moving == 1);
        self.trace = parts.take(path, "tuning/ln_joint")?;
        Ok(())
    }
}

/// Whether the means of the two halves of a trace differ by more than the standard deviation within them. A chain that has
/// arrived differs by a third of it where values are independent; a straight slope by three and a half times.
fn moves(trace: &[f64]) -> bool {
    if trace.len() < FEWEST {
        return false;
    }
    let (first, second) = trace.split_at(trace.len() / 2);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (a, b) = (mean(first), mean(second));
    let squares = |values: &[f64], mean: f64| values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>();
    let variance = (squares(first, a) + squares(second, b)) / (trace.len() - 2) as f64;
    (b - a).abs() > variance.sqrt()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Runs a chain whose log joint density is `of` the sweep, and returns the sweeps of its tuning.
    fn tuned(num_tune: usize, max_retunes: usize, mut of: impl FnMut(u64) -> f64) -> (u64, Tuning) {
        let mut tuning = Tuning::new(num_tune, max_retunes);
        let mut sweep = 0;
        while sweep < tuning.sweeps() {
            sweep += 1;
            if tuning.looks(sweep) {
                tuning.see(sweep, of(sweep));
            }
        }
        (sweep, tuning)
    }

    #[test]
    fn a_chain_that_rises_is_tuned_until_it_has_arrived() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut noise = move || -> f64 { StandardNormal.sample(&mut rng) };
        // It rises for 700 sweeps: the second round ends at 1000, the first half of which still rises.
        let (sweeps, tuning) = tuned(500, 3, |sweep| 0.1 * sweep.min(700) as f64 + noise());
        assert!(sweeps == 1000 && !tuning.moving(), "{sweeps}");
        let (sweeps, tuning) = tuned(500, 3, |sweep| 0.1 * sweep as f64);
        assert!(sweeps == 2000 && tuning.moving(), "{sweeps}");
        let (sweeps, tuning) = tuned(500, 0, |sweep| 0.1 * sweep as f64);
        assert!(sweeps == 500 && tuning.moving(), "{sweeps}");
    }

    /// A difference of one standard deviation between two means of 16 normal values has probability 0.0047: of 400 chains
    /// more than 8 are repeated with probability 3e-4.
    #[test]
    fn a_chain_that_has_arrived_is_seldom_tuned_again() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let again = (0..400).filter(|_| tuned(500, 3, |_| StandardNormal.sample(&mut rng)).0 > 500);
        assert!(again.count() <= 8);
    }

    #[test]
    fn short_rounds_are_not_judged() {
        for num_tune in 0..32 {
            let (sweeps, tuning) = tuned(num_tune, 3, |sweep| sweep as f64);
            assert!(sweeps as usize == num_tune && !tuning.moving(), "{sweeps}");
        }
        assert_eq!(tuned(40, 3, |sweep| sweep as f64).0, 160);
    }

    #[test]
    fn a_trace_that_is_not_finite_is_no_trend() {
        assert!(!moves(&[f64::NEG_INFINITY; 32]) && !moves(&[f64::NAN; 32]) && !moves(&[3.0; 32]));
    }
}
