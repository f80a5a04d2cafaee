//! Counts that leave only through a release.

use std::fmt;
use std::path::Path;

use zeroize::Zeroize;

use super::generator::Generator;
use super::ledger::{Account, one_for_each};
use super::mechanism::granted;
use super::released::{covers, draw, together, try_each};
use super::{LedgerError, Mechanism, Promise, Provenance, ReleaseError, Released};
use crate::channel::Varying;
use crate::counts::{Counts, ReadError, ReadOptions, read_counts};

/// Something that must not be seen. It has no `Display`, its `Debug` prints none of it, it cannot be
/// compared, cloned or serialised, and its memory is zeroized when it is dropped.
///
/// What is not zeroized: copies that were made before the contents came here, among them what [`Sensitive::read`] frees on the
/// way from a file; the stack and registers, which single counts pass over; error messages, which quote what is not
/// a count (see [`ReadError`]); what the operating system keeps, as cached pages of the file, swap and core dumps.
///
/// ```
/// use skellam_release::{counts::Counts, release::Sensitive};
/// let mail = Sensitive::new(Counts::dense(vec![2], vec![3, 14])?);
/// assert_eq!(format!("{mail:?}"), "Sensitive(..)");
/// # Ok::<(), skellam_release::counts::CountsError>(())
/// ```
///
/// ```compile_fail,E0277
/// # use skellam_release::{counts::Counts, release::Sensitive};
/// # let mail = Sensitive::new(Counts::dense(vec![2], vec![3, 14]).unwrap());
/// println!("{mail}");
/// ```
///
/// ```compile_fail,E0599
/// # use skellam_release::{counts::Counts, release::Sensitive};
/// # let mail = Sensitive::new(Counts::dense(vec![2], vec![3, 14]).unwrap());
/// let copy = mail.clone();
/// ```
pub struct Sensitive<T: Zeroize>(Option<T>);

impl<T: Zeroize> Sensitive<T> {
    /// Puts `contents` under lock.
    pub fn new(contents: T) -> Self {
        Self(Some(contents))
    }

    /// The contents, with all privacy given up: for a fit that is not private, and says so.
    pub fn as_nonprivate(&self) -> &T {
        self.0.as_ref().unwrap_or_else(|| gone())
    }

    /// [`Sensitive::as_nonprivate`] by value. Nothing is zeroized: whoever has the contents now may.
    pub fn into_nonprivate(mut self) -> T {
        self.0.take().unwrap_or_else(|| gone())
    }
}

fn gone() -> ! {
    unreachable!("contents leave by value only, and the lock with them")
}

impl<T: Zeroize> Drop for Sensitive<T> {
    fn drop(&mut self) {
        if let Some(contents) = &mut self.0 {
            contents.zeroize();
        }
    }
}

impl<T: Zeroize> fmt::Debug for Sensitive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sensitive(..)")
    }
}

/// What a release by `M` comes to, where there is no room for it written out.
type Outcome<M> = Result<Released<<M as Mechanism>::Law>, ReleaseError>;

/// Releases. Every cell, zeros and held-out cells too, is released by a mechanism of its own, one after the
/// other from a single ChaCha20 generator that the operating system seeds anew for each release. Each
/// release spends its budget again: two releases of the same counts promise the sum of both epsilons. A
/// [`Ledger`](super::Ledger) keeps count of that.
///
/// The shape, the mask and the parameters of the mechanism are published as they are.
impl Sensitive<Counts> {
    /// Reads counts from a file straight under lock: Matrix Market, CSV or TSV, NumPy or UCI bag of words, plain or gzip.
    /// For files that do not fit in memory, see [`CountSlices`](crate::counts::CountSlices).
    ///
    /// # Errors
    /// Everything that is wrong with the file; see [`ReadError`].
    pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self, ReadError> {
        Ok(Self::new(read_counts(path, options)?))
    }

    /// Releases all counts by one mechanism. A budget stands for two-sided geometric noise.
    ///
    /// # Errors
    /// The mechanism promises nothing, has a larger delta than it says that its user accepts, or so much noise that a value beyond 2^53 is to
    /// be expected; the cells do not fit in memory; the system has no randomness. Nothing is released then.
    pub fn release<M: Mechanism>(&self, mechanism: &M) -> Result<Released<M::Law>, ReleaseError> {
        self.release_privately(&Varying::Uniform(mechanism.clone()))
    }

    /// Releases each slice of mode `axis` by a mechanism of its own: `mechanisms[i]` where that index is
    /// `i`. The promise is what holds of the whole ([`Promise::together`]).
    ///
    /// # Errors
    /// Those of [`Sensitive::release`]; there is no such mode, or not one mechanism for each slice.
    pub fn release_by_slice<M: Mechanism>(&self, axis: usize, mechanisms: &[M]) -> Outcome<M> {
        self.release_privately(&by_slice(axis, mechanisms)?)
    }

    /// Releases each cell by a mechanism of its own, row-major. The promise is what holds of the whole ([`Promise::together`]).
    ///
    /// # Errors
    /// Those of [`Sensitive::release`]; there is not one mechanism for each cell.
    pub fn release_by_cell<M: Mechanism>(&self, mechanisms: &[M]) -> Result<Released<M::Law>, ReleaseError> {
        self.release_privately(&Varying::Cell(copied(mechanisms)?))
    }

    /// Releases counts on account: the ledger is charged first, and refuses what its cap does not allow. The rows of
    /// the counts, slices of their first mode, are those of the account. What can be known to fail from the mechanism, the sizes and the
    /// memory that is free, never from the counts, fails before the charge.
    ///
    /// # Errors
    /// Those of [`Sensitive::release`]; those of [`Account::charge`]; not as many rows as the account has.
    pub fn release_on_account<M: Mechanism>(&self, mechanism: &Varying<M>, mut account: Account<'_>) -> Outcome<M> {
        let counts = self.as_nonprivate();
        one_for_each("rows of counts", counts.shape()[0], account.len())?;
        self.release_after(mechanism, || account.charge_for(mechanism, counts.shape()))
    }

    /// Releases by a mechanism that promises nothing, or by any other without regard to what it promises.
    ///
    /// # Errors
    /// Those of [`Sensitive::release`] except for the missing promise.
    pub fn release_without_privacy<M: Mechanism>(&self, mechanism: &M) -> Result<Released<M::Law>, ReleaseError> {
        let (counts, all) = (self.as_nonprivate(), Varying::Uniform(mechanism.clone()));
        let promises_nothing = |_| Provenance::ReleasedHere(Promise::None);
        draw(counts, &all, Generator::from_system()?.rng(), promises_nothing, || {
            Ok(())
        })
    }

    /// [`Sensitive::release`] with noise that anyone who knows the seed can take off again: for tests
    /// and simulations. The result promises nothing.
    ///
    /// # Errors
    /// Those of [`Sensitive::release`] except for the missing promise.
    pub fn release_with_seed_for_simulation<M: Mechanism>(&self, mechanism: &M, seed: u64) -> Outcome<M> {
        self.release_seeded(&Varying::Uniform(mechanism.clone()), seed)
    }

    /// [`Sensitive::release_by_slice`] for tests and simulations; the result promises nothing.
    ///
    /// # Errors
    /// Those of [`Sensitive::release_by_slice`] except for the missing promise.
    pub fn release_by_slice_with_seed_for_simulation<M: Mechanism>(
        &self,
        axis: usize,
        mechanisms: &[M],
        seed: u64,
    ) -> Result<Released<M::Law>, ReleaseError> {
        self.release_seeded(&by_slice(axis, mechanisms)?, seed)
    }

    /// [`Sensitive::release_by_cell`] for tests and simulations; the result promises nothing.
    ///
    /// # Errors
    /// Those of [`Sensitive::release_by_cell`] except for the missing promise.
    pub fn release_by_cell_with_seed_for_simulation<M: Mechanism>(&self, mechanisms: &[M], seed: u64) -> Outcome<M> {
        self.release_seeded(&Varying::Cell(copied(mechanisms)?), seed)
    }

    fn release_privately<M: Mechanism>(&self, mechanism: &Varying<M>) -> Outcome<M> {
        self.release_after(mechanism, || Ok(()))
    }

    /// Releases after `charge`, which comes when nothing but the noise can fail any more.
    fn release_after<M: Mechanism>(
        &self,
        mechanism: &Varying<M>,
        charge: impl FnOnce() -> Result<(), LedgerError>,
    ) -> Outcome<M> {
        let counts = self.as_nonprivate();
        covers(mechanism, counts.shape(), counts.num_cells())?;
        granted(mechanism, counts.num_cells())?;
        let mut noise = Generator::from_system()?;
        draw(counts, mechanism, noise.rng(), Provenance::ReleasedHere, charge)
    }

    fn release_seeded<M: Mechanism>(&self, mechanism: &Varying<M>, seed: u64) -> Outcome<M> {
        let simulated = |promise| Provenance::Simulated { promise, seed };
        let mut noise = Generator::from_known(seed);
        draw(self.as_nonprivate(), mechanism, noise.rng(), simulated, || Ok(()))
    }
}

fn by_slice<M: Mechanism>(axis: usize, mechanisms: &[M]) -> Result<Varying<M>, ReleaseError> {
    let laws = copied(mechanisms)?;
    Ok(Varying::Slice { axis, laws })
}

fn copied<M: Mechanism>(mechanisms: &[M]) -> Result<Vec<M>, ReleaseError> {
    try_each(mechanisms, |mechanism| Ok(mechanism.clone()))
}

/// What is promised of each row, or of all alike.
pub(super) fn by_row<M: Mechanism>(mechanism: &Varying<M>, shape: &[usize]) -> Vec<Promise> {
    // Sums of rows are not told apart by what was added up, so rows that are not of one mechanism each have the promise of all of them.
    let adds_up = || !M::ORDERED && mechanism.all().iter().any(|cell| cell.promise().delta().is_some());
    match mechanism {
        Varying::Slice { axis: 0, laws } => laws.iter().map(M::promise).collect(),
        Varying::Cell(laws) if !adds_up() => laws.chunks(laws.len() / shape[0]).map(together).collect(),
        same => vec![together(same.all())],
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Something that counts how often it is zeroized.
    struct Spy<'a>(&'a Cell<u32>);

    impl Zeroize for Spy<'_> {
        fn zeroize(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn contents_are_zeroized_when_they_are_dropped_and_not_when_they_leave() {
        let zeroized = Cell::new(0);
        drop(Sensitive::new(Spy(&zeroized)));
        assert_eq!(zeroized.get(), 1);
        let _ = Sensitive::new(Spy(&zeroized)).into_nonprivate();
        assert_eq!(zeroized.get(), 1);
    }

    #[test]
    fn zeroizing_leaves_no_count() {
        let mut dense = Counts::dense(vec![2, 2], vec![3, 1, 4, 1]).unwrap();
        let mut sparse = Counts::sparse(vec![2, 2], vec![(vec![1, 1], 5)]).unwrap();
        dense.zeroize();
        sparse.zeroize();
        assert_eq!((dense.total(), sparse.total(), sparse.num_nonzero()), (0, 0, 0));
    }
}
