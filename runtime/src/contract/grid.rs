//! How the cells of a count are laid out in rows and columns.

use super::{At, AxisValues, MOST_INDICES};

/// How the cells of a count are laid out in rows and columns.
///
/// The free indices of the count are split in `rows` and `cols`. The rate of a cell is `μ[r, c] = Σ_k left[r, k] right[c, k]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Length of the inner index: the terms of the rate stand side by side in it, and those of the minus side of a difference follow those
    /// of the plus side.
    pub inner: usize,
    /// For each axis of the data: its size, its stride there, and its stride among rows and columns.
    axes: Vec<[usize; 4]>,
    /// The axes of a row, and those of a column, the fastest first: a position is unfolded, never looked up, as
    /// sparse data may have far more columns than cells.
    digits: [Vec<Digit>; 2],
}

/// An axis as a digit of the number of a row or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Digit {
    axis: usize,
    size: usize,
    /// Its stride in the data.
    stride: usize,
}

/// Calls `visit` with each digit of `number` and its value.
#[inline]
fn unfold(digits: &[Digit], number: usize, mut visit: impl FnMut(&Digit, usize)) {
    let Some((last, faster)) = digits.split_last() else {
        return;
    };
    let mut rest = number;
    for digit in faster {
        visit(digit, rest % digit.size);
        rest /= digit.size;
    }
    visit(last, rest);
}

impl Grid {
    /// Lays a count of `shape` out. `rows` and `cols` list the axes of the count in each part, and together name every axis once.
    pub fn new(shape: &[usize], rows: &[usize], cols: &[usize], inner: usize) -> Self {
        let stride = |axis: usize| shape[axis + 1..].iter().product::<usize>();
        let digits = |axes: &[usize]| -> Vec<Digit> {
            let digit = |&axis: &usize| Digit {
                axis,
                size: shape[axis],
                stride: stride(axis),
            };
            axes.iter().rev().map(digit).collect()
        };
        let size = |axes: &[usize]| axes.iter().map(|&a| shape[a]).product::<usize>();
        let mut axes: Vec<[usize; 4]> = (0..shape.len()).map(|a| [shape[a], stride(a), 0, 0]).collect();
        for (list, slot) in [(rows, 2), (cols, 3)] {
            let mut step = 1;
            for &axis in list.iter().rev() {
                axes[axis][slot] = step;
                step *= shape[axis];
            }
        }
        Self {
            rows: size(rows),
            cols: size(cols),
            inner,
            digits: [digits(rows), digits(cols)],
            axes,
        }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// Size of each axis of the data.
    pub fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis[0]).collect()
    }

    /// Row-major position in the data of the cell at `row` and `col`.
    #[inline]
    pub fn cell(&self, row: usize, col: usize) -> usize {
        self.row_start(row) + self.col_offset(col)
    }

    /// Where the cells of `row` start in the row-major order of the data.
    #[inline]
    pub fn row_start(&self, row: usize) -> usize {
        let mut start = 0;
        unfold(&self.digits[0], row, |digit, value| start += value * digit.stride);
        start
    }

    /// How far from the start of its row the cell in `col` lies.
    #[inline]
    pub fn col_offset(&self, col: usize) -> usize {
        let mut offset = 0;
        unfold(&self.digits[1], col, |digit, value| offset += value * digit.stride);
        offset
    }

    /// The indices of the cell at `row` and `col`, as far as [`At`] has room.
    #[inline]
    pub fn at(&self, row: usize, col: usize) -> At {
        let mut at = self.row_at(row);
        self.set(&self.digits[1], col, &mut at);
        at
    }

    /// The indices of a row; those of columns are zero.
    #[inline]
    pub fn row_at(&self, row: usize) -> At {
        let mut at = [0; MOST_INDICES];
        self.set(&self.digits[0], row, &mut at);
        at
    }

    /// The indices of a column; those of rows are zero.
    #[inline]
    pub fn col_at(&self, col: usize) -> At {
        let mut at = [0; MOST_INDICES];
        self.set(&self.digits[1], col, &mut at);
        at
    }

    /// Sets in `at` the indices of a column.
    #[inline]
    pub fn set_col(&self, col: usize, at: &mut At) {
        self.set(&self.digits[1], col, at);
    }

    #[inline]
    fn set(&self, digits: &[Digit], number: usize, at: &mut At) {
        unfold(digits, number, |digit, value| {
            if let Some(index) = at.get_mut(digit.axis) {
                *index = value;
            }
        });
    }

    /// Whether the cells of each row, and the rows, follow each other in the data.
    pub fn is_row_major(&self) -> bool {
        let follows = |digits: &[Digit], step: usize| {
            let mut step = step;
            digits.iter().all(|digit| {
                let fits = digit.size < 2 || digit.stride == step;
                step *= digit.size;
                fits
            })
        };
        self.cells() == 0 || (follows(&self.digits[1], 1) && follows(&self.digits[0], self.cols))
    }

    /// The inverse of [`Grid::cell`].
    pub fn place(&self, cell: usize) -> (usize, usize) {
        self.axes
            .iter()
            .fold((0, 0), |(row, col), &[size, stride, in_row, in_col]| {
                let i = cell / stride % size;
                (row + i * in_row, col + i * in_col)
            })
    }

    /// The values of the index on `axis` of the data, by row or by column.
    pub fn values_of(&self, axis: usize) -> AxisValues {
        let [size, _, in_row, in_col] = self.axes[axis];
        match in_col {
            0 => AxisValues::of_rows(self.rows, in_row, size),
            _ => AxisValues::of_cols(self.cols, in_col, size),
        }
    }

    /// What varies along `axis` of the data: `Ok(i)` picks the value at each row, `Err(j)` at each
    /// column.
    pub fn along(&self, axis: usize) -> Result<Vec<usize>, Vec<usize>> {
        let values = self.values_of(axis);
        match values.is_of_rows() {
            true => Ok(values.each(0..self.rows).collect()),
            false => Err(values.each(0..self.cols).collect()),
        }
    }
}
