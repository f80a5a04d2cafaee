//! Frozen latents: bit for bit what they were, and the rest is the posterior given them.

use ndarray::{Array2, arr2};
use skellam::MaskError;
use skellam::channel::{Channel, Varying};
use skellam::math::special::ln_gamma;
use skellam::prelude::*;

skellam::model! {
    /// Topics with learned budgets, and words that are distributions.
    model Topics {
        index docs, words, topics;
        hyper a: positive = 0.5;
        latent xi[d in docs] ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = xi[d]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.3, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

fn settings() -> Gibbs {
    Gibbs {
        num_tune: 200,
        num_draws: 200,
        thin: Some(2),
        num_chains: Some(1),
        seed: 5,
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

/// Two topics over six words, three words each.
fn phi() -> Array2<f64> {
    let row = [0.5, 0.3, 0.2, 0.0, 0.0, 0.0];
    Array2::from_shape_fn([2, 6], |(k, v)| if k == 0 { row[v] } else { row[5 - v] })
}

/// Documents of one topic each.
fn counts(docs: usize) -> Counts {
    let values = (0..docs).flat_map(|d| (0..6).map(move |v| if (v < 3) == (d % 2 == 0) { 20 } else { 0 }));
    Counts::dense(vec![docs, 6], values.collect()).unwrap()
}

#[test]
fn frozen_arrays_come_out_bit_by_bit() {
    let (phi, xi) = (phi(), vec![0.1 + 0.2, 1e-3, 7.5, 1.0 / 3.0]);
    let model = Topics::exact(&counts(4))
        .unwrap()
        .freeze_phi(&phi)
        .freeze_xi(xi.clone());
    let fit = model.gibbs(&settings()).unwrap();
    for draw in 0..fit.phi.num_draws() {
        assert_eq!(fit.phi.draw(0, draw).unwrap(), phi);
        assert_eq!(fit.xi.draw(0, draw).unwrap().to_vec(), xi);
    }
    let fit = model.cavi(&Cavi::default()).unwrap();
    assert_eq!(fit.phi.mean().unwrap(), phi);
    assert_eq!(fit.xi.mean().unwrap().to_vec(), xi);
    assert!(fit.phi.is_frozen() && fit.xi.is_frozen() && !fit.theta.is_frozen());
    assert!(fit.xi.variance().iter().all(|v| *v == 0.0) && fit.xi.rate().iter().all(|v| v.is_infinite()));
}

/// With everything else fixed the posterior of `theta` is known: each topic of a document has counts of its
/// own where supports do not meet.
#[test]
fn the_rest_is_its_posterior_given_them() {
    let model = Topics::exact(&counts(2))
        .unwrap()
        .freeze_phi(phi())
        .freeze_xi(vec![1.0, 1.0]);
    let fit = model.cavi(&Cavi::default()).unwrap();
    let mean = fit.theta.mean().unwrap();
    for (d, k) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let expected = if d == k { (0.5 + 60.0) / 2.0 } else { 0.5 / 2.0 };
        assert!((mean[(d, k)] - expected).abs() < 1e-6, "{mean}");
    }
    let fit = model.gibbs(&settings()).unwrap();
    // 200 draws of a gamma of mean 30 and standard deviation 3.9: five standard errors are 1.4.
    assert!(
        (fit.theta.mean().unwrap()[(0, 0)] - 30.25).abs() < 1.4,
        "{}",
        fit.theta.mean().unwrap()
    );
}

/// Where all but its parents is frozen the posterior of these is a gamma, and the bound is the evidence: through one law or another for each document,
/// word or cell, two of which are held out.
#[test]
fn the_bound_is_the_evidence_where_only_parents_are_learned() {
    let (theta, phi) = (Array2::from_shape_fn([2, 2], |(d, k)| 0.5 + (d + 2 * k) as f64), phi());
    let values: Vec<i64> = (0..12).map(|cell| cell * 7 % 11 - 3).collect();
    let laws = |number: usize| -> Vec<TwoSidedGeometric> {
        let alpha = |i: usize| 0.2 + 0.6 * i as f64 / number as f64;
        (0..number).map(|i| TwoSidedGeometric::new(alpha(i)).unwrap()).collect()
    };
    let slices = |axis: usize, size: usize| Varying::Slice { axis, laws: laws(size) };
    let mask = Mask::from_indices(&[2, 6], vec![vec![0, 1], vec![1, 4]]).unwrap();
    for law in [
        Varying::Uniform(laws(1)[0]),
        slices(0, 2),
        slices(1, 6),
        Varying::Cell(laws(12)),
    ] {
        let released = Released::assert_mechanism(vec![2, 6], values.clone(), law.clone()).unwrap();
        let model = Topics::new(&released.hold_out(&mask).unwrap()).unwrap();
        let fit = model.freeze_phi(&phi).freeze_theta(&theta).cavi(&Cavi::default());
        let rate = |cell: usize| theta.row(cell / 6).dot(&phi.column(cell % 6));
        let seen = (0..12).filter(|cell| !mask.is_held_out(*cell));
        let of_cell = |cell: usize| law.at(cell, &[2, 6]).ln_marginal(rate(cell), values[cell]);
        let mut evidence: f64 = seen.map(of_cell).sum();
        for row in theta.outer_iter() {
            // ln p(theta) with xi integrated out.
            let logs = row.mapv(|x| -0.5 * x.ln() - ln_gamma(0.5)).sum();
            evidence += logs + ln_gamma(3.0) - 3.0 * (1.0 + row.sum()).ln();
        }
        let bound = fit.unwrap().elbo.unwrap();
        assert!(
            (bound - evidence).abs() < 1e-9 * evidence.abs(),
            "{law:?}: {bound} {evidence}"
        );
    }
}

#[test]
fn frozen_values_are_checked() {
    let counts = counts(2);
    let base = || Topics::exact(&counts).unwrap().topics(2);
    let says = |model: Topics, words: &[&str]| {
        let error = model.cavi(&Cavi::default()).unwrap_err().to_string();
        assert!(words.iter().all(|w| error.contains(w)), "{error}");
    };
    says(
        base().freeze_phi(Array2::from_elem([2, 5], 0.2)),
        &["phi", "words", "5"],
    );
    says(base().freeze_phi(Array2::from_elem([2, 6], 0.2)), &["phi", "1"]);
    says(base().freeze_xi(vec![1.0, 0.0]), &["xi", "positive"]);
    says(base().freeze_xi(vec![1.0, f64::NAN]), &["xi"]);
    says(base().freeze_theta(Array2::from_elem([2, 2], -1.0)), &["theta", "-1"]);
}

/// With one topic and exact counts the posterior of a document is a gamma whose exposure is what of `phi` was observed.
/// A simplex that is learned needs whole lines; one that is frozen has no conditional, so any cell may be held out.
#[test]
fn any_cell_may_be_held_out_where_the_simplex_is_frozen() {
    let mask = Mask::from_indices(&[4, 6], vec![vec![0, 1], vec![2, 0], vec![2, 5]]).unwrap();
    let counts = counts(4).hold_out(&mask).unwrap();
    let learned = Topics::exact(&counts).unwrap().topics(1).cavi(&Cavi::default());
    let error = learned.unwrap_err();
    assert!(
        matches!(&error, Error::Mask(MaskError::Uneven { index: "words", latents, .. }) if latents == &["phi"]),
        "{error}"
    );
    let phi = arr2(&[[0.1, 0.2, 0.3, 0.1, 0.1, 0.2]]);
    let xi = [1.0, 0.5, 2.0, 1.5];
    let fit = Topics::exact(&counts)
        .unwrap()
        .freeze_phi(&phi)
        .freeze_xi(xi.to_vec())
        .cavi(&Cavi::default())
        .unwrap();
    for (d, xi) in xi.iter().enumerate() {
        let observed = (0..6).filter(|v| !mask.is_held_out(6 * d + v));
        let (count, exposure) = observed.fold((0.0, 0.0), |(n, w), v| {
            let y = if (v < 3) == (d % 2 == 0) { 20.0 } else { 0.0 };
            (n + y, w + phi[(0, v)])
        });
        let expected = (0.5 + count) / (xi + exposure);
        let found = fit.theta.mean().unwrap()[(d, 0)];
        assert!((found / expected - 1.0).abs() < 1e-10, "{d}: {found} {expected}");
    }
}
