//! Counts that leave only through a release.

use std::fmt;

use rand::rngs::SysRng;
use rand::{CryptoRng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::released::draw;
use super::{Lplp, Provenance, ReleaseError, Released};
use crate::channel::{TwoSidedGeometric, Varying};
use crate::counts::Counts;

/// Something that must not be seen. It has no `Display`, its `Debug` prints none of it, it cannot be
/// compared, cloned or serialised.
///
/// ```
/// use skellam::{counts::Counts, release::Sensitive};
/// let mail = Sensitive::new(Counts::dense(vec![2], vec![3, 14])?);
/// assert_eq!(format!("{mail:?}"), "Sensitive(..)");
/// # Ok::<(), skellam::counts::CountsError>(())
/// ```
///
/// ```compile_fail,E0277
/// # use skellam::{counts::Counts, release::Sensitive};
/// # let mail = Sensitive::new(Counts::dense(vec![2], vec![3, 14]).unwrap());
/// println!("{mail}");
/// ```
pub struct Sensitive<T>(T);

impl<T> Sensitive<T> {
    /// Puts `contents` under lock.
    pub fn new(contents: T) -> Self {
        Self(contents)
    }

    /// The contents, with all privacy given up: for a fit that is not private, and says so.
    pub fn as_nonprivate(&self) -> &T {
        &self.0
    }

    /// [`Sensitive::as_nonprivate`] by value.
    pub fn into_nonprivate(self) -> T {
        self.0
    }
}

impl<T> fmt::Debug for Sensitive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sensitive(..)")
    }
}

/// Releases. Every cell, zeros and held-out cells too, gets its own exact noise, drawn one after the
/// other from a single ChaCha20 generator that the operating system seeds anew for each release. Each
/// release spends its budget again: two releases of the same counts promise the sum of both epsilons.
///
/// The shape, the mask and the budgets are published as they are.
impl Sensitive<Counts> {
    /// Releases all counts under one budget.
    ///
    /// # Errors
    /// The cells do not fit in memory, the system has no randomness, or a released value is beyond 2^53.
    /// Nothing is released then.
    pub fn release(&self, budget: &Lplp) -> Result<Released<TwoSidedGeometric>, ReleaseError> {
        self.release_privately(Varying::Uniform(*budget))
    }

    /// Releases each slice of mode `axis` under a budget of its own: `budgets[i]` where that index is
    /// `i`. The promise of the whole is that of the weakest.
    ///
    /// # Errors
    /// Those of [`Sensitive::release`]; there is no such mode, or not one budget for each slice.
    pub fn release_by_slice(&self, axis: usize, budgets: &[Lplp]) -> Result<Released<TwoSidedGeometric>, ReleaseError> {
        self.release_privately(Varying::Slice {
            axis,
            laws: budgets.to_vec(),
        })
    }

    /// Releases each cell under a budget of its own, row-major. The promise of the whole is that of the
    /// weakest.
    ///
    /// # Errors
    /// Those of [`Sensitive::release`]; there is not one budget for each cell.
    pub fn release_by_cell(&self, budgets: &[Lplp]) -> Result<Released<TwoSidedGeometric>, ReleaseError> {
        self.release_privately(Varying::Cell(budgets.to_vec()))
    }

    /// [`Sensitive::release`] with noise that anyone who knows the seed can take off again: for tests
    /// and simulations. The result promises nothing.
    ///
    /// # Errors
    /// Those of [`Sensitive::release`].
    pub fn release_with_seed_for_simulation(
        &self,
        budget: &Lplp,
        seed: u64,
    ) -> Result<Released<TwoSidedGeometric>, ReleaseError> {
        self.release_seeded(Varying::Uniform(*budget), seed)
    }

    /// [`Sensitive::release_by_slice`] for tests and simulations; the result promises nothing.
    ///
    /// # Errors
    /// Those of [`Sensitive::release_by_slice`].
    pub fn release_by_slice_with_seed_for_simulation(
        &self,
        axis: usize,
        budgets: &[Lplp],
        seed: u64,
    ) -> Result<Released<TwoSidedGeometric>, ReleaseError> {
        self.release_seeded(
            Varying::Slice {
                axis,
                laws: budgets.to_vec(),
            },
            seed,
        )
    }

    /// [`Sensitive::release_by_cell`] for tests and simulations; the result promises nothing.
    ///
    /// # Errors
    /// Those of [`Sensitive::release_by_cell`].
    pub fn release_by_cell_with_seed_for_simulation(
        &self,
        budgets: &[Lplp],
        seed: u64,
    ) -> Result<Released<TwoSidedGeometric>, ReleaseError> {
        self.release_seeded(Varying::Cell(budgets.to_vec()), seed)
    }

    fn release_privately(&self, budgets: Varying<Lplp>) -> Result<Released<TwoSidedGeometric>, ReleaseError> {
        let rng = ChaCha20Rng::try_from_rng(&mut SysRng)?;
        self.release_from(budgets, rng, Provenance::ReleasedHere)
    }

    fn release_seeded(&self, budgets: Varying<Lplp>, seed: u64) -> Result<Released<TwoSidedGeometric>, ReleaseError> {
        self.release_from(budgets, ChaCha20Rng::seed_from_u64(seed), |budget| {
            Provenance::Simulated { budget, seed }
        })
    }

    fn release_from(
        &self,
        budgets: Varying<Lplp>,
        mut rng: impl CryptoRng,
        provenance: impl FnOnce(Lplp) -> Provenance,
    ) -> Result<Released<TwoSidedGeometric>, ReleaseError> {
        draw(&self.0, &budgets, &mut rng, provenance)
    }
}
