//! The bound of CAVI: it is what it says, and stays below the evidence.

use rand::RngExt;
use skellam::channel::{Channel, TwoSidedGeometric, Varying};
use skellam::counts::Counts;
use skellam::infer::{Ascent, Cavi, CaviForm, CaviStart};
use skellam::release::Released;
use skellam_tests::cases::{Case, Kind, Observed};
use skellam_tests::data::stream;
use skellam_tests::families::*;
use skellam_tests::quadrature::{Priors, component, likelihood, rank_one, rank_two};
use skellam_tests::statistics::ln_gamma;
use special::Gamma;

const FORMS: [(CaviForm, Kind); 3] = [
    (CaviForm::Collapsed, Kind::Collapsed),
    (CaviForm::Collapsed, Kind::Exact),
    (CaviForm::Augmented, Kind::Augmented),
];

/// Shape and rate of each latent's prior.
fn priors<F: HasTwin>(family: &F) -> Vec<[f64; 2]> {
    let leaves = family.twin().leaves;
    leaves.iter().map(|l| [l.prior_shape, l.prior_rate]).collect()
}

/// The bound written out at an arbitrary posterior, divergences as in a textbook: to 1e-11 of the sum
/// of the sizes of its terms.
fn is_what_it_says<F: HasTwin<Law = TwoSidedGeometric>>(family: &F, name: &str) {
    let (twin, priors) = (family.twin(), priors(family));
    for (form, kind) in FORMS {
        for (seed, case) in (1..).zip(Case::all(twin.shape.len()).into_iter().filter(|c| c.kind == kind)) {
            let observed = Observed::new(case, &twin.shape, seed);
            let model = observed.bind(family, None);
            let mut rng = stream(seed);
            let mut some = |low: f64, high: f64| -> Vec<Vec<f64>> {
                let zeros = twin.zeros().into_iter();
                zeros
                    .map(|x| x.iter().map(|_| rng.random_range(low..high)).collect())
                    .collect()
            };
            let (shapes, rates) = (some(0.3, 4.0), some(0.5, 3.0));
            let each = |f: fn(f64, f64) -> f64| -> Vec<Vec<f64>> {
                let pairs = shapes.iter().zip(&rates);
                pairs
                    .map(|(s, r)| s.iter().zip(r).map(|(s, r)| f(*s, *r)).collect())
                    .collect()
            };
            let mean = each(|s, r| s / r);
            let geometric = each(|s, r| s.digamma().exp() / r);
            let (_, cells) = observed.expected(&twin, &geometric);
            let weighed: f64 = twin
                .rates(&mean)
                .iter()
                .zip(observed.weights())
                .map(|(mu, w)| mu * w)
                .sum();
            let mut divergence = 0.0;
            for ((shapes, rates), &[a, b]) in shapes.iter().zip(&rates).zip(&priors) {
                for (&s, &r) in shapes.iter().zip(rates) {
                    // E_q ln q - E_q ln p.
                    let mean_ln = s.digamma() - r.ln();
                    let ln_q = s * r.ln() - ln_gamma(s) + (s - 1.0) * mean_ln - s;
                    let ln_p = a * b.ln() - ln_gamma(a) + (a - 1.0) * mean_ln - b * s / r;
                    divergence += ln_q - ln_p;
                }
            }
            let mut ascent = Ascent::new(&model, form, CaviStart::Dispersed, 1, 0);
            let bound = ascent.bound_at(&shapes, &rates).unwrap();
            let size = cells.abs() + weighed + divergence;
            let gap = bound - (cells - weighed - divergence);
            assert!(gap.abs() < 1e-11 * size, "{name}, {case:?}: {bound} off by {gap:e}");
        }
    }
}

#[test]
fn the_bound_is_what_it_says() {
    is_what_it_says(&MatrixAt(9, 7, 3), "matrix");
    is_what_it_says(&BackgroundAt(9, 7, 2), "background");
    is_what_it_says(&OffsetAt(9, 7, 2), "offset");
    is_what_it_says(&TuckerAt([4, 5, 3], [2, 3, 2]), "tucker");
}

const PRIORS: Priors = Priors {
    theta: (2.0, 1.5),
    phi: (1.5, 1.0),
};

fn settings(form: CaviForm) -> Cavi {
    Cavi {
        max_iters: 4000,
        tol: 0.0,
        num_restarts: 4,
        form,
        ..Cavi::default()
    }
}

/// The bound, the evidence and the gap between them, for both forms; the looser one lies lower.
#[test]
fn the_bound_stays_below_the_evidence_of_releases() {
    for (alpha, c) in [
        (0.4, [[3, 0], [1, -1]]),
        (0.6, [[5, 2], [-3, 0]]),
        (0.1, [[2, 1], [0, 4]]),
        (0.5, [[-1, -2], [0, -1]]),
    ] {
        let (evidence, _) = rank_one(c, alpha, PRIORS);
        let law = Varying::Uniform(TwoSidedGeometric::new(alpha).unwrap());
        let released = Released::assert_mechanism(vec![2, 2], c.concat(), law).unwrap();
        let fit = |form| {
            Matrix::new(&released)
                .unwrap()
                .topics(1)
                .cavi(&settings(form))
                .unwrap()
                .elbo
                .unwrap()
        };
        let (collapsed, augmented) = (fit(CaviForm::Collapsed), fit(CaviForm::Augmented));
        println!("alpha {alpha}, {c:?}: evidence {evidence:.4}, collapsed {collapsed:.4}, augmented {augmented:.4}");
        assert!(collapsed < evidence, "{c:?}");
        assert!(augmented < collapsed, "{c:?}");
    }
}

#[test]
fn the_bound_stays_below_the_evidence_of_counts() {
    for y in [[[3, 0], [1, 2]], [[0, 0], [0, 0]], [[5, 1], [0, 4]]] {
        let counts = Counts::dense(vec![2, 2], y.concat().iter().map(|&y| y as i64).collect()).unwrap();
        let fit = |k| {
            Matrix::exact(&counts)
                .unwrap()
                .topics(k)
                .cavi(&settings(CaviForm::Collapsed))
                .unwrap()
        };
        let c = y.map(|row: [u64; 2]| row.map(|y| y as i64));
        for (k, evidence) in [(1, rank_one(c, 0.0, PRIORS).0), (2, rank_two(y, PRIORS))] {
            let bound = fit(k).elbo.unwrap();
            println!("{y:?}, {k} components: evidence {evidence:.4}, bound {bound:.4}");
            assert!(bound < evidence, "{y:?}, {k} components: {bound} {evidence}");
        }
    }
}

/// Two ways to the evidence of one component that share no code but the gamma function: a grid over both
/// factors, and a closed form with one dimension left.
#[test]
fn the_evidence_is_right() {
    for y in [[[3, 0], [1, 2]], [[0, 0], [0, 0]], [[5, 1], [0, 4]]] {
        let grid = rank_one(y.map(|row: [u64; 2]| row.map(|y| y as i64)), 0.0, PRIORS).0;
        let closed = component(y, PRIORS).ln();
        assert!((grid - closed).abs() < 1e-9, "{y:?}: {grid} {closed}");
    }
    for (rate, c, alpha) in [(2.0, 1, 0.3), (0.1, -2, 0.6), (7.0, 4, 0.5)] {
        let channel = TwoSidedGeometric::new(alpha).unwrap().ln_marginal(rate, c).exp();
        assert!(
            (likelihood(rate, c, alpha) / channel - 1.0).abs() < 1e-12,
            "{rate}, {c}, {alpha}"
        );
    }
}
