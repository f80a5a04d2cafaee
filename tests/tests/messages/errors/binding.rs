//! What a model refuses when data, sizes, hyperparameters, arrays and labels are bound.

use super::*;
use skellam::{SettingError, SizeError, ValueError};

#[test]
fn sizes() {
    let matrix = || Matrix::exact(&counts()).unwrap();
    refused!(
        matrix().bind(FORM),
        Error::Size(SizeError::Missing { index: "topics" }),
        "`topics`",
        ".topics(n)"
    );
    refused!(
        matrix().topics(0).bind(FORM),
        Error::Size(SizeError::Empty { index: "topics" }),
        "`topics`",
        "0"
    );
    refused!(
        matrix().topics(2).docs(5).bind(FORM),
        Error::Size(SizeError::Contradiction {
            index: "docs",
            expected: 5,
            given: 3,
            ..
        }),
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
        refused!(matrix().topics(topics).bind(FORM), Error::TooLarge(_), "`y`", "iB");
    }
    let plan = Matrix::plan(MatrixSizes {
        docs: 1 << 40,
        words: 1 << 61,
        topics: 1 << 61,
    });
    assert!(plan.multiplications > 1e40 && plan.to_string().contains("iB"));
    refused!(
        matrix().topics(2).gibbs(&Gibbs {
            num_threads: Some(100_000),
            ..Gibbs::default()
        }),
        Error::Setting(SettingError::TooManyThreads { threads: 100_000, .. }),
        "100000"
    );
    // More cells than memory has bytes: the factors fit, the posterior mean rate does not.
    let wide = Counts::sparse(vec![1 << 45, 2], vec![(vec![0, 0], 1)]);
    let fitted = wide.map(|counts| Matrix::exact(&counts).and_then(|m| m.topics(1).cavi(&Cavi::default())));
    assert!(matches!(fitted, Ok(Err(Error::TooLarge(_)))), "{fitted:?}");
}

#[test]
fn modes() {
    refused!(
        Cp3::exact(&counts()).and_then(|m| m.parts(2).bind(FORM)),
        Error::Size(SizeError::Modes {
            name: "y",
            declared: 3,
            given: 2
        }),
        "`y`",
        "3",
        "2"
    );
    refused!(
        domains().known(Array::new(vec![], vec![0.5]).unwrap()).bind(FORM),
        Error::Size(SizeError::Modes {
            name: "known",
            declared: 1,
            given: 0
        }),
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
            Error::Value(ValueError::Hyperparameter { name: "a", .. }),
            "`a`",
            &word
        );
        if value == 0.0 {
            assert!(domains().c(value).bind(FORM).is_ok());
        } else {
            refused!(
                domains().c(value).bind(FORM),
                Error::Value(ValueError::Hyperparameter { name: "c", .. }),
                "`c`",
                &word
            );
            refused!(
                domains().u(value).bind(FORM),
                Error::Value(ValueError::Hyperparameter { name: "u", .. }),
                "`u`",
                &word
            );
        }
    }
    refused!(
        domains().u(1.5).bind(FORM),
        Error::Value(ValueError::Hyperparameter { name: "u", .. }),
        "1.5",
        "between 0 and 1"
    );
    let model = Domains::new(&counts()).unwrap().topics(2).known(vec![0.0, 0.5, 1.0]);
    refused!(
        model.bind(FORM),
        Error::Value(ValueError::MissingHyperparameter { name: "needed" }),
        "`needed`",
        ".needed(value)"
    );
}

#[test]
fn known_arrays() {
    let background = || Background::new(&released(&[3, 4])).unwrap().topics(2);
    refused!(
        background().bind(FORM),
        Error::Value(ValueError::MissingData { name: "exposure" }),
        "`exposure`",
        ".exposure(&array)"
    );
    refused!(
        background().exposure(vec![1.0; 5]).bind(FORM),
        Error::Size(SizeError::Contradiction {
            index: "docs",
            expected: 3,
            given: 5,
            ..
        }),
        "`docs`",
        "`exposure`",
        "5"
    );
    for (value, word) in [(f64::NAN, "NaN"), (-2.5, "-2.5"), (0.0, "0"), (f64::INFINITY, "inf")] {
        refused!(
            background().exposure(vec![1.0, value, 1.0]).bind(FORM),
            Error::Value(ValueError::Entry {
                name: "exposure",
                entry: 1,
                ..
            }),
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
        Error::Size(SizeError::Contradiction {
            index: "docs",
            expected: 3,
            given: 4,
            ..
        }),
        "`offset`"
    );
}

#[test]
fn labels() {
    let matrix = || Matrix::exact(&counts()).unwrap().topics(2);
    let names: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
    refused!(
        matrix().labels(Matrix::WORDS, &names).unwrap().bind(FORM),
        Error::Size(SizeError::Contradiction {
            index: "words",
            expected: 4,
            given: 3,
            ..
        }),
        "`words`",
        "labels",
        "3",
        "4"
    );
    refused!(
        matrix().labels(Cp3::TIMES, &names),
        Error::Size(SizeError::Foreign { .. }),
        "`times`",
        "Cp3`",
        "`docs`, `words` and `topics`",
        "Matrix`"
    );
    // Of equal name and position, and yet another model's.
    assert_eq!(Domains::DOCS.name(), Matrix::DOCS.name());
    refused!(
        matrix().labels(Domains::DOCS, &names),
        Error::Size(SizeError::Foreign { index: "docs", .. }),
        "Domains`",
        "Matrix`"
    );
    // Texts of any kind.
    assert!(matrix().labels(Matrix::DOCS, &["a", "b", "c"]).is_ok());
    let labelled = matrix().labels(Matrix::DOCS, &names).unwrap();
    let fit = labelled
        .gibbs(&Gibbs {
            num_tune: 1,
            num_draws: 1,
            thin: Some(1),
            ..Gibbs::default()
        })
        .unwrap();
    assert_eq!(fit.labels(Matrix::DOCS), Some(&names[..]));
    assert_eq!(fit.labels(Matrix::WORDS), None);
    assert_eq!(fit.labels(Domains::DOCS), None);
    refused!(
        matrix().labels(Matrix::TOPICS, &names).unwrap().bind(FORM),
        Error::Size(SizeError::Contradiction {
            index: "topics",
            expected: 2,
            given: 3,
            ..
        }),
        "`topics`"
    );
}
