//! Wrong input is a typed error whose message carries the value; nothing panics.

use skellam::channel::Varying;
use skellam::infer::pool;
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam_tests::families::{Background, Cp3, Matrix, MatrixSizes, Offset};

skellam::model! {
    /// One hyperparameter of each domain, and one without default.
    model Domains {
        index docs, words, topics;
        hyper a: positive = 1.0, c: nonnegative = 1.0, u: unit = 0.5, needed: positive;
        data known[d in docs]: unit;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = needed);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words]
            ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v] + c * u * known[d] * base[v]);
    }
}

skellam::model! {
    /// Every rate is a multiple of a known array.
    model Known {
        index docs, topics;
        data known[d in docs]: nonnegative;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.0);
        latent phi[k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs] ~ Poisson(known[d] * sum(k in topics) theta[d, k] * phi[k]);
    }
}

fn counts() -> Counts {
    Counts::dense(vec![3, 4], vec![1, 0, 2, 0, 1, 1, 0, 0, 3, 0, 0, 1]).unwrap()
}

fn released(shape: &[usize]) -> Released<TwoSidedGeometric> {
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    Released::assert_mechanism(shape.to_vec(), vec![1; shape.iter().product()], law).unwrap()
}

fn domains() -> Domains {
    Domains::new(&counts())
        .unwrap()
        .topics(2)
        .needed(1.0)
        .known(vec![0.0, 0.5, 1.0])
}

/// The error of binding, which must match and whose message must contain every one of `words`.
macro_rules! refused {
    ($bound:expr, $pattern:pat, $($word:expr),+) => {
        match $bound {
            Ok(_) => panic!("{} was accepted", stringify!($bound)),
            Err(error) => {
                assert!(matches!(error, $pattern), "{error:?}");
                let message = error.to_string();
                $(assert!(message.contains($word), "{message:?} lacks {:?}", $word);)+
            }
        }
    };
}

const FORM: FormKind = FormKind::Collapsed;

#[test]
fn sizes() {
    let matrix = || Matrix::exact(&counts()).unwrap();
    refused!(
        matrix().bind(FORM),
        Error::MissingSize { index: "topics" },
        "`topics`",
        ".topics(n)"
    );
    refused!(
        matrix().topics(0).bind(FORM),
        Error::EmptyIndex { index: "topics" },
        "`topics`",
        "0"
    );
    refused!(
        matrix().topics(2).docs(5).bind(FORM),
        Error::Size {
            index: "docs",
            expected: 5,
            given: 3,
            ..
        },
        "`docs`",
        "5",
        "3",
        "`y`"
    );
    assert!(matrix().topics(2).docs(3).words(4).bind(FORM).is_ok());
    assert!(matrix().topics(0).gibbs(&Gibbs::default()).is_err());
    assert!(matrix().topics(0).cavi(&Cavi::default()).is_err());
}

/// Sizes that no machine can hold are refused before anything is multiplied, and planned all the same.
#[test]
fn sizes_beyond_any_machine() {
    let matrix = || Matrix::exact(&counts()).unwrap();
    for topics in [1 << 40, 1 << 61] {
        refused!(matrix().topics(topics).bind(FORM), Error::TooLarge { .. }, "`y`", "MiB");
    }
    let plan = Matrix::plan(MatrixSizes {
        docs: 1 << 40,
        words: 1 << 61,
        topics: 1 << 61,
    });
    assert!(plan.multiplications > 1e40 && plan.to_string().contains("MiB"));
    refused!(
        matrix().topics(2).gibbs(&Gibbs {
            num_threads: Some(100_000),
            ..Gibbs::default()
        }),
        Error::TooManyThreads { threads: 100_000, .. },
        "100000"
    );
    // More cells than memory has bytes: the factors fit, the posterior mean rate does not.
    let wide = Counts::sparse(vec![1 << 45, 2], vec![(vec![0, 0], 1)]);
    let fitted = wide.map(|counts| Matrix::exact(&counts).and_then(|m| m.topics(1).cavi(&Cavi::default())));
    assert!(matches!(fitted, Ok(Err(Error::TooLarge { .. }))), "{fitted:?}");
}

#[test]
fn modes() {
    refused!(
        Cp3::exact(&counts()).and_then(|m| m.parts(2).bind(FORM)),
        Error::Modes {
            name: "y",
            declared: 3,
            given: 2
        },
        "`y`",
        "3",
        "2"
    );
    let cube = Counts::dense(vec![2, 2, 2], vec![0; 8]).unwrap();
    refused!(
        Matrix::exact(&cube).and_then(|m| m.topics(2).bind(FORM)),
        Error::Modes {
            name: "y",
            declared: 2,
            given: 3
        },
        "`y`"
    );
    refused!(
        domains()
            .known(Array::new(vec![3, 1], vec![0.5; 3]).unwrap())
            .bind(FORM),
        Error::Modes {
            name: "known",
            declared: 1,
            given: 2
        },
        "`known`"
    );
    refused!(
        domains().known(Array::new(vec![], vec![0.5]).unwrap()).bind(FORM),
        Error::Modes {
            name: "known",
            declared: 1,
            given: 0
        },
        "`known`"
    );
}

#[test]
fn hyperparameters() {
    assert!(domains().bind(FORM).is_ok());
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, -0.0] {
        let word = value.to_string();
        refused!(
            domains().a(value).bind(FORM),
            Error::Hyperparameter { name: "a", .. },
            "`a`",
            &word
        );
        if value == 0.0 {
            assert!(domains().c(value).bind(FORM).is_ok());
        } else {
            refused!(
                domains().c(value).bind(FORM),
                Error::Hyperparameter { name: "c", .. },
                "`c`",
                &word
            );
            refused!(
                domains().u(value).bind(FORM),
                Error::Hyperparameter { name: "u", .. },
                "`u`",
                &word
            );
        }
    }
    refused!(
        domains().u(1.5).bind(FORM),
        Error::Hyperparameter { name: "u", .. },
        "1.5",
        "between 0 and 1"
    );
    let model = Domains::new(&counts()).unwrap().topics(2).known(vec![0.0, 0.5, 1.0]);
    refused!(
        model.bind(FORM),
        Error::MissingHyperparameter { name: "needed" },
        "`needed`",
        ".needed(value)"
    );
}

#[test]
fn known_arrays() {
    let background = || Background::new(&released(&[3, 4])).unwrap().topics(2);
    refused!(
        background().bind(FORM),
        Error::MissingData { name: "exposure" },
        "`exposure`",
        ".exposure(&array)"
    );
    refused!(
        background().exposure(vec![1.0; 5]).bind(FORM),
        Error::Size {
            index: "docs",
            expected: 3,
            given: 5,
            ..
        },
        "`docs`",
        "`exposure`",
        "5"
    );
    for (value, word) in [(f64::NAN, "NaN"), (-2.5, "-2.5"), (0.0, "0"), (f64::INFINITY, "inf")] {
        refused!(
            background().exposure(vec![1.0, value, 1.0]).bind(FORM),
            Error::DataEntry {
                name: "exposure",
                position: 1,
                ..
            },
            "`exposure`",
            "position 1",
            word
        );
    }
    let offset = Array::new(vec![4, 3], vec![1.0; 12]).unwrap();
    refused!(
        Offset::new(&released(&[3, 4]))
            .unwrap()
            .topics(2)
            .offset(offset)
            .bind(FORM),
        Error::Size {
            index: "docs",
            expected: 3,
            given: 4,
            ..
        },
        "`offset`"
    );
}

#[test]
fn labels() {
    let matrix = || Matrix::exact(&counts()).unwrap().topics(2);
    let names: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
    refused!(
        matrix().labels(Matrix::WORDS, &names).unwrap().bind(FORM),
        Error::Size {
            index: "words",
            expected: 4,
            given: 3,
            ..
        },
        "`words`",
        "labels",
        "3",
        "4"
    );
    refused!(
        matrix().labels(Cp3::TIMES, &names),
        Error::UnknownIndex { .. },
        "`times`",
        "docs, words, topics"
    );
    // Texts of any kind.
    assert!(matrix().labels(Matrix::DOCS, &["a", "b", "c"]).is_ok());
    let labelled = matrix().labels(Matrix::DOCS, &names).unwrap();
    let fit = labelled
        .gibbs(&Gibbs {
            num_tune: 1,
            num_draws: 1,
            thin: 1,
            ..Gibbs::default()
        })
        .unwrap();
    assert_eq!(fit.labels(Matrix::DOCS), Some(&names[..]));
    assert_eq!(fit.labels(Matrix::WORDS), None);
    refused!(
        matrix().labels(Matrix::TOPICS, &names).unwrap().bind(FORM),
        Error::Size {
            index: "topics",
            expected: 2,
            given: 3,
            ..
        },
        "`topics`"
    );
}

#[test]
fn settings() {
    let matrix = Matrix::exact(&counts()).unwrap().topics(2);
    let quick = Gibbs {
        num_tune: 1,
        num_draws: 2,
        thin: 1,
        ..Gibbs::default()
    };
    let gibbs = [
        (
            "num_draws",
            Gibbs {
                num_draws: 0,
                ..quick.clone()
            },
        ),
        (
            "num_chains",
            Gibbs {
                num_chains: 0,
                ..quick.clone()
            },
        ),
        (
            "thin",
            Gibbs {
                thin: 0,
                ..quick.clone()
            },
        ),
        (
            "num_threads",
            Gibbs {
                num_threads: Some(0),
                ..quick.clone()
            },
        ),
    ];
    for (name, settings) in gibbs {
        refused!(
            matrix.gibbs(&settings),
            Error::ZeroSetting { .. },
            &format!("`{name}`"),
            "0"
        );
    }
    refused!(
        matrix.gibbs(&Gibbs {
            thin: 3,
            ..quick.clone()
        }),
        Error::NothingKept { num_draws: 2, thin: 3 },
        "thin = 3",
        "num_draws = 2"
    );
    let quick = Cavi {
        max_iters: 2,
        ..Cavi::default()
    };
    let cavi = [
        (
            "max_iters",
            Cavi {
                max_iters: 0,
                ..quick.clone()
            },
        ),
        (
            "num_restarts",
            Cavi {
                num_restarts: 0,
                ..quick.clone()
            },
        ),
        (
            "check_every",
            Cavi {
                check_every: 0,
                ..quick.clone()
            },
        ),
        (
            "num_threads",
            Cavi {
                num_threads: Some(0),
                ..quick.clone()
            },
        ),
    ];
    for (name, settings) in cavi {
        refused!(
            matrix.cavi(&settings),
            Error::ZeroSetting { .. },
            &format!("`{name}`"),
            "0"
        );
    }
    for (tol, word) in [(-1.0, "-1"), (f64::NAN, "NaN")] {
        refused!(
            matrix.cavi(&Cavi { tol, ..quick.clone() }),
            Error::Tolerance { .. },
            word
        );
    }
    assert!(pool(2).is_ok());
}

#[test]
fn forms() {
    let exact = Matrix::exact(&counts()).unwrap().topics(2);
    let naive = Matrix::naive(&released(&[3, 4])).unwrap().topics(2);
    refused!(
        exact.bind(FormKind::Augmented),
        Error::NoSuchForm {
            channel: "Exact",
            form: "augmented"
        },
        "Exact",
        "augmented"
    );
    refused!(
        naive.gibbs(&Gibbs {
            form: GibbsForm::Augmented,
            ..Gibbs::default()
        }),
        Error::NoSuchForm { channel: "Naive", .. },
        "Naive"
    );
    refused!(
        exact.cavi(&Cavi {
            form: CaviForm::Published,
            ..Cavi::default()
        }),
        Error::NoSuchForm { channel: "Exact", .. },
        "Exact"
    );
}

/// Sizes and values at the edge that must work: one cell, one component, large counts, all zero.
#[test]
fn edges_that_are_not_errors() {
    let settings = Gibbs {
        num_tune: 2,
        num_draws: 2,
        thin: 1,
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
            assert!(fit.rate().iter().all(|r| r.is_finite()), "{values:?}");
            let fit = model.cavi(&ascent).unwrap();
            assert!(
                fit.elbo.unwrap().is_finite() && fit.rate().iter().all(|r| r.is_finite()),
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
        assert!(fit.rate().iter().all(|r| r.is_finite()), "{values:?}");
        for form in [CaviForm::Augmented, CaviForm::Published] {
            let fit = model.cavi(&Cavi { form, ..ascent.clone() }).unwrap();
            assert!(fit.rate().iter().all(|r| r.is_finite()), "{values:?}, {form:?}");
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
    assert!(gibbs.unwrap().rate().iter().all(|rate| *rate == 0.0));
    let cavi = cavi.unwrap();
    assert_eq!(cavi.elbo, Some(0.0));
    assert!(cavi.theta.mean().iter().all(|mean| (mean - 2.0).abs() < 1e-12));
    let (gibbs, cavi) = fit(vec![0, 3, 0]);
    refused!(gibbs, Error::ImpossibleCell { .. }, "[1]", "3");
    refused!(cavi, Error::ImpossibleCell { .. }, "[1]", "3");
}

/// Rates beyond what doubles hold: an error, and no fit whose numbers are none.
#[test]
fn an_overflow_is_an_error() {
    let huge = || domains().known(vec![0.5, 0.5, 1.0]).c(1e308);
    refused!(
        huge().cavi(&Cavi::default()),
        Error::Overflow { .. },
        "hyperparameters",
        "nearer to one"
    );
    let fit = domains().c(1e30).cavi(&Cavi::default()).unwrap();
    assert!(fit.elbo.is_some_and(f64::is_finite) && fit.rate().iter().all(|rate| rate.is_finite()));
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
