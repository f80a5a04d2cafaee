//! The entries of a latent at each value of one of its indices.
//!
//! Positions of a row-major array, without a formula of their own; the moves of slices are derived in MATH, *Levels* (`docs/src/mathematics.md`).

/// A latent cut in slices along one of its indices, or left whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// How many slices.
    pub size: usize,
    /// Entries that follow each other in one slice.
    inner: usize,
    entries: usize,
}

impl Cut {
    /// All entries of a latent of this shape in one slice.
    pub fn whole(shape: &[usize]) -> Self {
        let entries = shape.iter().product();
        Self {
            size: 1,
            inner: entries,
            entries,
        }
    }

    /// A slice for each value of the index at `axis`.
    pub fn along(shape: &[usize], axis: usize) -> Self {
        Self {
            size: shape[axis],
            inner: shape[axis + 1..].iter().product(),
            entries: shape.iter().product(),
        }
    }

    /// The slice of an entry.
    #[inline]
    pub fn slice_of(&self, entry: usize) -> usize {
        entry / self.inner.max(1) % self.size.max(1)
    }

    /// The entries of one slice, ascending.
    pub fn slice(self, value: usize) -> impl Iterator<Item = usize> {
        let step = (self.inner * self.size).max(1);
        let starts = (value * self.inner..self.entries).step_by(step);
        starts.flat_map(move |start| start..start + self.inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_in_one_slice() {
        let shape = [2, 3, 4];
        for axis in 0..3 {
            let cut = Cut::along(&shape, axis);
            assert_eq!(cut.size, shape[axis]);
            let mut seen = [0; 24];
            for value in 0..cut.size {
                for entry in cut.slice(value) {
                    let index = [entry / 12, entry / 4 % 3, entry % 4];
                    assert!(index[axis] == value && cut.slice_of(entry) == value);
                    seen[entry] += 1;
                }
            }
            assert_eq!(seen, [1; 24]);
        }
        let whole = Cut::whole(&shape);
        assert!(whole.size == 1 && whole.slice(0).eq(0..24));
        assert!(Cut::whole(&[]).slice(0).eq(0..1));
    }
}
