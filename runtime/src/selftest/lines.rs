//! Counts with a known total by plain loops: tables that are drawn, and the probability of what was observed, as a sum over every table.

use rand::RngExt;

use crate::model::{TotalKind, TotalSpec};
use crate::special::ln_factorial;
use crate::streams::Stream;

use super::instance::{HeldOut, Instance};
use super::mechanism::ChannelProbe;
use super::setting::ObservedValues;
use super::twin::{Twin, indices, position};

impl Twin {
    /// The lines of a count with a total: of each the total's position in its array or count, and its cells.
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
    /// Of each count its lines that are not held out, with the position of their total.
    lines: Vec<Vec<(usize, Vec<usize>)>>,
}

impl<'a> SeenLines<'a> {
    /// The observations `values`, of which some are held out.
    pub fn new(instance: &'a Instance, values: &[ObservedValues], held_out: HeldOut) -> Self {
        let twin = &instance.twin;
        let probes = twin.spec.counts.iter().zip(&instance.mechanisms).zip(values);
        let probes = probes.map(|((count, mechanism), values)| match count.total {
            Some(_) if !count.is_hidden() => mechanism.channel_probe(values),
            _ => None,
        });
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
        }
    }

    /// Whether a count is one of them.
    pub fn has(&self, count: usize) -> bool {
        self.twin.spec.counts[count].total.is_some()
    }

    /// The logarithm of the probability of all that was observed, up to that of rates that do not sum to one along a line.
    pub fn ln_evidence(&self, rates: &[Vec<[f64; 2]>]) -> f64 {
        let mut ln = 0.0;
        for (count, spec) in self.twin.spec.counts.iter().enumerate() {
            let Some(total) = spec.total else { continue };
            for (at, cells) in &self.lines[count] {
                let known = match total.of {
                    // A total that was counted is seen by its own probe; its line sums over it.
                    TotalKind::Count(_) => continue,
                    _ => self.twin.given(total, *at).unwrap_or_default(),
                };
                ln += self.evidence_of(count, cells, known, rates).ln();
            }
        }
        ln
    }

    /// The probability of what was observed of a line of `total` and of all below it: a sum over its tables.
    fn evidence_of(&self, count: usize, cells: &[usize], total: u64, rates: &[Vec<[f64; 2]>]) -> f64 {
        let Some((&first, rest)) = cells.split_first() else {
            return f64::from(u8::from(total == 0));
        };
        let below: Vec<(usize, &Vec<usize>)> = self.below(count, first).collect();
        let rate = rates[count][first][0];
        (0..=total)
            .map(|x| {
                // `N! prod r^x / x!`, a cell at a time: `N!/(x! (N - x)!) r^x` times what the others have of `N - x`.
                let ways = ln_factorial(total) - ln_factorial(x) - ln_factorial(total - x);
                let seen = self.probes[count].as_ref();
                let seen = seen.map_or(1.0, |probe| probe.ln_likelihood(x, first).exp());
                let said: f64 = below
                    .iter()
                    .map(|(below, cells)| self.evidence_of(*below, cells, x, rates))
                    .product();
                ways.exp() * rate.powf(x as f64) * seen * said * self.evidence_of(count, rest, total - x, rates)
            })
            .sum()
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
