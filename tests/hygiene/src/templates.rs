//! Declarations that a macro writes: names, numbers, mechanisms and whole rates are its arguments.

macro_rules! mixture {
    ($(#[$doc:meta])* $vis:vis $name:ident, $factor:ident, $shape:literal, $mechanism:path, $size:ty) => {
        ::factorize::model! {
            $(#[$doc])*
            $vis model $name {
                index rows, cols, parts;
                hyper a: positive = $shape;
                latent $factor[i in rows, k in parts] ~ Gamma(shape = a, rate = 1.0);
                latent other[k in parts, j in cols] ~ Gamma(shape = a, rate = 1.0);
                count y[i in rows, j in cols] ~ Poisson(sum(k in parts) $factor[i, k] * other[k, j]);
                release y by $mechanism;
            }
        }

        /// Size of a part.
        pub type Size = $size;
    };
}

mixture!(
    /// Written by a macro.
    pub Written,
    weights,
    0.5,
    ::factorize::channel::TwoSidedGeometric,
    usize
);

#[cfg(test)]
mod tests {
    use ::factorize::prelude::*;
    use ::std::assert_eq;
    use ::std::prelude::rust_2024::*;

    #[test]
    fn a_model_that_a_macro_wrote_fits() {
        let counts = Counts::dense(::std::vec![2, 2], ::std::vec![4, 5, 3, 0]).unwrap();
        let fit = super::Written::exact(&counts)
            .unwrap()
            .parts(1 as super::Size)
            .cavi(&Cavi::default());
        assert_eq!(fit.unwrap().weights.dims(), [2, 1]);
    }
}
