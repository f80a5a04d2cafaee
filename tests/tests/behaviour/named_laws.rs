//! The law that the compiler names for a mechanism is the one that the mechanism has.

use std::any::type_name;

use skellam::prelude::*;
use skellam::release::Publication;
use skellam_compiler::diagnostics::Sink;

/// The last part of a path.
fn short<T>() -> &'static str {
    type_name::<T>().rsplit("::").next().unwrap()
}

/// Everything that the compiler says of a release by `name`.
fn messages(name: &str) -> Vec<String> {
    let source = format!(
        "model Small {{
            index rows;
            latent theta[i in rows] ~ Gamma(shape = 1.0, rate = 1.0);
            count y[i in rows] ~ Poisson(theta[i]);
            release y by {name};
        }}"
    );
    let mut sink = Sink::default();
    let _ = skellam_compiler::derivation(source.parse().unwrap(), &mut sink);
    sink.diagnostics().iter().map(|d| d.message()).collect()
}

fn named<M: Mechanism>() {
    let said = messages(short::<M>());
    let help = format!("release y by {};", short::<M::Law>());
    assert_eq!(said.len(), 1, "{}: {said:#?}", short::<M>());
    assert!(said[0].contains(&help), "{help} is not in {}", said[0]);
    assert!(messages(short::<M::Law>()).is_empty(), "a law is accepted");
}

#[test]
fn a_mechanism_in_the_place_of_its_law() {
    named::<Lplp>();
    named::<Truncated>();
    named::<LatticeLaplace>();
    named::<SkellamNoise>();
    named::<Presence>();
    named::<Publication>();
}

/// A path of several parts may be anybody's.
#[test]
fn somebody_elses_name() {
    assert!(messages("mine::Truncated").is_empty());
}
