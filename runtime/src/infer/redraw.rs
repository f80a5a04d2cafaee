//! A Gibbs sweep: counts at their cells and on the terms of their rates, then latents from their complete conditionals.

use crate::model::{Complete, CountRate, Factors, Lines, Model, Slice, Step};
use crate::parallel::each_of;
use crate::streams::{Purpose, Streams};
use crate::view::Auxiliary;

use super::custom::Fault;

/// Draws from the complete conditional.
pub(super) struct Redraw<'a> {
    pub streams: &'a Streams,
    /// Which latents keep their values.
    pub frozen: &'a [bool],
    /// The model whose cells are drawn, with their auxiliary variables; `None` if the counts are drawn already.
    pub cells: Option<(&'a dyn Model, &'a mut [Auxiliary])>,
    /// The first conditional out of the range of doubles, or the first fault of a custom update.
    pub fault: Option<Fault>,
}

/// The key of a slice's stream: beyond those of blocks.
pub(super) fn of_slice(slice: Slice<'_>) -> u64 {
    1 << 32 | slice.number as u64
}

impl Step for Redraw<'_> {
    fn wants(&self, latent: usize) -> bool {
        !self.frozen[latent]
    }

    fn streams(&self) -> Option<Streams> {
        Some(*self.streams)
    }

    /// The count of a cell is divided as soon as it is drawn.
    fn allocate(&mut self, count: usize, _: &Factors, count_rates: &mut [CountRate], counts: &mut Factors) {
        let Some((model, auxiliary)) = &mut self.cells else {
            return;
        };
        if count == 0
            && let Err(total) = model.bound().draw_tables(count_rates, auxiliary, self.streams)
        {
            self.fault.get_or_insert(Fault::Total(total));
        }
        if count == 0 {
            counts.fill(0.0);
        }
        let view = model.bound().view(count);
        count_rates[count].thin(view, &mut auxiliary[count], self.streams, count, counts);
    }

    /// Draws the lines block by block, each with a stream of its own; a slice is one block. A conditional out of the range of
    /// doubles gives draws that mean nothing, and the first one is kept as a fault.
    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        let part = of.part;
        if !self.wants(part.latent) {
            return;
        }
        let (lines, streams) = (of.lines, self.streams);
        let of_block = |block: usize, x: &mut [f64]| {
            let key = part.slice.map_or(block as u64, of_slice);
            let mut rng = streams.open(Purpose::Factors, part.latent, key);
            let first = block * lines.per_block();
            let [mut one, mut other] = of.parameters_of(first, x.len() / lines.size);
            let overflow = of.family.overflow([&one, &other]);
            of.family.draw([&mut one, &mut other], lines.size, x, &mut rng);
            overflow.map(|(at, mean)| Fault::in_mean(part, lines, first * lines.size + at, mean))
        };
        let size = lines.per_block() * lines.size;
        let mut fault = None;
        lines.gathered([x], |[x]| {
            fault = if part.slice.is_some() || x.len() <= size {
                // Slices come by the thousand: a job for each would cost more than its entries.
                of_block(0, x)
            } else {
                let faults = each_of(x.chunks_mut(size).enumerate(), |(block, x)| of_block(block, x));
                faults.into_iter().flatten().next()
            };
        });
        if of.family.update().is_some() {
            // A bad entry is the better explanation of a bad sum.
            let entry = Fault::in_entries(part, Lines::apart(x.len()), x);
            fault = fault.or(entry).or_else(|| Fault::in_lines(of, x));
        }
        if of.family.is_of_a_user() {
            fault = fault.or_else(|| Fault::outside(of, x));
        }
        self.fault = self.fault.or(fault);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::{Dirichlet, Gamma};
    use crate::model::Part;

    const SHAPE: [usize; 3] = [2, 3, 2];

    /// Concentrations of twelve entries with counts.
    fn concentrations() -> Vec<f64> {
        let entries = (0..12).map(f64::from);
        entries.map(|i| 0.2 + 0.3 * i + i * 5.0 % 7.0).collect()
    }

    /// Largest distance of the entries' means over 40 000 draws from those of the conditional along `lines`, in
    /// standard errors.
    fn distance(lines: Lines) -> f64 {
        let a = concentrations();
        let (mut x, mut sums, draws) = (vec![0.0; 12], [0.0; 12], 40_000);
        for sweep in 0..draws {
            let streams = Streams::new(17, 0).at_sweep(sweep);
            let mut step = Redraw {
                streams: &streams,
                frozen: &[false],
                cells: None,
                fault: None,
            };
            let conditional = Complete::new(Part::all(0), &Dirichlet, [&a, &[1.0; 12]], Lines::new(&SHAPE, 1));
            step.update(&conditional, &mut x);
            sums.iter_mut().zip(&x).for_each(|(sum, x)| *sum += x);
        }
        let mut largest = 0.0f64;
        for line in 0..lines.number() {
            let entries = lines.entries(line).map(|e| (e, a[e]));
            let total: f64 = entries.clone().map(|(_, a)| a).sum();
            for (e, a) in entries {
                let variance = a * (total - a) / (total * total * (total + 1.0));
                let error = (variance / draws as f64).sqrt();
                largest = largest.max((sums[e] / draws as f64 - a / total).abs() / error);
            }
        }
        largest
    }

    /// Twelve means within 5 standard errors: false positives 7e-6. The mutant takes neighbours for a line.
    #[test]
    fn lines_are_drawn_from_their_conditionals() {
        assert!(distance(Lines::new(&SHAPE, 1)) < 5.0);
        let mutant = Lines {
            outer: 4,
            size: 3,
            inner: 1,
        };
        assert!(distance(mutant) > 5.0);
    }

    #[test]
    fn a_slice_has_a_stream_of_its_own() {
        let streams = Streams::new(1, 0);
        let draw = |slice: Option<Slice<'_>>, frozen: bool| {
            let mut step = Redraw {
                streams: &streams,
                frozen: &[frozen],
                cells: None,
                fault: None,
            };
            let mut x = vec![-1.0; 2];
            let part = Part { latent: 0, slice };
            let parameters = [&[1.5, 2.5][..], &[1.5, 2.0]];
            step.update(&Complete::new(part, &Gamma, parameters, Lines::apart(2)), &mut x);
            x
        };
        let slice = |number| {
            Some(Slice {
                number,
                entries: &[0, 1],
            })
        };
        let all = [draw(None, false), draw(slice(0), false), draw(slice(1), false)];
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
        assert!(all.iter().flatten().all(|x| *x > 0.0));
        assert_eq!(draw(slice(0), true), [-1.0; 2]);
    }
}
