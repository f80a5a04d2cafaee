//! The pass of VI18 as published: rates by the delta method, the Bessel variable at its mode.

use crate::channel::RateMoments;
use crate::contract::Operands;

use super::View;
use super::door::Auxiliary;
use super::lanes::{Work, Writes, run};
use super::pass::{LEAST_RATE, run_of, visited};

/// See [`View::publish`].
pub(super) fn publish(
    view: &View,
    geometric: &Operands,
    [mean, second, squared]: [&Operands; 3],
    auxiliary: &mut Auxiliary,
    seeds: &mut Operands,
    work: &mut Work,
) {
    let (grid, cells) = (&view.grid, &view.cells);
    let expecters = cells.door.one().expecters(auxiliary, &visited(view));
    run(grid, seeds, Writes::ALL, work, expecters, |mut lane, mut expecter| {
        let first = lane.rows.start;
        let mut moments = Vec::new();
        for block in lane.blocks(grid) {
            let work = &mut *lane.work;
            let [means, seconds, squares] = &mut work.more;
            block.rates(grid, geometric, &mut work.block, &mut work.scratch);
            block.rates(grid, mean, means, &mut work.scratch);
            block.rates(grid, second, seconds, &mut work.scratch);
            block.rates(grid, squared, squares, &mut work.scratch);
            work.seed.clear();
            work.seed.resize(block.cells(), 0.0);
            for row in block.rows.clone() {
                let Some(run) = run_of(cells, row, &block.cols) else {
                    continue;
                };
                let line = (row - block.rows.start) * block.width();
                let places = run.cols.iter().map(|&col| line + col as usize - block.cols.start);
                moments.clear();
                // sum_k V[x_k] = sum_k E[x_k^2] - sum_k E[x_k]^2, which rounding can turn negative.
                moments.extend(places.clone().map(|at| RateMoments {
                    mean: means[at].max(LEAST_RATE),
                    variance: (seconds[at] - squares[at]).max(0.0),
                }));
                work.said.resize(run.cols.len(), 0.0);
                expecter.publish(run, &moments, &mut work.said);
                for (at, y) in places.zip(&work.said) {
                    work.seed[at] = y / work.block[at].max(LEAST_RATE);
                }
            }
            block.pull_left(grid, geometric, &work.seed, first, lane.left, &mut work.scratch);
            block.pull_right(grid, geometric, &work.seed, &mut work.right, &mut work.scratch);
            block.pull_weights(grid, geometric, &work.seed, first, &mut lane.weights, &mut work.scratch);
        }
    });
}
