//! The passes in plain loops over cells, or those with whole operands.

use crate::contract::{Handing, Operands, Parts, Rate};
use crate::view::View;
use crate::view::door::Auxiliary;
use crate::view::lanes::Work;
use crate::view::pass::{LEAST_RATE, run_of};

/// Both operands.
pub(super) fn whole(view: &View, rate: &dyn Rate) -> Operands {
    let grid = &view.grid;
    let mut operands = Operands::zeros(grid);
    let rows: Vec<_> = (0..grid.all_rows()).map(|row| grid.row_at(row)).collect();
    let cols: Vec<_> = (0..grid.cols).map(|col| grid.col_at(col)).collect();
    rate.lefts(&rows, &mut operands.left);
    rate.rights(&cols, &mut operands.right);
    operands
}

/// Hands numbers of both operands down.
pub(super) fn hand_down(view: &View, to: &Handing<'_>, n: &Operands, into: &mut [Vec<f64>]) {
    let grid = &view.grid;
    let (mut adjoint, mut parts) = (to.to.adjoint(into), Parts::expected());
    for (row, n) in n.left.chunks_exact(grid.inner.max(1)).enumerate() {
        adjoint.left(grid.row_at(row), 0..grid.inner, n, &mut parts);
    }
    for (col, n) in n.right.chunks_exact(grid.inner.max(1)).enumerate() {
        adjoint.right(grid.col_at(col), 0..grid.inner, n, &mut parts);
    }
}

/// Operands times what was pulled back to them.
pub(super) fn times(operands: &Operands, pulled: &mut Operands) {
    let left = pulled.left.iter_mut().zip(&operands.left);
    let right = pulled.right.iter_mut().zip(&operands.right);
    left.chain(right).for_each(|(n, x)| *n *= x);
}

pub(super) fn expect(
    view: &View,
    rate: &dyn Rate,
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    score: bool,
    into: &mut [Vec<f64>],
) -> f64 {
    let (operands, mut seeds) = (whole(view, rate), Operands::zeros(&view.grid));
    let said = view.expect(&operands, auxiliary, &mut seeds, &mut Work::default(), score);
    times(&operands, &mut seeds);
    hand_down(view, to, &seeds, into);
    said
}

pub(super) fn publish(
    view: &View,
    rate: &dyn Rate,
    moments: [&dyn Rate; 3],
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    into: &mut [Vec<f64>],
) {
    let (operands, mut seeds) = (whole(view, rate), Operands::zeros(&view.grid));
    let [mean, second, squared] = moments.map(|moment| whole(view, moment));
    let moments = [&mean, &second, &squared];
    view.publish(&operands, moments, auxiliary, &mut seeds, &mut Work::default());
    times(&operands, &mut seeds);
    hand_down(view, to, &seeds, into);
}

/// The base weight of a cell; zero where blocks are weighed whole.
pub(super) fn base(view: &View, row: usize, col: usize) -> f64 {
    match view.dense {
        true => 0.0,
        false => view.cells.weights.base.at(&view.grid, row, col),
    }
}

/// Calls `visit` with the number, if it is visited, and the row and column of every cell of the grid.
fn each_cell(view: &View, mut visit: impl FnMut(Option<usize>, usize, usize)) {
    for row in 0..view.grid.all_rows() {
        let mut visited = view.cells.in_row(row, &(0..view.grid.cols)).peekable();
        for col in 0..view.grid.cols {
            visit(visited.next_if(|&i| view.cells.col[i] as usize == col), row, col);
        }
    }
}

/// `ln P(c | rate)` and the slope at a visited cell.
fn law(view: &View, row: usize, col: usize, rate: f64) -> [f64; 2] {
    let run = run_of(&view.cells, row, &(col..col + 1)).expect("a visited cell");
    let rate = rate.max(LEAST_RATE);
    let slope = view
        .slopes()
        .map_or(f64::NAN, |slopes| slopes.at(run.first, rate.sqrt()));
    let (rates, mut said) = ([rate], [[0.0], [slope]]);
    let door = view.cells.door.one();
    door.ln_marginals(run, &rates, &mut said[0]);
    door.rough_slopes(run, &rates, &mut said[1]);
    said.concat().try_into().expect("two numbers")
}

pub(super) fn ln_marginals_by(view: &View, rate: &dyn Rate, axis: Option<usize>) -> Vec<f64> {
    let (grid, operands) = (&view.grid, whole(view, rate));
    let values = axis.map(|axis| grid.values_of(axis));
    let mut sums = vec![0.0; axis.map_or(1, |axis| grid.shape()[axis])];
    each_cell(view, |visited, row, col| {
        let rate = operands.rate(grid, row, col);
        sums[values.map_or(0, |values| values.at(row, col))] += match visited {
            Some(_) => law(view, row, col, rate)[0] + base(view, row, col) * rate,
            None => (base(view, row, col) - view.cells.weight(grid, row, col)) * rate,
        };
    });
    sums
}

pub(super) fn pull(view: &View, rate: &dyn Rate, to: &Handing<'_>, into: &mut [Vec<f64>]) {
    let (grid, operands, mut pulled) = (&view.grid, whole(view, rate), Operands::zeros(&view.grid));
    each_cell(view, |visited, row, col| {
        let rate = operands.rate(grid, row, col);
        let seed = base(view, row, col)
            + match visited {
                Some(_) => law(view, row, col, rate)[1] - 1.0,
                None => -view.cells.weight(grid, row, col),
            };
        for k in 0..grid.inner {
            let (l, r) = (grid.left_at(row) + k, grid.right_at(row, col) + k);
            pulled.left[l] += seed * operands.right[r];
            pulled.right[r] += seed * operands.left[l];
        }
    });
    times(&operands, &mut pulled);
    hand_down(view, to, &pulled, into);
}

/// `Σ w μ`.
pub(super) fn level(view: &View, rate: &dyn Rate) -> f64 {
    let (grid, operands, mut sum) = (&view.grid, whole(view, rate), 0.0);
    each_cell(view, |_, row, col| {
        sum += view.cells.weight(grid, row, col) * operands.rate(grid, row, col)
    });
    sum
}

/// For each row, and column, `Σ w x` of the other operand.
pub(super) fn exposures(view: &View, rate: &dyn Rate) -> Operands {
    let (grid, operands, mut sums) = (&view.grid, whole(view, rate), Operands::zeros(&view.grid));
    each_cell(view, |_, row, col| {
        let weight = view.cells.weight(grid, row, col);
        for k in 0..grid.inner {
            let (l, r) = (grid.left_at(row) + k, grid.right_at(row, col) + k);
            sums.left[l] += weight * operands.right[r];
            sums.right[r] += weight * operands.left[l];
        }
    });
    sums
}

pub(super) fn rates(view: &View, rate: &dyn Rate, cells: &[usize], into: &mut [f64]) {
    let (grid, operands) = (&view.grid, whole(view, rate));
    for (into, &cell) in into.iter_mut().zip(cells) {
        let (row, col) = grid.place(cell);
        *into = match view.cells.guards.holds(row, col) {
            true => operands.rate(grid, row, col),
            false => 0.0,
        };
    }
}

pub(super) fn mean_rate(view: &View, rate: &dyn Rate) -> f64 {
    view.mean_rate(&whole(view, rate))
}

pub(super) fn score_held_out(view: &View, rate: &dyn Rate, into: &mut [f64]) {
    view.score_held_out(&whole(view, rate), into);
}
