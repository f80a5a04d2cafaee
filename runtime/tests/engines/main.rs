//! The engines on small matrices: starts and bounds where latents are frozen, on simplices, or parents.

mod models;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::infer::{Ascent, Cavi, CaviForm, CaviStart, Chain, Progress, cavi};
use skellam::model::{FormKind, Model};
use skellam::release::Released;

use models::{Kind, PHI, THETA, XI, bound};

const SIZES: [usize; 3] = [7, 9, 3];

fn released([docs, words, _]: [usize; 3], seed: u64) -> Released<TwoSidedGeometric> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let values = (0..docs * words).map(|_| rng.random_range(-2..7)).collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    Released::assert_mechanism(vec![docs, words], values, law).unwrap()
}

fn model(kind: Kind, form: FormKind) -> Box<dyn Model> {
    frozen(kind, form, None)
}

/// With a latent that is frozen.
fn frozen(kind: Kind, form: FormKind, latent: Option<usize>) -> Box<dyn Model> {
    let values = latent.map(|latent| (latent, values(kind, SIZES)[latent].clone()));
    bound(kind, (&released(SIZES, 5), SIZES[2]), form, values.as_slice())
}

fn kinds() -> Vec<Kind> {
    let flags = [false, true];
    let pairs = flags
        .iter()
        .flat_map(|&parents| flags.map(|simplex| (parents, simplex)));
    pairs.map(|(parents, simplex)| Kind { parents, simplex }).collect()
}

/// Rows of `theta`, lines of `phi`, and values of `xi` to freeze.
fn values(kind: Kind, [docs, words, topics]: [usize; 3]) -> [Vec<f64>; 3] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut out = [docs * topics, words * topics, docs].map(|n| {
        let values: Vec<f64> = (0..n).map(|_| 0.2 + rng.random::<f64>()).collect();
        values
    });
    if kind.simplex {
        for k in 0..topics {
            let sum: f64 = (0..words).map(|v| out[1][v * topics + k]).sum();
            (0..words).for_each(|v| out[1][v * topics + k] /= sum);
        }
    }
    out
}

/// The bound is below the evidence however the parents lie: with everything frozen it is the log likelihood of
/// the children, and constants count.
#[test]
fn with_all_frozen_but_the_parents_the_bound_is_exact_where_it_is_conjugate() {
    let kind = Kind {
        parents: true,
        ..Kind::default()
    };
    let [theta, phi, _] = values(kind, SIZES);
    let frozen = |kind: Kind, latents: &[(usize, Vec<f64>)]| {
        bound(kind, (&released(SIZES, 5), SIZES[2]), FormKind::Collapsed, latents)
    };
    let both = [(THETA, theta.clone()), (PHI, phi)];
    let likelihood = {
        let model = frozen(Kind::default(), &both);
        let mut ascent = Ascent::new(&*model, CaviForm::Collapsed, CaviStart::Dispersed, 1, 0);
        ascent.iterate(0.0, true).unwrap()
    };
    let model = frozen(kind, &both);
    let mut ascent = Ascent::new(&*model, CaviForm::Collapsed, CaviStart::Dispersed, 1, 0);
    ascent.iterate(0.0, false);
    let bound = ascent.iterate(0.0, true).unwrap();
    // ln p(theta) with xi integrated out: q(xi) is its posterior, so the bound is tight.
    let ln_gamma = skellam::math::special::ln_gamma;
    let evidence: f64 = theta
        .chunks(SIZES[2])
        .map(|row| {
            let (a, a0, b0, n) = (0.6, 2.0, 1.5f64, row.len() as f64);
            let logs: f64 = row.iter().map(|x| (a - 1.0) * x.ln() - ln_gamma(a)).sum();
            let sum: f64 = row.iter().sum();
            logs + a0 * b0.ln() - ln_gamma(a0) + ln_gamma(a0 + n * a) - (a0 + n * a) * (b0 + sum).ln()
        })
        .sum();
    assert!(
        (bound - likelihood - evidence).abs() < 1e-9,
        "{bound} {likelihood} {evidence}"
    );
}

/// Simplices stay on their lines through starts and sweeps, and the scaling leaves them and parents alone.
#[test]
fn starts_are_on_simplices_and_scaled_to_the_data() {
    for kind in kinds() {
        let model = &*model(kind, FormKind::Collapsed);
        let mut chain = Chain::new(model, 4, 0);
        let mean = model.views()[0].mean_observation();
        assert!((chain.mean_rates()[0] / mean - 1.0).abs() < 1e-5);
        // A dispersed entry is at least one before it is scaled; those of parents are not.
        assert!(!kind.parents || chain.values()[XI].iter().all(|xi| *xi >= 1.0));
        for _ in 0..5 {
            if kind.simplex {
                for k in 0..SIZES[2] {
                    let sum: f64 = (0..SIZES[1]).map(|v| chain.values()[1][v * SIZES[2] + k]).sum();
                    assert!((sum - 1.0).abs() < 1e-12);
                }
            }
            chain.sweep();
        }
    }
}

/// Where every rate is made of simplices and frozen latents there is nothing to scale.
#[test]
fn a_start_without_anything_to_scale_is_left_alone() {
    let kind = Kind {
        simplex: true,
        ..Kind::default()
    };
    let model = frozen(kind, FormKind::Collapsed, Some(THETA));
    let chain = Chain::new(&*model, 4, 0);
    assert_eq!(chain.values()[THETA], values(kind, SIZES)[THETA]);
}

/// The published form reads second moments, which frozen latents have, too.
#[test]
fn frozen_latents_have_second_moments() {
    let settings = Cavi {
        form: CaviForm::Published,
        progress: Progress::Hidden,
        max_iters: 3,
        anneal_iters: 1,
        ..Cavi::default()
    };
    let model = frozen(Kind::default(), FormKind::Augmented, Some(PHI));
    let run = cavi(&*model, &settings, |_, _| {}).unwrap();
    let rates = run.rates[0].to_vec().unwrap();
    assert!(run.shape[0].iter().chain(&rates).all(|v| v.is_finite()));
}
