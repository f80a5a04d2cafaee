//! The passes in plain loops over cells.

use crate::channel::RateMoments;
use crate::contract::{Handing, Parts, Rate};
use crate::view::View;
use crate::view::door::{Auxiliary, Run};
use crate::view::runs::{LEAST_RATE, run_of};

/// A number for each entry of both operands.
#[derive(Clone)]
pub(super) struct Operands {
    /// (rows, inner), row-major.
    pub left: Vec<f64>,
    /// (columns, inner), row-major.
    pub right: Vec<f64>,
    inner: usize,
}

impl Operands {
    fn zeros(view: &View) -> Self {
        let (grid, inner) = (&view.grid, view.grid.inner);
        Self {
            left: vec![0.0; grid.rows * inner],
            right: vec![0.0; grid.cols * inner],
            inner,
        }
    }

    /// Both operands of a rate.
    pub fn of(view: &View, rate: &dyn Rate) -> Self {
        let (grid, mut operands) = (&view.grid, Self::zeros(view));
        let rows: Vec<_> = (0..grid.rows).map(|row| grid.row_at(row)).collect();
        let cols: Vec<_> = (0..grid.cols).map(|col| grid.col_at(col)).collect();
        rate.lefts(&rows, &mut operands.left);
        rate.rights(&cols, &mut operands.right);
        operands
    }

    /// The rate of a cell.
    fn rate(&self, row: usize, col: usize) -> f64 {
        let k = 0..self.inner;
        k.map(|k| self.left[row * self.inner + k] * self.right[col * self.inner + k])
            .sum()
    }

    /// Adds what a cell with this seed pulls back to both operands `x`.
    fn add(&mut self, x: &Self, row: usize, col: usize, seed: f64) {
        for k in 0..self.inner {
            let (l, r) = (row * self.inner + k, col * self.inner + k);
            self.left[l] += seed * x.right[r];
            self.right[r] += seed * x.left[l];
        }
    }

    /// Times the operands `x`.
    pub fn times(mut self, x: &Self) -> Self {
        let left = self.left.iter_mut().zip(&x.left);
        let right = self.right.iter_mut().zip(&x.right);
        left.chain(right).for_each(|(n, x)| *n *= x);
        self
    }

    /// Hands these numbers down.
    pub fn hand_down(&self, view: &View, to: &Handing<'_>, into: &mut [Vec<f64>]) {
        let (grid, inner) = (&view.grid, self.inner);
        let (mut adjoint, mut parts) = (to.to.adjoint(into), Parts::expected());
        for (row, n) in self.left.chunks_exact(inner.max(1)).enumerate() {
            adjoint.left(grid.row_at(row), 0..inner, n, &mut parts);
        }
        for (col, n) in self.right.chunks_exact(inner.max(1)).enumerate() {
            adjoint.right(grid.col_at(col), 0..inner, n, &mut parts);
        }
    }
}

/// Calls `said` with the visited cells of each row and their rates; it writes a seed for each, which is pulled back and handed down.
fn by_rows(
    view: &View,
    rate: &dyn Rate,
    to: &Handing<'_>,
    into: &mut [Vec<f64>],
    mut said: impl FnMut(Run<'_>, &[f64], &mut [f64]),
) {
    let (operands, mut pulled) = (Operands::of(view, rate), Operands::zeros(view));
    for row in 0..view.grid.rows {
        let Some(run) = run_of(&view.cells, row, &(0..view.grid.cols)) else {
            continue;
        };
        let rates = run
            .cols
            .iter()
            .map(|&col| operands.rate(row, col as usize).max(LEAST_RATE));
        let (rates, mut seeds): (Vec<f64>, _) = (rates.collect(), vec![0.0; run.cols.len()]);
        said(run, &rates, &mut seeds);
        for (&col, seed) in run.cols.iter().zip(seeds) {
            pulled.add(&operands, row, col as usize, seed);
        }
    }
    pulled.times(&operands).hand_down(view, to, into);
}

/// The variational factors of all visited cells.
macro_rules! expecter {
    ($view:ident, $auxiliary:ident) => {{
        let all = 0..$view.cells.len();
        let mut expecters = $view.cells.door.one().expecters($auxiliary, &[all]);
        expecters.pop().expect("one for all cells")
    }};
}

pub(super) fn expect(
    view: &View,
    rate: &dyn Rate,
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    into: &mut [Vec<f64>],
) -> f64 {
    let (mut expecter, mut bound) = (expecter!(view, auxiliary), view.cells.constant);
    by_rows(view, rate, to, into, |run, rates, seeds| {
        expecter.expect(run, rates, seeds, Some(&mut bound));
    });
    bound
}

pub(super) fn publish(
    view: &View,
    rate: &dyn Rate,
    moments: [&dyn Rate; 3],
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    into: &mut [Vec<f64>],
) {
    let mut expecter = expecter!(view, auxiliary);
    let [mean, second, squared] = moments.map(|of| Operands::of(view, of));
    by_rows(view, rate, to, into, |run, rates, seeds| {
        let at = |of: &Operands, col: u32| of.rate(run.row, col as usize);
        let moments = run.cols.iter().map(|&col| RateMoments {
            mean: at(&mean, col).max(LEAST_RATE),
            variance: (at(&second, col) - at(&squared, col)).max(0.0),
        });
        expecter.publish(run, &moments.collect::<Vec<_>>(), seeds);
        seeds.iter_mut().zip(rates).for_each(|(seed, rate)| *seed /= rate);
    });
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
    for row in 0..view.grid.rows {
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
    let (grid, operands) = (&view.grid, Operands::of(view, rate));
    let values = axis.map(|axis| grid.values_of(axis));
    let mut sums = vec![0.0; axis.map_or(1, |axis| grid.shape()[axis])];
    each_cell(view, |visited, row, col| {
        let rate = operands.rate(row, col);
        sums[values.map_or(0, |values| values.at(row, col))] += match visited {
            Some(_) => law(view, row, col, rate)[0] + base(view, row, col) * rate,
            None => (base(view, row, col) - view.cells.weight(grid, row, col)) * rate,
        };
    });
    sums
}

pub(super) fn pull(view: &View, rate: &dyn Rate, to: &Handing<'_>, into: &mut [Vec<f64>]) {
    let (grid, operands, mut pulled) = (&view.grid, Operands::of(view, rate), Operands::zeros(view));
    each_cell(view, |visited, row, col| {
        let rate = operands.rate(row, col);
        let seed = base(view, row, col)
            + match visited {
                Some(_) => law(view, row, col, rate)[1] - 1.0,
                None => -view.cells.weight(grid, row, col),
            };
        pulled.add(&operands, row, col, seed);
    });
    pulled.times(&operands).hand_down(view, to, into);
}

/// `Σ w μ`.
pub(super) fn level(view: &View, rate: &dyn Rate) -> f64 {
    let (operands, mut sum) = (Operands::of(view, rate), 0.0);
    each_cell(view, |_, row, col| {
        sum += view.cells.weight(&view.grid, row, col) * operands.rate(row, col);
    });
    sum
}

/// For each row, and column, `Σ w x` of the other operand.
pub(super) fn exposures(view: &View, rate: &dyn Rate) -> Operands {
    let (operands, mut sums) = (Operands::of(view, rate), Operands::zeros(view));
    each_cell(view, |_, row, col| {
        sums.add(&operands, row, col, view.cells.weight(&view.grid, row, col))
    });
    sums
}

/// The rate of every cell, row-major in the data; zero where a clause leaves it out.
pub(super) fn rates(view: &View, rate: &dyn Rate) -> Vec<f64> {
    let (grid, operands) = (&view.grid, Operands::of(view, rate));
    let places = (0..grid.cells()).map(|cell| grid.place(cell));
    let rates = places.map(|(row, col)| match view.cells.guards.holds(row, col) {
        true => operands.rate(row, col),
        false => 0.0,
    });
    rates.collect()
}

pub(super) fn mean_rate(view: &View, rate: &dyn Rate) -> f64 {
    let grid = &view.grid;
    let places = (0..grid.cells()).map(|cell| grid.place(cell));
    let in_model = places.filter(|&(row, col)| view.cells.guards.holds(row, col)).count();
    rates(view, rate).iter().sum::<f64>() / in_model as f64
}

pub(super) fn score_held_out(view: &View, rate: &dyn Rate, into: &mut [f64]) {
    let all = rates(view, rate);
    let rates: Vec<f64> = view.held_out().into_iter().map(|cell| all[cell]).collect();
    view.held_out.score_at(&rates, into);
}
