//! With every cell held out the posterior is the prior.

use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::counts::{Counts, Mask};
use skellam::infer::{Cavi, CaviForm, Chain, pool};
use skellam::model::{FormKind, Model};
use skellam::release::Released;
use skellam_tests::data::arrays;
use skellam_tests::families::*;
use skellam_tests::statistics::{gamma_cdf, ks};

const DRAWS: usize = 4000;

/// With nothing seen, every sweep draws every entry independently from its prior: Kolmogorov-Smirnov on
/// draws of four entries of each latent, p below 1e-6 fails; below 1e-4 for the file.
fn draws_are_of_the_prior<F: HasTwin>(family: &F, model: &dyn Model, name: &str) {
    let twin = family.twin();
    let mut chain = Chain::new(model, 4, 0);
    let mut draws: Vec<Vec<Vec<f64>>> = twin.zeros().iter().map(|x| vec![Vec::new(); x.len()]).collect();
    pool(1).unwrap().install(|| {
        for _ in 0..DRAWS {
            chain.sweep();
            for (into, x) in draws.iter_mut().zip(arrays(chain.values())) {
                into.iter_mut().zip(x).for_each(|(into, x)| into.push(x));
            }
        }
    });
    for (l, (leaf, draws)) in twin.leaves.iter().zip(&mut draws).enumerate() {
        for (entry, draws) in draws.iter_mut().take(4).enumerate() {
            let p = ks(draws, |x| gamma_cdf(x, leaf.prior_shape, leaf.prior_rate));
            assert!(p > 1e-6, "{name}, latent {l}, entry {entry}: p = {p:e}");
            // A rate that is a fifth too high is seen: the test has teeth.
            let wrong = ks(draws, |x| gamma_cdf(x, leaf.prior_shape, 1.2 * leaf.prior_rate));
            assert!(
                wrong < 1e-6,
                "{name}, latent {l}, entry {entry}: p = {wrong:e} at a wrong rate"
            );
        }
    }
}

fn released(shape: &[usize]) -> Released<TwoSidedGeometric> {
    let cells: usize = shape.iter().product();
    let values = (0..cells as i64).map(|i| i * 7 % 11 - 3).collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    let all = Mask::all(shape).unwrap();
    Released::assert_mechanism(shape.to_vec(), values, law)
        .unwrap()
        .hold_out(&all)
        .unwrap()
}

fn counts(shape: &[usize]) -> Counts {
    let cells: usize = shape.iter().product();
    let counts = Counts::dense(shape.to_vec(), (0..cells as i64).map(|i| i % 3).collect()).unwrap();
    counts.hold_out(&Mask::all(shape).unwrap()).unwrap()
}

fn gibbs<F: HasTwin<Law = TwoSidedGeometric>>(family: &F, name: &str) {
    let shape = family.twin().shape;
    for form in [FormKind::Collapsed, FormKind::Augmented] {
        let model = family.released(&released(&shape), form, None);
        assert_eq!(model.views()[0].visited(), 0);
        draws_are_of_the_prior(family, &model, &format!("{name}, {form:?}"));
    }
    draws_are_of_the_prior(family, &family.exact(&counts(&shape), None), &format!("{name}, exact"));
    draws_are_of_the_prior(
        family,
        &family.naive(&released(&shape), None),
        &format!("{name}, naive"),
    );
}

#[test]
fn gibbs_draws_from_the_prior() {
    gibbs(&MatrixAt(5, 4, 2), "matrix");
    gibbs(&BackgroundAt(4, 3, 2), "background");
    gibbs(&TuckerAt([3, 2, 4], [2, 2, 2]), "tucker");
    gibbs(&OffsetAt(4, 3, 2), "offset");
}

/// Exactly the prior, not nearly: no count, no exposure.
#[test]
fn cavi_returns_the_prior() {
    let settings = |form| Cavi {
        form,
        max_iters: 20,
        anneal_iters: 5,
        ..Cavi::default()
    };
    let (released, counts) = (released(&[5, 4]), counts(&[5, 4]));
    let matrix = || Matrix::new(&released).unwrap().topics(2);
    let fits = [
        matrix().cavi(&settings(CaviForm::Collapsed)).unwrap(),
        matrix().cavi(&settings(CaviForm::Augmented)).unwrap(),
        matrix().cavi(&settings(CaviForm::Published)).unwrap(),
        Matrix::exact(&counts)
            .unwrap()
            .topics(2)
            .cavi(&settings(CaviForm::Collapsed))
            .unwrap(),
        Matrix::naive(&released)
            .unwrap()
            .topics(2)
            .cavi(&settings(CaviForm::Collapsed))
            .unwrap(),
    ];
    for fit in fits {
        assert!(fit.theta.shape().iter().all(|s| *s == 2.0) && fit.theta.rate().iter().all(|r| *r == 1.5));
        assert!(fit.phi.shape().iter().all(|s| *s == 1.5) && fit.phi.rate().iter().all(|r| *r == 1.0));
        // Nothing was seen, so nothing was lost: the bound is the evidence of nothing.
        assert!(fit.elbo.is_none_or(|bound| bound.abs() < 1e-12), "{:?}", fit.elbo);
    }
}
