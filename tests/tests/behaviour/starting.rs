//! Runs that start where a user says.

use skellam::infer::Chain;
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam::{QueryError, SettingError, ValueError};

model! {
    model Plain {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 0.1);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.5, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

/// Two topics that no document mixes: every order of them is a mode, which neither engine leaves.
fn model() -> Plain {
    let counts = vec![40, 30, 0, 0, 50, 20, 0, 0, 0, 0, 60, 20, 0, 0, 30, 30];
    let counts = Counts::dense(vec![4, 4], counts).unwrap();
    Plain::new(&counts).unwrap().topics(2)
}

fn phi([first, second]: [[f64; 4]; 2]) -> Array {
    Array::new(vec![2, 4], [first, second].concat()).unwrap()
}

#[test]
fn both_engines_start_where_they_are_told() {
    let (left, right) = ([0.49, 0.49, 0.01, 0.01], [0.01, 0.01, 0.49, 0.49]);
    for (order, first) in [([left, right], true), ([right, left], false)] {
        let start = PlainStart {
            phi: Some(phi(order)),
            ..Default::default()
        };
        let cavi = Cavi {
            num_restarts: 1,
            starting_values: start.clone().into(),
            ..Default::default()
        };
        let gibbs = Gibbs {
            num_tune: 20,
            max_retunes: 0,
            num_draws: 10,
            num_chains: Some(2),
            starting_values: start.into(),
            ..Default::default()
        };
        let (ascended, sampled) = (model().cavi(&cavi).unwrap(), model().gibbs(&gibbs).unwrap());
        let means = [
            ascended.phi.mean().unwrap(),
            sampled.phi.mean_of_chain(0).unwrap(),
            sampled.phi.mean_of_chain(1).unwrap(),
        ];
        for mean in means {
            assert_eq!(mean[(0, 0)] > 0.3, first, "{mean}");
        }
    }
}

/// Latents without starting values are scaled to the data, those with some are not.
#[test]
fn the_other_latents_are_scaled_to_the_data() {
    let start = PlainStart {
        theta: Some(Array::new(vec![4, 2], vec![7.0; 8]).unwrap()),
        ..Default::default()
    };
    let settings = Gibbs {
        num_tune: 0,
        num_draws: 1,
        num_chains: Some(1),
        ..Default::default()
    };
    let draw = |starting_values: StartingValues| {
        let settings = Gibbs {
            starting_values,
            ..settings.clone()
        };
        model().gibbs(&settings).unwrap().theta.draw(0, 0).unwrap()
    };
    // Where a chain starts decides its first draw; the same start gives the same one.
    assert_eq!(draw(start.clone().into()), draw(start.into()));
    let bound = model().bind(FormKind::default()).unwrap();
    let rates = Chain::new(&bound, 1, 0).mean_rates();
    assert!((rates[0] - 17.5).abs() < 1e-6, "{rates:?}");
}

#[test]
fn values_that_no_latent_has_are_refused() {
    let of = |name: &str, values: Array| {
        let starting_values = StartingValues::default().latent(name, values);
        model()
            .cavi(&Cavi {
                starting_values,
                ..Default::default()
            })
            .unwrap_err()
    };
    let ones = || Array::new(vec![4, 2], vec![1.0; 8]).unwrap();
    assert!(matches!(of("thetta", ones()), Error::Query(QueryError::UnknownLatent { given, .. }) if given == "thetta"));
    let zero = Array::new(vec![4, 2], vec![0.0; 8]).unwrap();
    assert!(matches!(
        of("theta", zero),
        Error::Value(ValueError::Entry {
            entry: 0,
            value: 0.0,
            ..
        })
    ));
    let sums = phi([[0.5, 0.5, 0.5, 0.5], [0.25; 4]]);
    assert!(matches!(
        of("phi", sums),
        Error::Value(ValueError::NotASimplex { line: 0, sum: 2.0, .. })
    ));
    let starting_values = StartingValues::default().latent("theta", ones());
    let frozen = model().freeze_theta(ones()).gibbs(&Gibbs {
        starting_values,
        ..Default::default()
    });
    let error = frozen.unwrap_err();
    assert!(
        matches!(error, Error::Setting(SettingError::StartsFrozen { latent: "theta" })),
        "{error}"
    );
}
