//! Names that stand for the indices of a mode.

use std::collections::BTreeSet;

use super::super::{CountsError, ReadError};
use crate::memory::fits;

/// The names of a mode. Those that a text has in place of indices are put in alphabetical order, which tells nothing of the order of its
/// lines; names of rows and columns stay where they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    found: BTreeSet<String>,
    /// By position.
    list: Vec<String>,
}

impl Names {
    /// Names of rows or columns.
    pub(super) fn in_order(list: Vec<String>) -> Self {
        let found = BTreeSet::new();
        Self { found, list }
    }

    /// Takes note of a name, and returns how many there are.
    pub(super) fn insert(&mut self, name: &str) -> Result<usize, ReadError> {
        if !self.found.contains(name) {
            room_for(self.found.len() + 1)?;
            self.found.insert(name.to_owned());
        }
        Ok(self.found.len())
    }

    /// Gives each name that was found its position.
    pub(super) fn sort(&mut self) {
        self.list = std::mem::take(&mut self.found).into_iter().collect();
    }

    /// The position of a name, once they are sorted.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.list.binary_search_by(|known| known.as_str().cmp(name)).ok()
    }

    pub(super) fn list(&self) -> &[String] {
        &self.list
    }

    /// The position of a name that is an earlier one.
    pub(super) fn twice(&self) -> Option<usize> {
        let mut seen = BTreeSet::new();
        self.list.iter().position(|name| !seen.insert(name))
    }

    /// Whether they number the positions, from 0 or from 1.
    pub(super) fn is_running(&self) -> bool {
        let from = |base: usize| self.list.iter().zip(base..).all(|(name, at)| *name == at.to_string());
        from(0) || from(1)
    }

    /// A name that pandas, R or a spreadsheet give to sums over all others.
    pub(super) fn total(&self) -> Option<&str> {
        let is_total = |name: &&String| ["All", "Sum", "Total", "Grand Total"].contains(&name.as_str());
        self.list.iter().find(is_total).map(String::as_str)
    }
}

/// Asks for the memory that so many names take, whenever they are twice as many.
pub(super) fn room_for(names: usize) -> Result<(), ReadError> {
    const BYTES_A_NAME: f64 = 200.0;
    if !names.is_power_of_two() {
        return Ok(());
    }
    let bytes = 2.0 * BYTES_A_NAME * names as f64;
    fits("the names of rows", bytes, "split the data").map_err(|error| CountsError::from(error).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_names_are_sorted_and_others_stay() {
        let mut names = Names::default();
        for (name, number) in [("tea", 1), ("milk", 2), ("tea", 2)] {
            assert_eq!(names.insert(name).unwrap(), number);
        }
        names.sort();
        assert_eq!(
            (names.position("milk"), names.position("tea"), names.position("x")),
            (Some(0), Some(1), None)
        );
        let names = |list: &[&str]| Names::in_order(list.iter().map(|&name| name.to_owned()).collect());
        assert_eq!(names(&["b", "a", "b"]).twice(), Some(2));
        assert!(names(&["0", "1"]).is_running() && names(&["1", "2"]).is_running() && !names(&["0", "2"]).is_running());
        assert_eq!(names(&["a", "All"]).total(), Some("All"));
        assert_eq!(names(&["all", "sum"]).total(), None);
    }
}
