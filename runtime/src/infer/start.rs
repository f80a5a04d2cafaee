//! Dispersed starting values, scaled to the data.

use rand_distr::{Distribution, Exp1};

use crate::contract::{Block, Grid, Operands};
use crate::error::Error;
use crate::model::{Factors, Model, Root};

use super::streams::{Purpose, Streams};

/// Entries of a dispersed start are exponential plus this: unequal enough to break the symmetry between
/// components, and none so small that its component starts dead. At 1000 x 1000, K = 50, alpha = 1/e an
/// error of 0.283 became 0.273 when this went from 0.1 to 1; at 5 it was 0.277.
const FLOOR: f64 = 1.0;

/// Fills `x` with dispersed values such that the mean rate of every count equals its mean observation
/// as nearly as one common factor can make it.
///
/// Without the scaling, a start near zero lets the noise explain every release and stays there.
pub(super) fn dispersed<M: Model + ?Sized>(
    model: &M,
    x: &mut M::Factors,
    roots: &mut [Root],
    buffers: &mut M::Buffers,
    streams: &Streams,
) {
    for (unit, array) in x.arrays_mut().into_iter().enumerate() {
        let mut rng = streams.open(Purpose::Start, unit, 1);
        for value in array {
            let draw: f64 = Exp1.sample(&mut rng);
            *value = draw + FLOOR;
        }
    }
    let views = model.views();
    let target: f64 = views.iter().map(|v| v.mean_observation().max(LEAST_MEAN)).sum();
    // The total rate is a polynomial in the common factor without a constant, so damped steps on the
    // log scale converge whatever the degrees of its terms.
    let degree = model.latents().len().max(1) as f64;
    for _ in 0..60 {
        model.forward(x, roots, buffers);
        let mean: f64 = views
            .iter()
            .zip(&*roots)
            .map(|(v, root)| mean_rate(v.grid(), &root.operands))
            .sum();
        if mean == 0.0 {
            // Known arrays of zeros: factors of any size leave every rate at zero, and would grow without end.
            break;
        }
        let step = (target / mean.max(1e-300)).powf(1.0 / degree);
        x.arrays_mut().into_iter().flatten().for_each(|value| *value *= step);
        if (step - 1.0).abs() < 1e-6 {
            break;
        }
    }
    model.forward(x, roots, buffers);
}

/// Refuses data that no values of the factors can explain. The operands are those of a dispersed start,
/// whose factors are all positive: what is zero there is zero always.
pub(super) fn check<M: Model + ?Sized>(model: &M, roots: &[Root]) -> Result<(), Error> {
    for (view, root) in model.views().into_iter().zip(roots) {
        if let Some((mut cell, value)) = view.impossible(&root.operands) {
            let mut index = view.grid().shape();
            for axis in index.iter_mut().rev() {
                let size = *axis;
                (*axis, cell) = (cell % size, cell / size);
            }
            return Err(Error::ImpossibleCell { index, value });
        }
    }
    Ok(())
}

/// A zero for every cell of every count.
///
/// # Errors
///
/// If there is not that much memory: sparse data can have more cells than anything could hold.
pub(super) fn cells_of<M: Model + ?Sized>(model: &M) -> Result<Vec<Vec<f64>>, Error> {
    let zeros = |cells: usize| {
        let mut rates: Vec<f64> = Vec::new();
        let name = "the posterior mean rate of every cell".to_string();
        let bytes = 8.0 * cells as f64;
        rates
            .try_reserve_exact(cells)
            .map_err(|_| Error::TooLarge { name, bytes })?;
        rates.resize(cells, 0.0);
        Ok(rates)
    };
    model
        .views()
        .into_iter()
        .map(|view| zeros(view.grid().cells()))
        .collect()
}

/// A mean observation below this (noise can make it negative) is taken to be this.
const LEAST_MEAN: f64 = 1e-3;

/// Mean rate over all cells, held-out cells included.
pub(super) fn mean_rate(grid: &Grid, operands: &Operands) -> f64 {
    let mut total = 0.0;
    if grid.groups.iter().any(|g| g.weighted) {
        let (mut rates, mut scratch) = (Vec::new(), Vec::new());
        for block in Block::cut(grid, 0..grid.all_rows(), Default::default()) {
            block.rates(grid, operands, &mut rates, &mut scratch);
            total += rates.iter().sum::<f64>();
        }
    } else {
        for batch in 0..grid.batch {
            let column_sums = |data: &[f64], lines: usize, first: usize| {
                let mut sums = vec![0.0; grid.inner];
                for line in data[first * grid.inner..].chunks_exact(grid.inner.max(1)).take(lines) {
                    sums.iter_mut().zip(line).for_each(|(s, x)| *s += x);
                }
                sums
            };
            let left = column_sums(&operands.left, grid.rows, batch * grid.rows);
            let right = column_sums(&operands.right, grid.cols, batch * grid.cols);
            total += left.iter().zip(&right).map(|(l, r)| l * r).sum::<f64>();
        }
    }
    total / grid.cells() as f64
}
