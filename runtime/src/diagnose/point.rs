//! Scores of point estimates, one value per cell.

use super::{CellValues, DiagnoseError};

/// Mean of `|estimate - truth|` (the reconstruction error of ICML19, where the truth is the counts). NaN where an input is.
///
/// # Errors
/// The two differ in length, or are empty; those of [`CellValues::row_major`].
pub fn mean_absolute_error(
    estimate: &(impl CellValues + ?Sized),
    truth: &(impl CellValues + ?Sized),
) -> Result<f64, DiagnoseError> {
    let (estimate, truth) = (&*estimate.row_major()?, &*truth.row_major()?);
    let n = paired(estimate, truth)?;
    Ok(estimate.iter().zip(truth).map(|(e, t)| (e - t).abs()).sum::<f64>() / n)
}

/// Mean Poisson deviance of counts `y` under rates `mu`: `2/n sum y ln(y / mu) - (y - mu)` (McCullagh
/// and Nelder, *Generalized Linear Models*). Zero where every rate is its count; infinite
/// where a rate is 0 and its count is not.
///
/// # Errors
/// The two differ in length, or are empty; a count or a rate is negative, NaN or infinite; those of [`CellValues::row_major`].
pub fn poisson_deviance(
    counts: &(impl CellValues + ?Sized),
    rates: &(impl CellValues + ?Sized),
) -> Result<f64, DiagnoseError> {
    let (counts, rates) = (&*counts.row_major()?, &*rates.row_major()?);
    let n = paired(rates, counts)?;
    for (what, values) in [("count", counts), ("rate", rates)] {
        if let Some(position) = values.iter().position(|value| !(value.is_finite() && *value >= 0.0)) {
            return Err(DiagnoseError::Value {
                what,
                position,
                value: values[position],
            });
        }
    }
    Ok(2.0
        * counts
            .iter()
            .zip(rates)
            .map(|(&y, &mu)| unit_deviance(y, mu))
            .sum::<f64>()
        / n)
}

/// `y ln(y / mu) - (y - mu)`, with its limit `mu` at `y = 0`.
fn unit_deviance(y: f64, mu: f64) -> f64 {
    if y == 0.0 {
        return mu;
    }
    if mu == 0.0 {
        return f64::INFINITY;
    }
    let excess = (mu - y) / y;
    if excess.abs() < 1e-4 {
        // The two terms cancel near y = mu: y (x - ln(1 + x)), x = excess, to relative 1e-12.
        return y * excess * excess * (0.5 - excess * (1.0 / 3.0 - excess * 0.25));
    }
    // Logarithms apart: the quotient of a count and a tiny rate overflows.
    y * (y.ln() - mu.ln()) - (y - mu)
}

/// Their common length.
pub(super) fn paired(estimates: &[f64], truths: &[f64]) -> Result<f64, DiagnoseError> {
    match (estimates.len(), truths.len()) {
        (estimates, truths) if estimates != truths => Err(DiagnoseError::Length { estimates, truths }),
        (0, _) => Err(DiagnoseError::Empty),
        (n, _) => Ok(n as f64),
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn absolute_error_by_hand() {
        assert_eq!(mean_absolute_error(&[1.0, 2.0, 4.0], &[2.0, 2.0, 1.0]), Ok(4.0 / 3.0));
        assert_eq!(
            mean_absolute_error(&[1.0], &[1.0, 2.0]),
            Err(DiagnoseError::Length {
                estimates: 1,
                truths: 2
            })
        );
        assert_eq!(mean_absolute_error(&[], &[]), Err(DiagnoseError::Empty));
    }

    #[test]
    fn deviance_by_hand() {
        // 2 (3 ln 3 - 2) for a count of 3 at rate 1; 2 * 0.5 for no count at rate 0.5.
        let expected = (2.0 * (3.0 * 3f64.ln() - 2.0) + 1.0) / 2.0;
        assert_relative_eq!(
            poisson_deviance(&[3.0, 0.0], &[1.0, 0.5]).unwrap(),
            expected,
            max_relative = 1e-15
        );
        assert_eq!(poisson_deviance(&[3.0, 0.0], &[3.0, 0.0]), Ok(0.0));
        assert_eq!(poisson_deviance(&[1.0], &[0.0]), Ok(f64::INFINITY));
        assert!(poisson_deviance(&[2147483648.0], &[1e-300]).unwrap().is_finite());
    }

    #[test]
    fn deviance_keeps_its_digits_where_the_rate_is_close() {
        // y (x - ln(1 + x)) by its series: half a square to first order, with relative error 2x/3.
        let (y, x) = (1e6, 1e-7);
        let expected = y * x * x * (1.0 - 2.0 * x / 3.0);
        assert_relative_eq!(
            poisson_deviance(&[y], &[y * (1.0 + x)]).unwrap(),
            expected,
            max_relative = 1e-8
        );
        // Both forms agree where they meet, as far as the direct one has digits.
        let at = |x: f64| unit_deviance(1.0, 1.0 + x) / (x * x);
        assert_relative_eq!(at(0.99e-4), at(1.01e-4), max_relative = 1e-5);
    }

    #[test]
    fn what_is_no_count_or_rate_is_refused() {
        assert_eq!(
            poisson_deviance(&[1.0, -1.0], &[1.0, 1.0]),
            Err(DiagnoseError::Value {
                what: "count",
                position: 1,
                value: -1.0
            })
        );
        assert!(matches!(
            poisson_deviance(&[1.0], &[f64::NAN]),
            Err(DiagnoseError::Value {
                what: "rate",
                position: 0,
                ..
            })
        ));
        assert!(poisson_deviance(&[f64::INFINITY], &[1.0]).is_err());
    }
}
