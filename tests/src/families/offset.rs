//! A coefficient for each cell.

use skellam::counts::Array;
use skellam::prelude::*;

use crate::has_twin;
use crate::twin::Twin;

use super::{leaf, monomial};

skellam::model! {
    /// A coefficient per cell, beside a term without one.
    pub model Offset {
        index docs, words, topics;
        data offset[d in docs, v in words]: positive;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = 2.0, rate = 2.0);
        count y[d in docs, v in words]
            ~ Poisson(offset[d, v] * sum(k in topics) theta[d, k] * phi[k, v] + base[v]);
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Offset`]: documents, words, topics.
#[derive(Clone, Copy, Debug)]
pub struct OffsetAt(pub usize, pub usize, pub usize);

fn offsets(docs: usize, words: usize) -> Array {
    let entries = (0..docs * words)
        .map(|i| 0.3 + 1.4 * ((i * 37) % 101) as f64 / 101.0)
        .collect();
    Array::new(vec![docs, words], entries).unwrap()
}

fn offset_twin(&OffsetAt(docs, words, topics): &OffsetAt) -> Twin {
    let leaves = vec![
        leaf(&["docs", "topics"], &[docs, topics], 2.0, 1.5),
        leaf(&["topics", "words"], &[topics, words], 1.5, 1.0),
        leaf(&["words"], &[words], 2.0, 2.0),
    ];
    let offset = offsets(docs, words);
    Twin::new(&[docs, words], leaves, |i| {
        let coefficient = offset.at(i).unwrap();
        let part = |k| monomial(coefficient, [(0, i[0] * topics + k), (1, k * words + i[1])]);
        (0..topics).map(part).chain([monomial(1.0, [(2, i[1])])]).collect()
    })
}

has_twin!(
    OffsetAt,
    TwoSidedGeometric,
    Offset,
    OffsetModel,
    |s: &OffsetAt| OffsetSizes {
        docs: s.0,
        words: s.1,
        topics: s.2
    },
    |s, m| m.topics(s.2).offset(offsets(s.0, s.1)),
    offset_twin
);
