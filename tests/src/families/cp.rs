//! CP of three and of four modes.

use skellam::prelude::*;

use crate::has_twin;
use crate::twin::Twin;

use super::{leaf, monomial};

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

has_twin!(
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

has_twin!(
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
