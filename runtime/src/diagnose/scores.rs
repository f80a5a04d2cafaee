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
/// scores.add_constant()?;
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
            Some(&cell) => Err(DiagnoseError::Cell { cell, cells }),
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

    /// Adds the mean of the target over the scored cells as an estimate of them all, which any fit should beat.
    ///
    /// # Errors
    /// That mean is negative, NaN or infinite.
    pub fn add_constant(&mut self) -> Result<(), DiagnoseError> {
        let mean = self.among.iter().map(|&cell| self.target[cell]).sum::<f64>() / self.among.len() as f64;
        self.add("constant rate", &vec![mean; self.target.len()])
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

/// The best rank-one rates of a matrix (row-major, of so many columns): row sum times column sum over the total, sums below zero as zero (noisy counts have
/// such). Zero everywhere where the total is not positive.
///
/// # Errors
/// The values do not fill whole rows; those of [`CellValues::row_major`].
pub fn rank_one(values: &(impl CellValues + ?Sized), columns: usize) -> Result<Vec<f64>, DiagnoseError> {
    let values = values.row_major()?;
    if columns == 0 || !values.len().is_multiple_of(columns) {
        return Err(DiagnoseError::Rows {
            values: values.len(),
            columns,
        });
    }
    let total: f64 = values.iter().sum();
    let rows: Vec<f64> = values.chunks(columns).map(|row| row.iter().sum()).collect();
    let sum = |column: usize| values.iter().skip(column).step_by(columns).sum::<f64>();
    let columns: Vec<f64> = (0..columns).map(sum).collect();
    let rate = |row: f64, column: f64| {
        if total > 0.0 {
            row.max(0.0) * column.max(0.0) / total
        } else {
            0.0
        }
    };
    Ok(rows
        .iter()
        .flat_map(|&row| columns.iter().map(move |&column| rate(row, column)))
        .collect())
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
        scores.add_constant().unwrap();
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
        some.add_constant().unwrap();
        assert_eq!((some.rows()[0].error, some.rows()[1].error), (0.5, 0.5));
        let error = scores().among([0, 3]).unwrap_err();
        assert_eq!(error, DiagnoseError::Cell { cell: 3, cells: 3 });
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

    #[test]
    fn rank_one_by_hand() {
        let rates = rank_one(&[1.0, 3.0, 2.0, 2.0], 2);
        assert_eq!(rates, Ok(vec![1.5, 2.5, 1.5, 2.5]));
        assert_eq!(rank_one(&[5.0, -7.0], 2), Ok(vec![0.0, 0.0]));
        assert_eq!(
            rank_one(&[1.0; 3], 2),
            Err(DiagnoseError::Rows { values: 3, columns: 2 })
        );
        assert!(rank_one(&[1.0; 3], 0).is_err());
    }
}
