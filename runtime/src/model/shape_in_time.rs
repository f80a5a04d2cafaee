//! Table counts of a latent that is in its own shape, at an earlier time.
//!
//! They are drawn from the last time to the first. At each time their rate is the shape, a sum over values at earlier times: so they add counts
//! and exposure to these values, beside the counts of the data (Schein, Wallach and Zhou 2016).

use crate::contract::Operands;
use crate::distribution::tables;
use crate::family::Values;
use crate::streams::{Purpose, Streams};
use crate::view::{View, split_each};

use super::conditional::Exposures;
use super::shape::{LEAST, LearnedShape, Tables};
use super::{Bound, Factors, Slices};

impl Bound {
    /// Draws the table counts of a shape from the last time to the first, with the latent integrated out at all times, and hands them
    /// down to the latents in the shape, into `into`. `counts` and `exposure` are those of every entry of the latent, without what its own
    /// table counts add; `rate` is that of its prior; `position` is its index of time.
    ///
    /// A time costs a walk over the whole shape.
    pub(super) fn tables_backwards(
        &self,
        (shape, position): (usize, usize),
        x: &Factors,
        (counts, mut exposure): (&[f64], Vec<f64>),
        rate: &Values,
        into: &mut Factors,
        streams: &Streams,
    ) -> Tables {
        let LearnedShape { grid, name, latent, .. } = &self.shapes[shape];
        let (walks, unit) = (self.shape_walks(shape), self.views.len() + shape);
        let mut root = self.shape_root(shape, x);
        let shapes = self.shape_values(shape, x);
        let cell_of = cells_of_entries(grid);
        let ways = walks.uses(*latent);
        let before = into[*latent].to_vec();
        let mut weights = vec![0.0; grid.cells()];
        let slices: Vec<_> = Slices::new(&self.latents[*latent].shape, &[position]).iter().collect();
        for (after, slice) in slices.iter().rev().enumerate() {
            // What table counts of later times say of this one.
            let mut message = vec![0.0; exposure.len()];
            if after > 0 {
                let view = View::weighed(name, grid.clone(), weights.clone());
                root.forget_exposures();
                for &way in &ways {
                    walks.exposure(way, x, self.arrays(), &mut root, &view, &mut message);
                }
            }
            let mut rng = streams.open(Purpose::Cells, unit, slice.number as u64);
            let mut drawn = vec![0u32; grid.cells()];
            for &entry in &slice.entries {
                let cell = cell_of[entry];
                exposure[entry] += message[entry];
                let customers = counts[entry] + into[*latent][entry] - before[entry];
                weights[cell] = (exposure[entry] / rate.at(entry)).ln_1p();
                drawn[cell] = tables(customers as u64, shapes.at(entry).max(LEAST), &mut rng) as u32;
            }
            if drawn.iter().all(|n| *n == 0) {
                continue;
            }
            root.seeds = Operands::zeros(grid);
            // Each time has streams of its own.
            let unit = unit + self.walks.len() * (1 + slice.number);
            let mut rng = streams.open(Purpose::Thin, unit, u64::MAX);
            split_each(grid, &root.operands, &drawn, &mut root.seeds, &mut rng);
            walks.thin(x, self.arrays(), &root, into, streams, unit);
        }
        root.forget_exposures();
        Tables {
            root,
            view: View::weighed(name, grid.clone(), weights),
            exposure,
            given: Exposures::default(),
        }
    }
}

/// The cell, row-major in the grid, of every entry of a latent.
fn cells_of_entries(grid: &crate::contract::Grid) -> Vec<usize> {
    let mut cells = vec![0; grid.cells()];
    for row in 0..grid.all_rows() {
        for col in 0..grid.cols {
            cells[grid.cell(row, col)] = row * grid.cols + col;
        }
    }
    cells
}
