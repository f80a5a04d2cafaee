//! Counts that nobody observed, drawn within a sweep: the table counts of a shape that is learned.

use std::sync::Arc;

use rand::Rng;

use crate::channel::Exact;
use crate::contract::{Grid, Operands, Split};

use super::bound::View;
use super::form::Collapsed;
use super::held_out::HeldOut;
use super::seen::{Laws, Seen};
use super::weights::{Base, Weights};
use super::{Cells, Guards, Mean, Source};

impl View {
    /// Cells of which nothing was observed and which have these weights, row-major in the grid: exposures alone.
    pub(crate) fn weighed(name: &'static str, grid: Grid, weights: Vec<f64>) -> Self {
        let door = Seen::<Exact, Collapsed>::behind_door(Arc::default(), Laws::Uniform(Exact));
        let cells = Cells {
            start: vec![0; grid.all_rows() + 1],
            col: Arc::default(),
            door,
            weights: Weights::new(&grid, Base::Cells(weights), Vec::new(), Guards::default()),
            in_model: grid.cells(),
            guards: Guards::default(),
            constant: 0.0,
        };
        Self::of_cells(name, grid, cells, HeldOut::nothing(), (Mean::default(), Source::default()))
    }
}

/// Draws a count at every cell, by its row, its column and its rate, and splits it over the inner index; `counts` receives how many fell on each
/// entry of the operands. In the order of the grid, so that one stream makes the same draws on any number of threads.
pub(crate) fn draw_each<R: Rng + ?Sized>(
    grid: &Grid,
    operands: &Operands,
    counts: &mut Operands,
    rng: &mut R,
    mut draw: impl FnMut(usize, usize, f64, &mut R) -> u64,
) {
    let mut split = Split::new(grid.inner);
    let mut scaled = vec![0.0; grid.inner];
    for row in 0..grid.all_rows() {
        for col in 0..grid.cols {
            let n = draw(row, col, operands.rate(grid, row, col), rng);
            if n == 0 {
                continue;
            }
            let (l, r, cell) = (grid.left_at(row), grid.right_at(row, col), row * grid.cols + col);
            let right = &operands.right[r..r + grid.inner];
            for (group, weights) in grid.groups.iter().zip(&operands.weights) {
                let factor = if group.weighted { weights[cell] } else { 1.0 };
                let part = group.start..group.end;
                let left = &operands.left[l..][part.clone()];
                scaled[part].iter_mut().zip(left).for_each(|(scaled, x)| *scaled = x * factor);
            }
            let mut give = |k: usize, n: u64| {
                counts.left[l + k] += n as f64;
                counts.right[r + k] += n as f64;
                for (group, counts) in grid.groups.iter().zip(&mut counts.weights) {
                    if group.weighted && (group.start..group.end).contains(&k) {
                        counts[cell] += n as f64;
                    }
                }
            };
            if !split.split(n, &scaled, right, rng, &mut give) {
                let ln_weights: Vec<f64> = scaled.iter().zip(right).map(|(a, b)| a.ln() + b.ln()).collect();
                Split::split_ln(n, &ln_weights, rng, give);
            }
        }
    }
}
