//! Components of an estimate, matched with those that were to be recovered.

use nalgebra::DMatrix;

use super::AlignError;
use super::assignment::assign;
use crate::diagnose::DiagnoseError;

/// Two components that belong together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The row of the truth.
    pub truth: usize,
    /// The row of the estimate.
    pub found: usize,
    /// Cosine of the angle between the two; 0 where one of them is zero.
    pub cosine: f64,
}

/// Pairs the rows of `truth` (components x entries) with those of `found`, such that the sum of cosines is largest (Hungarian
/// method). No row is used twice; with different numbers of rows, some of the longer matrix stay alone. In the order of `truth`.
///
/// # Errors
/// The two have different numbers of columns.
pub fn matched(truth: &DMatrix<f64>, found: &DMatrix<f64>) -> Result<Vec<Match>, DiagnoseError> {
    if truth.ncols() != found.ncols() {
        return Err(AlignError::Columns {
            truth: truth.ncols(),
            found: found.ncols(),
        }
        .into());
    }
    let swapped = truth.nrows() > found.nrows();
    let (few, many) = if swapped { (found, truth) } else { (truth, found) };
    let cosine = |a: usize, b: usize| {
        let (a, b) = (few.row(a), many.row(b));
        a.dot(&b) / (a.norm() * b.norm()).max(f64::MIN_POSITIVE)
    };
    let (rows, columns) = (few.nrows(), many.nrows());
    let cosines: Vec<f64> = (0..rows * columns)
        .map(|at| cosine(at / columns, at % columns))
        .collect();
    let costs: Vec<f64> = cosines.iter().map(|cosine| 1.0 - cosine).collect();
    let assigned = assign(&costs, rows, columns).into_iter().enumerate();
    let mut pairs: Vec<Match> = assigned
        .map(|(a, b)| {
            let (truth, found) = if swapped { (b, a) } else { (a, b) };
            Match {
                truth,
                found,
                cosine: cosines[a * columns + b],
            }
        })
        .collect();
    pairs.sort_by_key(|pair| pair.truth);
    Ok(pairs)
}

/// Mean cosine of [`matched`] components: 1 where each was recovered up to its scale.
///
/// # Errors
/// The two have different numbers of columns, or one has no rows.
pub fn likeness(truth: &DMatrix<f64>, found: &DMatrix<f64>) -> Result<f64, DiagnoseError> {
    let pairs = matched(truth, found)?;
    if pairs.is_empty() {
        return Err(DiagnoseError::Empty);
    }
    Ok(pairs.iter().map(|pair| pair.cosine).sum::<f64>() / pairs.len() as f64)
}
