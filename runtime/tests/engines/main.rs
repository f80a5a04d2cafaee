//! The engines on a model written by hand: bounds, frozen latents, simplices, parents, slices, custom updates.

mod own;
mod toy;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::Error;
use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::counts::Counts;
use skellam::error::{FormError, RunError};
use skellam::infer::{
    Ascent, Cavi, CaviFit, CaviForm, CaviStart, Chain, Gibbs, GibbsFit, GibbsForm, GibbsRun, LatentDraws, Progress,
    cavi, gibbs,
};
use skellam::model::{Constant, Factors, FormKind, Guard, Labels, Model, Observed, Root, Rules, Update};
use skellam::release::Released;
use skellam::streams::Stream;
use skellam::view::{Side, View};
use toy::{Kind, Toy, grid};

const SIZES: [usize; 3] = [7, 9, 3];
const SIMPLEX: &[Constant] = &[Constant {
    index: "words",
    axis: 1,
    latent: "phi",
    position: 1,
}];

fn released([docs, words, _]: [usize; 3], seed: u64) -> Observed<TwoSidedGeometric> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let values = (0..docs * words).map(|_| rng.random_range(-2..7)).collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    Observed::released(&Released::assert_mechanism(vec![docs, words], values, law).unwrap())
}

fn toy(kind: Kind, form: FormKind) -> Toy {
    toy_of(kind, form, SIZES, &[])
}

fn toy_of(kind: Kind, form: FormKind, sizes: [usize; 3], guards: &'static [Guard]) -> Toy {
    Toy::new(kind, sizes, view_of(kind, form, sizes, guards))
}

fn view_of(kind: Kind, form: FormKind, sizes: [usize; 3], guards: &'static [Guard]) -> View {
    let constant = if kind.simplex { SIMPLEX } else { &[] };
    let view = released(sizes, 5).bind("y", grid(sizes), form, &Rules { guards, constant });
    view.unwrap()
}

/// With a custom update.
fn updated_by(kind: Kind, form: FormKind, update: impl Update + Send + 'static) -> Toy {
    Toy::updated_by(kind, SIZES, view_of(kind, form, SIZES, &[]), update)
}

fn kinds() -> Vec<Kind> {
    let flags = [false, true];
    let pairs = flags
        .iter()
        .flat_map(|&parents| flags.map(|simplex| (parents, simplex)));
    pairs
        .map(|(parents, simplex)| Kind {
            parents,
            simplex,
            ..Kind::default()
        })
        .collect()
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
fn ascend(model: &Toy, start: CaviStart) -> (f64, f64) {
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
        for frozen in [None, Some(0), Some(1), Some(2)] {
            let mut model = toy(kind, FormKind::Collapsed);
            if let Some(latent) = frozen {
                model.freeze(latent, values(kind, SIZES)[latent].clone());
            }
            for start in [CaviStart::Dispersed, CaviStart::PriorMean] {
                let (slope, fall) = ascend(&model, start);
                assert!(slope < 1e-6, "{kind:?}, frozen {frozen:?}, {start:?}: slope {slope:e}");
                assert!(fall < 1e-9, "{kind:?}, frozen {frozen:?}, {start:?}: fell by {fall:e}");
            }
        }
    }
}

/// A parent that sees half of its children ends where the bound is not flat.
#[test]
fn a_wrong_update_of_a_parent_is_found() {
    let kind = Kind {
        parents: true,
        mutant: true,
        ..Kind::default()
    };
    let (slope, _) = ascend(&toy(kind, FormKind::Collapsed), CaviStart::Dispersed);
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
    let mut model = toy(kind, FormKind::Collapsed);
    let [theta, phi, _] = values(kind, SIZES);
    let likelihood = {
        let mut both = toy(Kind::default(), FormKind::Collapsed);
        both.freeze(0, theta.clone());
        both.freeze(1, phi.clone());
        both.freeze(2, vec![1.0; SIZES[0]]);
        Ascent::new(&both, CaviForm::Collapsed, CaviStart::Dispersed, 1, 0)
            .iterate(0.0, true)
            .unwrap()
    };
    model.freeze(0, theta.clone());
    model.freeze(1, phi);
    let mut ascent = Ascent::new(&model, CaviForm::Collapsed, CaviStart::Dispersed, 1, 0);
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
        for latent in 0..3 {
            let mut model = toy(kind, FormKind::Collapsed);
            let given = values(kind, SIZES)[latent].clone();
            model.freeze(latent, given.clone());
            let chain = Chain::starting_at(&model, model.factors(), 1, 0);
            assert_eq!(chain.values()[latent], given);
            let run = gibbs(&model, &quick(GibbsForm::Collapsed), |chain, _| {
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
            let run = cavi(&model, &settings, |ascent, _| assert_eq!(ascent.means()[latent], given)).unwrap();
            let fit = CaviFit::new(&model, run, Labels::default());
            for at in 0..3 {
                let (mean, variance, frozen, width) = if at == 1 && kind.simplex {
                    let simplex = fit.simplex::<skellam::counts::Array>(at);
                    (
                        simplex.mean().unwrap(),
                        simplex.variance(),
                        simplex.is_frozen(),
                        simplex.concentration(),
                    )
                } else {
                    let gamma = fit.posterior::<skellam::counts::Array>(at);
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
        let model = toy(kind, FormKind::Collapsed);
        let mut chain = Chain::new(&model, 4, 0);
        let mean = model.view().mean_observation();
        assert!((chain.mean_rates()[0] / mean - 1.0).abs() < 1e-5);
        // A dispersed entry is at least one before it is scaled; those of parents are not.
        assert!(chain.values()[2].iter().all(|xi| *xi >= 1.0));
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
    let mut model = toy(kind, FormKind::Collapsed);
    let theta = values(kind, SIZES)[0].clone();
    model.freeze(0, theta.clone());
    let chain = Chain::new(&model, 4, 0);
    assert_eq!(chain.values()[0], theta);
}

#[test]
fn runs_do_not_depend_on_threads() {
    // Larger than a block, so that there is something to divide.
    let sizes = [900, 40, 3];
    for slices in [false, true] {
        let kind = Kind {
            parents: true,
            simplex: true,
            slices,
            mutant: false,
        };
        let model = toy_of(kind, FormKind::Collapsed, sizes, &[]);
        let run = |threads| {
            let settings = Gibbs {
                num_threads: Some(threads),
                ..quick(GibbsForm::Collapsed)
            };
            let run = gibbs(&model, &settings, |_, _| {}).unwrap();
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
            let fit = cavi(&model, &settings, |_, _| {}).unwrap();
            (draws, fit.shape, fit.rate, fit.trace)
        };
        assert_eq!(run(1), run(3));
    }
}

/// Documents do not meet in a cell: updated one after another they reach the fixed points of the whole.
#[test]
fn slices_that_do_not_meet_are_the_whole() {
    let fit = |slices| {
        let kind = Kind {
            parents: true,
            slices,
            ..Kind::default()
        };
        let model = toy(kind, FormKind::Collapsed);
        let mut ascent = Ascent::new(&model, CaviForm::Collapsed, CaviStart::Dispersed, 2, 0);
        (0..6).for_each(|_| _ = ascent.iterate(0.0, true));
        (
            ascent.means().clone(),
            ascent.shapes().to_vec(),
            ascent.rates().to_vec(),
        )
    };
    let (whole, sliced) = (fit(false), fit(true));
    let numbers = |(means, shapes, rates): (Factors, Vec<Vec<f64>>, Vec<Vec<f64>>)| -> Vec<f64> {
        (means.iter().map(<[f64]>::to_vec))
            .chain(shapes)
            .chain(rates)
            .flatten()
            .collect()
    };
    for (a, b) in numbers(whole).into_iter().zip(numbers(sliced)) {
        assert!((a - b).abs() <= 1e-10 * a.abs(), "{a} {b}");
    }
}

#[test]
fn a_root_knows_when_a_slice_has_nothing_to_do() {
    let model = toy(Kind::default(), FormKind::Collapsed);
    let mut root = Root::new(model.view());
    let [theta, phi, _] = values(Kind::default(), SIZES);
    root.operands.left.copy_from_slice(&theta);
    root.operands.right.copy_from_slice(&phi);
    for d in 0..SIZES[0] {
        root.exposure_slice(Side::Left, &[(0, d)], model.view());
    }
    let by_slice = root.seeds.left.clone();
    // The side as a whole is not valid yet: it is computed, to the same values.
    root.seeds.left.fill(-1.0);
    root.exposure_left(model.view());
    assert!(
        by_slice
            .iter()
            .zip(&root.seeds.left)
            .all(|(a, b)| (a - b).abs() < 1e-12 * b)
    );
    // Now it is, and a slice has nothing to do.
    root.seeds.left.fill(-1.0);
    root.exposure_slice(Side::Left, &[(0, 1)], model.view());
    assert!(root.seeds.left.iter().all(|e| *e == -1.0));
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
    let error = cavi(&toy(kind, FormKind::Augmented), &settings, |_, _| {})
        .map(|_| ())
        .unwrap_err();
    assert!(
        matches!(error, Error::Form(FormError::PublishedSimplex { latent: "phi" })),
        "{error}"
    );
    // Frozen latents have second moments too.
    let mut model = toy(Kind::default(), FormKind::Augmented);
    model.freeze(1, values(Kind::default(), SIZES)[1].clone());
    let run = cavi(&model, &settings, |_, _| {}).unwrap();
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
    const LESS: &[Guard] = &[Guard {
        left: 0,
        right: 1,
        less: true,
    }];
    let sizes = [8, 8, 2];
    let model = toy_of(Kind::default(), FormKind::Collapsed, sizes, LESS);
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
    let observed = Observed::exact(&counts).unwrap();
    let sizes = [2, 2, 1];
    let view = observed
        .bind("y", grid(sizes), FormKind::Collapsed, &Rules::default())
        .unwrap();
    let mut model = Toy::new(Kind::default(), sizes, view);
    model.freeze(0, vec![1.0, 0.0]);
    let error = gibbs(&model, &quick(GibbsForm::Collapsed), |_, _| {})
        .map(|_| ())
        .unwrap_err();
    assert!(
        matches!(&error, Error::Run(RunError::ImpossibleCell { count: "y", cell, .. }) if cell == &[1, 0]),
        "{error}"
    );
}
