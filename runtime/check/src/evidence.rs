//! The probability of what was observed, by plain loops over cells; and counts with a known total, whose tables are drawn and summed over.

use std::collections::HashMap;

use rand::RngExt;

use skellam::model::{TotalKind, TotalSpec};
use skellam_math::special::ln_poisson_pmf;
use skellam_math::streams::Stream;

use super::held_out::HeldOut;
use super::instance::Instance;
use super::mechanism::Probe;
use super::setting::ObservedValues;
use super::twin::{Twin, indices, position};

impl Twin {
    /// The lines of a count with a total: for each, the total's position in its array or count, and its cells.
    fn lines_of_total(&self, count: usize, total: TotalSpec) -> Vec<(usize, Vec<usize>)> {
        let shape = &self.counts[count].shape;
        let mut lines: Vec<(usize, Vec<usize>)> = Vec::new();
        let of_total = self.shape_of(total);
        for index in indices(shape).filter(|index| index[total.along] == 0) {
            let at: Vec<usize> = total.vars.iter().map(|&var| index[var]).collect();
            let cells = (0..shape[total.along]).map(|value| {
                let mut index = index.clone();
                index[total.along] = value;
                position(shape, &index)
            });
            lines.push((position(&of_total, &at), cells.collect()));
        }
        lines
    }

    /// Whether cells of a count are not independent given their rates: it has a total, or is one.
    pub(super) fn in_lines(&self, count: usize) -> bool {
        self.spec.counts[count].total.is_some() || self.spec.is_total(count)
    }

    fn shape_of(&self, total: TotalSpec) -> Vec<usize> {
        match total.of {
            TotalKind::Hyper(_) => Vec::new(),
            TotalKind::Array(array) => self.arrays[array].shape().to_vec(),
            TotalKind::Count(count) => self.counts[count].shape.clone(),
        }
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
            let number = match (self.given(total, at), total.of) {
                (Some(number), _) => number,
                (None, TotalKind::Count(of)) => drawn[of][at][0],
                (None, _) => unreachable!("numbers and arrays are given"),
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
    pub probes: Vec<Box<dyn Probe>>,
    /// For each count its cells, in no line, that are neither held out nor outside `where`.
    cells: Vec<Vec<usize>>,
    /// For each count its lines that are not held out, with the position of their total.
    lines: Vec<Vec<(usize, Vec<usize>)>>,
    /// For each count whether any of it was observed.
    open: Vec<bool>,
}

/// A Poisson count is summed to so many standard deviations above its rate, and to so many numbers more.
const FAR: f64 = 12.0;
const ENOUGH: usize = 60;

impl<'a> Evidence<'a> {
    /// The observations `values`, which are `exact` or as the declared mechanisms made them, and of which some are held out.
    pub fn new(instance: &'a Instance, values: &[ObservedValues], exact: bool, held_out: HeldOut) -> Self {
        let twin = &instance.twin;
        let probes = instance.mechanisms(exact).iter().zip(values);
        let probes = probes.map(|(mechanism, values)| mechanism.probe(values));
        let (mut cells, mut lines, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (spec, count)) in twin.spec.counts.iter().zip(&twin.counts).enumerate() {
            let mask = instance.mask(number, held_out);
            let is_seen = |cell: &usize| count.rates[*cell].is_some() && !mask.is_held_out(*cell);
            let apart = (0..count.rates.len()).filter(|cell| !twin.in_lines(number) && is_seen(cell));
            cells.push(apart.collect());
            let mut of_count = spec
                .total
                .map_or_else(Vec::new, |total| twin.lines_of_total(number, total));
            of_count.retain(|(_, cells)| !mask.is_held_out(cells[0]));
            lines.push(of_count);
            open.push(!spec.is_hidden && mask.len() < count.rates.len());
        }
        Self {
            twin,
            probes: probes.collect(),
            cells,
            lines,
            open,
        }
    }

    /// The positive number that most cells have that are in no line, and how many have it.
    pub fn most_frequent(&self) -> usize {
        let mut cells_of: HashMap<(usize, u64), usize> = HashMap::new();
        for (count, cells) in self.cells.iter().enumerate() {
            let numbers = cells.iter().map(|&cell| self.probes[count].number(cell));
            for number in numbers.filter(|number| *number > 0.0) {
                *cells_of.entry((count, number.to_bits())).or_default() += 1;
            }
        }
        cells_of.into_values().max().unwrap_or(0)
    }

    /// `ln p(x, observations)`, true counts summed out.
    pub fn ln_joint(&self, x: &[Vec<f64>]) -> f64 {
        let rates = self.twin.sides(x);
        let of_cells: f64 = self.in_cells(&rates).map(|(_, _, rates)| rates[0] + rates[1]).sum();
        let of_totals: f64 = self.in_totals(&rates).map(|(_, _, rate)| rate).sum();
        self.twin.ln_prior(x) + self.ln_evidence(&rates) - of_cells - of_totals
    }

    /// The logarithm of the probability of all that was observed, up to that of rates that do not sum to one along a line, and without the
    /// means of Poisson counts: it changes as the generating function of true counts where rates are multiplied by `s`.
    pub fn ln_evidence(&self, rates: &[Vec<[f64; 2]>]) -> f64 {
        let cells = self.in_cells(rates);
        let mut ln: f64 = cells
            .map(|(count, cell, rates)| self.probes[count].ln_marginal(rates, cell) + rates[0] + rates[1])
            .sum();
        for (count, spec) in self.twin.spec.counts.iter().enumerate() {
            // A total that was counted is seen by its own probe; its line sums over it.
            let given = spec.total.filter(|total| !matches!(total.of, TotalKind::Count(_)));
            for (at, cells) in given.iter().flat_map(|_| &self.lines[count]) {
                let known = given.and_then(|total| self.twin.given(total, *at)).unwrap_or_default() as usize;
                let reach = (known, (known as f64).max(1.0));
                ln += self.evidence_of(count, cells, reach, rates)[known].ln();
            }
        }
        for (count, cell, rate) in self.in_totals(rates) {
            let most = (rate + FAR * rate.sqrt()) as usize + ENOUGH;
            ln += self
                .weights_of(count, cell, (most, rate), rates)
                .iter()
                .sum::<f64>()
                .ln()
                + rate;
        }
        ln
    }

    /// The cells that are in no line, each with its count and its rates.
    fn in_cells<'r>(&'r self, rates: &'r [Vec<[f64; 2]>]) -> impl Iterator<Item = (usize, usize, [f64; 2])> + 'r {
        let counts = self.cells.iter().zip(rates).enumerate();
        counts.flat_map(|(count, (cells, rates))| cells.iter().map(move |&cell| (count, cell, rates[cell])))
    }

    /// The Poisson counts that are totals of lines and of which anything was observed, each with its rate.
    fn in_totals<'r>(&'r self, rates: &'r [Vec<[f64; 2]>]) -> impl Iterator<Item = (usize, usize, f64)> + 'r {
        let counts = self.twin.spec.counts.iter().enumerate();
        let totals = counts.filter(|(count, spec)| spec.total.is_none() && self.twin.in_lines(*count));
        totals.flat_map(move |(count, _)| {
            let cells = rates[count].iter().enumerate();
            let seen = cells.filter(move |(cell, _)| self.open[count] || self.below(count, *cell).next().is_some());
            seen.map(move |(cell, rates)| (count, cell, rates[0]))
        })
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
