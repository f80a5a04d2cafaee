//! Every family takes every form of inference, or says in the words of the library why not.

use skellam::prelude::EngineForm;
use skellam_examples::Example;

use super::examples::{
    background, blocks, contingency, covariates, cp, custom_update, deep, difference, dynamics, flows, foldin, groups,
    hierarchical, lda, naive_bayes, negative_binomial, pairs, rounding, shrinkage, simplex, tucker, views,
};
use super::studies::run;

/// Runs an example in every form; those that `refused` names end with an error that says what it holds, which is printed too.
fn forms<E: Example>(refused: &[(&str, &str)]) {
    for form in EngineForm::ALL {
        let (name, printed) = (form.name(), E::derivation(Some(form)).to_string());
        let outcome = run::<E>(&format!("--engine {name} --tune 4 --draws 10 --chains 1"));
        match (refused.iter().find(|(refused, _)| *refused == name), outcome) {
            (Some((_, words)), Err(error)) => {
                let error = error.to_string();
                assert!(error.contains(words), "{name}: {error}");
                assert!(printed.contains(&error), "{name}: {printed}");
            }
            (None, Ok(study)) => {
                assert!(!study.numbers.is_empty(), "{name}");
                // The deviance of a fit that calls impossible what happened is infinite.
                let errors = study
                    .numbers
                    .iter()
                    .filter(|(name, _)| !name.starts_with("deviance of "));
                assert!(errors.map(|(_, x)| x).all(|x| x.is_finite()), "{name}: {}", study.text);
                assert!(!printed.contains("refuses it"), "{name}: {printed}");
            }
            (_, outcome) => panic!("{name}: {:?}", outcome.map(|study| study.text)),
        }
    }
}

#[test]
fn of_matrices_and_tensors() {
    forms::<background::Arguments>(&[]);
    forms::<covariates::Arguments>(&[]);
    forms::<cp::Arguments>(&[]);
    forms::<groups::Arguments>(&[]);
    forms::<hierarchical::Arguments>(&[]);
    forms::<tucker::Arguments>(&[]);
}

#[test]
fn of_networks_views_and_new_rows() {
    forms::<blocks::Arguments>(&[]);
    forms::<pairs::Arguments>(&[]);
    forms::<foldin::Arguments>(&[]);
    forms::<custom_update::Arguments>(&[]);
    forms::<views::Arguments>(&[]);
}

/// A shape that is learned has no bound.
#[test]
fn of_learned_shapes() {
    let ascents = |latent: &'static str| EngineForm::ALL[2..].iter().map(move |form| (form.name(), latent));
    let refused: Vec<_> = ascents("the shape of `theta` is learned").collect();
    forms::<deep::Arguments>(&refused);
    forms::<dynamics::Arguments>(&refused);
    let refused: Vec<_> = ascents("the shape of `weight` is learned").collect();
    forms::<shrinkage::Arguments>(&refused);
    let exact = "channel Exact has no augmented form";
    forms::<negative_binomial::Arguments>(&[
        ("gibbs-augmented", exact),
        ("cavi", "the shape of `eps` is learned"),
        ("cavi-augmented", exact),
        ("cavi-published", exact),
    ]);
}

/// Whole lines are drawn of counts with a known total, in the collapsed forms.
#[test]
fn of_known_totals() {
    let none = "counts with a total are drawn by whole lines";
    let refused = [
        ("gibbs-augmented", none),
        ("cavi-augmented", none),
        ("cavi-published", none),
    ];
    forms::<lda::Arguments>(&refused);
    forms::<contingency::Arguments>(&refused);
    forms::<naive_bayes::Arguments>(&refused);
}

#[test]
fn that_are_refused() {
    forms::<simplex::Arguments>(&[("cavi-published", "`phi` is a simplex")]);
    let none = "Skellam counts are observed as they are";
    forms::<difference::Arguments>(&[
        ("gibbs-augmented", none),
        ("cavi-augmented", none),
        ("cavi-published", none),
    ]);
    forms::<flows::Arguments>(&[
        ("gibbs-augmented", none),
        ("cavi", "the shape of `burst` is learned"),
        ("cavi-augmented", none),
        ("cavi-published", none),
    ]);
    let none = "channel RoundedToFive has no augmented form";
    forms::<rounding::Arguments>(&[
        ("gibbs-augmented", none),
        ("cavi-augmented", none),
        ("cavi-published", none),
    ]);
}
