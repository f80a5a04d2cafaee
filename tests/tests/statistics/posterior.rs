//! A 2 x 2 table of one component: long runs of both samplers against quadrature, and against
//! each other.
//!
//! Means within 4 standard errors by the means of 100 batches: 1.2e-4 each by Student's law, 0.4 % for the 32
//! of this file. Seeds are fixed, so that it fails always or never.

use std::sync::LazyLock;

use skellam::channel::Varying;
use skellam::counts::Counts;
use skellam::infer::{Chain, pool};
use skellam::model::{FormKind, Model};
use skellam::release::Released;
use skellam_tests::channels::{FromAlpha, Misprinted};
use skellam_tests::data::arrays;
use skellam_tests::families::*;
use skellam_tests::has_twin;
use skellam_tests::quadrature::{Priors, rank_one};
use skellam_tests::statistics::{batch_means, effective, ks_two};

const PRIORS: Priors = Priors {
    theta: (2.0, 1.5),
    phi: (1.5, 1.0),
};

const SWEEPS: usize = 200_000;
const TABLES: [(f64, [[i64; 2]; 2]); 3] = [
    (0.4, [[3, 0], [1, -1]]),
    (0.6, [[5, 2], [-3, 0]]),
    (0.15, [[2, 1], [0, 9]]),
];

/// Rates of the four cells along a run.
fn run(model: &dyn Model) -> [Vec<f64>; 4] {
    let mut rates: [Vec<f64>; 4] = Default::default();
    let mut chain = Chain::new(model, 3, 0);
    pool(1).unwrap().install(|| {
        for sweep in 0..SWEEPS + 500 {
            chain.sweep();
            let x = arrays(chain.values());
            if sweep >= 500 {
                rates
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, r)| r.push(x[0][i / 2] * x[1][i % 2]));
            }
        }
    });
    rates
}

fn released<F: HasTwin>(family: &F, alpha: f64, c: [[i64; 2]; 2], form: FormKind) -> [Vec<f64>; 4]
where
    F::Law: FromAlpha,
{
    let law = Varying::Uniform(F::Law::at(alpha));
    let released = Released::assert_mechanism(vec![2, 2], c.concat(), law).unwrap();
    run(&family.released(&released, form, None))
}

/// Runs of both forms, collapsed and augmented, for each table: made once however many tests look at them.
static RUNS: LazyLock<[[[Vec<f64>; 4]; 2]; 3]> = LazyLock::new(|| {
    let forms = [FormKind::Collapsed, FormKind::Augmented];
    TABLES.map(|(alpha, c)| forms.map(|form| released(&MatrixAt(2, 2, 1), alpha, c, form)))
});

/// The largest deviation of a mean, in standard errors.
fn deviation(rates: &[Vec<f64>; 4], means: [[f64; 2]; 2]) -> f64 {
    let z = |(rates, mean): (&Vec<f64>, &f64)| {
        let (found, squared) = batch_means(rates, 100);
        ((found - mean) / squared.sqrt()).abs()
    };
    rates.iter().zip(means.as_flattened()).map(z).fold(0.0, f64::max)
}

#[test]
fn means_are_those_of_quadrature() {
    for ((alpha, c), runs) in TABLES.into_iter().zip(&*RUNS) {
        let (_, means) = rank_one(c, alpha, PRIORS);
        for (form, run) in [FormKind::Collapsed, FormKind::Augmented].into_iter().zip(runs) {
            let z = deviation(run, means);
            println!("alpha {alpha}, {c:?}, {form:?}: z = {z:.2}");
            assert!(z < 4.0, "alpha {alpha}, {c:?}, {form:?}: z = {z}");
        }
    }
    for y in [[[3, 0], [1, 2]], [[0, 0], [7, 1]]] {
        let counts = Counts::dense(vec![2, 2], y.concat()).unwrap();
        let z = deviation(
            &run(&MatrixAt(2, 2, 1).exact(&counts, None)),
            rank_one(y, 0.0, PRIORS).1,
        );
        println!("{y:?}, exact: z = {z:.2}");
        assert!(z < 4.0, "{y:?}, exact: z = {z}");
    }
}

/// Every `step`-th draw, so far apart that they are as good as independent.
fn apart(chain: &[f64], step: usize) -> Vec<f64> {
    chain.iter().copied().step_by(step).collect()
}

/// Two-sample Kolmogorov-Smirnov at 1e-6 for each of 12 pairs, and the collapsed form mixes no worse.
#[test]
fn both_forms_draw_from_one_law() {
    for ((alpha, c), [collapsed, augmented]) in TABLES.into_iter().zip(&*RUNS) {
        for (collapsed, augmented) in collapsed.iter().zip(augmented) {
            let sizes = [collapsed, augmented].map(|chain| effective(chain, 100));
            let step = (2.0 * SWEEPS as f64 / sizes[0].min(sizes[1])).ceil() as usize;
            let p = ks_two(&mut apart(collapsed, step), &mut apart(augmented, step));
            println!("alpha {alpha}, {c:?}: every {step}th, p = {p:.3}, effective {sizes:.0?}");
            assert!(p > 1e-6, "alpha {alpha}, {c:?}: p = {p:e}");
            // Sizes are estimated to a seventh.
            assert!(sizes[0] > 0.8 * sizes[1], "alpha {alpha}, {c:?}: {sizes:?}");
        }
    }
}

skellam::model! {
    /// A matrix seen through the misprinted channel.
    model MisprintedMatrix {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by Misprinted;
    }
}

/// Sizes of the misprinted matrix.
struct MisprintedAt(MatrixAt);

has_twin!(
    MisprintedAt,
    Misprinted,
    MisprintedMatrix,
    MisprintedMatrixModel,
    |s: &MisprintedAt| MisprintedMatrixSizes {
        docs: s.0.0,
        words: s.0.1,
        topics: s.0.2
    },
    |s, m| m.topics(s.0.2),
    |s: &MisprintedAt| matrix_twin(&s.0)
);

/// The posterior rate of ICML19 as printed shifts the means of these tables, too.
#[test]
fn the_misprint_is_seen() {
    for (alpha, c) in TABLES {
        let wrong = released(&MisprintedAt(MatrixAt(2, 2, 1)), alpha, c, FormKind::Augmented);
        let z = deviation(&wrong, rank_one(c, alpha, PRIORS).1);
        println!("alpha {alpha}, {c:?}, misprinted: z = {z:.1}");
        assert!(z > 6.0, "alpha {alpha}, {c:?}: z = {z}");
    }
}
