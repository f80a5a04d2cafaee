//! Components by their largest entries: positions, names, and a table of shares and names.

use std::fmt;

use ndarray::Array2;

use super::{CellValues, DiagnoseError};
use crate::counts::largest;

/// The names of the `n` largest values, ranked as by [`largest`].
///
/// ```
/// let names = ["year", "oil", "bank"];
/// assert_eq!(skellam::diagnose::top_names(&[0.1, 0.7, 0.2], &names, 2)?, ["oil", "bank"]);
/// # Ok::<(), skellam::diagnose::DiagnoseError>(())
/// ```
///
/// # Errors
/// The number of names is not that of values; those of [`CellValues::row_major`].
pub fn top_names<'a, N: AsRef<str>>(
    values: &(impl CellValues + ?Sized),
    names: &'a [N],
    n: usize,
) -> Result<Vec<&'a str>, DiagnoseError> {
    let values = values.row_major()?;
    one_for_each(["names", "values"], names.len(), values.len())?;
    let order = largest(&values, n).into_iter();
    Ok(order.map(|entry| names[entry].as_ref()).collect())
}

/// The `n` words of largest weight of each topic (`topics` is topics x words), ranked as by [`largest`].
pub fn top_words(topics: &Array2<f64>, n: usize) -> Vec<Vec<usize>> {
    topics.outer_iter().map(|topic| largest(&topic.to_vec(), n)).collect()
}

fn one_for_each([what, of]: [&str; 2], given: usize, expected: usize) -> Result<(), DiagnoseError> {
    match given == expected {
        true => Ok(()),
        false => Err(DiagnoseError::Unfit(format!(
            "{given} {what} for {expected} {of}: give one for each"
        ))),
    }
}

/// Components by size, the largest first: the share of the whole and the names of the largest entries of each. `Display` prints a line for
/// each.
///
/// ```
/// use ndarray::arr2;
/// use skellam::diagnose::ComponentTable;
///
/// let topics = arr2(&[[0.1, 0.7, 0.2], [0.8, 0.0, 0.2]]);
/// let table = ComponentTable::new(&topics, &[30.0, 90.0], &["year", "oil", "bank"], 2)?;
/// assert_eq!(table.to_string(), " 75.0%  year bank\n 25.0%  oil bank\n");
/// # Ok::<(), skellam::diagnose::DiagnoseError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentTable {
    rows: Vec<ComponentRow>,
}

/// One component of a [`ComponentTable`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ComponentRow {
    /// Its number in the fit, from 0.
    pub component: usize,
    /// Its weight over the sum of all weights, from 0 to 1; 0 where that sum is.
    pub share: f64,
    /// The names of its largest entries, largest first.
    pub names: Vec<String>,
}

impl ComponentTable {
    /// The `n` largest entries of each row of `factor`, components x entries, by the names of entries. `weights` says how much each component
    /// weighs: for topics, for instance, the sum of its weights in all documents times the sum of its row.
    ///
    /// # Errors
    /// The number of weights is not that of components, or the number of names not that of entries; a weight that is negative, NaN or infinite; those of
    /// [`CellValues::row_major`].
    pub fn new<N: AsRef<str>>(
        factor: &Array2<f64>,
        weights: &(impl CellValues + ?Sized),
        names: &[N],
        n: usize,
    ) -> Result<Self, DiagnoseError> {
        let weights = &*weights.row_major()?;
        one_for_each(["weights", "components"], weights.len(), factor.nrows())?;
        if let Some(position) = weights
            .iter()
            .position(|weight| !(weight.is_finite() && *weight >= 0.0))
        {
            let (what, value) = ("weight", weights[position]);
            return Err(DiagnoseError::Value { what, position, value });
        }
        let total: f64 = weights.iter().sum();
        let row = |component: usize| {
            let names = top_names(&factor.row(component), names, n)?;
            Ok(ComponentRow {
                component,
                share: if total > 0.0 { weights[component] / total } else { 0.0 },
                names: names.into_iter().map(str::to_owned).collect(),
            })
        };
        let rows = largest(weights, weights.len())
            .into_iter()
            .map(row)
            .collect::<Result<_, DiagnoseError>>()?;
        Ok(Self { rows })
    }

    /// All components, the largest first.
    pub fn rows(&self) -> &[ComponentRow] {
        &self.rows
    }

    /// The largest `n` components alone. Their shares stay shares of the whole.
    #[must_use]
    pub fn largest(mut self, n: usize) -> Self {
        self.rows.truncate(n);
        self
    }
}

impl fmt::Display for ComponentTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            writeln!(f, "{:>5.1}%  {}", 100.0 * row.share, row.names.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ndarray::arr2;

    use super::*;

    #[test]
    fn top_words_are_ranked_with_ties_in_order() {
        let topics = arr2(&[[0.1, 0.4, 0.4, 0.1], [f64::NAN, 0.2, 0.0, 0.3]]);
        assert_eq!(top_words(&topics, 3), [[1, 2, 0], [3, 1, 2]]);
        assert_eq!(top_words(&topics, 9)[1], [3, 1, 2, 0]);
    }

    #[test]
    fn components_come_by_size() {
        let factor = arr2(&[[1.0, 2.0], [4.0, 3.0], [0.0, 1.0]]);
        let table = ComponentTable::new(&factor, &[1.0, 0.0, 3.0], &["a", "b"], 1).unwrap();
        assert_eq!(table.to_string(), " 75.0%  b\n 25.0%  b\n  0.0%  a\n");
        let order: Vec<usize> = table.rows().iter().map(|row| row.component).collect();
        assert_eq!(order, [2, 0, 1]);
        assert_eq!(table.largest(1).to_string(), " 75.0%  b\n");
        let nothing = ComponentTable::new(&factor, &[0.0; 3], &["a", "b"], 1).unwrap();
        assert_eq!(nothing.rows()[0].share, 0.0);
    }

    #[test]
    fn weights_and_names_that_do_not_fit_are_refused() {
        let factor = Array2::from_elem([2, 3], 1.0);
        let refused = |weights: &[f64], names: &[&str]| {
            let table = ComponentTable::new(&factor, weights, names, 2);
            table.unwrap_err().to_string()
        };
        let names = ["a", "b", "c"];
        assert_eq!(refused(&[1.0], &names), "1 weights for 2 components: give one for each");
        assert_eq!(
            refused(&[1.0; 2], &names[1..]),
            "2 names for 3 values: give one for each"
        );
        let error = "the weight at position 1 is -1: it must be finite and at least 0";
        assert_eq!(refused(&[1.0, -1.0], &names), error);
        assert!(top_names(&[1.0], &names, 1).is_err());
    }
}
