//! The pass of VI18 as published: rates by the delta method, the Bessel variable at its mode.

use crate::channel::{Augmentation, Channel, RateMoments};
use crate::contract::Operands;
use crate::counts::Packed;
use crate::infer::form::Form;

use super::lanes::{Work, Writes, run};
use super::{Auxiliary, Bound};

/// See [`super::View::publish`].
pub(super) fn publish<C: Channel, F: Form<C>>(
    view: &Bound<C, F>,
    geometric: &Operands,
    [mean, second, squared]: [&Operands; 3],
    auxiliary: &mut Auxiliary,
    seeds: &mut Operands,
    work: &mut Work,
) {
    let Some(factors) = auxiliary.downcast_mut::<Vec<<C::Augmentation as Augmentation<C>>::Factor>>() else {
        unreachable!("the published step is run on the augmented form alone");
    };
    let (grid, cells) = (&view.grid, &view.cells);
    run(
        grid,
        seeds,
        Writes::ALL,
        work,
        factors,
        &cells.start,
        |mut lane, factors| {
            let first = lane.rows.start;
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
                    for i in cells.in_row(row, &block.cols) {
                        let col = cells.col[i] as usize;
                        let at = (row - block.rows.start) * block.width() + col - block.cols.start;
                        // sum_k V[x_k] = sum_k E[x_k^2] - sum_k E[x_k]^2, which rounding can turn negative.
                        let moments = RateMoments {
                            mean: means[at].max(1e-300),
                            variance: (seconds[at] - squares[at]).max(0.0),
                        };
                        let (law, factor) = (cells.law(i, row, col), &mut factors[i - cells.start[first]]);
                        let y = C::Augmentation::published(law, moments, cells.value.at(i), factor);
                        work.seed[at] = y / work.block[at].max(1e-300);
                    }
                }
                block.pull_left(grid, geometric, &work.seed, first, lane.left, &mut work.scratch);
                block.pull_right(grid, geometric, &work.seed, &mut work.right, &mut work.scratch);
                block.pull_weights(grid, geometric, &work.seed, first, &mut lane.weights, &mut work.scratch);
            }
        },
    );
}
