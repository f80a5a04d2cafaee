//! Several estimates of the rates of the same cells, compared in a table.

use std::fmt;

use super::{CellValues, DiagnoseError, mean_absolute_error, poisson_deviance};

/// Errors and deviances of several estimates of the same rates, a row for each; `Display` prints the table.
///
/// ```
/// use skellam::diagnose::Scores;
///
/// let (rates, counts) = ([1.0, 2.0, 4.0], [0.0, 2.0, 5.0]);
/// let mut scores = Scores::against(&rates, &counts)?;
/// scores.add("fit", &[1.5, 2.0, 3.5])?;
/// assert_eq!(scores.rows()[0].error, 1.0 / 3.0);
/// println!("{scores}");
/// # Ok::<(), skellam::diagnose::DiagnoseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scores {
    target: Vec<f64>,
    counts: Vec<f64>,
    among: Vec<usize>,
    rows: Vec<Score>,
}

/// How close one estimate comes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Score {
    /// The estimate.
    pub name: String,
    /// [`mean_absolute_error`] against the target.
    pub error: f64,
    /// [`poisson_deviance`] of the counts; infinite where a rate is 0 and its count is not.
    pub deviance: f64,
}

impl Scores {
    /// A table without rows: errors will be against `target` (true rates, or true counts where rates are unknown), deviances
    /// those of the true `counts`, one value a cell: slices, matrices, [`Array`](crate::counts::Array)s, [`Counts`](crate::counts::Counts).
    ///
    /// # Errors
    /// The two differ in length, or are empty; those of [`CellValues::row_major`].
    pub fn against(
        target: &(impl CellValues + ?Sized),
        counts: &(impl CellValues + ?Sized),
    ) -> Result<Self, DiagnoseError> {
        let (target, counts) = (target.row_major()?, counts.row_major()?);
        super::point::paired(&target, &counts)?;
        Ok(Self {
            among: (0..target.len()).collect(),
            target: target.into_owned(),
            counts: counts.into_owned(),
            rows: Vec::new(),
        })
    }

    /// Scores only some cells: those held out, or those that exist.
    ///
    /// # Errors
    /// There is no such cell, or none at all.
    pub fn among(mut self, cells: impl IntoIterator<Item = usize>) -> Result<Self, DiagnoseError> {
        self.among = cells.into_iter().collect();
        let cells = self.target.len();
        match self.among.iter().find(|&&cell| cell >= cells) {
            Some(cell) => Err(DiagnoseError::Unfit(format!(
                "there is no cell {cell}: there are {cells}, numbered from 0"
            ))),
            None if self.among.is_empty() => Err(DiagnoseError::Empty),
            None => Ok(self),
        }
    }

    /// Adds a row: the rates of all cells, by one estimate.
    ///
    /// # Errors
    /// Another number of rates than of cells; a rate or a count is negative, NaN or infinite; those of [`CellValues::row_major`].
    pub fn add(&mut self, name: &str, rates: &(impl CellValues + ?Sized)) -> Result<(), DiagnoseError> {
        let rates = rates.row_major()?;
        super::point::paired(&rates, &self.target)?;
        let pick = |all: &[f64]| -> Vec<f64> { self.among.iter().map(|&cell| all[cell]).collect() };
        let rates = pick(&rates);
        self.rows.push(Score {
            name: name.into(),
            error: mean_absolute_error(&rates, &pick(&self.target))?,
            deviance: poisson_deviance(&pick(&self.counts), &rates)?,
        });
        Ok(())
    }

    /// All rows, in the order in which they were added.
    pub fn rows(&self) -> &[Score] {
        &self.rows
    }

    /// The first row of that name.
    pub fn get(&self, name: &str) -> Option<&Score> {
        self.rows.iter().find(|row| row.name == name)
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        writeln!(f, "{:<width$}   mean absolute error   Poisson deviance", "")?;
        for row in &self.rows {
            writeln!(f, "{:<width$}   {:>19.3}   {:>16.3}", row.name, row.error, row.deviance)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_table_by_hand() {
        let mut scores = Scores::against(&[1.0, 2.0, 6.0], &[1.0, 2.0, 6.0]).unwrap();
        scores.add("exact", &[1.0, 2.0, 6.0]).unwrap();
        scores.add("none of the last", &[1.0, 2.0, 0.0]).unwrap();
        scores.add("constant rate", &[3.0; 3]).unwrap();
        expect![[r#"
                               mean absolute error   Poisson deviance
            exact                            0.000              0.000
            none of the last                 2.000                inf
            constant rate                    2.000              1.500
        "#]]
        .assert_eq(&scores.to_string());
        assert_eq!(scores.get("constant rate").unwrap().error, 2.0);
        assert!(scores.get("naive").is_none());
    }

    #[test]
    fn some_cells_only() {
        let scores = || Scores::against(&[1.0, 2.0, 6.0], &[1.0, 2.0, 6.0]).unwrap();
        let mut some = scores().among([0, 1]).unwrap();
        some.add("fit", &[1.0, 3.0, 100.0]).unwrap();
        assert_eq!(some.rows()[0].error, 0.5);
        let error = scores().among([0, 3]).unwrap_err();
        assert_eq!(error.to_string(), "there is no cell 3: there are 3, numbered from 0");
        assert_eq!(scores().among([]).unwrap_err(), DiagnoseError::Empty);
    }

    #[test]
    fn rates_of_other_cells_are_refused() {
        let mut scores = Scores::against(&[1.0, 2.0], &[1.0, 2.0]).unwrap();
        let error = DiagnoseError::Length {
            estimates: 3,
            truths: 2,
        };
        assert_eq!(scores.add("fit", &[1.0; 3]), Err(error));
        assert!(Scores::against(&[1.0], &[1.0, 2.0]).is_err());
    }
}
