//! Wrong input is a typed error whose message carries the value; nothing panics.

use skellam::channel::Varying;
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam_tests::families::{Background, Cp3, Matrix, MatrixSizes, Offset};

skellam::model! {
    /// One hyperparameter of each domain, and one without default.
    model Domains {
        index docs, words, topics;
        hyper a: positive = 1.0, c: nonnegative = 1.0, u: unit = 0.5, needed: positive;
        data known[d in docs]: unit;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = needed);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words]
            ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v] + c * u * known[d] * base[v]);
    }
}

skellam::model! {
    /// Every rate is a multiple of a known array.
    model Known {
        index docs, topics;
        data known[d in docs]: nonnegative;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.0);
        latent phi[k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs] ~ Poisson(known[d] * sum(k in topics) theta[d, k] * phi[k]);
    }
}

skellam::model! {
    /// Every rate is a multiple of a known array, and the counts are released with noise.
    model Exposed {
        index docs, words, topics;
        hyper a: positive = 1.0, b: positive = 1.0;
        data x[d in docs]: nonnegative;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) x[d] * theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

fn counts() -> Counts {
    Counts::dense(vec![3, 4], vec![1, 0, 2, 0, 1, 1, 0, 0, 3, 0, 0, 1]).unwrap()
}

fn released(shape: &[usize]) -> Released<TwoSidedGeometric> {
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    Released::assert_mechanism(shape.to_vec(), vec![1; shape.iter().product()], law).unwrap()
}

fn domains() -> Domains {
    Domains::new(&counts())
        .unwrap()
        .topics(2)
        .needed(1.0)
        .known(vec![0.0, 0.5, 1.0])
}

/// The error of binding, which must match and whose message must contain every one of `words`.
macro_rules! refused {
    ($bound:expr, $pattern:pat, $($word:expr),+) => {
        match $bound {
            Ok(_) => panic!("{} was accepted", stringify!($bound)),
            Err(error) => {
                assert!(matches!(error, $pattern), "{error:?}");
                let message = error.to_string();
                $(assert!(message.contains($word), "{message:?} lacks {:?}", $word);)+
            }
        }
    };
}

const FORM: FormKind = FormKind::Collapsed;

// After the macro, which they use.
mod binding;
mod runs;
