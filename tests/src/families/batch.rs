//! A product for each time.

use skellam::prelude::*;

use crate::has_twin;
use crate::twin::Twin;

use super::{leaf, monomial};

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

has_twin!(
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
