//! Counts with a known total by plain loops: tables that are drawn, and the probability of what was observed, as a sum over every table.

use rand::RngExt;

use skellam::model::{TotalKind, TotalSpec};
use skellam_math::special::ln_poisson_pmf;
use skellam_math::streams::Stream;

use super::held_out::HeldOut;
use super::instance::Instance;
use super::mechanism::ChannelProbe;
use super::setting::ObservedValues;
use super::twin::{Twin, indices, position};

impl Twin {
    /// The lines of a count with a total: for each, the total's position in its array or count, and its cells.
    fn lines(&self, count: usize, total: TotalSpec) -> Vec<(usize, Vec<usize>)> {
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
            TotalKind::Array(array) => self.array(array).shape().to_vec(),
            TotalKind::Count(count) => self.counts[count].shape.clone(),
        }
    }

    /// A total that is a number or an entry of an array; `None` where it is a count.
    fn given(&self, total: TotalSpec, at: usize) -> Option<u64> {
        match total.of {
            TotalKind::Hyper(hyper) => Some(self.hyper(hyper) as u64),
            TotalKind::Array(array) => Some(self.array(array).as_slice()[at] as u64),
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
        for (at, cells) in self.lines(count, total) {
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

/// What was observed of all counts with totals.
pub(super) struct SeenLines<'a> {
    twin: &'a Twin,
    probes: Vec<Option<Box<dyn ChannelProbe>>>,
    /// For each count its lines that are not held out, with the position of their total.
    lines: Vec<Vec<(usize, Vec<usize>)>>,
    /// For each count whether any of it was observed.
    open: Vec<bool>,
}

/// A Poisson count is summed to so many standard deviations above its rate, and to so many numbers more.
const FAR: f64 = 12.0;
const ENOUGH: usize = 60;

impl<'a> SeenLines<'a> {
    /// The observations `values`, of which some are held out.
    pub fn new(instance: &'a Instance, values: &[ObservedValues], held_out: HeldOut) -> Self {
        let twin = &instance.twin;
        let probes = twin.spec.counts.iter().zip(&instance.mechanisms).zip(values);
        let open = |number: usize| {
            let cells: usize = twin.counts[number].shape.iter().product();
            !twin.spec.counts[number].is_hidden && instance.mask(number, held_out).len() < cells
        };
        let open: Vec<bool> = (0..twin.counts.len()).map(open).collect();
        let probes =
            probes.zip(0..).map(
                |(((_, mechanism), values), number)| match twin.in_lines(number) && open[number] {
                    true => mechanism.channel_probe(values),
                    false => None,
                },
            );
        let lines = twin.spec.counts.iter().enumerate().map(|(number, count)| {
            let mask = instance.mask(number, held_out);
            let all = count.total.map(|total| twin.lines(number, total));
            let open = all
                .into_iter()
                .flatten()
                .filter(|(_, cells)| !mask.is_held_out(cells[0]));
            open.collect()
        });
        Self {
            twin,
            probes: probes.collect(),
            lines: lines.collect(),
            open,
        }
    }

    /// Whether a count is one of them: it has a total, or is one.
    pub fn has(&self, count: usize) -> bool {
        self.twin.in_lines(count)
    }

    /// The logarithm of the probability of all that was observed, up to that of rates that do not sum to one along a line, and without the
    /// mean of Poisson counts.
    pub fn ln_evidence(&self, rates: &[Vec<[f64; 2]>]) -> f64 {
        let mut ln = 0.0;
        for (count, spec) in self.twin.spec.counts.iter().enumerate() {
            match spec.total {
                // A total that was counted is seen by its own probe; its line sums over it.
                Some(TotalSpec {
                    of: TotalKind::Count(_),
                    ..
                }) => {}
                Some(total) => {
                    for (at, cells) in &self.lines[count] {
                        let known = self.twin.given(total, *at).unwrap_or_default() as usize;
                        let reach = (known, (known as f64).max(1.0));
                        ln += self.evidence_of(count, cells, reach, rates)[known].ln();
                    }
                }
                None if self.has(count) => {
                    for cell in self.seen_cells(count) {
                        let rate = rates[count][cell][0];
                        let most = (rate + FAR * rate.sqrt()) as usize + ENOUGH;
                        let said = self.said_of(count, cell, (most, rate), rates);
                        let sum: f64 = said
                            .iter()
                            .enumerate()
                            .map(|(x, said)| ln_poisson_pmf(x as u64, rate).exp() * said)
                            .sum();
                        ln += sum.ln() + rate;
                    }
                }
                None => {}
            }
        }
        ln
    }

    /// The means of all Poisson counts among them, added up.
    pub fn means(&self, rates: &[Vec<[f64; 2]>]) -> f64 {
        let counts = self.twin.spec.counts.iter().enumerate();
        let open = counts.filter(|(count, spec)| spec.total.is_none() && self.has(*count));
        open.map(|(count, _)| {
            let cells = self.seen_cells(count);
            cells.map(|cell| rates[count][cell][0]).sum::<f64>()
        })
        .sum()
    }

    /// The cells of a Poisson count of which anything was observed.
    fn seen_cells(&self, count: usize) -> impl Iterator<Item = usize> + '_ {
        let cells = 0..self.twin.counts[count].rates.len();
        cells.filter(move |&cell| self.open[count] || self.below(count, cell).next().is_some())
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
            let said = self.said_of(count, cell, (most, rate), rates);
            let weights: Vec<f64> = said
                .iter()
                .enumerate()
                .map(|(x, said)| ln_poisson_pmf(x as u64, rate).exp() * said)
                .collect();
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

    /// The probability of what was observed of a cell and of all below it, for every count up to `most`, of which some `expected` are
    /// probable.
    fn said_of(&self, count: usize, cell: usize, (most, expected): (usize, f64), rates: &[Vec<[f64; 2]>]) -> Vec<f64> {
        let below = self.below(count, cell);
        let said: Vec<Vec<f64>> = below
            .map(|(below, cells)| self.evidence_of(below, cells, (most, expected.max(1.0)), rates))
            .collect();
        let probability = |x: usize| {
            let seen = self.probes[count].as_ref();
            let seen = seen.map_or(1.0, |probe| probe.ln_likelihood(x as u64, cell).exp());
            seen * said.iter().map(|evidence| evidence[x]).product::<f64>()
        };
        (0..=most).map(probability).collect()
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
