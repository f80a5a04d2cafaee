//! What cells that weigh otherwise than the base add to exposures.

use std::iter::repeat;
use std::ops::Range;

use crate::contract::{At, Rate, add_weighed};
use crate::parallel::{Task, in_parallel};
use crate::view::View;
use crate::view::runs::weights_of_block;

use super::dense::{Pulls, by_blocks};
use super::receive::Each;
use super::stored::{self, Strip, base_of, differing, each_lane, has_cells};

/// Adds what is summed at a row or a column to an array of exposures.
pub(super) type EachOf<'a> = dyn Fn(At, &[f64], &mut [f64]) + Sync + 'a;

/// Calls `each` with rows and `Σ_columns (w − base) right[column, ·]`.
pub(super) fn correct_left(view: &View, rate: &dyn Rate, exposure: &mut [f64], each: &EachOf<'_>) {
    if view.weighs_one() {
        return;
    }
    if view.dense {
        return of_blocks(view, rate, Pulls::LEFT, exposure, each);
    }
    let (grid, inner) = (&view.grid, rate.inner());
    let lanes = each_lane(&stored::lanes(view), |rows| {
        let (mut strip, mut by) = (Strip::new(view, rate), Vec::new());
        let (mut found, mut sums) = (Vec::new(), Vec::new());
        for row in rows.filter(|&row| has_cells(view, row)) {
            found.push(row);
            sums.resize(found.len() * inner, 0.0);
            let sum = &mut sums[(found.len() - 1) * inner..];
            strip.stand(row);
            for (cols, weights) in differing(view, row) {
                by.clear();
                by.extend(cols.iter().enumerate().map(|(i, &col)| {
                    let weight = weights.map_or(1.0, |weights| weights[i]);
                    weight - base_of(view, row, col as usize)
                }));
                if by.iter().any(|by| *by != 0.0) {
                    strip.form(cols);
                    add_weighed(&by, &strip.right, sum);
                }
            }
        }
        (found, sums)
    });
    for (rows, sums) in &lanes {
        let rows = rows.iter().zip(sums.chunks_exact(inner.max(1)));
        rows.for_each(|(row, e)| each(grid.row_at(*row), e, exposure));
    }
    settle(exposure);
}

/// Calls `each` with columns and `Σ_rows (w − base) left[row, ·]`; with a column several times.
pub(super) fn correct_right(view: &View, rate: &dyn Rate, exposure: &mut [f64], each: &EachOf<'_>) {
    if view.weighs_one() {
        return;
    }
    if view.dense {
        return of_blocks(view, rate, Pulls::RIGHT, exposure, each);
    }
    let lanes = stored::lanes(view);
    let at_a_time = rayon::current_num_threads().clamp(1, lanes.len());
    let mut own = vec![vec![0.0; exposure.len()]; at_a_time];
    for group in lanes.chunks(at_a_time) {
        let mut tasks: Vec<Task<'_>> = Vec::with_capacity(group.len());
        for (rows, exposure) in group.iter().zip(&mut own) {
            exposure.fill(0.0);
            tasks.push(Box::new(move || {
                correct_columns(view, rate, rows.clone(), exposure, each);
            }));
        }
        in_parallel(tasks);
        for part in &own[..group.len()] {
            exposure.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
        }
    }
    settle(exposure);
}

fn correct_columns(view: &View, rate: &dyn Rate, rows: Range<usize>, exposure: &mut [f64], each: &EachOf<'_>) {
    let grid = &view.grid;
    let (mut left, mut e) = (vec![0.0; rate.inner()], vec![0.0; rate.inner()]);
    for row in rows.filter(|&row| has_cells(view, row)) {
        let at = grid.row_at(row);
        rate.left(at, &mut left);
        // Most cells of a row differ by one number.
        let mut last = 0.0;
        for (cols, weights) in differing(view, row) {
            for (i, &col) in cols.iter().enumerate() {
                let by = weights.map_or(1.0, |weights| weights[i]) - base_of(view, row, col as usize);
                if by == 0.0 {
                    continue;
                }
                if by != last {
                    e.iter_mut().zip(&left).for_each(|(e, x)| *e = by * x);
                    last = by;
                }
                let mut at = at;
                grid.set_col(col as usize, &mut at);
                each(at, &e, exposure);
            }
        }
    }
}

/// Dense data: every cell is weighed.
fn of_blocks(view: &View, rate: &dyn Rate, pulls: Pulls, exposure: &mut [f64], each: &EachOf<'_>) {
    let mut receive = Each {
        each: &mut |at, e| each(at, e, exposure),
        inner: rate.inner(),
    };
    by_blocks(view, rate, pulls, repeat(()), &mut receive, |cells, writes, ()| {
        let seed = &mut writes.work.sides[0].seed;
        let all = 0..rate.inner();
        weights_of_block(view, &cells.block, seed);
        if pulls.left {
            cells.tile.pull_left(all, seed, writes.left);
        } else {
            cells.tile.pull_right(all, seed, writes.right);
        }
    });
}

/// Rounding of all minus nearly all must not leave a negative exposure.
pub(super) fn settle(exposure: &mut [f64]) {
    exposure.iter_mut().for_each(|x| *x = x.max(0.0));
}
