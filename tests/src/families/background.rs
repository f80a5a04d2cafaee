//! A background and an exposure.

use skellam::prelude::*;

use crate::has_twin;
use crate::twin::Twin;

use super::{leaf, monomial};

skellam::model! {
    /// Background and exposure.
    pub model Background {
        index docs, words, topics;
        data exposure[d in docs]: positive;
        latent base[v in words] ~ Gamma(shape = 2.0, rate = 2.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words]
            ~ Poisson(base[v] + exposure[d] * sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Background`]: documents, words, topics.
#[derive(Clone, Copy, Debug)]
pub struct BackgroundAt(pub usize, pub usize, pub usize);

/// Exposure of each document: from 0.6 up, all different.
pub fn exposures(docs: usize) -> Vec<f64> {
    (0..docs).map(|d| 0.6 + 0.9 * d as f64 / docs as f64).collect()
}

/// The twin of [`Background`].
pub fn background_twin(&BackgroundAt(docs, words, topics): &BackgroundAt) -> Twin {
    let leaves = vec![
        leaf(&["words"], &[words], 2.0, 2.0),
        leaf(&["docs", "topics"], &[docs, topics], 2.0, 1.5),
        leaf(&["topics", "words"], &[topics, words], 1.5, 1.0),
    ];
    let exposure = exposures(docs);
    Twin::new(&[docs, words], leaves, |i| {
        let part = |k| monomial(exposure[i[0]], [(1, i[0] * topics + k), (2, k * words + i[1])]);
        std::iter::once(monomial(1.0, [(0, i[1])]))
            .chain((0..topics).map(part))
            .collect()
    })
}

has_twin!(
    BackgroundAt,
    TwoSidedGeometric,
    Background,
    BackgroundModel,
    |s: &BackgroundAt| BackgroundSizes {
        docs: s.0,
        words: s.1,
        topics: s.2
    },
    |s, m| m.topics(s.2).exposure(exposures(s.0)),
    background_twin
);
