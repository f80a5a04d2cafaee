//! What a Poisson count that nobody knows is about, before anything is summed.
//!
//! Own derivation: the slope `ln n - t` of MATH, *Sums in pairs* (a saddle point); TOTALS, *Totals that nobody knows*.

use super::message::{Message, Tails, tilt_to};
use super::open::Open;
use super::tree::Totals;

/// Steps in which the slope of its law is bracketed, and halvings of the bracket.
const STEPS: usize = 24;
/// The first step, of the logarithm.
const FIRST_STEP: f64 = 0.25;
/// How often the cells of a line are tilted anew until they add up to a number.
const TILTS: usize = 6;

/// A line whose cells are not totals.
struct Leaf<'a> {
    size: usize,
    weight: Box<dyn Fn(usize, usize) -> f64 + 'a>,
}

impl Leaf<'_> {
    /// The bulk of the weights of its cells, tilted, where its total is about `near`.
    fn cells(&self, tilt: f64, near: f64, most: usize) -> Vec<Message> {
        let cell = |j: usize| {
            let weight = |x: usize| (self.weight)(j, x) + tilt * x as f64;
            Message::around((near / self.size as f64) as usize, most, Tails::BULK, weight)
        };
        (0..self.size).map(cell).collect()
    }

    /// The tilt at which its cells add up to `e^ln_n`.
    fn tilt(&self, ln_n: f64, most: usize) -> f64 {
        let (mut tilt, n) = (ln_n, ln_n.exp());
        for _ in 0..TILTS {
            let more = tilt_to(&self.cells(tilt, n, most), n as usize);
            tilt += more;
            if more == 0.0 {
                break;
            }
        }
        tilt
    }
}

impl Totals {
    /// Where the law of a Poisson count of this rate is largest, nearly: where its slope is zero.
    ///
    /// The evidence of a line at a total of `n` has the slope `ln n - t` there (MATH, *Sums in pairs*), where `t` is the tilt at which its cells
    /// add up to `n`. So nothing is convolved. A line whose cells are totals, or whose weights are not concave, is taken to say nothing.
    pub(super) fn settled(&self, (of, number): (usize, usize), rate: f64, rates: &[Vec<f64>]) -> f64 {
        let (_, [cell, ..]) = self.members[of].lines[number];
        let own = self.members[of].likelihood.as_ref().filter(|own| own.is_log_concave());
        let mut lines = Vec::new();
        for &(member, number) in self.below[of].get(cell).into_iter().flatten() {
            let seen = self.members[member].likelihood.as_ref();
            if seen.is_some_and(|seen| seen.is_log_concave()) && self.below[member].is_empty() {
                let (_, [.., size]) = self.members[member].lines[number];
                let weight = Box::new(self.weight((member, number), rates));
                lines.push(Leaf { size, weight });
            }
        }
        let guess = self.guess(of, cell).min(Self::MOST as f64);
        if lines.is_empty() {
            return guess;
        }
        let most = 2 * Open::most(guess.max(rate));
        // Of one line alone cells are Poisson counts of their own.
        if let ([line], None) = (&lines[..], own) {
            let sum: f64 = line.cells(rate.ln(), guess, most).iter().map(Message::mean).sum();
            return if sum.is_finite() { sum } else { guess };
        }
        // d/dn of ln r^n / n! + ln P(c | n) + the evidence of every line, the second as a difference of neighbours.
        let slope = |ln_n: f64| {
            let n = ln_n.exp();
            let own = own.map_or(0.0, |own| {
                own.ln_likelihood(cell, n as u64 + 1) - own.ln_likelihood(cell, n as u64)
            });
            let said = lines.iter().map(|line| ln_n - line.tilt(ln_n, most));
            rate.ln() - ln_n + own + said.sum::<f64>()
        };
        let mut at = guess.max(1.0).ln();
        let (mut low, mut high) = (None, None);
        let mut step = FIRST_STEP;
        for _ in 0..STEPS {
            let slope = slope(at);
            if slope.is_nan() {
                return guess;
            }
            let end = if slope > 0.0 { &mut low } else { &mut high };
            *end = Some(at);
            at = match (low, high) {
                // Within a third of a standard deviation of a Poisson count.
                (Some(low), Some(high)) if (high - low) * (0.5 * high).exp() < 0.6 => return at.exp(),
                (Some(low), Some(high)) => f64::midpoint(low, high),
                (Some(low), None) => low + step,
                (None, Some(high)) => high - step,
                (None, None) => at,
            };
            step *= 2.0;
            if !(-1.0..=(Self::MOST as f64).ln()).contains(&at) {
                break;
            }
        }
        at.exp().clamp(0.0, Self::MOST as f64)
    }
}
