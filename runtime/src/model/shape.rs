//! Learned shapes: a gamma whose shape is a sum of products of latents.
//!
//! With the gamma integrated out, its counts are negative binomial in the shape. Table counts augment them: Poisson counts whose rate is the shape
//! and whose exposure is `ln(1 + E/b)` (Zhou and Carin 2015). So the rate of table counts is contracted as that of any count.

use std::sync::Arc;

use rayon::prelude::*;

use crate::contract::Grid;
use crate::distribution::tables;
use crate::family::Values;
use crate::streams::{Purpose, Streams};
use crate::view::{View, each_row, split_each};

use super::conditional::Exposures;
use super::formed::Formed;
use super::state::Counts;
use super::{Bound, Factors, Root, State, Walks};

/// Shapes below this, such as products of values that underflow, are raised to it: a gamma of shape zero is not a distribution. A draw at this shape is
/// above the least double with probability 1e-147, and its mean is a double at any rate up to 1e150.
pub(super) const LEAST: f64 = 1e-150;

/// Rows of a block of table counts.
const ROWS: usize = 64;

/// The shape of one latent.
#[derive(Clone)]
pub(super) struct LearnedShape {
    /// The latent.
    pub latent: usize,
    /// How the entries of the latent are laid out as cells.
    pub grid: Grid,
    /// Name of the table counts.
    pub name: &'static str,
    /// The cells of generated rates before they are drawn, all of which weigh nothing.
    pub undrawn: Option<Arc<View>>,
}

impl LearnedShape {
    pub fn new(latent: usize, name: &'static str, grid: Grid, is_emitted: bool) -> Self {
        let undrawn = is_emitted.then(|| View::weighed(name, grid.clone(), vec![0.0; grid.cells()]));
        Self {
            latent,
            grid,
            name,
            undrawn: undrawn.map(Arc::new),
        }
    }
}

/// The table counts of one shape while latents are updated: their rate, and the weight of each.
pub(super) struct Tables {
    pub root: Root,
    pub view: View,
    /// The exposure of every entry of the latent that was integrated out. It is valid until that latent is drawn, as nothing that it depends on is drawn before.
    pub exposure: Vec<f64>,
    /// What it was computed of.
    pub given: Exposures,
}

impl Bound {
    /// The number of the shape of a latent, if it is learned.
    pub(super) fn learned(&self, latent: usize) -> Option<usize> {
        self.shapes.iter().position(|shape| shape.latent == latent)
    }

    /// The walks of a shape: they come after those of the counts.
    pub(super) fn shape_walks(&self, shape: usize) -> &Walks {
        &self.walks[self.views.len() + shape]
    }

    /// Operands of a shape at values of the latents in it.
    pub(super) fn shape_root(&self, shape: usize, x: &Factors) -> Root {
        let mut root = Root::of_grid(&self.shapes[shape].grid);
        self.shape_walks(shape).forward(x, self.arrays(), &mut root);
        root
    }

    /// The shape of every entry of its latent.
    pub(super) fn shape_values(&self, shape: usize, x: &Factors) -> Values {
        if let (Some(emitted), Some(undrawn)) = (self.emitted, &self.shapes[shape].undrawn) {
            let rate = (emitted.rate)(self.views.len() + shape, self.reading(x));
            let mut values = vec![0.0; undrawn.grid().cells()];
            undrawn.add_rates_formed(&*rate, &mut values);
            values.iter_mut().for_each(|shape| *shape = shape.max(LEAST));
            return Values::Each(values);
        }
        let (root, grid) = (self.shape_root(shape, x), &self.shapes[shape].grid);
        let mut values = vec![0.0; grid.cells()];
        each_row(grid, &root.operands, 0..grid.all_rows(), |row, rates| {
            rates
                .iter()
                .enumerate()
                .for_each(|(col, rate)| values[grid.cell(row, col)] = rate.max(LEAST));
        });
        Values::Each(values)
    }

    /// Draws the table counts of a shape, given counts, exposure and rate of every entry of its latent, which is integrated out, and hands them down
    /// to the latents in the shape, into `into`.
    pub(super) fn tables(
        &self,
        shape: usize,
        x: &Factors,
        (counts, exposure): (&[f64], Vec<f64>),
        rate: &Values,
        into: &mut Factors,
        streams: &Streams,
    ) -> Tables {
        let LearnedShape { grid, name, .. } = &self.shapes[shape];
        let unit = self.views.len() + shape;
        let mut root = self.shape_root(shape, x);
        let (mut weights, mut drawn) = (vec![0.0; grid.cells()], vec![0u32; grid.cells()]);
        // Blocks of rows have streams of their own: the draws are the same on any number of threads.
        let cells = ROWS * grid.cols;
        let blocks = weights
            .par_chunks_mut(cells)
            .zip(drawn.par_chunks_mut(cells))
            .enumerate();
        blocks.for_each(|(block, (weights, drawn))| {
            let mut rng = streams.open(Purpose::Cells, unit, block as u64);
            let rows = block * ROWS..((block + 1) * ROWS).min(grid.all_rows());
            let first = rows.start;
            each_row(grid, &root.operands, rows, |row, rates| {
                let at = (row - first) * grid.cols;
                let lines = weights[at..].iter_mut().zip(&mut drawn[at..]);
                for ((col, &s), (weight, drawn)) in rates.iter().enumerate().zip(lines) {
                    let entry = grid.cell(row, col);
                    *weight = (exposure[entry] / rate.at(entry)).ln_1p();
                    *drawn = tables(counts[entry] as u64, s.max(LEAST), &mut rng) as u32;
                }
            });
        });
        let mut rng = streams.open(Purpose::Thin, unit, u64::MAX);
        split_each(grid, &root.operands, &drawn, &mut root.seeds, &mut rng);
        self.shape_walks(shape)
            .thin(x, self.arrays(), &root, into, streams, unit);
        root.forget_exposures();
        Tables {
            root,
            view: View::weighed(name, grid.clone(), weights),
            exposure,
            given: Exposures::default(),
        }
    }
}

impl State<'_> {
    /// Draws the table counts of a shape that is learned, numbered after the counts, with the latent integrated out, and divides them over the terms of the
    /// shape. `given` has, for every entry of the latent, its counts and its exposure over its rate: `l ~ CRT(n, shape)`, whose exposure is
    /// `ln(1 + E/b)` (Zhou and Carin 2015).
    pub fn draw_tables(&mut self, number: usize, [counts, relative]: [Vec<f64>; 2]) {
        let (bound, shape) = (self.bound, number - self.bound.views.len());
        let (Some(emitted), Counts::Open(into)) = (bound.emitted, &mut self.counts) else {
            return;
        };
        let LearnedShape { grid, name, .. } = &bound.shapes[shape];
        // Entries of a latent are in the order of the declaration, cells in that of the grid.
        let mut weights = vec![0.0; grid.cells()];
        let mut customers = vec![0; grid.cells()];
        for row in 0..grid.all_rows() {
            for col in 0..grid.cols {
                let (entry, cell) = (grid.cell(row, col), row * grid.cols + col);
                weights[cell] = relative[entry].ln_1p();
                customers[cell] = counts[entry] as u64;
            }
        }
        let view = View::weighed(name, grid.clone(), weights);
        let formed = Formed::new(emitted, &bound.known, number, self.x.clone());
        // What draws nothing asks for a conditional given any table counts.
        let streams = self.step.streams().unwrap_or(Streams::new(0, 0));
        view.draw_tables(
            &*formed.rate(),
            &formed.handing(),
            (&customers, LEAST),
            (&streams, number),
            into.arrays_mut(),
        );
        self.drawn.set(shape, view);
    }
}
