//! Matrix factorization.

use skellam::prelude::*;

use crate::has_twin;
use crate::twin::Twin;

use super::{leaf, monomial};

skellam::model! {
    /// Matrix factorization.
    pub model Matrix {
        index docs, words, topics;
        hyper a: positive = 2.0, b: positive = 1.5;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Matrix`]: documents, words, topics.
#[derive(Clone, Copy, Debug)]
pub struct MatrixAt(pub usize, pub usize, pub usize);

/// The twin of [`Matrix`].
pub fn matrix_twin(&MatrixAt(docs, words, topics): &MatrixAt) -> Twin {
    let leaves = vec![
        leaf(&["docs", "topics"], &[docs, topics], 2.0, 1.5),
        leaf(&["topics", "words"], &[topics, words], 1.5, 1.0),
    ];
    Twin::new(&[docs, words], leaves, |i| {
        (0..topics)
            .map(|k| monomial(1.0, [(0, i[0] * topics + k), (1, k * words + i[1])]))
            .collect()
    })
}

has_twin!(
    MatrixAt,
    TwoSidedGeometric,
    Matrix,
    MatrixModel,
    |s: &MatrixAt| MatrixSizes {
        docs: s.0,
        words: s.1,
        topics: s.2
    },
    |s, m| m.topics(s.2),
    matrix_twin
);
