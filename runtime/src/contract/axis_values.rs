//! The values that one index of the data takes over the rows, or over the columns, of a grid.

use std::ops::Range;

/// The value of an index at each row of a grid, or at each column. Nothing is held: a value is a digit of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisValues {
    of_rows: bool,
    /// How many rows, or columns.
    positions: usize,
    /// So many neighbours have one value.
    step: usize,
    /// How many values there are.
    size: usize,
}

impl AxisValues {
    /// An index of rows, of which there are `positions`.
    pub(super) fn of_rows(positions: usize, step: usize, size: usize) -> Self {
        Self {
            of_rows: true,
            positions,
            step: step.max(1),
            size: size.max(1),
        }
    }

    /// An index of columns.
    pub(super) fn of_cols(positions: usize, step: usize, size: usize) -> Self {
        Self {
            of_rows: false,
            ..Self::of_rows(positions, step, size)
        }
    }

    /// Whether rows carry the index; otherwise columns do.
    pub fn is_of_rows(&self) -> bool {
        self.of_rows
    }

    /// How many rows, or columns, there are.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// How many values there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The value at a row, or at a column.
    #[inline]
    pub fn of(&self, position: usize) -> usize {
        match self.step {
            1 if self.positions == self.size => position,
            1 => position % self.size,
            step => position / step % self.size,
        }
    }

    /// The value at a cell.
    #[inline]
    pub fn at(&self, row: usize, col: usize) -> usize {
        self.of(if self.of_rows { row } else { col })
    }

    /// The values at consecutive rows, or columns: no division for each.
    pub fn each(&self, positions: Range<usize>) -> impl Iterator<Item = usize> + Clone + use<> {
        let (step, size) = (self.step, self.size);
        let (mut value, mut within) = (self.of(positions.start), positions.start % step);
        positions.map(move |_| {
            let now = value;
            within += 1;
            if within == step {
                within = 0;
                value += 1;
                if value == size {
                    value = 0;
                }
            }
            now
        })
    }

    /// The rows, or columns, at which it has `value`, ascending; none if there is no such value.
    pub fn positions_of(&self, value: usize) -> impl Iterator<Item = usize> + use<> {
        let Self {
            positions, step, size, ..
        } = *self;
        let first = if value < size { value * step } else { positions };
        let starts = (first..positions).step_by(step * size);
        starts.flat_map(move |start| start..start + step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_digits_of_the_position() {
        // Twenty-four columns of three indices.
        for (step, size) in [(1, 4), (4, 3), (12, 2), (1, 24), (24, 1)] {
            let values = AxisValues::of_cols(24, step, size);
            let by_hand: Vec<usize> = (0..24).map(|col| col / step % size).collect();
            assert_eq!((0..24).map(|col| values.at(99, col)).collect::<Vec<_>>(), by_hand);
            for from in 0..24 {
                assert_eq!(values.each(from..24).collect::<Vec<_>>(), by_hand[from..]);
            }
            for value in 0..size + 2 {
                let at = (0..24).filter(|&col| by_hand[col] == value);
                assert_eq!(values.positions_of(value).collect::<Vec<_>>(), at.collect::<Vec<_>>());
            }
        }
    }
}
