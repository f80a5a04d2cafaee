//! What can be said of lines before any rates are known: whether a table is possible, what counts are about, what all takes in memory.
//!
//! Own derivation: the sums are those of a draw (MATH, *Sums in pairs*), at rates that suit what was observed; a guess is a sum of estimates.

use rayon::prelude::*;

use super::open::Open;
use super::tree::{LineLaw, Member, Total, Totals};

impl Totals {
    /// The first line with a root's place that what was observed makes impossible, at any rates: the number of its member, the position of
    /// its first cell, and its total; none of a Poisson count of which no number is possible.
    pub fn impossible(&self) -> Option<(usize, usize, Option<u64>)> {
        let seen = |(of, member): (usize, &Member)| {
            let mut rates = vec![1.0; member.cells];
            for &(total, [first, stride, size]) in &member.lines {
                match total {
                    Total::Poisson => rates[first] = self.guess(of, first).max(1.0),
                    // Nothing lies below such a line, and where its total is among what its cells admit is soon found at any shares.
                    Total::Known(_) if self.below[of].is_empty() => {
                        (0..size).for_each(|j| rates[first + j * stride] = 1.0 / size as f64);
                    }
                    _ => {
                        // Shares like those that were observed: at others, whole tables would be as good as impossible.
                        let cells = || (0..size).map(|j| first + j * stride);
                        let seen = |cell: usize| self.guess(of, cell) + 0.5;
                        let all: f64 = cells().map(seen).sum();
                        cells().for_each(|cell| rates[cell] = seen(cell) / all);
                    }
                }
            }
            rates
        };
        let rates: Vec<Vec<f64>> = self.members.iter().enumerate().map(seen).collect();
        let found = self.roots.par_iter().find_first(|&&(member, number)| {
            let node = self.root((member, number), &rates);
            let is_nothing = node.ln_evidence(self.known(member, number)) == f64::NEG_INFINITY;
            // What was cut off may be all there is: a run will tell.
            is_nothing && !matches!(&node.line, LineLaw::Open(open) if !open.is_whole)
        });
        found.map(|&(member, number)| match self.members[member].lines[number] {
            (Total::Known(total), [first, ..]) => (member, first, Some(total)),
            (_, [first, ..]) => (member, first, None),
        })
    }

    /// What a cell is about, as far as what was observed tells without its rate.
    pub(super) fn guess(&self, of: usize, cell: usize) -> f64 {
        self.told(of, cell).max(0.0)
    }

    /// The same before it is known that counts are not negative: noise may make sums so, and cuts nothing off where they are added up.
    fn told(&self, of: usize, cell: usize) -> f64 {
        if let Some(likelihood) = &self.members[of].likelihood {
            return likelihood.number(cell);
        }
        let below = self.below[of].get(cell).into_iter().flatten();
        let sums: Vec<f64> = below
            .map(|&(member, number)| {
                let (_, [first, stride, size]) = self.members[member].lines[number];
                (0..size).map(|j| self.told(member, first + j * stride)).sum()
            })
            .collect();
        sums.iter().sum::<f64>() / sums.len().max(1) as f64
    }

    /// The mean of such guesses over the cells of a count of which nobody knows the total.
    pub fn mean_guess(&self, count: usize) -> f64 {
        let of = self.members.iter().position(|member| member.count == count);
        let Some((of, lines)) = of.map(|of| (of, &self.members[of].lines)) else {
            return 0.0;
        };
        let all: f64 = lines.iter().map(|(_, [first, ..])| self.guess(of, *first)).sum();
        all / lines.len().max(1) as f64
    }

    /// Bytes of the weights of the largest tree, as far as its lines are not cut to windows.
    pub fn bytes(&self) -> f64 {
        let each = self.roots.iter().map(|&(member, number)| {
            let is_window = self.below[member].is_empty()
                && (self.members[member].likelihood.as_ref()).is_none_or(|of| of.is_log_concave());
            let (total, [first, ..]) = self.members[member].lines[number];
            let most = match total {
                Total::Poisson => Open::most(self.guess(member, first)) as f64,
                _ => self.known(member, number) as f64,
            };
            match is_window && total != Total::Poisson {
                true => 0.0,
                false => 16.0 * self.cells_below(member, number) * (most + 1.0),
            }
        });
        each.fold(0.0, f64::max)
    }

    /// Cells of a line and of all below it.
    pub(super) fn cells_below(&self, member: usize, number: usize) -> f64 {
        let (_, [first, stride, size]) = self.members[member].lines[number];
        let cells = (0..size).filter_map(|j| self.below[member].get(first + j * stride));
        let below = cells
            .flatten()
            .map(|&(member, number)| self.cells_below(member, number));
        size as f64 + below.sum::<f64>()
    }
}
