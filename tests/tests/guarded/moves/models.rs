//! Models that only these tests have, and data for them.

use skellam::model::FormKind;
use skellam::prelude::*;
use skellam_tests::families::*;
use skellam_tests::has_twin;
use skellam_tests::twin::Twin;

skellam::model! {
    /// A hierarchy, a simplex, a latent that is a parent and in a rate, and two counts.
    pub model Several {
        index docs, words, topics;
        latent xi[d in docs] ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = xi[d]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.7, along = v);
        latent level ~ Gamma(shape = 2.0, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = 1.2, rate = level);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        count z[v in words] ~ Poisson(level * base[v]);
        release y by TwoSidedGeometric;
        release z by AtLeastOne;
    }
}

skellam::model! {
    /// A latent used twice in a term.
    pub model Network {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 0.8, rate = 1.0);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 0.6, rate = 2.0);
        count y[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        release y by TwoSidedGeometric;
    }
}

pub fn some_counts(cells: usize) -> Vec<i64> {
    (0..cells).map(|i| (i * 7 % 11) as i64 - 3).collect()
}

pub fn released(shape: &[usize]) -> Released<TwoSidedGeometric> {
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    let cells = shape.iter().product();
    Released::assert_mechanism(shape.to_vec(), some_counts(cells), law).unwrap()
}

pub fn network() -> NetworkModel {
    Network::new(&released(&[6, 6]))
        .unwrap()
        .groups(3)
        .bind(FormKind::Collapsed)
        .unwrap()
}

skellam::model! {
    /// Two latents that are added, so that no scale symmetry moves along and makes the operands anew.
    pub model Sums {
        index rows, columns;
        latent left[i in rows] ~ Gamma(shape = 1.5, rate = 1.0);
        latent right[j in columns] ~ Gamma(shape = 2.0, rate = 1.5);
        count y[i in rows, j in columns] ~ Poisson(left[i] + right[j]);
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Sums`]: rows, columns.
#[derive(Clone, Copy, Debug)]
pub struct SumsAt(pub usize, pub usize);

fn sums_twin(&SumsAt(rows, columns): &SumsAt) -> Twin {
    let leaves = vec![
        leaf(&["rows"], &[rows], 1.5, 1.0),
        leaf(&["columns"], &[columns], 2.0, 1.5),
    ];
    Twin::new(&[rows, columns], leaves, |i| {
        vec![monomial(1.0, [(0, i[0])]), monomial(1.0, [(1, i[1])])]
    })
}

has_twin!(
    SumsAt,
    TwoSidedGeometric,
    Sums,
    SumsModel,
    |s: &SumsAt| SumsSizes {
        rows: s.0,
        columns: s.1
    },
    |_, m| m,
    sums_twin
);
