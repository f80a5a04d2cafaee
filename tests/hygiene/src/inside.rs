//! A declaration inside a function.

use ::factorize::prelude::*;
use ::std::prelude::rust_2024::*;

/// Declares a model, fits it, and returns the mean of its only factor.
///
/// # Errors
///
/// Those of the fit.
pub fn mean_rate(counts: &Counts) -> Result<f64, Error> {
    ::factorize::model! {
        model Inner {
            index rows;
            latent level ~ Gamma(shape = 1.0, rate = 1.0);
            data size[i in rows]: positive;
            count n[i in rows] ~ Poisson(size[i] * level);
        }
    }
    let rows = counts.shape()[0];
    let fit = Inner::new(counts)?
        .size(::std::vec![1.0; rows])
        .cavi(&Cavi::default())?;
    fit.level.mean()
}

#[cfg(test)]
mod tests {
    use ::factorize::prelude::*;
    use ::std::assert;
    use ::std::prelude::rust_2024::*;

    /// Gamma(1 + 12, 1 + 3): the mean is exact.
    #[test]
    fn a_model_inside_a_function_fits() {
        let counts = Counts::dense(::std::vec![3], ::std::vec![4, 5, 3]).unwrap();
        let mean = super::mean_rate(&counts).unwrap();
        assert!((mean - 13.0 / 4.0).abs() < 1e-9, "{mean}");
    }
}
