//! The probability of what was observed, by plain loops over cells; and counts with a known total, whose tables are drawn and summed over.

use rand::RngExt;

use skellam::model::{Lines, TotalKind, TotalSpec};
use skellam_math::special::ln_poisson_pmf;
use skellam_math::streams::Stream;

use super::held_out::HeldOut;
use super::instance::Instance;
use super::mechanism::Probe;
use super::setting::ObservedValues;
use super::twin::{Twin, position};

impl Twin {
    /// The lines of a count with a total: for each, the total's position in its array or count, and its cells.
    fn lines_of_total(&self, count: usize, total: TotalSpec) -> Vec<(usize, Vec<usize>)> {
        let count = &self.counts[count];
        let of_total = match total.of {
            TotalKind::Hyper(_) => &[][..],
            TotalKind::Array(array) => self.arrays[array].shape(),
            TotalKind::Count(of) => &self.counts[of].shape,
        };
        let lines = Lines::new(&count.shape, total.along);
        let line = |number: usize| {
            let cells: Vec<usize> = lines.entries(number).collect();
            let at = total.vars.iter().map(|&var| count.value_at(cells[0], var));
            (position(of_total, &at.collect::<Vec<usize>>()), cells)
        };
        (0..lines.number()).map(line).collect()
    }

    /// Whether cells of a count are not independent given their rates: it has a total, or is one.
    pub(super) fn in_lines(&self, count: usize) -> bool {
        self.spec.counts[count].total.is_some() || self.spec.is_total(count)
    }

    /// A total that is a number or an entry of an array; `None` where it is a count.
    fn given(&self, total: TotalSpec, at: usize) -> Option<u64> {
        match total.of {
            TotalKind::Hyper(hyper) => Some(self.hypers[hyper] as u64),
            TotalKind::Array(array) => Some(self.arrays[array].as_slice()[at] as u64),
            TotalKind::Count(_) => None,
        }
    }

    /// True counts of a count with a total: each of so many is put in a cell of its line by the rates there.
    pub(super) fn draw_lines(
        &self,
        count: usize,
        total: TotalSpec,
        rates: &[[f64; 2]],
        drawn: &[Vec<[u64; 2]>],
        rng: &mut Stream,
    ) -> Vec<[u64; 2]> {
        let mut table = vec![[0; 2]; rates.len()];
        for (at, cells) in self.lines_of_total(count, total) {
            let all: f64 = cells.iter().map(|&cell| rates[cell][0]).sum();
            let number = match total.of {
                TotalKind::Count(of) => drawn[of][at][0],
                TotalKind::Hyper(_) | TotalKind::Array(_) => self.given(total, at).unwrap_or(0),
            };
            for _ in 0..number {
                let mut left = rng.random::<f64>() * all;
                let cell = cells.iter().find(|&&cell| {
                    left -= rates[cell][0];
                    left < 0.0
                });
                table[*cell.unwrap_or(&cells[cells.len() - 1])][0] += 1;
            }
        }
        table
    }
}

/// What was observed of an instance.
pub(super) struct Evidence<'a> {
    twin: &'a Twin,
    probes: Vec<Box<dyn Probe>>,
    /// For each count its lines that are not held out, with the position of their total.
    lines: Vec<Vec<(usize, Vec<usize>)>>,
    /// For each count whether any of it was observed.
    open: Vec<bool>,
    /// The cells of counts without a total that something was observed of, each with its count.
    cells: Vec<(usize, usize)>,
}

/// A Poisson count is summed to so many standard deviations above its rate, and to so many numbers more.
const FAR: f64 = 12.0;
const ENOUGH: usize = 60;

impl<'a> Evidence<'a> {
    /// The observations `values`, which are `exact` or as the declared mechanisms made them, and of which some are held out.
    pub fn new(instance: &'a Instance, values: &[ObservedValues], exact: bool, held_out: HeldOut) -> Self {
        let twin = &instance.twin;
        let probes = instance.mechanisms(exact).iter().zip(values);
        let mut seen = Self {
            twin,
            probes: probes.map(|(mechanism, values)| mechanism.probe(values)).collect(),
            lines: Vec::new(),
            open: Vec::new(),
            cells: Vec::new(),
        };
        for (count, spec) in twin.spec.counts.iter().enumerate() {
            let mask = instance.mask(count, held_out);
            let lines = spec.total.map(|total| twin.lines_of_total(count, total));
            let mut lines = lines.unwrap_or_default();
            lines.retain(|(_, cells)| !mask.is_held_out(cells[0]));
            seen.lines.push(lines);
            let is_open = !spec.is_hidden && mask.len() < twin.counts[count].rates.len();
            seen.open.push(is_open);
        }
        for count in (0..twin.counts.len()).filter(|&count| twin.spec.counts[count].total.is_none()) {
            let mask = instance.mask(count, held_out);
            for (cell, monomials) in twin.counts[count].rates.iter().enumerate() {
                let is_seen = match twin.in_lines(count) {
                    true => seen.open[count] || seen.below(count, cell).next().is_some(),
                    false => monomials.is_some() && !mask.is_held_out(cell),
                };
                if is_seen {
                    seen.cells.push((count, cell));
                }
            }
        }
        seen
    }

    /// `ln p(x, observations)`, true counts summed out.
    pub fn ln_joint(&self, x: &[Vec<f64>]) -> f64 {
        let rates = self.twin.sides(x);
        let means = self
            .cells
            .iter()
            .map(|&(count, cell)| rates[count][cell].iter().sum::<f64>());
        self.twin.ln_prior(x) + self.ln_evidence(&rates) - means.sum::<f64>()
    }

    /// The logarithm of the probability of all that was observed, up to that of rates that do not sum to one along a line, and without the
    /// means of Poisson counts: it changes as the generating function of true counts where rates are multiplied by `s`.
    pub fn ln_evidence(&self, rates: &[Vec<[f64; 2]>]) -> f64 {
        let mut ln = 0.0;
        for &(count, cell) in &self.cells {
            let [plus, minus] = rates[count][cell];
            ln += plus + minus;
            ln += match self.twin.in_lines(count) {
                true => {
                    let most = (plus + FAR * plus.sqrt()) as usize + ENOUGH;
                    self.weights_of(count, cell, (most, plus), rates)
                        .iter()
                        .sum::<f64>()
                        .ln()
                }
                false => self.probes[count].ln_marginal([plus, minus], cell),
            };
        }
        for (count, spec) in self.twin.spec.counts.iter().enumerate() {
            for (at, cells) in &self.lines[count] {
                // A total that was counted is seen by its own probe; its line sums over it.
                if let Some(known) = spec.total.and_then(|total| self.twin.given(total, *at)) {
                    let reach = (known as usize, (known as f64).max(1.0));
                    ln += self.evidence_of(count, cells, reach, rates)[known as usize].ln();
                }
            }
        }
        ln
    }

    /// The probability of what was observed of a line and of all below it, for every total up to `most`: sums over its tables, a cell at a
    /// time. Totals are about `expected`.
    ///
    /// Given their total, the cells of a table are Poisson counts at as many times their rates as one likes: at this many, weights neither
    /// vanish nor leave the range of doubles.
    fn evidence_of(
        &self,
        count: usize,
        cells: &[usize],
        (most, expected): (usize, f64),
        rates: &[Vec<[f64; 2]>],
    ) -> Vec<f64> {
        let mut sums = vec![0.0; most + 1];
        sums[0] = 1.0;
        let mut whole = 0.0;
        for &cell in cells {
            let rate = rates[count][cell][0] * expected;
            let weights = self.weights_of(count, cell, (most, rate), rates);
            let sum = |total: usize| (0..=total).map(|x| weights[x] * sums[total - x]).sum();
            sums = (0..=most).map(sum).collect();
            whole += rate;
        }
        // Rates that are marked do not sum to one: the power of their sum stays.
        let of = |(total, sum): (usize, f64)| match ln_poisson_pmf(total as u64, whole).exp() {
            // Nobody asks for totals as far away.
            0.0 => 0.0,
            pmf => sum / pmf * (whole / expected).powf(total as f64),
        };
        sums.into_iter().enumerate().map(of).collect()
    }

    /// The probability of every count of a cell up to `most`, where some `expected` are, times that of what was observed of the cell and of
    /// all below it.
    fn weights_of(
        &self,
        count: usize,
        cell: usize,
        (most, expected): (usize, f64),
        rates: &[Vec<[f64; 2]>],
    ) -> Vec<f64> {
        let below = self.below(count, cell);
        let said: Vec<Vec<f64>> = below
            .map(|(below, cells)| self.evidence_of(below, cells, (most, expected.max(1.0)), rates))
            .collect();
        let weight = |x: usize| {
            let seen = match self.open[count] {
                true => self.probes[count].ln_likelihood(x as u64, cell),
                false => 0.0,
            };
            let said: f64 = said.iter().map(|evidence| evidence[x]).product();
            (ln_poisson_pmf(x as u64, expected) + seen).exp() * said
        };
        (0..=most).map(weight).collect()
    }

    /// The lines whose total a cell is.
    fn below(&self, count: usize, cell: usize) -> impl Iterator<Item = (usize, &Vec<usize>)> {
        let counts = self.twin.spec.counts.iter().enumerate();
        let counts =
            counts.filter(move |(_, spec)| spec.total.is_some_and(|total| total.of == TotalKind::Count(count)));
        counts.flat_map(move |(number, _)| {
            let lines = self.lines[number].iter();
            lines
                .filter(move |(at, _)| *at == cell)
                .map(move |(_, cells)| (number, cells))
        })
    }
}
