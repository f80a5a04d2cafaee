//! Counts that were released, with the law by which they were.

use std::sync::Arc;

use rand::Rng;
use rand::distr::Distribution;

use super::{DiscreteLaplace, Lplp, ReleaseError};
use crate::channel::{TwoSidedGeometric, Varying};
use crate::counts::{Counts, CountsError, Mask, ShapeError, check_shape, matches_shape};

/// Released values beyond this are refused: inference computes in doubles, which are exact up to here.
const LARGEST: i64 = 1 << 53;

/// Where released values come from, and what that entitles to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// Drawn here by the exact mechanism, seeded by the operating system: the promise holds.
    ReleasedHere(Lplp),
    /// Drawn here from a known seed: the law holds, privacy does not.
    Simulated {
        /// What a release under this budget would have promised.
        budget: Lplp,
        /// The seed.
        seed: u64,
    },
    /// Somebody else's release: the law is the user's word.
    Asserted,
}

/// Counts released by mechanism `M`: one value per cell, which may be negative, and the law by which
/// each arose. Values are shared between clones.
#[derive(Clone, Debug, PartialEq)]
pub struct Released<M> {
    shape: Vec<usize>,
    values: Arc<Vec<i64>>,
    law: Varying<M>,
    mask: Mask,
    provenance: Provenance,
}

impl<M> Released<M> {
    /// Counts that somebody else released: `values` of `shape`, row-major, each by the law that `law`
    /// names for its cell. The law is taken on the user's word, and nothing is promised.
    ///
    /// # Errors
    /// A bad shape, a number of values that contradicts it, a law that does not cover it exactly, a
    /// value beyond 2^53.
    pub fn assert_mechanism(shape: Vec<usize>, values: Vec<i64>, law: Varying<M>) -> Result<Self, ReleaseError> {
        let cells = check_shape(&shape)?;
        matches_shape(&shape, cells, values.len())?;
        covers(&law, &shape, cells)?;
        if let Some(position) = values.iter().position(|value| value.unsigned_abs() > LARGEST as u64) {
            return Err(ReleaseError::TooLarge { position });
        }
        let mask = Mask::none();
        Ok(Self {
            shape,
            values: Arc::new(values),
            law,
            mask,
            provenance: Provenance::Asserted,
        })
    }

    /// Holds cells out: inference will not see them. Their values stay, for scoring.
    ///
    /// # Errors
    /// The mask was built for another shape, or cells are held out already.
    pub fn hold_out(mut self, mask: &Mask) -> Result<Self, ReleaseError> {
        mask.fits(&self.shape)?;
        if !self.mask.is_empty() {
            return Err(CountsError::AlreadyHeldOut {
                held_out: self.mask.len(),
            }
            .into());
        }
        self.mask = mask.clone();
        Ok(self)
    }

    /// Size of each mode.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The released value of every cell, row-major, held-out cells included.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// The same values, shared.
    pub(crate) fn shared_values(&self) -> Arc<Vec<i64>> {
        Arc::clone(&self.values)
    }

    /// The law of each cell.
    pub fn law(&self) -> &Varying<M> {
        &self.law
    }

    /// The cells that are held out.
    pub fn mask(&self) -> &Mask {
        &self.mask
    }

    /// Where the values come from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// What was promised about each document, where the promise was made and kept here: `None` for
    /// asserted mechanisms and for simulations.
    pub fn promise(&self) -> Option<&Lplp> {
        match &self.provenance {
            Provenance::ReleasedHere(promise) => Some(promise),
            Provenance::Simulated { .. } | Provenance::Asserted => None,
        }
    }
}

/// `Ok` where there is exactly one law for every cell.
fn covers<T>(law: &Varying<T>, shape: &[usize], cells: usize) -> Result<(), ReleaseError> {
    match law {
        Varying::Uniform(_) => Ok(()),
        Varying::Slice { axis, laws } => match shape.get(*axis) {
            None => Err(ReleaseError::Axis {
                axis: *axis,
                shape: shape.to_vec(),
            }),
            Some(&size) if size != laws.len() => Err(ReleaseError::SliceLength {
                axis: *axis,
                size,
                found: laws.len(),
            }),
            Some(_) => Ok(()),
        },
        Varying::Cell(laws) if laws.len() != cells => Err(ReleaseError::CellLength {
            cells,
            found: laws.len(),
        }),
        Varying::Cell(_) => Ok(()),
    }
}

/// Every law of a variation.
fn laws<T>(law: &Varying<T>) -> &[T] {
    match law {
        Varying::Uniform(law) => std::slice::from_ref(law),
        Varying::Slice { laws, .. } | Varying::Cell(laws) => laws,
    }
}

/// Adds exact noise to every cell. Whatever can fail for other reasons than the noise fails before the
/// first draw.
pub(super) fn draw(
    counts: &Counts,
    budgets: &Varying<Lplp>,
    rng: &mut impl Rng,
    provenance: impl FnOnce(Lplp) -> Provenance,
) -> Result<Released<TwoSidedGeometric>, ReleaseError> {
    let shape = counts.shape().to_vec();
    covers(budgets, &shape, counts.num_cells())?;
    // A shape has cells, so the budgets that cover it are not none.
    let weakest = Lplp::weakest(laws(budgets)).ok_or(ShapeError::NoModes)?;
    let law = try_map(budgets, Lplp::law)?;
    let noise = budgets.map(|budget| DiscreteLaplace::new(budget.gamma()));
    let mut values = counts.to_dense()?;
    for (position, value) in values.iter_mut().enumerate() {
        // Whether the sum is too large is a function of the value released, so refusing it tells no
        // more than releasing it would have; the count itself goes nowhere.
        let sum = noise.at(position, &shape).sample(rng) + i128::from(*value);
        *value = match i64::try_from(sum) {
            Ok(sum) if sum.unsigned_abs() <= LARGEST as u64 => sum,
            _ => return Err(ReleaseError::TooLarge { position }),
        };
    }
    let mask = counts.mask().clone();
    Ok(Released {
        shape,
        values: Arc::new(values),
        law,
        mask,
        provenance: provenance(weakest),
    })
}

/// [`Varying::map`] for what may fail.
fn try_map<T, U, E>(varying: &Varying<T>, f: impl Fn(&T) -> Result<U, E>) -> Result<Varying<U>, E> {
    Ok(match varying {
        Varying::Uniform(law) => Varying::Uniform(f(law)?),
        Varying::Slice { axis, laws } => Varying::Slice {
            axis: *axis,
            laws: laws.iter().map(f).collect::<Result<_, _>>()?,
        },
        Varying::Cell(laws) => Varying::Cell(laws.iter().map(f).collect::<Result<_, _>>()?),
    })
}

#[cfg(test)]
mod tests;
