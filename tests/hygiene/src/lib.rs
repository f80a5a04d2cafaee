//! Declarations in a crate without a prelude, under another name of the runtime, among names that shadow
//! those of the standard library. That this crate compiles is the test; its tests run what it declares.

#![no_implicit_prelude]
#![deny(warnings, missing_docs)]

pub mod capitals;
pub mod inside;
pub mod shadowed;
pub mod templates;

// Twice in one module, one after the other.
::factorize::model! {
    /// Matrix factorization, with documentation that passes through.
    pub model First {
        /// Documents.
        index docs, words, topics;
        /// Shape of every factor.
        hyper a: positive = 0.5, eta[v in words]: positive = 0.5;
        /// Weights of topics.
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = xi[d]);
        latent xi[d in docs] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = eta[v], along = v);
        /// Words.
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by ::factorize::channel::TwoSidedGeometric;
    }
}

::factorize::model! {
    /// Several counts, and a factor that is used twice.
    pub(crate) model Second {
        index actors, groups, days;
        data shown[t in days]: nonnegative;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        latent level ~ Gamma(shape = 1.0, rate = 1.0);
        count mail[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        count visits[i in actors, t in days] ~ Poisson(level * shown[t] * sum(c in groups) theta[i, c]);
    }
}

use ::factorize::model::family::Gamma as Mine;

::factorize::model! {
    /// A family by another name, which stands where any custom family may stand.
    pub model Third {
        index docs;
        latent theta[d in docs] ~ Mine(shape = 1.5, rate = 1.0);
        count y[d in docs] ~ Poisson(theta[d]);
    }
}

/// A module that is called as the crate is called elsewhere.
pub mod facade {
    /// The same.
    pub mod skellam {
        pub use ::factorize::channel::TwoSidedGeometric as Mine;
    }
}

::factorize::model! {
    /// A mechanism by a path with `skellam` in it, which is not the crate.
    pub model Fourth {
        index docs;
        latent theta[d in docs] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs] ~ Poisson(theta[d]);
        release y by facade::skellam::Mine;
    }
}

#[cfg(test)]
mod tests {
    use ::factorize::prelude::*;
    use ::std::prelude::rust_2024::*;
    use ::std::{assert, assert_eq, vec};

    #[test]
    fn models_of_one_module_run() {
        let counts = Counts::dense(vec![2, 3], vec![1, 0, 2, 0, 3, 1]).unwrap();
        let fit = super::First::exact(&counts)
            .unwrap()
            .topics(2)
            .cavi(&Cavi::default())
            .unwrap();
        assert_eq!(fit.phi.dims(), [2, 3]);
        let counts = Counts::dense(vec![3], vec![4, 0, 1]).unwrap();
        let fit = super::Third::exact(&counts).unwrap().cavi(&Cavi::default()).unwrap();
        assert_eq!(fit.theta.shape().to_vec(), [5.5, 1.5, 2.5]);
        let mail = Counts::dense(vec![3, 3], vec![0, 2, 1, 1, 0, 0, 4, 1, 0]).unwrap();
        let visits = Counts::dense(vec![3, 2], vec![1, 2, 3, 0, 1, 1]).unwrap();
        let data = super::SecondData {
            mail: &mail,
            visits: &visits,
        };
        let model = super::Second::new(data).unwrap().groups(2).shown(vec![1.0, 2.0]);
        let fit = model.gibbs(&Gibbs::default()).unwrap();
        assert!(fit.rate().unwrap().mail[(0, 1)] > 0.0 && fit.rate().unwrap().mail[(1, 1)] == 0.0);
    }
}
