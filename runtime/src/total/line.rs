//! One line: weights of its cells, and the passes along it.
//!
//! Own derivation: MATH, *Sums in pairs*, for draws, laws of parts and bounds; TOTALS, *Convolutions in logarithms* and *What is cut off is bounded*.

use crate::special::ln_factorial;
use crate::streams::Stream;

use super::message::{Message, Tails, draw_part};
use super::pairs::Pairs;

/// The weights of the cells of one line, and of their sums.
#[derive(Debug)]
pub(super) struct LineWeights {
    /// `w_j` of each cell, and the weights of their sums.
    parts: Pairs<Message>,
    /// The weights of the sum of all cells.
    whole: Message,
    /// All weights were tilted: `w_j(x)` is kept as `w_j(x) e^(tilt x)`, so that what is probable is near the largest.
    tilt: f64,
    tails: Tails,
    /// `ln` of what the weight of any sum of all cells has lost to cut tails at most.
    ln_missed: f64,
    /// Pairs `(t, ln)`: no sum `s` weighs more than `e^(ln - t s)`.
    ceilings: Vec<(f64, f64)>,
}

/// Tilts of ceilings, in units of one over the standard deviation of the sum: the first, and by what the next is larger.
const FIRST_CEILING: f64 = 8.0;
const NEXT_CEILING: f64 = 1.5;

impl LineWeights {
    /// A line of these cells whose total is at most `most`; where the total is known, `most` itself and nothing else. `lost` is what was
    /// cut off from the cells, each relative to what is left of it, together.
    pub fn new(cells: Vec<Message>, lost: f64, most: usize, is_known: bool, tilt: f64, tails: Tails) -> Self {
        // The weight of a sum is at most the product of all weights of each cell: with what was cut off that is at most exp(lost) times
        // as large. Each convolution cuts off at most that much more.
        let lost = lost + cells.len() as f64 * tails.largest_loss(most);
        let all: f64 = cells.iter().map(Message::ln_sum).sum();
        let parts = Pairs::new(cells, |first: &Message, second| first.convolve(second, 0..=most, tails));
        let least = if is_known { most } else { 0 };
        let (first, second) = parts.halves();
        let nothing = Message::at(0);
        let whole = first.convolve(second.unwrap_or(&nothing), least..=most, tails);
        Self {
            ln_missed: all + lost.exp_m1().ln(),
            ceilings: Vec::new(),
            parts,
            whole,
            tilt,
            tails,
        }
    }

    /// Bounds of far away sums, which are small where what all of them may have missed is not: Chernoff's `w(s) <= e^(K(t) - t s)` (MATH, *Sums in
    /// pairs*), with `K(t)` from `ln_all` for any tilt `t`. The total is about `expected` and at most `most`.
    pub fn bounded(mut self, expected: f64, most: usize, ln_all: impl Fn(f64) -> f64) -> Self {
        let deviation = self.whole.moments(0.0)[1].sqrt().max(1.0);
        let highest = (most as f64 / expected.max(1.0)).ln() + NEXT_CEILING;
        let lowest = expected.max(1.0).ln() + 2.0 * NEXT_CEILING;
        for (sign, end) in [(1.0, highest), (-1.0, lowest)] {
            let mut tilt = FIRST_CEILING / deviation;
            while tilt < end * NEXT_CEILING {
                self.ceilings.push((sign * tilt, ln_all(sign * tilt)));
                tilt *= NEXT_CEILING;
            }
        }
        self
    }

    /// `ln` of the sum over all tables of the line with the total `s` of its multinomial probability times that of what was observed.
    pub fn ln_evidence(&self, s: usize) -> f64 {
        self.whole.get(s) + self.untilted(s)
    }

    /// What takes the weight of the total `s` to its evidence, in logarithms.
    fn untilted(&self, s: usize) -> f64 {
        ln_factorial(s as u64) - self.tilt * s as f64
    }

    /// The totals that have an evidence, with its logarithm: what the line says of its total.
    pub fn message(&self) -> Message {
        let sums = &self.whole;
        Message {
            low: sums.low,
            ln: sums.range().map(|s| self.ln_evidence(s)).collect(),
        }
    }

    /// The same, or more where something was cut off: no total up to `most` has more evidence than this. `largest` is the logarithm of the
    /// largest probability of what was observed, whatever the table: what was cut off may be that of totals that are far away, of which the
    /// tilt would make too much.
    pub fn upper(&self, most: usize, largest: f64) -> Message {
        if self.ln_missed == f64::NEG_INFINITY {
            return self.message();
        }
        let sums = &self.whole;
        Message::over(0..=most, |s| {
            let untilted = self.untilted(s);
            let (near, missed) = (sums.get(s), self.ln_missed);
            // A loss that changes no digit leaves the weight as it is, to the bit.
            let both = near.max(missed) + (near.min(missed) - near.max(missed)).exp().ln_1p();
            let ceilings = self.ceilings.iter().map(|(tilt, ln)| ln - tilt * s as f64);
            let both = ceilings.fold(both, f64::min);
            (both + untilted).min(largest).max(near + untilted)
        })
    }

    /// What was cut off of the evidence of the total `s`, relative to what is left, at most.
    pub fn missed(&self, s: usize) -> f64 {
        (self.ln_missed - self.whole.get(s)).exp()
    }

    /// A draw of all cells given their total, in order: `P(x of A | s)` of MATH, *Sums in pairs*, from the whole line down.
    pub fn draw(&self, total: usize, rng: &mut Stream) -> Vec<usize> {
        self.parts.descend(total, |&sum, [first, second]| {
            let drawn = draw_part(second, first, sum, rng);
            [sum - drawn, drawn]
        })
    }

    /// The law of each cell, in order, where the total has the law `of_total`; weights of each need not add up to one. `q(s) / w(s)` of MATH,
    /// *Sums in pairs*, is handed down, correlated with the weights of the other part.
    pub fn marginals(&self, of_total: &Message) -> Vec<Message> {
        let sums = &self.whole;
        let behind = Message {
            low: of_total.low,
            ln: of_total
                .range()
                .map(|s| match sums.get(s) {
                    f64::NEG_INFINITY => f64::NEG_INFINITY,
                    ln => of_total.get(s) - ln,
                })
                .collect(),
        };
        let others = self.parts.descend(behind, |others, [first, second]| {
            [
                others.correlate(second, first.range(), self.tails),
                others.correlate(first, second.range(), self.tails),
            ]
        });
        let cells = self.parts.cells().zip(&others);
        cells.map(|(cell, others)| cell.times(others)).collect()
    }
}
