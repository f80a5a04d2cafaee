//! Rates of cells that are named, of all cells, and of those that were held out.

use std::iter::repeat;
use std::ops::Range;

use crate::contract::{At, Block, BlockSizes, Rate, Tile};
use crate::parallel::{Task, in_parallel};
use crate::view::View;
use crate::view::door::AnyDoor;
use crate::view::lanes::{lanes, take};
use crate::view::runs::LEAST_RATE;

use super::dense::{Pulls, by_blocks};
use super::receive::Nothing;
use super::stored::{RUN, Strip};

/// Rows whose rates are held beside the data.
const ROWS_AT_A_TIME: usize = 64;

/// So many cells are worth a thread of their own.
const CELLS_OF_A_TASK: usize = 1 << 12;

/// The rates of cells that are named by row and column. Neighbours in a list that are of one row share its left operand.
fn rates_at(view: &View, rate: &dyn Rate, cells: &[(usize, u32)], into: &mut [f64]) {
    let part = |(cells, into): (&[(usize, u32)], &mut [f64])| {
        let (mut strip, mut cols, mut done) = (Strip::new(view, rate), Vec::with_capacity(RUN), 0);
        for of_row in cells.chunk_by(|a, b| a.0 == b.0) {
            strip.enter(of_row[0].0);
            for run in of_row.chunks(RUN) {
                cols.clear();
                cols.extend(run.iter().map(|&(_, col)| col));
                strip.form(&cols);
                strip.multiply();
                into[done..done + run.len()].copy_from_slice(&strip.rates);
                done += run.len();
            }
        }
    };
    if cells.len() <= CELLS_OF_A_TASK {
        return part((cells, into));
    }
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for of_task in cells.chunks(CELLS_OF_A_TASK).zip(into.chunks_mut(CELLS_OF_A_TASK)) {
        tasks.push(Box::new(move || part(of_task)));
    }
    in_parallel(tasks);
}

/// See [`View::score_held_out`].
pub(super) fn score_held_out(view: &View, rate: &dyn Rate, into: &mut [f64]) {
    let places: Vec<(usize, u32)> = view.held_out.places().collect();
    let mut rates = vec![0.0; places.len()];
    rates_at(view, rate, &places, &mut rates);
    view.held_out.score_at(&rates, into);
}

/// See [`View::add_rates`].
pub(super) fn add_rates(view: &View, rate: &dyn Rate, into: &mut [f64]) {
    let (grid, guards) = (&view.grid, &view.cells.guards);
    if view.by_cell {
        return add_rates_by_cell(view, rate, into);
    }
    if !grid.is_row_major() {
        // Cells of one row are scattered in the data, and one thread writes them.
        each_block(view, rate, |block, rates| {
            let offsets: Vec<usize> = block.cols.clone().map(|col| grid.col_offset(col)).collect();
            for (row, line) in block.rows.clone().zip(rates.chunks_exact(block.width())) {
                let start = grid.row_start(row);
                let cells = offsets.iter().zip(line);
                cells.for_each(|(offset, rate)| into[start + offset] += rate);
            }
        });
        return;
    }
    let mut rest = into;
    let of_lanes: Vec<&mut [f64]> = lanes(grid)
        .iter()
        .map(|rows| take(&mut rest, rows.len() * grid.cols))
        .collect();
    let firsts: Vec<usize> = lanes(grid).iter().map(|rows| rows.start).collect();
    by_blocks(
        view,
        rate,
        Pulls::NOTHING,
        of_lanes,
        &mut Nothing,
        |cells, writes, into| {
            let (block, rates) = (&cells.block, &mut writes.work.sides[0].block);
            cells.tile.rates(rates);
            for (row, line) in block.rows.clone().zip(rates.chunks_exact_mut(block.width())) {
                guards.clear(row, &block.cols, line);
                let of_row = &mut into[(row - firsts[cells.lane]) * grid.cols..];
                let into = of_row[block.cols.clone()].iter_mut();
                into.zip(line).for_each(|(sum, rate)| *sum += *rate);
            }
        },
    );
}

/// The same where right operands are formed at cells: a few rows at a time, as all of them have as many numbers as the data.
fn add_rates_by_cell(view: &View, rate: &dyn Rate, into: &mut [f64]) {
    let (grid, cols) = (&view.grid, (0..view.grid.cols as u32).collect::<Vec<u32>>());
    let line = |row: usize| {
        let (mut strip, mut line) = (Strip::new(view, rate), Vec::with_capacity(cols.len()));
        strip.enter(row);
        for run in cols.chunks(RUN) {
            strip.form(run);
            strip.multiply();
            line.extend_from_slice(&strip.rates);
        }
        view.cells.guards.clear(row, &(0..grid.cols), &mut line);
        line
    };
    for first in (0..grid.rows).step_by(ROWS_AT_A_TIME) {
        let rows = first..(first + ROWS_AT_A_TIME).min(grid.rows);
        let mut lines = vec![Vec::new(); rows.len()];
        let (mut tasks, line) = (Vec::<Task<'_>>::with_capacity(rows.len()), &line);
        for (row, into) in rows.clone().zip(&mut lines) {
            tasks.push(Box::new(move || *into = line(row)));
        }
        in_parallel(tasks);
        for (row, line) in rows.zip(&lines) {
            let cells = line.iter().enumerate();
            cells.for_each(|(col, rate)| into[grid.cell(row, col)] += rate);
        }
    }
}

/// Calls `visit` with every block of cells, and their rates; those of cells that do not belong to the model are zero.
fn each_block(view: &View, rate: &dyn Rate, mut visit: impl FnMut(&Block, &[f64])) {
    let (grid, inner, sizes) = (&view.grid, rate.inner(), BlockSizes::default());
    let (mut rates, [mut left, mut right]) = (Vec::new(), [Vec::new(), Vec::new()]);
    let cut = |of: usize, size: usize| (0..of).step_by(size).map(move |start| start..(start + size).min(of));
    for rows in cut(grid.rows, sizes.rows) {
        let places: Vec<At> = rows.clone().map(|row| grid.row_at(row)).collect();
        left.resize(places.len() * inner, 0.0);
        rate.lefts(&places, &mut left);
        for cols in cut(grid.cols, sizes.cols) {
            let places: Vec<At> = cols.clone().map(|col| grid.col_at(col)).collect();
            right.resize(places.len() * inner, 0.0);
            rate.rights(&places, &mut right);
            let tile = Tile {
                left: &left,
                right: &right,
                inner,
                size: [rows.len(), cols.len()],
            };
            tile.rates(&mut rates);
            for (row, line) in rows.clone().zip(rates.chunks_exact_mut(cols.len())) {
                view.cells.guards.clear(row, &cols, line);
            }
            let block = Block {
                rows: rows.clone(),
                cols,
            };
            visit(&block, &rates);
        }
    }
}

/// See [`View::mean_rate`].
pub(super) fn mean_rate(view: &View, rate: &dyn Rate, level_at_one: f64) -> f64 {
    let guards = &view.cells.guards;
    let total = if guards.is_empty() || view.is_ordered {
        level_at_one
    } else if view.cells.weights.guards.is_empty() {
        // Few cells do not belong to the model: that is where they are exceptions.
        level_at_one - left_out(view, rate)
    } else {
        sum_over_blocks(view, rate)
    };
    // Rounding of all minus nearly all.
    total.max(0.0) / view.cells.in_model as f64
}

/// The sum of the rates of the cells that belong to the model.
pub(super) fn sum_over_blocks(view: &View, rate: &dyn Rate) -> f64 {
    by_blocks(
        view,
        rate,
        Pulls::NOTHING,
        repeat(()),
        &mut Nothing,
        |cells, writes, ()| {
            let rates = &mut writes.work.sides[0].block;
            cells.tile.rates(rates);
            let lines = rates.chunks_exact_mut(cells.block.width());
            for (row, line) in cells.block.rows.clone().zip(lines) {
                view.cells.guards.clear(row, &cells.block.cols, line);
            }
            writes.work.total += rates.iter().sum::<f64>();
        },
    )
}

/// The sum of the rates of the cells that do not belong to the model.
fn left_out(view: &View, rate: &dyn Rate) -> f64 {
    let (mut strip, mut cols, mut sum) = (Strip::new(view, rate), Vec::new(), 0.0);
    for row in 0..view.grid.rows {
        view.cells.guards.left_out(row, view.grid.cols, &mut cols);
        if cols.is_empty() {
            continue;
        }
        strip.enter(row);
        for run in cols.chunks(RUN) {
            strip.form(run);
            strip.multiply();
            sum += strip.rates.iter().sum::<f64>();
        }
    }
    sum
}

/// See [`View::impossible`].
pub(super) fn impossible(view: &View, rate: &dyn Rate) -> Option<(usize, String)> {
    let AnyDoor::One(door) = &view.cells.door else {
        unreachable!("a difference has two rates");
    };
    let (mut strip, mut ln_marginals) = (Strip::new(view, rate), Vec::new());
    for row in 0..view.grid.rows {
        let visited: Range<usize> = view.cells.start[row]..view.cells.start[row + 1];
        if visited.is_empty() {
            continue;
        }
        strip.enter(row);
        for run in super::stored::runs(view, row) {
            strip.form(run.cols);
            strip.multiply();
            if !strip.rates.contains(&0.0) {
                continue;
            }
            ln_marginals.resize(run.cols.len(), 0.0);
            door.ln_marginals(run, &vec![LEAST_RATE; run.cols.len()], &mut ln_marginals);
            for (at, (&col, &ln_marginal)) in run.cols.iter().zip(&ln_marginals).enumerate() {
                // An observation that has probability zero at rate zero has next to none near it.
                if strip.rates[at] == 0.0 && ln_marginal < 0.9 * LEAST_RATE.ln() {
                    let cell = view.grid.cell(row, col as usize);
                    return Some((cell, door.text(run.first + at)));
                }
            }
        }
    }
    None
}
