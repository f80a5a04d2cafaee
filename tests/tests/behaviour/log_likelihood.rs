//! The log likelihood of what was observed, for cells, differences and lines, and what is refused.

use skellam::diagnose::Elpd;
use skellam::math::special::{ln_factorial, ln_skellam_pmf};
use skellam::prelude::*;
use skellam::{QueryError, TotalError};

model! {
    model Plain {
        index docs, words;
        latent theta[d in docs] ~ Gamma(shape = 2.0, rate = 1.0);
        latent phi[v in words] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(theta[d] * phi[v]);
    }
}

model! {
    model Net {
        index docs, words;
        latent theta[d in docs] ~ Gamma(shape = 2.0, rate = 1.0);
        latent phi[v in words] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs, v in words] ~ Skellam(plus = theta[d], minus = phi[v]);
    }
}

model! {
    model Lines {
        index docs, words;
        total length;
        latent phi[d in docs, v in words] ~ Dirichlet(concentration = 1.0, along = v);
        count y[d in docs, v in words] ~ Multinomial(length, phi[d, v], along = v);
        release y by TwoSidedGeometric;
    }
}

const VALUES: [i64; 6] = [3, 0, 1, 2, 2, 0];

fn counts() -> Counts {
    Counts::dense(vec![2, 3], VALUES.to_vec()).unwrap()
}

fn settings() -> Gibbs {
    Gibbs {
        num_tune: 50,
        num_draws: 20,
        num_chains: Some(2),
        progress: Progress::Hidden,
        ..Default::default()
    }
}

fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-11 * expected.abs().max(1.0),
        "{found} {expected}"
    );
}

/// A cell at a time, by the rates of the draws: Poisson counts and their differences.
#[test]
fn cells_have_the_law_of_their_rates() {
    let model = Plain::new(&counts()).unwrap();
    let fit = model.gibbs(&settings()).unwrap();
    let found = model.log_likelihood(&fit, "y", None).unwrap();
    let net = Net::new(&Differences::dense(vec![2, 3], VALUES.map(|y| y - 1).to_vec()).unwrap()).unwrap();
    let of_net = net.gibbs(&settings()).unwrap();
    let found_in_net = net.log_likelihood(&of_net, "y", None).unwrap();
    assert_eq!((found.num_chains(), found.num_draws(), found.units().len()), (2, 20, 6));
    let cells: Vec<[usize; 2]> = (0..6).map(|at| [at / 3, at % 3]).collect();
    let (rates, sides) = (
        model.rate_draws(&fit, "y", &cells).unwrap(),
        net.rate_draws(&of_net, "y", &cells).unwrap(),
    );
    for draw in 0..40 {
        for (cell, y) in VALUES.into_iter().enumerate() {
            let rate = rates[draw][cell][0];
            close(
                found.as_slice()[draw * 6 + cell],
                y as f64 * rate.ln() - rate - ln_factorial(y as u64),
            );
            let [plus, minus] = sides[draw][cell];
            close(
                found_in_net.as_slice()[draw * 6 + cell],
                ln_skellam_pmf(y - 1, plus, minus),
            );
        }
    }
    // All cells draw by draw, or all draws first, are the same criterion.
    close(model.waic(&fit, "y").unwrap().elpd(), found.waic().elpd());
    let some = model.log_likelihood(&fit, "y", Some(&[&[1, 2], &[0, 1]])).unwrap();
    assert_eq!(some.of(0), found.of(5));
    assert_eq!(some.units(), [[1, 2], [0, 1]]);
}

/// A line of exact counts with a known total is one observation: a multinomial one.
#[test]
fn lines_with_a_total_are_observed_whole() {
    let model = Lines::exact(&counts()).unwrap().length(4);
    let fit = model.gibbs(&settings()).unwrap();
    let found = model.log_likelihood(&fit, "y", None).unwrap();
    assert_eq!(found.units(), [[0, 0], [1, 0]]);
    for (draw, chain, number) in (0..40).map(|draw| (draw, draw / 20, draw % 20)) {
        let phi = fit.phi.draw(chain, number).unwrap();
        for line in 0..2 {
            let of = |v: usize| VALUES[line * 3 + v];
            let cells = (0..3).map(|v| of(v) as f64 * phi[(line, v)].ln() - ln_factorial(of(v) as u64));
            close(found.as_slice()[draw * 2 + line], ln_factorial(4) + cells.sum::<f64>());
        }
    }
    // By a cell, the line that it is in.
    let one = model.log_likelihood(&fit, "y", Some(&[&[1, 2]])).unwrap();
    assert_eq!((one.units(), one.of(0)), (&[vec![1, 0]][..], found.of(1)));
}

#[test]
fn what_has_no_log_likelihood_is_refused() {
    let mask = Mask::from_indices(&[2, 3], vec![vec![0, 1]]).unwrap();
    let model = Plain::new(&counts().hold_out(&mask).unwrap()).unwrap();
    let fit = model.gibbs(&settings()).unwrap();
    assert_eq!(model.log_likelihood(&fit, "y", None).unwrap().units().len(), 5);
    let held_out = model.log_likelihood(&fit, "y", Some(&[&[0, 1]])).unwrap_err();
    assert!(
        matches!(&held_out, Error::Query(QueryError::HeldOut { cell, .. }) if cell == &[0, 1]),
        "{held_out}"
    );
    assert!(matches!(
        model.waic(&fit, "z"),
        Err(Error::Query(QueryError::UnknownCount { .. }))
    ));
    let budget = Lplp::new(1, 1).unwrap();
    let released = Sensitive::new(counts())
        .release_with_seed_for_simulation(&budget, 1)
        .unwrap();
    let lines = Lines::new(&released).unwrap().length(4);
    let fit = lines.gibbs(&settings()).unwrap();
    let error = lines.waic(&fit, "y").unwrap_err();
    assert!(
        matches!(error, Error::Total(TotalError::NoLogLikelihood { count: "y" })),
        "{error}"
    );
}
