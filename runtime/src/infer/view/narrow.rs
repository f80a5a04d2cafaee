//! The derivative of the log likelihood where blocks are multiplied whole and the inner index is short.
//!
//! General products of a matrix with three columns spend their time on strides. Here the right operand is turned so that its
//! columns lie side by side, and a row of cells passes through the first-level cache once: rates, seeds, and both pulls.

use multiversion::multiversion;

use crate::channel::Channel;
use crate::contract::{Grid, Operands};
use crate::counts::Packed;
use crate::infer::form::Form;

use super::Bound;
use super::lanes::Lane;
use super::likelihood::slope_at;
use super::pass::LEAST_RATE;
use super::slopes::Slopes;

/// Longest inner index: beyond it, blocked products are as fast.
const LONGEST: usize = 16;
/// Most numbers of the right operand and a row of cells: both stay in a second-level cache.
const MOST: usize = 1 << 14;

/// Whether products of this grid are narrow.
pub(super) fn is_narrow(grid: &Grid) -> bool {
    (1..=LONGEST).contains(&grid.inner)
        && grid.cols > 0
        && (grid.inner + 1) * grid.cols <= MOST
        && !grid.groups.iter().any(|g| g.weighted)
}

/// One lane of [`super::View::pull_likelihood`].
pub(super) fn pull_lane<C: Channel, F: Form<C>>(
    view: &Bound<C, F>,
    operands: &Operands,
    slopes: Option<&Slopes>,
    lane: &mut Lane<'_>,
    score: bool,
) {
    let (grid, cells, first) = (&view.grid, &view.cells, lane.rows.start);
    let (inner, cols) = (grid.inner, grid.cols);
    let work = &mut *lane.work;
    let [turned, pulled, roots] = &mut work.more;
    for line in [&mut work.block, &mut work.seed, &mut *roots] {
        line.clear();
        line.resize(cols, 0.0);
    }
    let (rates, seeds) = (&mut work.block[..], &mut work.seed[..]);
    let all = 0..cols;
    let mut row = lane.rows.start;
    while row < lane.rows.end {
        // Rows of one batch have one right operand.
        let end = ((row / grid.rows + 1) * grid.rows).min(lane.rows.end);
        let right = grid.right_at(row, 0)..grid.right_at(row, 0) + cols * inner;
        turn(&operands.right[right.clone()], inner, turned);
        pulled.clear();
        pulled.resize(cols * inner, 0.0);
        for row in row..end {
            let left = &operands.left[grid.left_at(row)..][..inner];
            rates.fill(0.0);
            for (x, line) in left.iter().zip(turned.chunks_exact(cols)) {
                add_multiple(rates, *x, line);
            }
            square_roots(rates, roots);
            cells.weights.fill(grid, row, &all, seeds);
            seeds.iter_mut().for_each(|seed| *seed = -*seed);
            let visited = cells.start[row]..cells.start[row + 1];
            if score {
                for i in visited.clone() {
                    let col = cells.col[i] as usize;
                    seeds[col] = 0.0;
                    let rate = rates[col].max(LEAST_RATE);
                    work.total += cells.law(i, row, col).ln_marginal(rate, cells.value.at(i));
                }
                work.total += dot(seeds, rates);
            }
            for i in visited {
                let col = cells.col[i] as usize;
                seeds[col] = slope_at(view, slopes, [i, row, col], [rates[col], roots[col]]) - 1.0;
            }
            let into = &mut lane.left[grid.left_at(row - first)..][..inner];
            let lines = turned.chunks_exact(cols).zip(pulled.chunks_exact_mut(cols));
            for ((into, x), (line, pulled)) in into.iter_mut().zip(left).zip(lines) {
                *into += dot(seeds, line);
                add_multiple(pulled, *x, seeds);
            }
        }
        turn_back(pulled, inner, &mut work.right[right]);
        row = end;
    }
}

/// A (cols, inner) array as (inner, cols).
fn turn(from: &[f64], inner: usize, into: &mut Vec<f64>) {
    into.clear();
    for k in 0..inner {
        into.extend(from.iter().skip(k).step_by(inner));
    }
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
