//! A latent over two free indices.

use skellam::prelude::*;

use crate::has_twin;
use crate::twin::Twin;

use super::{leaf, monomial};

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

has_twin!(
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
