//! Rates of a simulated matrix come back, and modelling the noise beats ignoring it.

use skellam::channel::Varying;
use skellam::prelude::*;
use skellam_tests::data::{counts_at, noise, prior_draw, stream};
use skellam_tests::families::{HasTwin, Matrix, MatrixAt};

/// Mean absolute error of a fitted matrix of rates.
fn error(fitted: impl Iterator<Item = f64>, rates: &[f64]) -> f64 {
    fitted.zip(rates).map(|(a, b)| (a - b).abs()).sum::<f64>() / rates.len() as f64
}

/// Errors seen for seeds 12 and 13: 0.29 and 0.31 with the noise modelled, 0.72 and 0.73 with releases taken for
/// counts, 0.18 and 0.19 from the true counts; the mean rate alone errs by 0.41 and 0.42, and variational
/// inference by as much as that less a hundredth. Margins are half of the distances.
#[test]
fn modelling_the_noise_beats_ignoring_it() {
    let (alpha, at) = (0.6, MatrixAt(80, 60, 4));
    let twin = at.twin();
    let mut rng = stream(12);
    // Rates of about one: where noise and counts are of one size, what is modelled matters.
    let mut x = prior_draw(&twin, &mut rng);
    x[0].iter_mut().for_each(|theta| *theta *= 1.5 / 12.0);
    let rates = twin.rates(&x);
    let counts = counts_at(&rates, &mut rng);
    let values = counts.iter().map(|y| y + noise(alpha, &mut rng)).collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(alpha).unwrap());
    let released = Released::assert_mechanism(vec![80, 60], values, law).unwrap();
    let counts = Counts::dense(vec![80, 60], counts).unwrap();
    let settings = Gibbs {
        num_tune: 200,
        num_draws: 100,
        thin: Some(2),
        num_chains: Some(2),
        ..Gibbs::default()
    };
    let fit = |model: Result<Matrix, Error>, settings: &Gibbs| {
        let fit = model.unwrap().topics(4).b(12.0).gibbs(settings).unwrap();
        error(fit.rate().unwrap().transpose().iter().copied(), &rates)
    };
    let modelled = fit(Matrix::new(&released), &settings);
    let augmented = fit(
        Matrix::new(&released),
        &Gibbs {
            form: GibbsForm::Augmented,
            ..settings.clone()
        },
    );
    let naive = fit(Matrix::naive(&released), &settings);
    let exact = fit(Matrix::exact(&counts), &settings);
    let cavi = Matrix::new(&released)
        .unwrap()
        .topics(4)
        .cavi(&Cavi::default())
        .unwrap();
    let cavi = error(cavi.rate().unwrap().transpose().iter().copied(), &rates);
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let constant = error(std::iter::repeat(mean), &rates);
    println!(
        "gibbs {modelled:.3}, augmented {augmented:.3}, cavi {cavi:.3}, naive {naive:.3}, exact {exact:.3}, constant {constant:.3}, mean {mean:.3}"
    );
    assert!(modelled < 0.7 * naive, "{modelled} {naive}");
    assert!(
        exact < modelled && modelled < 0.85 * constant,
        "{exact} {modelled} {constant}"
    );
    assert!((modelled - augmented).abs() < 0.05 * modelled, "{modelled} {augmented}");
    assert!(cavi < naive, "{cavi} {naive}");
}
