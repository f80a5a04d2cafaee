//! The engines on small matrices: bounds, frozen latents, simplices, parents, custom updates.

mod models;
mod own;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::Error;
use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::counts::{Array, Counts};
use skellam::error::{FormError, RunError};
use skellam::infer::{
    Ascent, Cavi, CaviFit, CaviForm, CaviStart, Chain, Gibbs, GibbsFit, GibbsForm, GibbsRun, LatentDraws, Progress,
    cavi, gibbs,
};
use skellam::model::{FormKind, Labels, Model, Update};
use skellam::release::Released;
use skellam::streams::Stream;

use models::{Change, Changed, Kind, PHI, Pairs, Plain, THETA, XI, bound};
use own::Own;

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

/// With a custom update of `theta`, or of a simplex `phi`.
fn updated_by<U: Update + Send + 'static>(kind: Kind, form: FormKind, update: U) -> Changed<Own<U>> {
    Changed {
        model: model(kind, form),
        latent: if kind.simplex { PHI } else { THETA },
        change: Own(update),
    }
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

/// Largest derivative of the bound with respect to the logarithm of a parameter, by differences of fourth
/// order: they err by 1e-12 of h^4 and by the bound's rounding over h.
fn slope(ascent: &mut Ascent<'_>) -> f64 {
    let (shapes, rates) = (ascent.shapes().to_vec(), ascent.rates().to_vec());
    let (h, mut largest) = (1e-3, 0.0f64);
    for latent in 0..shapes.len() {
        for entry in (0..shapes[latent].len()).filter(|&e| shapes[latent][e].is_finite()) {
            for of_shape in [true, false] {
                let mut at = |t: f64| {
                    let (mut s, mut r) = (shapes.clone(), rates.clone());
                    let moved = if of_shape { &mut s } else { &mut r };
                    moved[latent][entry] *= t.exp();
                    ascent.bound_at(&s, &r).unwrap()
                };
                let difference = 8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h));
                largest = largest.max((difference / (12.0 * h)).abs());
            }
        }
    }
    ascent.bound_at(&shapes, &rates);
    largest
}

/// Runs to a fixed point; returns the slope there and the largest fall of the bound on the way.
fn ascend(model: &dyn Model, start: CaviStart) -> (f64, f64) {
    let mut ascent = Ascent::new(model, CaviForm::Collapsed, start, 2, 0);
    let (mut last, mut fall) = (f64::NEG_INFINITY, 0.0f64);
    for i in 0..8000 {
        if let Some(bound) = ascent.iterate(0.0, i < 400 && i > 0) {
            fall = fall.max(last - bound);
            last = bound;
        }
    }
    (slope(&mut ascent), fall)
}

#[test]
fn the_bound_rises_to_a_point_where_it_is_flat() {
    for kind in kinds() {
        for latent in std::iter::once(None).chain((0..kind.latents()).map(Some)) {
            let model = frozen(kind, FormKind::Collapsed, latent);
            for start in [CaviStart::Dispersed, CaviStart::PriorMean] {
                let (slope, fall) = ascend(&*model, start);
                assert!(slope < 1e-6, "{kind:?}, frozen {latent:?}, {start:?}: slope {slope:e}");
                assert!(fall < 1e-9, "{kind:?}, frozen {latent:?}, {start:?}: fell by {fall:e}");
            }
        }
    }
}

/// A parent that sees half of its children.
struct Halved;

impl Change for Halved {
    fn parameters(&self, [shape, rate]: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
        [shape, rate.iter().map(|rate| 1.5 + 0.5 * (rate - 1.5)).collect()]
    }
}

/// It ends where the bound is not flat.
#[test]
fn a_wrong_update_of_a_parent_is_found() {
    let kind = Kind {
        parents: true,
        ..Kind::default()
    };
    let halved = Changed {
        model: model(kind, FormKind::Collapsed),
        latent: XI,
        change: Halved,
    };
    let (slope, _) = ascend(&halved, CaviStart::Dispersed);
    assert!(slope > 1e-2, "{slope:e}");
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
    let ln_gamma = skellam::special::ln_gamma;
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

fn quick(form: GibbsForm) -> Gibbs {
    Gibbs {
        num_tune: 3,
        num_draws: 2,
        thin: Some(2),
        num_chains: Some(2),
        form,
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

/// The kept draws of a latent.
fn kept(run: &GibbsRun, latent: usize) -> &[f64] {
    match &run.latents[latent].1 {
        LatentDraws::Draws(draws) => draws,
        other => panic!("{other:?}"),
    }
}

#[test]
fn frozen_latents_keep_their_bits() {
    for kind in kinds() {
        for latent in 0..kind.latents() {
            let model = &*frozen(kind, FormKind::Collapsed, Some(latent));
            let given = values(kind, SIZES)[latent].clone();
            let chain = Chain::starting_at(model, model.factors(), 1, 0);
            assert_eq!(chain.values()[latent], given);
            let run = gibbs(model, &quick(GibbsForm::Collapsed), |chain, _| {
                assert_eq!(chain.values()[latent], given);
            })
            .unwrap();
            let draws = kept(&run, latent);
            assert!(!draws.is_empty() && draws.chunks(given.len()).all(|draw| draw == given));
            let settings = Cavi {
                max_iters: 12,
                anneal_iters: 6,
                num_restarts: 1,
                progress: Progress::Hidden,
                ..Cavi::default()
            };
            let run = cavi(model, &settings, |ascent, _| assert_eq!(ascent.means()[latent], given)).unwrap();
            let fit = CaviFit::new(model, run, Labels::default());
            for at in 0..kind.latents() {
                let (mean, variance, frozen, width) = if at == 1 && kind.simplex {
                    let simplex = fit.simplex::<Array>(at);
                    (
                        simplex.mean().unwrap(),
                        simplex.variance(),
                        simplex.is_frozen(),
                        simplex.concentration(),
                    )
                } else {
                    let gamma = fit.posterior::<Array>(at);
                    assert_eq!(gamma.is_frozen(), gamma.rate().as_slice()[0].is_infinite());
                    (
                        gamma.mean().unwrap(),
                        gamma.variance(),
                        gamma.is_frozen(),
                        gamma.shape(),
                    )
                };
                assert_eq!(frozen, at == latent);
                if frozen {
                    assert_eq!(mean.as_slice(), given);
                    assert!(variance.as_slice().iter().all(|v| *v == 0.0));
                    assert!(width.as_slice().iter().all(|v| v.is_infinite()));
                } else {
                    assert!(variance.as_slice().iter().all(|v| *v > 0.0 && v.is_finite()));
                    assert!(width.as_slice().iter().all(|v| v.is_finite()));
                }
            }
        }
    }
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

#[test]
fn runs_do_not_depend_on_threads() {
    // Larger than a block, so that there is something to divide.
    let sizes = [900, 40, 3];
    let kind = Kind {
        parents: true,
        simplex: true,
    };
    let model = &*bound(kind, (&released(sizes, 5), sizes[2]), FormKind::Collapsed, &[]);
    let run = |threads| {
        let settings = Gibbs {
            num_threads: Some(threads),
            ..quick(GibbsForm::Collapsed)
        };
        let run = gibbs(model, &settings, |_, _| {}).unwrap();
        let draws: Vec<Vec<f64>> = (0..3).map(|latent| kept(&run, latent).to_vec()).collect();
        let settings = Cavi {
            max_iters: 6,
            num_restarts: 1,
            anneal_iters: 2,
            check_every: 1,
            num_threads: Some(threads),
            progress: Progress::Hidden,
            ..Cavi::default()
        };
        let fit = cavi(model, &settings, |_, _| {}).unwrap();
        (draws, fit.shape, fit.rate, fit.trace)
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn the_published_form_refuses_simplices() {
    let kind = Kind {
        simplex: true,
        ..Kind::default()
    };
    let settings = Cavi {
        form: CaviForm::Published,
        progress: Progress::Hidden,
        max_iters: 3,
        anneal_iters: 1,
        ..Cavi::default()
    };
    let error = cavi(&*model(kind, FormKind::Augmented), &settings, |_, _| {})
        .map(|_| ())
        .unwrap_err();
    assert!(
        matches!(error, Error::Form(FormError::PublishedSimplex { latent: "phi" })),
        "{error}"
    );
    // Frozen latents have second moments too.
    let model = frozen(Kind::default(), FormKind::Augmented, Some(PHI));
    let run = cavi(&*model, &settings, |_, _| {}).unwrap();
    assert!(
        run.shape[0]
            .iter()
            .chain(&run.rates[0].to_vec().unwrap())
            .all(|v| v.is_finite())
    );
}

/// A count whose `where` clause leaves out half of its cells: their rates are zero, and bounds rise still.
#[test]
fn rates_outside_the_model_are_zero() {
    let model = Pairs::new(&released([8, 8, 2], 5)).unwrap().topics(2);
    let model = model.bind(FormKind::Collapsed).unwrap();
    let run = gibbs(&model, &quick(GibbsForm::Collapsed), |_, _| {}).unwrap();
    let fit = GibbsFit::new(&model, run, Labels::default());
    let rates: nalgebra::DMatrix<f64> = fit.rate_array(0).unwrap();
    for i in 0..8 {
        for j in 0..8 {
            assert_eq!(rates[(i, j)] > 0.0, i < j);
        }
    }
    let (slope, fall) = ascend(&model, CaviStart::Dispersed);
    assert!(slope < 1e-6 && fall < 1e-9, "{slope:e} {fall:e}");
}

#[test]
fn an_impossible_cell_names_its_count() {
    let counts = Counts::dense(vec![2, 2], vec![0, 0, 3, 1]).unwrap();
    let theta = Array::new(vec![2, 1], vec![1.0, 0.0]).unwrap();
    let model = Plain::exact(&counts).unwrap().topics(1).freeze_theta(theta);
    let error = model.gibbs(&quick(GibbsForm::Collapsed)).map(|_| ()).unwrap_err();
    assert!(
        matches!(&error, Error::Run(RunError::ImpossibleCell { count: "y", cell, .. }) if cell == &[1, 0]),
        "{error}"
    );
}
