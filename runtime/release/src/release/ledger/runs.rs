//! Long lists of which neighbours are mostly equal.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::LedgerError;
use crate::memory;

/// A value for each row or user, kept as runs: how many after one another have it. What all rows of a data set share takes no
/// more memory than one row, and clones share their runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Runs<T> {
    runs: Arc<Vec<(usize, T)>>,
}

impl<T: Copy + PartialEq> Runs<T> {
    /// None yet.
    pub fn new() -> Self {
        Self { runs: Arc::default() }
    }

    /// The same value `len` times.
    pub fn uniform(len: usize, value: T) -> Self {
        let runs = if len == 0 { Vec::new() } else { vec![(len, value)] };
        Self { runs: Arc::new(runs) }
    }

    /// One run for each value, fewer where neighbours are equal.
    pub fn of(values: impl IntoIterator<Item = T>) -> Result<Self, LedgerError> {
        let mut runs = Self::new();
        for value in values {
            runs.push(1, value)?;
        }
        Ok(runs)
    }

    /// Appends `len` values.
    pub fn push(&mut self, len: usize, value: T) -> Result<(), LedgerError> {
        let runs = Arc::make_mut(&mut self.runs);
        match runs.last_mut() {
            _ if len == 0 => {}
            Some((last, same)) if *same == value => *last += len,
            _ => {
                reserve(runs, 1)?;
                runs.push((len, value));
            }
        }
        Ok(())
    }

    /// How many values; `None` of runs that [`Runs::push`] does not make, or of more than there are numbers.
    pub fn len(&self) -> Option<usize> {
        let mut all = self.runs.iter();
        let apart = self.runs.windows(2).all(|pair| pair[0].1 != pair[1].1);
        all.try_fold(0usize, |sum, (len, _)| {
            sum.checked_add(*len).filter(|_| apart && *len > 0)
        })
    }

    /// Lengths and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, T)> + Clone {
        self.runs.iter().copied()
    }

    /// The value at a position, if there is one.
    pub fn at(&self, position: usize) -> Option<T> {
        let mut left = position;
        for (len, value) in self.iter() {
            if left < len {
                return Some(value);
            }
            left -= len;
        }
        None
    }
}

/// Both lists side by side, in runs of one value each.
pub(super) fn zip<T: Copy, U: Copy>(
    mut ours: impl Iterator<Item = (usize, T)>,
    mut theirs: impl Iterator<Item = (usize, U)>,
) -> impl Iterator<Item = (usize, (T, U))> {
    let (mut left, mut right) = (ours.next(), theirs.next());
    std::iter::from_fn(move || {
        let ((m, a), (n, b)) = (left?, right?);
        let len = m.min(n);
        left = if m > len { Some((m - len, a)) } else { ours.next() };
        right = if n > len { Some((n - len, b)) } else { theirs.next() };
        Some((len, (a, b)))
    })
}

const WHAT: &str = "a list of the ledger";
const INSTEAD: &str = "release fewer rows at a time, or leave `users` out";

/// Room for `more` items.
pub(super) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), LedgerError> {
    Ok(memory::reserve(list, more, WHAT, INSTEAD)?)
}

/// The items of a list again.
pub(super) fn copied<T: Copy>(list: &[T]) -> Result<Vec<T>, LedgerError> {
    let mut copy = memory::with_room(list.len(), WHAT, INSTEAD)?;
    copy.extend_from_slice(list);
    Ok(copy)
}

/// A list of one value.
pub(super) fn filled<T: Copy>(value: T, len: usize) -> Result<Vec<T>, LedgerError> {
    let mut list = memory::with_room(len, WHAT, INSTEAD)?;
    list.resize(len, value);
    Ok(list)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn expanded<T: Copy + PartialEq>(runs: &Runs<T>) -> Vec<T> {
        runs.iter()
            .flat_map(|(len, value)| std::iter::repeat_n(value, len))
            .collect()
    }

    proptest! {
        #[test]
        fn runs_are_the_list(values in prop::collection::vec(0u8..3, 0..30), others in prop::collection::vec(0u8..3, 0..30)) {
            let (runs, more) = (Runs::of(values.clone()).unwrap(), Runs::of(others.clone()).unwrap());
            prop_assert_eq!(&expanded(&runs), &values);
            prop_assert!(runs.runs.windows(2).all(|pair| pair[0].1 != pair[1].1));
            for at in 0..values.len() + 2 {
                prop_assert_eq!(runs.at(at), values.get(at).copied());
            }
            let side_by_side: Vec<(u8, u8)> =
                zip(runs.iter(), more.iter()).flat_map(|(len, pair)| std::iter::repeat_n(pair, len)).collect();
            let pairs: Vec<(u8, u8)> = values.iter().copied().zip(others.iter().copied()).collect();
            prop_assert_eq!(side_by_side, pairs);
        }
    }

    #[test]
    fn room_that_is_not_there_is_an_error() {
        let refused = filled(0u64, usize::MAX / 16);
        assert!(matches!(refused, Err(LedgerError::OutOfMemory(_))), "{refused:?}");
    }
}
