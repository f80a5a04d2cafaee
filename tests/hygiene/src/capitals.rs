//! Names as papers write them, in a crate that denies warnings.

::factorize::model! {
    /// A factorization of a matrix.
    pub model Capitals {
        /// Rows.
        index N;
        index M, K;
        /// Shape.
        hyper A: positive = 0.5;
        /// Exposure.
        data X[i in N]: positive;
        latent W[i in N, k in K] ~ Gamma(shape = A, rate = 1.0);
        latent H[k in K, j in M] ~ Dirichlet(concentration = A, along = j);
        /// Counts.
        count Y[i in N, j in M] ~ Poisson(X[i] * sum(k in K) W[i, k] * H[k, j]);
    }
}

::factorize::model! {
    /// Several counts, one of them between rows of one factor.
    pub model Several {
        index N, K;
        latent W[i in N, k in K] ~ Gamma(shape = 1.0, rate = R[i]);
        latent R[i in N] ~ Gamma(shape = 1.0, rate = 1.0);
        count Y[i in N, j in N] where i != j ~ Poisson(sum(k in K) W[i, k] * W[j, k]);
        count Z_[i in N] ~ Poisson(sum(k in K) W[i, k]);
        release Z_ by ::factorize::channel::TwoSidedGeometric;
    }
}

#[cfg(test)]
mod tests {
    use ::factorize::prelude::*;
    use ::std::prelude::rust_2024::*;
    use ::std::{assert, assert_eq, vec};

    #[test]
    fn a_model_in_capitals_fits() {
        let counts = Counts::dense(vec![2, 3], vec![1, 0, 2, 0, 3, 1]).unwrap();
        let model = super::Capitals::new(&counts).unwrap().K(2).X(vec![1.0, 2.0]);
        let fit = model.cavi(&Cavi::default()).unwrap();
        assert_eq!(fit.W.dims(), [2, 2]);
        assert!(super::Capitals::generated().contains("#![allow(non_snake_case"));
    }

    /// What was observed of several counts is one type and may be used twice, though what is released is a parameter of it.
    #[test]
    fn several_counts_are_given_as_one() {
        fn both(data: super::SeveralData<'_>) -> [super::Several; 2] {
            [super::Several::new(data).unwrap(), super::Several::naive(data).unwrap()]
        }
        let among = Counts::dense(vec![2, 2], vec![0, 3, 1, 0]).unwrap();
        let alone = Counts::dense(vec![2], vec![4, 1]).unwrap();
        let budget = Lplp::new(1, 1.0).unwrap();
        let released = Sensitive::new(alone).release(&budget).unwrap();
        for model in both(super::SeveralData {
            Y: &among,
            Z_: &released,
        }) {
            let fit = model.K(2).cavi(&Cavi::default()).unwrap();
            assert_eq!(fit.W.dims(), [2, 2]);
        }
    }
}
