//! The mechanism that was asked for, with its exact parameters.

use std::collections::BTreeMap;

use skellam::prelude::*;
use skellam::release::BudgetError;

use super::budgets::Epsilons;
use super::error::PrivatizeError;
use super::flags::{Flags, Noise};

/// `make` for every row, or once for all of them.
pub fn varying<M: Clone>(
    flags: &Flags,
    epsilons: &Epsilons,
    make: impl Fn(&str) -> Result<M, BudgetError>,
) -> Result<Varying<M>, PrivatizeError> {
    let each = match epsilons {
        Epsilons::One(epsilon) => return Ok(Varying::Uniform(make(epsilon)?)),
        Epsilons::Each(each) => each,
    };
    // Rows with the same epsilon share what may have taken a search.
    let mut made: BTreeMap<&str, M> = BTreeMap::new();
    let mut laws = Vec::with_capacity(each.len());
    for (row, epsilon) in each.iter().enumerate() {
        let law = match made.get(epsilon.as_str()) {
            Some(law) => law.clone(),
            None => {
                let law = make(epsilon).map_err(|error| PrivatizeError::Line {
                    path: flags.budgets.clone().unwrap_or_default(),
                    line: row + 1,
                    found: epsilon.clone(),
                    fault: format!("is no budget: {error}"),
                })?;
                made.insert(epsilon, law.clone());
                law
            }
        };
        laws.push(law);
    }
    Ok(Varying::Slice { axis: 0, laws })
}

/// The delta of Skellam noise, which no other mechanism has. Alpha belongs to none that is drawn here.
pub fn delta(flags: &Flags) -> Result<f64, PrivatizeError> {
    if flags.alpha.is_some() {
        return Err(PrivatizeError::Flag(
            "--alpha is for --already-released: noise that is drawn here follows from --n and --epsilon, so leave it out",
        ));
    }
    match (flags.mechanism, flags.delta) {
        (Noise::Skellam, Some(delta)) => Ok(delta),
        (Noise::Skellam, None) => Err(PrivatizeError::Flag(
            "--mechanism skellam needs --delta: no epsilon bounds its loss for certain, so say with which probability it may \
             be passed, such as --delta 1e-6",
        )),
        (_, Some(_)) => Err(PrivatizeError::Flag(
            "--delta is for --mechanism skellam: the other mechanisms keep their promise for certain, so leave it out",
        )),
        (_, None) => Ok(0.0),
    }
}
