//! Updates of a user's own: they run where the derived ones did, in both engines, and are judged.

use skellam::RunError;
use skellam::math::streams::Stream;
use skellam::prelude::*;

/// A gamma cut at [`TOP`]: drawn again until it is below.
struct Truncated;

/// Far above anything the data of these tests ask for.
const TOP: f64 = 1e6;

impl Update for Truncated {
    fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
        for (i, x) in x.iter_mut().enumerate() {
            *x = loop {
                let draw = skellam::math::distribution::gamma_draw(shape[i], rng) / rate[i];
                if draw < TOP {
                    break draw;
                }
            };
        }
    }
}

/// Pins what it updates: a posterior as narrow as `1 / STRENGTH` around [`PIN`].
struct Pinned;

const PIN: f64 = 0.75;
const STRENGTH: f64 = 1e9;

impl Update for Pinned {
    fn draw(&self, _: &[f64], _: &[f64], x: &mut [f64], _: &mut Stream) {
        x.fill(PIN);
    }

    fn ascend(&self, shape: &mut [f64], rate: &mut [f64]) {
        shape.fill(STRENGTH);
        rate.fill(STRENGTH / PIN);
    }
}

/// Leaves a number that no factor can have.
struct Broken;

impl Update for Broken {
    fn draw(&self, _: &[f64], _: &[f64], x: &mut [f64], _: &mut Stream) {
        x[1] = f64::NAN;
    }

    fn ascend(&self, shape: &mut [f64], _: &mut [f64]) {
        shape[1] = -1.0;
    }
}

macro_rules! matrix {
    ($name:ident, $update:ident) => {
        skellam::model! {
            model $name {
                index docs, words, topics;
                latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
                latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
                update theta by $update;
            }
        }
    };
}

matrix!(WithTruncated, Truncated);
matrix!(WithPinned, Pinned);
matrix!(WithBroken, Broken);

/// Nothing of its own: every method is the default of the trait.
struct Conjugate;

impl Update for Conjugate {}

/// An update of simplices that forgets to normalise.
struct Unnormalised;

impl Update for Unnormalised {
    fn draw_simplex(&self, _: &[f64], x: &mut [f64], _: &mut Stream) {
        x.fill(1.0);
    }

    fn ascend_simplex(&self, concentration: &mut [f64]) {
        concentration[2] = f64::NAN;
    }
}

macro_rules! simplices {
    ($name:ident $(, $theta:ident, $phi:ident)?) => {
        skellam::model! {
            model $name {
                index docs, words, topics;
                latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
                latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.5, along = v);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
                $(update theta by $theta;
                update phi by $phi;)?
            }
        }
    };
}

simplices!(Plain);
simplices!(WithConjugate, Conjugate, Conjugate);
simplices!(WithUnnormalised, Conjugate, Unnormalised);

fn counts() -> Counts {
    let values = (0..30).map(|i| i * 7 % 5).collect();
    Counts::dense(vec![5, 6], values).unwrap()
}

fn settings() -> Gibbs {
    Gibbs {
        num_tune: 20,
        num_draws: 20,
        thin: Some(1),
        num_chains: Some(1),
        seed: 3,
        progress: Progress::Hidden,
        // Joint moves leave a latent with an update of its own where it is, whatever that update does.
        moves: Moves::Nothing,
        ..Gibbs::default()
    }
}

/// In both engines a custom conjugate update makes the draws that the derived one makes. An ascent does not leap over a
/// custom update, so that there are no checks here, at which leaps are made; nor do the joint moves of a chain that samples a start.
#[test]
fn the_default_of_the_trait_is_the_derived_update() {
    let counts = counts();
    let plain = Plain::new(&counts).unwrap().topics(2);
    let own = WithConjugate::new(&counts).unwrap().topics(2);
    let ascent = Cavi {
        max_iters: 60,
        anneal_iters: 30,
        check_every: 100,
        start: CaviStart::Dispersed,
        ..Cavi::default()
    };
    let (a, b) = (plain.cavi(&ascent).unwrap(), own.cavi(&ascent).unwrap());
    assert_eq!(a.theta.mean().unwrap(), b.theta.mean().unwrap());
    assert_eq!(a.elbo, b.elbo);
    let (a, b) = (plain.gibbs(&settings()).unwrap(), own.gibbs(&settings()).unwrap());
    let far = a
        .phi
        .as_slice()
        .unwrap()
        .iter()
        .zip(b.phi.as_slice().unwrap())
        .map(|(a, b)| (a / b - 1.0).abs());
    // The engine takes logarithms of many rates at once, which may round otherwise than one by one.
    assert!(far.fold(0.0, f64::max) < 1e-9);
}

#[test]
fn a_right_update_passes_its_self_test() {
    let report = skellam_check::check::<WithTruncated>();
    assert!(report.passed(), "{report}");
}

#[test]
fn an_update_has_the_last_word_in_both_engines() {
    let counts = counts();
    let model = WithPinned::new(&counts).unwrap().topics(2);
    let fit = model.gibbs(&settings()).unwrap();
    assert!(fit.theta.as_slice().unwrap().iter().all(|x| *x == PIN));
    let fit = model.cavi(&Cavi::default()).unwrap();
    assert!(fit.theta.mean().unwrap().iter().all(|x| (x - PIN).abs() < 1e-12));
    assert!(fit.phi.mean().unwrap().iter().all(|x| (x - PIN).abs() > 1e-6));
}

#[test]
fn what_is_no_value_of_a_factor_ends_the_run() {
    let model = WithBroken::new(&counts()).unwrap().topics(2);
    for error in [
        model.gibbs(&settings()).unwrap_err(),
        model.cavi(&Cavi::default()).unwrap_err(),
    ] {
        let words = error.to_string();
        assert!(words.contains("`theta`") && words.contains("entry 1"), "{words}");
    }
    let model = WithUnnormalised::new(&counts()).unwrap().topics(2);
    let error = model.gibbs(&settings()).unwrap_err();
    let is_of_line = matches!(
        error,
        Error::Run(RunError::CustomSimplex {
            latent: "phi",
            line: 0,
            sum: 6.0
        })
    );
    assert!(is_of_line, "{error}");
    let error = model.cavi(&Cavi::default()).unwrap_err();
    assert!(
        matches!(error, Error::Run(RunError::CustomUpdate { latent: "phi", .. })),
        "{error}"
    );
}
