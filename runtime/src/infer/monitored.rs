//! Which cells of a count have their rates kept at every draw.

use std::collections::BTreeSet;

use crate::view::View;

/// Cells of each count whose rate is kept at every draw: convergence is judged by them.
pub(super) const MONITORED: usize = 400;

/// Points of the sequence that are tried. With two to five ordered indices `where` leaves one cell in two, six, 24, 120: enough for five of them.
const TRIES: u64 = 100_000;

/// Row-major positions of the cells to be monitored, ascending. They follow from the shape and from `where` alone, so that a run that is
/// gone on with has the same ones.
pub(super) fn monitored(view: &View) -> Vec<usize> {
    let (grid, guards) = (view.grid(), view.guards());
    chosen(&grid.shape(), MONITORED, |&cell| guards.holds_cell(grid, cell))
}

/// Entries of a latent whose convergence is judged where its components are in one order.
const ENTRIES: usize = 100;

/// Row-major positions of the entries of an array of `shape` that are judged, ascending: all if they are few.
pub(super) fn judged(shape: &[usize]) -> Vec<usize> {
    chosen(shape, ENTRIES, |_| true)
}

/// All cells of the model if they are few; else cells spread evenly along every axis and over all of them together. Equal distances in
/// row-major order would all be in one column where the number of columns divides them.
fn chosen(shape: &[usize], most: usize, in_model: impl Fn(&usize) -> bool) -> Vec<usize> {
    let cells: usize = shape.iter().product();
    if cells as u64 <= TRIES {
        let first: Vec<usize> = (0..cells).filter(&in_model).take(most + 1).collect();
        if first.len() <= most {
            return first;
        }
    }
    let steps = steps(shape.len());
    let mut found = BTreeSet::new();
    for point in 1..=TRIES {
        let axes = shape.iter().zip(&steps);
        let cell = axes.fold(0, |at, (&size, &step)| at * size + index(point, step, size));
        if in_model(&cell) {
            found.insert(cell);
        }
        if found.len() == most {
            break;
        }
    }
    found.into_iter().collect()
}

/// Steps of an additive sequence in so many dimensions, as fractions of 2^64: the powers of `1 / g`, where `g^(axes + 1) = g + 1`
/// (Roberts 2018). In one dimension `g` is the golden ratio.
fn steps(axes: usize) -> Vec<u64> {
    let (mut low, mut high) = (1.0, 2.0);
    // By products and halves alone, which are the same on every machine.
    for _ in 0..64 {
        let middle: f64 = 0.5 * (low + high);
        let power = (0..=axes).fold(1.0, |power, _| power * middle);
        if power > middle + 1.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    let powers = (0..axes).scan(1.0, |power, _| {
        *power /= low;
        Some(*power)
    });
    powers.map(|power| (power * 2f64.powi(64)) as u64).collect()
}

/// Where a point of the sequence is along an axis of `size`.
fn index(point: u64, step: u64, size: usize) -> usize {
    let place = (1u64 << 63).wrapping_add(point.wrapping_mul(step));
    ((u128::from(place) * size as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distinct(values: impl Iterator<Item = usize>) -> usize {
        values.collect::<BTreeSet<_>>().len()
    }

    /// Fibonacci numbers are where the golden ratio alone, over row-major positions, would stay in a few columns.
    #[test]
    fn cells_are_spread_along_every_axis() {
        for [rows, cols] in [
            [10_000, 10_000],
            [1_000, 1_000],
            [100, 100],
            [6_765, 100],
            [100_000, 30],
            [21, 20],
        ] {
            let cells = chosen(&[rows, cols], MONITORED, |_| true);
            assert_eq!(cells.len(), MONITORED, "{rows} x {cols}");
            assert!(cells.is_sorted() && cells.iter().all(|cell| *cell < rows * cols));
            let by_row = distinct(cells.iter().map(|cell| cell / cols));
            let by_col = distinct(cells.iter().map(|cell| cell % cols));
            assert!(by_row >= 9 * rows.min(MONITORED) / 10, "{rows} x {cols}: {by_row} rows");
            assert!(
                by_col >= 9 * cols.min(MONITORED) / 10,
                "{rows} x {cols}: {by_col} columns"
            );
        }
        let cells = chosen(&[50, 200, 12], MONITORED, |_| true);
        for (stride, size) in [(2400, 50), (12, 200), (1, 12)] {
            assert!(distinct(cells.iter().map(|cell| cell / stride % size)) >= size / 2);
        }
    }

    #[test]
    fn cells_that_where_leaves_out_are_passed_over() {
        for actors in [400, 800, 10_000] {
            let cells = chosen(&[actors, actors], MONITORED, |cell| cell / actors < cell % actors);
            assert_eq!(cells.len(), MONITORED, "{actors}");
            assert!(cells.iter().all(|cell| cell / actors < cell % actors));
            // Both corners of the triangle are reached.
            assert!(cells.iter().any(|cell| cell % actors < actors / 10));
            assert!(cells.iter().any(|cell| cell / actors > actors - actors / 10));
        }
        let ordered = |cell: &usize| [cell / 1600, cell / 40 % 40, cell % 40].is_sorted_by(|a, b| a < b);
        assert_eq!(chosen(&[40, 40, 40], MONITORED, ordered).len(), MONITORED);
    }

    #[test]
    fn all_cells_are_taken_where_they_are_few() {
        assert_eq!(chosen(&[20, 20], MONITORED, |_| true), (0..400).collect::<Vec<_>>());
        // 28 actors have 378 pairs in 784 cells.
        let pairs = chosen(&[28, 28], MONITORED, |cell| cell / 28 < cell % 28);
        assert_eq!(pairs.len(), 378);
        assert_eq!(chosen(&[], MONITORED, |_| true), [0]);
        assert!(chosen(&[300, 0], MONITORED, |_| true).is_empty());
        // Where none is found, the search ends.
        assert!(chosen(&[1 << 40, 1 << 20], MONITORED, |_| false).is_empty());
    }
}
