//! Definitions, scalars and coefficients.

use skellam::prelude::*;

use crate::has_twin;
use crate::twin::Twin;

use super::{leaf, monomial};

skellam::model! {
    /// A definition, numbers without an index, a number and a hyperparameter as coefficients.
    pub model Mixed {
        index docs, words, topics;
        hyper boost: positive = 1.5;
        latent scale ~ Gamma(shape = 3.0, rate = 2.0);
        latent level ~ Gamma(shape = 2.0, rate = 2.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = boost);
        latent base[v in words] ~ Gamma(shape = 2.0, rate = 2.0 * boost);
        let topical[d in docs, v in words] = sum(k in topics) theta[d, k] * phi[k, v];
        count y[d in docs, v in words]
            ~ Poisson(scale * topical[d, v] + 0.5 * boost * (base[v] + level));
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Mixed`]: documents, words, topics.
#[derive(Clone, Copy, Debug)]
pub struct MixedAt(pub usize, pub usize, pub usize);

fn mixed_twin(&MixedAt(docs, words, topics): &MixedAt) -> Twin {
    let leaves = vec![
        leaf(&[], &[], 3.0, 2.0),
        leaf(&[], &[], 2.0, 2.0),
        leaf(&["docs", "topics"], &[docs, topics], 2.0, 1.5),
        leaf(&["topics", "words"], &[topics, words], 1.5, 1.5),
        leaf(&["words"], &[words], 2.0, 3.0),
    ];
    Twin::new(&[docs, words], leaves, |i| {
        let part = |k| monomial(1.0, [(0, 0), (2, i[0] * topics + k), (3, k * words + i[1])]);
        (0..topics)
            .map(part)
            .chain([monomial(0.75, [(4, i[1])]), monomial(0.75, [(1, 0)])])
            .collect()
    })
}

has_twin!(
    MixedAt,
    TwoSidedGeometric,
    Mixed,
    MixedModel,
    |s: &MixedAt| MixedSizes {
        docs: s.0,
        words: s.1,
        topics: s.2
    },
    |s, m| m.topics(s.2),
    mixed_twin
);
