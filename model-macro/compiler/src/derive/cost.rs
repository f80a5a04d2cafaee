//! Costs as polynomials in the sizes of index sets.

use std::collections::BTreeMap;

use crate::resolve::SetId;

/// A polynomial with one power product per entry: sizes of the named sets, each as often as it occurs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    terms: BTreeMap<Vec<SetId>, f64>,
}

impl Cost {
    /// Adds `coefficient` times the product of the sizes of `sets`.
    pub fn add(&mut self, coefficient: f64, sets: impl IntoIterator<Item = SetId>) {
        let mut sets: Vec<SetId> = sets.into_iter().collect();
        sets.sort();
        *self.terms.entry(sets).or_default() += coefficient;
    }

    /// Coefficients and power products, in a fixed order.
    pub fn terms(&self) -> impl Iterator<Item = (f64, &[SetId])> {
        self.terms.iter().map(|(sets, c)| (*c, &sets[..]))
    }
}
