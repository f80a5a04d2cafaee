//! The cells of one line of the data, those at one value of an index, that weigh otherwise than the base.

use std::sync::OnceLock;

use crate::contract::{At, AxisValues, MOST_INDICES};
use crate::view::View;

use super::stored::{base_of, differing};

/// What lines along columns are found by; made when first asked for.
#[derive(Debug, Default)]
pub(in crate::view) struct AlongCols {
    /// For each index of columns, the cells that weigh otherwise than the base, sorted by its values: of stored cells.
    sorted: [OnceLock<Sorted>; MOST_INDICES],
    /// Which cells are visited, a bit for each, column after column: of dense data.
    visited: OnceLock<Vec<u64>>,
}

/// Cells that weigh otherwise, sorted by the values of an index.
#[derive(Debug)]
struct Sorted {
    /// Where the cells of each value begin.
    start: Vec<usize>,
    /// Rows, columns, and by how much they differ.
    cells: Vec<(usize, u32, f64)>,
}

/// Calls `each` with the cells whose index `axis` has `value` and that weigh otherwise than the base, and by how much. Where data are dense
/// the base is zero: all cells of the line come, with their weights.
pub(super) fn each_along(view: &View, axis: usize, value: usize, each: &mut dyn FnMut(At, f64)) {
    if view.weighs_one() {
        return;
    }
    let values = view.grid.values_of(axis);
    match (view.dense, values.is_of_rows()) {
        (true, true) => each_of_rows(view, values, value, each),
        (true, false) => each_of_columns(view, values, value, each),
        (false, true) => values
            .positions_of(value)
            .for_each(|row| each_of_row(view, row, &mut |col, by| each(place(view, row, col), by))),
        (false, false) => {
            let Sorted { start, cells } = view.along.sorted[axis].get_or_init(|| sorted(view, values));
            let cells = &cells[start[value]..start[value + 1]];
            cells
                .iter()
                .for_each(|&(row, col, by)| each(place(view, row, col as usize), by));
        }
    }
}

fn place(view: &View, row: usize, col: usize) -> At {
    let mut at = view.grid.row_at(row);
    view.grid.set_col(col, &mut at);
    at
}

/// The columns of a row whose cells weigh otherwise than the base, and by how much.
fn each_of_row(view: &View, row: usize, each: &mut dyn FnMut(usize, f64)) {
    for (cols, weights) in differing(view, row) {
        for (i, &col) in cols.iter().enumerate() {
            let by = weights.map_or(1.0, |weights| weights[i]) - base_of(view, row, col as usize);
            if by != 0.0 {
                each(col as usize, by);
            }
        }
    }
}

fn sorted(view: &View, values: AxisValues) -> Sorted {
    let mut cells = Vec::new();
    for row in 0..view.grid.rows {
        each_of_row(view, row, &mut |col, by| cells.push((row, col as u32, by)));
    }
    // In the order of rows within a value: the sort is stable.
    cells.sort_by_key(|&(_, col, _)| values.of(col as usize));
    let mut start = vec![0; values.size() + 1];
    for &(_, col, _) in &cells {
        start[values.of(col as usize) + 1] += 1;
    }
    for value in 0..values.size() {
        start[value + 1] += start[value];
    }
    Sorted { start, cells }
}

/// Dense data: the cells of whole rows.
fn each_of_rows(view: &View, values: AxisValues, value: usize, each: &mut dyn FnMut(At, f64)) {
    let (grid, cells) = (&view.grid, &view.cells);
    let mut weights = vec![0.0; grid.cols];
    for row in values.positions_of(value) {
        cells.weights.fill(grid, row, &(0..grid.cols), &mut weights);
        let visited = &cells.col[cells.start[row]..cells.start[row + 1]];
        visited.iter().for_each(|&col| weights[col as usize] = 1.0);
        let weighed = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        weighed.for_each(|(col, weight)| each(place(view, row, col), *weight));
    }
}

/// How many words of bits a column has.
fn words(view: &View) -> usize {
    view.grid.rows.div_ceil(64)
}

fn visited(view: &View) -> Vec<u64> {
    let (cells, words) = (&view.cells, words(view));
    let mut bits = vec![0; view.grid.cols * words];
    for row in 0..view.grid.rows {
        for &col in &cells.col[cells.start[row]..cells.start[row + 1]] {
            bits[col as usize * words + row / 64] |= 1 << (row % 64);
        }
    }
    bits
}

/// The cells of whole columns. To look a visited cell up in its row would take a search for each.
fn each_of_columns(view: &View, values: AxisValues, value: usize, each: &mut dyn FnMut(At, f64)) {
    let (grid, weights, words) = (&view.grid, &view.cells.weights, words(view));
    let bits = view.along.visited.get_or_init(|| visited(view));
    for col in values.positions_of(value) {
        let bits = &bits[col * words..][..words];
        for row in 0..grid.rows {
            let is_visited = bits[row / 64] >> (row % 64) & 1 == 1;
            let weight = if is_visited { 1.0 } else { weights.at(grid, row, col) };
            if weight != 0.0 {
                each(place(view, row, col), weight);
            }
        }
    }
}
