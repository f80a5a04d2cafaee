//! What a run refuses, and what it must not.

use super::*;
use skellam::{RunError, SettingError, ValueError};

/// A setting by its name, and what makes it zero.
type Zeroed<S> = (&'static str, fn(&mut S));

#[test]
fn settings() {
    let matrix = Matrix::exact(&counts()).unwrap().topics(2);
    let gibbs: [Zeroed<Gibbs>; 4] = [
        ("num_draws", |of| of.num_draws = 0),
        ("num_chains", |of| of.num_chains = Some(0)),
        ("thin", |of| of.thin = Some(0)),
        ("num_threads", |of| of.num_threads = Some(0)),
    ];
    for (name, change) in gibbs {
        let mut settings = Gibbs::default();
        change(&mut settings);
        refused!(
            matrix.gibbs(&settings),
            Error::Setting(SettingError::Zero { .. }),
            &format!("`{name}`"),
            "0"
        );
    }
    let cavi: [Zeroed<Cavi>; 4] = [
        ("max_iters", |of| of.max_iters = 0),
        ("num_restarts", |of| of.num_restarts = 0),
        ("check_every", |of| of.check_every = 0),
        ("num_threads", |of| of.num_threads = Some(0)),
    ];
    for (name, change) in cavi {
        let mut settings = Cavi::default();
        change(&mut settings);
        refused!(
            matrix.cavi(&settings),
            Error::Setting(SettingError::Zero { .. }),
            &format!("`{name}`"),
            "0"
        );
    }
    for (tol, word) in [(-1.0, "-1"), (f64::NAN, "NaN")] {
        let settings = Cavi { tol, ..Cavi::default() };
        refused!(
            matrix.cavi(&settings),
            Error::Setting(SettingError::Tolerance { .. }),
            word
        );
    }
}

/// Sizes and values at the edge that must work: one cell, one component, large counts, all zero.
#[test]
fn edges_that_are_not_errors() {
    let settings = Gibbs {
        num_tune: 2,
        num_draws: 2,
        thin: Some(1),
        ..Gibbs::default()
    };
    let ascent = Cavi {
        max_iters: 4,
        anneal_iters: 1,
        check_every: 1,
        ..Cavi::default()
    };
    for values in [vec![0, 0, 0, 0], vec![1 << 31, 0, 1, 1 << 31], vec![0, 0, 0, 1 << 31]] {
        let counts = Counts::dense(vec![2, 2], values.clone()).unwrap();
        let law = Varying::Uniform(TwoSidedGeometric::new(0.99).unwrap());
        let signed = values.iter().map(|v| v - (1 << 30)).collect();
        let released = Released::assert_mechanism(vec![2, 2], signed, law).unwrap();
        for model in [Matrix::exact(&counts), Matrix::new(&released), Matrix::naive(&released)] {
            let model = model.unwrap().topics(3);
            let fit = model.gibbs(&settings).unwrap();
            assert!(fit.rate().unwrap().iter().all(|r| r.is_finite()), "{values:?}");
            let fit = model.cavi(&ascent).unwrap();
            assert!(
                fit.elbo.unwrap().is_finite() && fit.rate().unwrap().iter().all(|r| r.is_finite()),
                "{values:?}"
            );
        }
        let model = Matrix::new(&released).unwrap().topics(3);
        let fit = model
            .gibbs(&Gibbs {
                form: GibbsForm::Augmented,
                ..settings.clone()
            })
            .unwrap();
        assert!(fit.rate().unwrap().iter().all(|r| r.is_finite()), "{values:?}");
        for form in [CaviForm::Augmented, CaviForm::Published] {
            let fit = model.cavi(&Cavi { form, ..ascent.clone() }).unwrap();
            assert!(
                fit.rate().unwrap().iter().all(|r| r.is_finite()),
                "{values:?}, {form:?}"
            );
        }
    }
    let one = Counts::dense(vec![1, 1], vec![3]).unwrap();
    assert!(Matrix::exact(&one).unwrap().topics(1).gibbs(&settings).is_ok());
    // Shapes down to 1e-3.
    let tiny = Matrix::new(&released(&[3, 4])).unwrap().topics(3).a(1e-3);
    assert!(
        tiny.gibbs(&settings)
            .unwrap()
            .theta
            .as_slice()
            .unwrap()
            .iter()
            .all(|x| x.is_finite() && *x > 0.0)
    );
    assert!(tiny.cavi(&ascent).unwrap().elbo.unwrap().is_finite());
}

/// Where a known array is zero everywhere no scale of the factors reaches the data. A start that looked for
/// one grew to infinity: CAVI returned NaN, and counts that cannot be were accepted.
#[test]
fn a_known_array_of_zeros() {
    let fit = |counts| {
        let counts = Counts::dense(vec![3], counts).unwrap();
        let model = Known::new(&counts).unwrap().topics(2).known(vec![0.0; 3]);
        let quiet = Progress::Hidden;
        let gibbs = Gibbs {
            progress: quiet,
            num_tune: 0,
            ..Gibbs::default()
        };
        let cavi = Cavi {
            progress: quiet,
            ..Cavi::default()
        };
        (model.gibbs(&gibbs), model.cavi(&cavi))
    };
    let (gibbs, cavi) = fit(vec![0; 3]);
    assert!(gibbs.unwrap().rate().unwrap().iter().all(|rate| *rate == 0.0));
    let cavi = cavi.unwrap();
    assert_eq!(cavi.elbo, Some(0.0));
    assert!(cavi.theta.mean().unwrap().iter().all(|mean| (mean - 2.0).abs() < 1e-12));
    let (gibbs, cavi) = fit(vec![0, 3, 0]);
    refused!(gibbs, Error::Run(RunError::ImpossibleCell { .. }), "[1]", "3");
    refused!(cavi, Error::Run(RunError::ImpossibleCell { .. }), "[1]", "3");
}

/// Rates beyond what doubles hold: an error, and no fit with NaN.
#[test]
fn an_overflow_is_an_error() {
    refused!(
        domains().c(1e308).cavi(&Cavi::default()),
        Error::Value(ValueError::Extreme { name: "c", .. }),
        "`c`",
        "range of doubles"
    );
    let fit = domains().c(1e30).cavi(&Cavi::default()).unwrap();
    assert!(fit.elbo.is_some_and(f64::is_finite) && fit.rate().unwrap().iter().all(|rate| rate.is_finite()));
}

/// Known arrays, frozen latents and hyperparameters near the largest double: sums and products of them are infinite, and
/// conditionals with an infinite rate have draws of zero, which were raised to the smallest double and returned.
#[test]
fn what_doubles_cannot_hold_is_an_error_of_every_engine() {
    let released = released(&[3, 4]);
    let given = || Exposed::new(&released).unwrap().topics(2);
    let known = || given().x(vec![1.0; 3]);
    let array = |shape: [usize; 2], value| Array::new(shape.to_vec(), vec![value; shape[0] * shape[1]]).unwrap();
    for (what, model) in [
        ("x", given().x(vec![f64::MAX; 3])),
        ("one entry of x", given().x(vec![1.0, 1.0, f64::MAX])),
        (
            "x, theta frozen",
            given().x(vec![f64::MAX; 3]).freeze_theta(array([3, 2], 1.0)),
        ),
        ("theta frozen", known().freeze_theta(array([3, 2], f64::MAX))),
        ("phi frozen", known().freeze_phi(array([2, 4], f64::MAX))),
    ] {
        for form in [GibbsForm::Collapsed, GibbsForm::Augmented] {
            let settings = Gibbs {
                form,
                num_tune: 5,
                num_draws: 5,
                thin: Some(1),
                progress: Progress::Hidden,
                ..Gibbs::default()
            };
            let error = model.gibbs(&settings).and_then(|fit| fit.rate());
            assert!(
                matches!(error, Err(Error::Run(RunError::Overflow { .. }))),
                "{what}, {form:?}: {error:?}"
            );
        }
        for form in [CaviForm::Collapsed, CaviForm::Augmented, CaviForm::Published] {
            let settings = Cavi {
                form,
                max_iters: 20,
                anneal_iters: 10,
                progress: Progress::Hidden,
                ..Cavi::default()
            };
            let error = model.cavi(&settings).and_then(|fit| fit.rate());
            assert!(
                matches!(error, Err(Error::Run(RunError::Overflow { .. }))),
                "{what}, {form:?}: {error:?}"
            );
        }
    }
    // Hyperparameters are refused where they come in: with one of 1e300 a fit returned numbers that meant nothing.
    for value in [1e300, 1e-300, f64::MAX, f64::MIN_POSITIVE] {
        refused!(
            known().a(value).bind(FORM),
            Error::Value(ValueError::Extreme { name: "a", .. }),
            "`a`",
            "1e-150"
        );
    }
    // Far from one and within the range all is well.
    let settings = Gibbs {
        num_tune: 5,
        num_draws: 5,
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let fit = given().x(vec![1e100; 3]).b(1e100).gibbs(&settings).unwrap();
    assert!(fit.rate().unwrap().iter().all(|rate| rate.is_normal()));
}

/// `?` takes every error of data into that of models.
#[test]
fn errors_of_data_convert() {
    fn both(shape: Vec<usize>) -> Result<(), Error> {
        let _ = Array::new(shape.clone(), vec![1.0])?;
        let _ = Mask::from_indices(&shape, vec![vec![0]])?;
        Ok(())
    }
    both(vec![1]).unwrap();
    refused!(both(vec![2]), Error::Shape(_), "2");
}
