//! The derivative of the log likelihood where blocks are multiplied whole and the inner index is short.
//!
//! General products of a matrix with three columns spend their time on strides. Here the right operand is turned so that its
//! columns lie side by side, and a row of cells passes through the first-level cache once: rates, seeds, and both pulls.

use std::ops::Range;

use multiversion::multiversion;

use crate::contract::Grid;
use crate::view::View;
use crate::view::lanes::LaneWork;
use crate::view::runs::{LEAST_RATE, run_of};
use crate::view::slopes::{Slopes, say_slopes};

/// Longest inner index: beyond it, blocked products are as fast.
const LONGEST: usize = 16;
/// Most numbers of the right operand and a row of cells: both stay in a second-level cache.
const MOST: usize = 1 << 14;

/// Whether products of this grid are narrow.
pub(in crate::view) fn is_narrow(grid: &Grid) -> bool {
    (1..=LONGEST).contains(&grid.inner) && grid.cols > 0 && (grid.inner + 1) * grid.cols <= MOST
}

/// The derivative of the log likelihood through some rows with respect to their left operand, (rows, inner), and to the
/// right one, (columns, inner). The total of `work` gets the log likelihood if `score`.
pub(super) fn pull_rows(
    view: &View,
    rows: Range<usize>,
    [left, right]: [&[f64]; 2],
    slopes: Option<&Slopes>,
    [into_left, into_right]: [&mut [f64]; 2],
    work: &mut LaneWork,
    score: bool,
) {
    let (grid, cells) = (&view.grid, &view.cells);
    let (inner, cols) = (grid.inner, grid.cols);
    let [mut rates, mut seeds, mut roots] = [(); 3].map(|()| vec![0.0; cols]);
    let all = 0..cols;
    let (turned, mut pulled) = (turn(right, inner), vec![0.0; cols * inner]);
    let lines = left.chunks_exact(inner).zip(into_left.chunks_exact_mut(inner));
    for (row, (left, into)) in rows.zip(lines) {
        rates.fill(0.0);
        for (x, line) in left.iter().zip(turned.chunks_exact(cols)) {
            add_multiple(&mut rates, *x, line);
        }
        square_roots(&rates, &mut roots);
        cells.weights.fill(grid, row, &all, &mut seeds);
        seeds.iter_mut().for_each(|seed| *seed = -*seed);
        if let Some(run) = run_of(cells, row, &all) {
            let visited = run.cols.iter().map(|&col| col as usize);
            let [of_run, _] = &mut work.sides;
            of_run.rates.clear();
            of_run
                .rates
                .extend(visited.clone().map(|col| rates[col].max(LEAST_RATE)));
            if score {
                visited.clone().for_each(|col| seeds[col] = 0.0);
                of_run.said.resize(run.cols.len(), 0.0);
                cells.door.one().ln_marginals(run, &of_run.rates, &mut of_run.said);
                of_run.said.iter().for_each(|ln_marginal| work.total += ln_marginal);
                work.total += dot(&seeds, &rates);
            }
            say_slopes(cells, slopes, run, work, |at, _| roots[run.cols[at] as usize]);
            visited
                .zip(&work.sides[0].said)
                .for_each(|(col, slope)| seeds[col] = slope - 1.0);
        } else if score {
            work.total += dot(&seeds, &rates);
        }
        let lines = turned.chunks_exact(cols).zip(pulled.chunks_exact_mut(cols));
        for ((into, x), (line, pulled)) in into.iter_mut().zip(left).zip(lines) {
            *into += dot(&seeds, line);
            add_multiple(pulled, *x, &seeds);
        }
    }
    turn_back(&pulled, inner, into_right);
}

/// A (cols, inner) array as (inner, cols).
fn turn(from: &[f64], inner: usize) -> Vec<f64> {
    (0..inner)
        .flat_map(|k| from.iter().skip(k).step_by(inner))
        .copied()
        .collect()
}

/// Adds an (inner, cols) array to a (cols, inner) one.
fn turn_back(from: &[f64], inner: usize, into: &mut [f64]) {
    let cols = into.len() / inner.max(1);
    for (k, line) in from.chunks_exact(cols.max(1)).enumerate() {
        let entries = into.iter_mut().skip(k).step_by(inner);
        entries.zip(line).for_each(|(into, x)| *into += x);
    }
}

/// `into += by * values`.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
fn add_multiple(into: &mut [f64], by: f64, values: &[f64]) {
    into.iter_mut().zip(values).for_each(|(into, x)| *into += by * x);
}

#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
fn square_roots(values: &[f64], into: &mut [f64]) {
    into.iter_mut().zip(values).for_each(|(into, x)| *into = x.sqrt());
}

/// The sum of products, in eight sums side by side.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    const SUMS: usize = 8;
    let mut sums = [0.0; SUMS];
    let (a_lines, b_lines) = (a.chunks_exact(SUMS), b.chunks_exact(SUMS));
    let rest: f64 = a_lines
        .remainder()
        .iter()
        .zip(b_lines.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in a_lines.zip(b_lines) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + rest
}
