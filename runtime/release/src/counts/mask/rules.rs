//! Masks by rule: slices, blocks, and the largest margins.

use std::ops::Range;

use super::super::CountsError;
use super::super::shape::{check_shape, position_or_error, size_and_stride};
use super::Mask;
use crate::memory::with_room;

/// The indices along one mode, ascending: how many, and each by its place.
type Along = (usize, Box<dyn Fn(usize) -> usize>);

fn range(range: Range<usize>) -> Along {
    (range.len(), Box::new(move |i| range.start + i))
}

fn list(which: &[usize]) -> Along {
    let mut list = which.to_vec();
    list.sort_unstable();
    list.dedup();
    (list.len(), Box::new(move |i| list[i]))
}

impl Mask {
    /// Whole slices are held out: every cell whose index along mode `axis` (from 0) is one of `which`. Along mode 0 these are
    /// rows.
    ///
    /// ```
    /// use skellam_release::counts::Mask;
    /// let rows = Mask::slices(&[100, 20], 0, &[3, 99])?;
    /// assert_eq!(rows.len(), 40);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A bad shape, a mode or an index outside it, more cells than fit in memory.
    pub fn slices(shape: &[usize], axis: usize, which: &[usize]) -> Result<Self, CountsError> {
        check_shape(shape)?;
        size_and_stride(shape, axis)?;
        let along = |mode: usize| match mode == axis {
            true => list(which),
            false => range(0..shape[mode]),
        };
        Self::product(shape, (0..shape.len()).map(along).collect())
    }

    /// A block is held out: every cell whose index along each mode lies in the range given for that mode.
    ///
    /// ```
    /// use skellam_release::counts::Mask;
    /// let corner = Mask::block(&[100, 20], &[0..10, 15..20])?;
    /// assert_eq!(corner.len(), 50);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A bad shape, another number of ranges than of modes, a range that ends outside the shape, more cells than fit in
    /// memory.
    pub fn block(shape: &[usize], ranges: &[Range<usize>]) -> Result<Self, CountsError> {
        Self::product(shape, ranges.iter().cloned().map(range).collect())
    }

    /// The slices with the `n` largest `margins` along mode `axis` are held out: the most active rows, say. Of equal margins the
    /// earlier comes first. For the cells where the most active of several modes meet, see [`Mask::among`] and [`largest`].
    ///
    /// A mask is published with what it masks. One that is made of the margins of true counts tells which are the largest:
    /// where counts are private, take the margins of a release.
    ///
    /// # Errors
    /// Those of [`Mask::slices`]; another number of margins than of slices; NaN among them.
    pub fn top(shape: &[usize], axis: usize, margins: &[f64], n: usize) -> Result<Self, CountsError> {
        check_shape(shape)?;
        let (size, found) = (size_and_stride(shape, axis)?.0, margins.len());
        if size != found {
            return Err(CountsError::Mask(format!(
                "{found} margins were given along mode {axis}, which has size {size}: give one for each of its {size} slices"
            )));
        }
        if let Some(at) = margins.iter().position(|margin| margin.is_nan()) {
            return Err(CountsError::Mask(format!(
                "the margin of slice {at} along mode {axis} is NaN: give a number for each slice"
            )));
        }
        Self::slices(shape, axis, &largest(margins, n))
    }

    /// Every cell whose index along each mode is in the list given for that mode.
    ///
    /// # Errors
    /// A bad shape, another number of lists than of modes, an index outside the shape, more cells than fit in memory.
    pub fn among(shape: &[usize], lists: &[Vec<usize>]) -> Result<Self, CountsError> {
        Self::product(shape, lists.iter().map(|which| list(which)).collect())
    }

    fn product(shape: &[usize], along: Vec<Along>) -> Result<Self, CountsError> {
        let cells = check_shape(shape)?;
        let last: Vec<usize> = along.iter().map(|(len, at)| len.checked_sub(1).map_or(0, at)).collect();
        position_or_error(shape, &last)?;
        // Each list lies in its mode, so that their product does not overflow where that of the sizes does not.
        let held: usize = along.iter().map(|(len, _)| len).product();
        if held == 0 {
            return Ok(Self::none());
        }
        if held == cells {
            return Ok(Self::whole(shape, false)?);
        }
        let what = format!("a mask of {held} of {cells} cells");
        let mut positions = with_room(held, &what, "hold out fewer cells, or say which were observed")?;
        positions.extend((0..held).map(|mut nth| {
            // The last mode moves fastest.
            let (mut position, mut stride) = (0, 1);
            for ((len, index), size) in along.iter().zip(shape).rev() {
                position += index(nth % len) * stride;
                (nth, stride) = (nth / len, stride * size);
            }
            position
        }));
        Ok(Self::from_positions(shape, cells, positions))
    }
}

/// The places of the `n` largest values, largest first, of equal ones the earlier first; NaN comes last.
pub fn largest(values: &[f64], n: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..values.len()).collect();
    // `max` passes over NaN.
    let key = |at: usize| values[at].max(f64::NEG_INFINITY);
    places.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
    places.truncate(n);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(mask: Result<Mask, CountsError>) -> Vec<usize> {
        mask.unwrap().indices().collect()
    }

    #[test]
    fn slices_blocks_and_tops_by_hand() {
        let shape = [3, 4];
        assert_eq!(held(Mask::slices(&shape, 0, &[2, 0, 2])), [0, 1, 2, 3, 8, 9, 10, 11]);
        assert_eq!(held(Mask::slices(&shape, 1, &[3])), [3, 7, 11]);
        assert_eq!(held(Mask::block(&shape, &[1..3, 2..4])), [6, 7, 10, 11]);
        assert_eq!(
            held(Mask::top(&shape, 1, &[5.0, 9.0, 9.0, 1.0], 2)),
            [1, 2, 5, 6, 9, 10]
        );
        assert_eq!(held(Mask::top(&shape, 0, &[-5.0, -9.0, -1.0], 1)), [8, 9, 10, 11]);
        assert_eq!(
            held(Mask::among(&[2, 2, 3], &[vec![1], vec![1, 0], vec![0, 2]])),
            [6, 8, 9, 11]
        );
        assert!(Mask::block(&shape, &[1..1, 0..4]).unwrap().is_empty());
        assert!(Mask::slices(&shape, 0, &[]).unwrap().is_empty());
        let whole = Mask::block(&shape, &[0..3, 0..4]).unwrap();
        assert!(whole.len() == 12 && !whole.is_all_by_name());
    }

    #[test]
    fn what_lies_outside_is_refused() {
        let shape = [3, 4];
        let refused = |mask: Result<Mask, CountsError>| mask.unwrap_err().to_string();
        assert!(refused(Mask::slices(&shape, 2, &[0])).contains("mode 2"));
        assert!(refused(Mask::slices(&shape, 1, &[4])).contains("4]"));
        assert!(refused(Mask::block(&shape, std::slice::from_ref(&(0..1)))).contains("1 positions"));
        assert!(refused(Mask::block(&shape, &[0..1, 2..usize::MAX])).contains("outside shape"));
        assert!(refused(Mask::top(&shape, 0, &[1.0; 4], 1)).contains("4 margins"));
        assert!(refused(Mask::top(&shape, 0, &[1.0, f64::NAN, 0.0], 1)).contains("NaN"));
        let huge = refused(Mask::slices(&[1 << 20, 1 << 40], 0, &[0, 1]));
        assert!(huge.contains("a mask of"), "{huge}");
    }

    #[test]
    fn the_largest_come_first_and_nan_last() {
        assert_eq!(largest(&[1.0, f64::NAN, 3.0, 3.0], 3), [2, 3, 0]);
        assert_eq!(largest(&[1.0], 9), [0]);
    }
}
