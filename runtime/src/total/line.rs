//! One line: weights of its cells, and the passes along it.

use crate::special::ln_factorial;
use crate::streams::Stream;

use super::message::{Message, draw_part};

/// The weights of the cells of one line, and of the sums of the first of them.
#[derive(Debug)]
pub(super) struct Line {
    /// `w_j`, for each cell.
    cells: Vec<Message>,
    /// `F_j`, the weights of the sums of the first `j + 1` cells.
    sums: Vec<Message>,
}

impl Line {
    /// A line of these cells whose total is at most `most`; where the total is known, `most` itself and nothing else.
    pub fn new(cells: Vec<Message>, most: usize, is_known: bool) -> Self {
        let mut sums: Vec<Message> = Vec::with_capacity(cells.len());
        let last = cells.len() - 1;
        for (j, cell) in cells.iter().enumerate() {
            let least = if is_known && j == last { most } else { 0 };
            let before = sums.last().cloned().unwrap_or_else(|| Message::at(0));
            sums.push(before.convolve(cell, least..=most));
        }
        Self { cells, sums }
    }

    /// `ln` of the sum over all tables of the line with the total `s` of its multinomial probability times that of what was observed.
    pub fn ln_evidence(&self, s: usize) -> f64 {
        ln_factorial(s as u64) + self.sums[self.sums.len() - 1].get(s)
    }

    /// The totals that have an evidence, with its logarithm: what the line says of its total.
    pub fn message(&self) -> Message {
        let sums = &self.sums[self.sums.len() - 1];
        Message {
            low: sums.low,
            ln: sums.range().map(|s| self.ln_evidence(s)).collect(),
        }
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
                _ => behind.correlate(&self.sums[j - 1]),
            };
            laws.push(cell.times(&others));
            if j > 0 {
                behind = behind.correlate(cell);
            }
        }
        laws.reverse();
        laws
    }
}
