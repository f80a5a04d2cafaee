//! Models of every family that the language can say so far, each with its naive twin.

use skellam::channel::Channel;
use skellam::counts::{Array, Counts};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;

use crate::twin::{Leaf, Monomial, Twin};

/// A declared model at given sizes, and the same model multiplied out by hand.
pub trait Family: Sync {
    /// The mechanism that the declaration names.
    type Mechanism: Channel<Value = i64> + std::fmt::Debug;
    /// The generated model with its data.
    type Bound: Model;

    /// The same model multiplied out.
    fn twin(&self) -> Twin;

    /// How many layouts were emitted.
    fn layouts(&self) -> usize;

    /// Binds releases; `layout` as in `bind_with`.
    fn released(&self, data: &Released<Self::Mechanism>, form: FormKind, layout: Option<usize>) -> Self::Bound;

    /// Binds true counts.
    fn exact(&self, data: &Counts, layout: Option<usize>) -> Self::Bound;

    /// Binds releases taken for counts.
    fn naive(&self, data: &Released<Self::Mechanism>, layout: Option<usize>) -> Self::Bound;
}

/// Implements [`Family`] from how sizes and known arrays are set.
#[macro_export]
macro_rules! family {
    ($family:ty, $mechanism:ty, $model:ident, $bound:ident, $sizes:expr, $set:expr, $twin:expr) => {
        impl $crate::families::Family for $family {
            type Mechanism = $mechanism;
            type Bound = $bound;

            fn twin(&self) -> $crate::twin::Twin {
                #[allow(clippy::redundant_closure_call, reason = "the macro takes a closure")]
                ($twin)(self)
            }

            fn layouts(&self) -> usize {
                #[allow(clippy::redundant_closure_call, reason = "the macro takes a closure")]
                $model::plan(($sizes)(self)).counts[0].layouts
            }

            fn released(
                &self,
                data: &skellam::release::Released<$mechanism>,
                form: skellam::model::FormKind,
                layout: Option<usize>,
            ) -> $bound {
                let set: fn(&Self, $model) -> $model = $set;
                set(self, $model::new(data).unwrap())
                    .bind_with(form, layout)
                    .unwrap()
            }

            fn exact(&self, data: &skellam::counts::Counts, layout: Option<usize>) -> $bound {
                let set: fn(&Self, $model) -> $model = $set;
                set(self, $model::exact(data).unwrap())
                    .bind_with(Default::default(), layout)
                    .unwrap()
            }

            fn naive(&self, data: &skellam::release::Released<$mechanism>, layout: Option<usize>) -> $bound {
                let set: fn(&Self, $model) -> $model = $set;
                set(self, $model::naive(data).unwrap())
                    .bind_with(Default::default(), layout)
                    .unwrap()
            }
        }
    };
}

/// A latent over `sets` with a `Gamma(shape, rate)` prior.
pub fn leaf(sets: &'static [&'static str], shape: &[usize], prior_shape: f64, prior_rate: f64) -> Leaf {
    Leaf {
        sets,
        shape: shape.to_vec(),
        prior_shape,
        prior_rate,
    }
}

/// `coefficient * product of entries`.
pub fn monomial<const N: usize>(coefficient: f64, factors: [(usize, usize); N]) -> Monomial {
    Monomial {
        coefficient,
        factors: factors.to_vec(),
    }
}

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

family!(
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

skellam::model! {
    /// CP with three modes.
    pub model Cp3 {
        index rows, cols, times, parts;
        latent a[i in rows, k in parts] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        latent c[t in times, k in parts] ~ Gamma(shape = 3.0, rate = 2.0);
        count y[i in rows, j in cols, t in times] ~ Poisson(sum(k in parts) a[i, k] * b[j, k] * c[t, k]);
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Cp3`]: rows, columns, times, parts.
#[derive(Clone, Copy, Debug)]
pub struct Cp3At(pub usize, pub usize, pub usize, pub usize);

/// The twin of [`Cp3`].
pub fn cp3_twin(&Cp3At(rows, cols, times, parts): &Cp3At) -> Twin {
    let leaves = vec![
        leaf(&["rows", "parts"], &[rows, parts], 2.0, 1.5),
        leaf(&["cols", "parts"], &[cols, parts], 1.5, 1.0),
        leaf(&["times", "parts"], &[times, parts], 3.0, 2.0),
    ];
    Twin::new(&[rows, cols, times], leaves, |i| {
        let part = |k| {
            monomial(
                1.0,
                [(0, i[0] * parts + k), (1, i[1] * parts + k), (2, i[2] * parts + k)],
            )
        };
        (0..parts).map(part).collect()
    })
}

family!(
    Cp3At,
    TwoSidedGeometric,
    Cp3,
    Cp3Model,
    |s: &Cp3At| Cp3Sizes {
        rows: s.0,
        cols: s.1,
        times: s.2,
        parts: s.3
    },
    |s, m| m.parts(s.3),
    cp3_twin
);

skellam::model! {
    /// CP with four modes.
    pub model Cp4 {
        index rows, cols, times, sites, parts;
        latent a[i in rows, k in parts] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        latent c[t in times, k in parts] ~ Gamma(shape = 3.0, rate = 2.0);
        latent e[s in sites, k in parts] ~ Gamma(shape = 2.0, rate = 2.0);
        count y[i in rows, j in cols, t in times, s in sites]
            ~ Poisson(sum(k in parts) a[i, k] * b[j, k] * c[t, k] * e[s, k]);
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Cp4`]: rows, columns, times, sites, parts.
#[derive(Clone, Copy, Debug)]
pub struct Cp4At(pub usize, pub usize, pub usize, pub usize, pub usize);

fn cp4_twin(&Cp4At(rows, cols, times, sites, parts): &Cp4At) -> Twin {
    let leaves = vec![
        leaf(&["rows", "parts"], &[rows, parts], 2.0, 1.5),
        leaf(&["cols", "parts"], &[cols, parts], 1.5, 1.0),
        leaf(&["times", "parts"], &[times, parts], 3.0, 2.0),
        leaf(&["sites", "parts"], &[sites, parts], 2.0, 2.0),
    ];
    Twin::new(&[rows, cols, times, sites], leaves, |i| {
        let at = |mode: usize, k: usize| (mode, i[mode] * parts + k);
        (0..parts)
            .map(|k| monomial(1.0, [at(0, k), at(1, k), at(2, k), at(3, k)]))
            .collect()
    })
}

family!(
    Cp4At,
    TwoSidedGeometric,
    Cp4,
    Cp4Model,
    |s: &Cp4At| Cp4Sizes {
        rows: s.0,
        cols: s.1,
        times: s.2,
        sites: s.3,
        parts: s.4
    },
    |s, m| m.parts(s.4),
    cp4_twin
);

skellam::model! {
    /// Tucker with three modes.
    pub model Tucker {
        index rows, cols, times, ps, qs, rs;
        latent a[i in rows, p in ps] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, q in qs] ~ Gamma(shape = 1.5, rate = 1.0);
        latent c[t in times, r in rs] ~ Gamma(shape = 3.0, rate = 2.0);
        latent core[p in ps, q in qs, r in rs] ~ Gamma(shape = 1.0, rate = 2.0);
        count y[i in rows, j in cols, t in times]
            ~ Poisson(sum(p in ps, q in qs, r in rs) a[i, p] * b[j, q] * c[t, r] * core[p, q, r]);
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Tucker`]: rows, columns, times, and of the three modes of the core.
#[derive(Clone, Copy, Debug)]
pub struct TuckerAt(pub [usize; 3], pub [usize; 3]);

/// The twin of [`Tucker`].
pub fn tucker_twin(&TuckerAt(free, [ps, qs, rs]): &TuckerAt) -> Twin {
    let leaves = vec![
        leaf(&["rows", "ps"], &[free[0], ps], 2.0, 1.5),
        leaf(&["cols", "qs"], &[free[1], qs], 1.5, 1.0),
        leaf(&["times", "rs"], &[free[2], rs], 3.0, 2.0),
        leaf(&["ps", "qs", "rs"], &[ps, qs, rs], 1.0, 2.0),
    ];
    Twin::new(&free, leaves, |i| {
        let mut all = Vec::new();
        for p in 0..ps {
            for q in 0..qs {
                for r in 0..rs {
                    let core = (3, (p * qs + q) * rs + r);
                    all.push(monomial(
                        1.0,
                        [(0, i[0] * ps + p), (1, i[1] * qs + q), (2, i[2] * rs + r), core],
                    ));
                }
            }
        }
        all
    })
}

family!(
    TuckerAt,
    TwoSidedGeometric,
    Tucker,
    TuckerModel,
    |s: &TuckerAt| TuckerSizes {
        rows: s.0[0],
        cols: s.0[1],
        times: s.0[2],
        ps: s.1[0],
        qs: s.1[1],
        rs: s.1[2]
    },
    |s, m| m.ps(s.1[0]).qs(s.1[1]).rs(s.1[2]),
    tucker_twin
);

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

family!(
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

family!(
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

skellam::model! {
    /// One product for each time.
    pub model Batch {
        index rows, cols, times, parts;
        latent a[i in rows, t in times, k in parts] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, t in times, k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[i in rows, j in cols, t in times] ~ Poisson(sum(k in parts) a[i, t, k] * b[j, t, k]);
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Batch`]: rows, columns, times, parts.
#[derive(Clone, Copy, Debug)]
pub struct BatchAt(pub usize, pub usize, pub usize, pub usize);

fn batch_twin(&BatchAt(rows, cols, times, parts): &BatchAt) -> Twin {
    let leaves = vec![
        leaf(&["rows", "times", "parts"], &[rows, times, parts], 2.0, 1.5),
        leaf(&["cols", "times", "parts"], &[cols, times, parts], 1.5, 1.0),
    ];
    Twin::new(&[rows, cols, times], leaves, |i| {
        let at = |latent: usize, k: usize| (latent, (i[latent] * times + i[2]) * parts + k);
        (0..parts).map(|k| monomial(1.0, [at(0, k), at(1, k)])).collect()
    })
}

family!(
    BatchAt,
    TwoSidedGeometric,
    Batch,
    BatchModel,
    |s: &BatchAt| BatchSizes {
        rows: s.0,
        cols: s.1,
        times: s.2,
        parts: s.3
    },
    |s, m| m.parts(s.3),
    batch_twin
);

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

family!(
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

skellam::model! {
    /// A latent over two free indices beside a sum: a coefficient per cell in some layouts.
    pub model Pairs {
        index rows, cols, times, parts;
        latent g[i in rows, j in cols] ~ Gamma(shape = 2.0, rate = 2.0);
        latent a[i in rows, k in parts] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        latent c[t in times, k in parts] ~ Gamma(shape = 3.0, rate = 2.0);
        count y[i in rows, j in cols, t in times]
            ~ Poisson(g[i, j] * sum(k in parts) a[i, k] * b[j, k] * c[t, k]);
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Pairs`]: rows, columns, times, parts.
#[derive(Clone, Copy, Debug)]
pub struct PairsAt(pub usize, pub usize, pub usize, pub usize);

fn pairs_twin(&PairsAt(rows, cols, times, parts): &PairsAt) -> Twin {
    let leaves = vec![
        leaf(&["rows", "cols"], &[rows, cols], 2.0, 2.0),
        leaf(&["rows", "parts"], &[rows, parts], 2.0, 1.5),
        leaf(&["cols", "parts"], &[cols, parts], 1.5, 1.0),
        leaf(&["times", "parts"], &[times, parts], 3.0, 2.0),
    ];
    Twin::new(&[rows, cols, times], leaves, |i| {
        let at = |latent: usize, mode: usize, k: usize| (latent, i[mode] * parts + k);
        let pair = (0, i[0] * cols + i[1]);
        (0..parts)
            .map(|k| monomial(1.0, [pair, at(1, 0, k), at(2, 1, k), at(3, 2, k)]))
            .collect()
    })
}

family!(
    PairsAt,
    TwoSidedGeometric,
    Pairs,
    PairsModel,
    |s: &PairsAt| PairsSizes {
        rows: s.0,
        cols: s.1,
        times: s.2,
        parts: s.3
    },
    |s, m| m.parts(s.3),
    pairs_twin
);
