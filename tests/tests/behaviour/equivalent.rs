//! What may be said in another way: units of known factors.

use ndarray::Array2;
use skellam::channel::Varying;
use skellam::infer::Cavi;
use skellam::math::distribution::gamma_draw;
use skellam::prelude::*;
use skellam_tests::data::{counts_at, noise, stream};

/// Counts at rates of two topics, with noise.
fn released() -> Released<TwoSidedGeometric> {
    let mut rng = stream(6);
    let mut factor = |size: usize, shape: f64, rate: f64| -> Vec<f64> {
        (0..size).map(|_| gamma_draw(shape, &mut rng) / rate).collect()
    };
    let (theta, phi) = (factor(18, 2.0, 1.5), factor(14, 1.5, 1.0));
    let rate = |cell: usize| (0..2).map(|k| theta[cell / 7 * 2 + k] * phi[k * 7 + cell % 7]).sum();
    let rates: Vec<f64> = (0..63).map(rate).collect();
    let counts = counts_at(&rates, &mut rng).into_iter();
    let values = counts.map(|y| y + noise(0.4, &mut rng)).collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    Released::assert_mechanism(vec![9, 7], values, law).unwrap()
}

skellam::model! {
    /// A known factor and a number, both of which have a unit.
    model Units {
        index docs, words, topics;
        hyper b: positive;
        data exposure[d in docs]: positive;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(exposure[d] * sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// An exposure in another unit is factors in another unit: rates stay as they are, in every form. Where known factors enter the
/// variance of the published form once they change by 9 %.
#[test]
fn units_of_known_factors_change_nothing() {
    let fit = |unit: f64, form: CaviForm| {
        let settings = Cavi {
            max_iters: 300,
            tol: 0.0,
            num_restarts: 1,
            form,
            ..Cavi::default()
        };
        let exposure: Vec<f64> = (0..9).map(|d| unit * (0.5 + 0.25 * f64::from(d % 3))).collect();
        let model = Units::new(&released()).unwrap().topics(2).exposure(exposure).b(unit);
        model.cavi(&settings).unwrap().rate().unwrap()
    };
    for form in [CaviForm::Collapsed, CaviForm::Augmented, CaviForm::Published] {
        let largest = |x: Array2<f64>| x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let (one, eight) = (fit(1.0, form), fit(8.0, form));
        let apart = largest(&one - &eight) / largest(one);
        println!("{form:?}: {apart:e}");
        // The published form has no bound to end by and takes modes of Bessel laws, which are whole numbers: rounding is seen in it.
        let limit = if form == CaviForm::Published { 1e-4 } else { 1e-9 };
        assert!(apart < limit, "{form:?}: {apart}");
    }
}
