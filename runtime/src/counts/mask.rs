//! Which cells are held out.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::shape::{check_shape, position_or_error};
use super::{CountsError, ShapeError};

/// The cells that inference does not see, so that they can score it.
///
/// Cheap to clone. Besides the sorted positions a mask of many cells keeps one bit per cell, so that
/// asking after a cell takes constant time; a mask of few cells searches its positions instead.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Mask(Arc<Cells>);

#[derive(Clone, Debug, PartialEq, Eq, Default)]
enum Cells {
    #[default]
    None,
    All {
        shape: Vec<usize>,
        cells: usize,
    },
    Some {
        shape: Vec<usize>,
        sorted: Vec<usize>,
        bits: Option<Vec<u64>>,
    },
}

impl Mask {
    /// Nothing is held out; fits counts of every shape.
    pub fn none() -> Self {
        Self::default()
    }

    /// Every cell of `shape` is held out.
    ///
    /// # Errors
    /// A shape without cells, or with more than a `usize` can number.
    pub fn all(shape: &[usize]) -> Result<Self, ShapeError> {
        let cells = check_shape(shape)?;
        Ok(Self(Arc::new(Cells::All {
            shape: shape.to_vec(),
            cells,
        })))
    }

    /// The cells at `indices` are held out, one position per mode; naming a cell twice is naming it.
    ///
    /// # Errors
    /// A bad shape, an index outside it or with another number of modes.
    pub fn from_indices(shape: &[usize], indices: Vec<Vec<usize>>) -> Result<Self, ShapeError> {
        let cells = check_shape(shape)?;
        let held = indices
            .iter()
            .map(|index| position_or_error(shape, index))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::from_positions(shape, cells, held))
    }

    /// `fraction` of the cells of `shape`, rounded to a whole number of cells and drawn uniformly
    /// without replacement. The same seed gives the same mask.
    ///
    /// # Errors
    /// A bad shape, or a fraction that is NaN or outside `[0, 1]`.
    pub fn random(shape: &[usize], fraction: f64, seed: u64) -> Result<Self, CountsError> {
        let cells = check_shape(shape)?;
        if !(0.0..=1.0).contains(&fraction) {
            return Err(CountsError::Fraction { fraction });
        }
        // `min`: in floating point the product may pass a number of cells above 2^53.
        let held = ((cells as f64 * fraction).round() as usize).min(cells);
        if held == cells {
            return Ok(Self::all(shape)?);
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let positions = rand::seq::index::sample(&mut rng, cells, held).into_vec();
        Ok(Self::from_positions(shape, cells, positions))
    }

    /// The cells at row-major positions inside the shape are held out.
    pub(crate) fn at(shape: &[usize], positions: Vec<usize>) -> Result<Self, ShapeError> {
        let cells = check_shape(shape)?;
        // Positions ascend without gaps then: all cells take no memory.
        if positions.len() == cells {
            return Self::all(shape);
        }
        Ok(Self::from_positions(shape, cells, positions))
    }

    fn from_positions(shape: &[usize], cells: usize, mut sorted: Vec<usize>) -> Self {
        if sorted.is_empty() {
            return Self::none();
        }
        sorted.sort_unstable();
        sorted.dedup();
        // No more memory than the positions themselves take.
        let bits = (cells / 64 <= sorted.len()).then(|| {
            let mut bits = vec![0u64; cells.div_ceil(64)];
            for &cell in &sorted {
                bits[cell / 64] |= 1 << (cell % 64);
            }
            bits
        });
        Self(Arc::new(Cells::Some {
            shape: shape.to_vec(),
            sorted,
            bits,
        }))
    }

    /// Whether the cell at a row-major position is held out. A position outside the shape is not.
    pub fn is_held_out(&self, position: usize) -> bool {
        match &*self.0 {
            Cells::None => false,
            Cells::All { cells, .. } => position < *cells,
            Cells::Some { bits: Some(bits), .. } => bits
                .get(position / 64)
                .is_some_and(|word| word >> (position % 64) & 1 == 1),
            Cells::Some { sorted, bits: None, .. } => sorted.binary_search(&position).is_ok(),
        }
    }

    /// Row-major positions of the held-out cells, ascending.
    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        let (all, some): (usize, &[usize]) = match &*self.0 {
            Cells::None => (0, &[]),
            Cells::All { cells, .. } => (*cells, &[]),
            Cells::Some { sorted, .. } => (0, sorted),
        };
        (0..all).chain(some.iter().copied())
    }

    /// Number of held-out cells.
    pub fn len(&self) -> usize {
        match &*self.0 {
            Cells::None => 0,
            Cells::All { cells, .. } => *cells,
            Cells::Some { sorted, .. } => sorted.len(),
        }
    }

    /// Whether nothing is held out.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shape the mask was built for; `None` where it holds nothing out and fits every shape.
    pub fn shape(&self) -> Option<&[usize]> {
        match &*self.0 {
            Cells::None => None,
            Cells::All { shape, .. } | Cells::Some { shape, .. } => Some(shape),
        }
    }

    /// `Ok` where the mask fits an array of `shape`.
    pub(crate) fn fits(&self, shape: &[usize]) -> Result<(), ShapeError> {
        match self.shape() {
            Some(own) if own != shape => Err(ShapeError::Mismatch {
                expected: shape.to_vec(),
                found: own.to_vec(),
            }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(mask: &Mask) -> Vec<usize> {
        mask.indices().collect()
    }

    #[test]
    fn none_and_all() {
        assert_eq!(held(&Mask::none()), Vec::<usize>::new());
        assert!(Mask::none().is_empty() && !Mask::none().is_held_out(0));
        let all = Mask::all(&[2, 2]).unwrap();
        assert_eq!(held(&all), [0, 1, 2, 3]);
        assert!(all.is_held_out(3) && !all.is_held_out(4));
        assert!(Mask::all(&[0]).is_err());
    }

    #[test]
    fn few_and_many_cells_answer_alike() {
        // 3 of 1000 cells: searched; 3 of 10 cells: one bit per cell.
        for size in [1000, 10] {
            let mask = Mask::from_indices(&[size], vec![vec![7], vec![2], vec![7], vec![9]]).unwrap();
            assert_eq!(held(&mask), [2, 7, 9]);
            assert_eq!(
                (0..size).filter(|&cell| mask.is_held_out(cell)).collect::<Vec<_>>(),
                [2, 7, 9]
            );
            assert!(!mask.is_held_out(size + 500));
        }
    }

    #[test]
    fn a_random_mask_has_its_size_and_follows_its_seed() {
        let shape = [40, 50];
        let mask = Mask::random(&shape, 0.1, 3).unwrap();
        assert_eq!(mask.len(), 200);
        assert_eq!(held(&mask).len(), 200);
        assert_eq!(
            (0..2000).filter(|&cell| mask.is_held_out(cell)).collect::<Vec<_>>(),
            held(&mask)
        );
        assert_eq!(mask, Mask::random(&shape, 0.1, 3).unwrap());
        assert_ne!(mask, Mask::random(&shape, 0.1, 4).unwrap());
        assert_eq!(Mask::random(&shape, 1.0, 3).unwrap().len(), 2000);
        assert_eq!(Mask::random(&shape, 0.0, 3).unwrap(), Mask::none());
    }

    #[test]
    fn bad_fractions_and_indices_are_refused() {
        for fraction in [-0.1, 1.1, f64::INFINITY] {
            assert_eq!(Mask::random(&[5], fraction, 0), Err(CountsError::Fraction { fraction }));
        }
        assert!(Mask::random(&[5], f64::NAN, 0).is_err());
        let error = Mask::from_indices(&[2, 3], vec![vec![2, 0]]).unwrap_err();
        assert_eq!(
            error,
            ShapeError::OutOfRange {
                index: vec![2, 0],
                shape: vec![2, 3]
            }
        );
    }
}
