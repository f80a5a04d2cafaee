//! One line: weights of its cells, and the passes along it.

use crate::special::ln_factorial;
use crate::streams::Stream;

use super::message::{Message, Tails, draw_part};

/// The weights of the cells of one line, and of the sums of the first of them.
#[derive(Debug)]
pub(super) struct Line {
    /// `w_j`, for each cell.
    cells: Vec<Message>,
    /// `F_j`, the weights of the sums of the first `j + 1` cells.
    sums: Vec<Message>,
    /// All weights were tilted: `w_j(x)` is kept as `w_j(x) e^(tilt x)`, so that what is probable is near the largest.
    tilt: f64,
    tails: Tails,
    /// `ln` of what the weight of any sum of all cells has lost to cut tails at most.
    ln_missed: f64,
}

impl Line {
    /// A line of these cells whose total is at most `most`; where the total is known, `most` itself and nothing else. `lost` is what was
    /// cut off from the cells, each relative to what is left of it, together.
    pub fn new(cells: Vec<Message>, lost: f64, most: usize, is_known: bool, tilt: f64, tails: Tails) -> Self {
        let mut sums: Vec<Message> = Vec::with_capacity(cells.len());
        let last = cells.len() - 1;
        for (j, cell) in cells.iter().enumerate() {
            let least = if is_known && j == last { most } else { 0 };
            let before = sums.last().cloned().unwrap_or_else(|| Message::at(0));
            sums.push(before.convolve(cell, least..=most, tails));
        }
        // The weight of a sum is at most the product of all weights of each cell: with what was cut off that is at most exp(lost) times
        // as large. Each convolution cuts off at most that much more.
        let lost = lost + cells.len() as f64 * tails.largest_loss(most);
        let all: f64 = cells.iter().map(Message::ln_sum).sum();
        Self {
            ln_missed: all + lost.exp_m1().ln(),
            cells,
            sums,
            tilt,
            tails,
        }
    }

    /// `ln` of the sum over all tables of the line with the total `s` of its multinomial probability times that of what was observed.
    pub fn ln_evidence(&self, s: usize) -> f64 {
        self.sums[self.sums.len() - 1].get(s) + self.untilted(s)
    }

    /// What takes the weight of the total `s` to its evidence, in logarithms.
    fn untilted(&self, s: usize) -> f64 {
        ln_factorial(s as u64) - self.tilt * s as f64
    }

    /// The totals that have an evidence, with its logarithm: what the line says of its total.
    pub fn message(&self) -> Message {
        let sums = &self.sums[self.sums.len() - 1];
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
        let sums = &self.sums[self.sums.len() - 1];
        Message::over(0..=most, |s| {
            let untilted = self.untilted(s);
            let (near, missed) = (sums.get(s), self.ln_missed);
            // A loss that changes no digit leaves the weight as it is, to the bit.
            let both = near.max(missed) + (near.min(missed) - near.max(missed)).exp().ln_1p();
            (both + untilted).min(largest).max(near + untilted)
        })
    }

    /// What was cut off of the evidence of the total `s`, relative to what is left, at most.
    pub fn missed(&self, s: usize) -> f64 {
        (self.ln_missed - self.sums[self.sums.len() - 1].get(s)).exp()
    }

    /// A draw of all cells given their total, in order.
    pub fn draw(&self, total: usize, rng: &mut Stream) -> Vec<usize> {
        let mut drawn = vec![0; self.cells.len()];
        let mut left = total;
        for j in (1..self.cells.len()).rev() {
            drawn[j] = draw_part(&self.cells[j], &self.sums[j - 1], left, rng);
            left -= drawn[j];
        }
        drawn[0] = left;
        drawn
    }

    /// The law of each cell, in order, where the total has the law `of_total`; weights of each need not add up to one.
    pub fn marginals(&self, of_total: &Message) -> Vec<Message> {
        let sums = &self.sums[self.sums.len() - 1];
        let mut behind = Message {
            low: of_total.low,
            ln: of_total
                .range()
                .map(|s| match sums.get(s) {
                    f64::NEG_INFINITY => f64::NEG_INFINITY,
                    ln => of_total.get(s) - ln,
                })
                .collect(),
        };
        let mut laws = Vec::with_capacity(self.cells.len());
        for (j, cell) in self.cells.iter().enumerate().rev() {
            let others = match j {
                0 => behind.clone(),
                _ => behind.correlate(&self.sums[j - 1], self.tails),
            };
            laws.push(cell.times(&others));
            if j > 0 {
                behind = behind.correlate(cell, self.tails);
            }
        }
        laws.reverse();
        laws
    }
}
