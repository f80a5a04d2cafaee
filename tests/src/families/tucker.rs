//! Tucker of three modes.

use skellam::prelude::*;

use crate::has_twin;
use crate::twin::Twin;

use super::{leaf, monomial};

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

has_twin!(
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
