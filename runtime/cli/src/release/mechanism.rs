//! The mechanism that was asked for, with its exact parameters.

use std::collections::BTreeMap;

use skellam::prelude::*;
use skellam::release::{BudgetError, Delta};

use super::flags::{Flags, Kind, Noise};
use super::lines;
use crate::refused::Refused;

/// `make` of the epsilon of every row, or once of the one for all of them.
pub fn varying<M: Clone>(
    flags: &Flags,
    rows: usize,
    make: impl Fn(&str) -> Result<M, BudgetError>,
) -> Result<Varying<M>, Refused> {
    let Some(path) = &flags.budgets else {
        return Ok(Varying::Uniform(make(flags.epsilon.as_deref().unwrap_or_default())?));
    };
    let each = lines::read(path)?;
    lines::one_each(path, "epsilon", each.len(), rows)?;
    // Rows with the same epsilon share what may have taken a search.
    let mut made: BTreeMap<&str, M> = BTreeMap::new();
    let mut laws = Vec::with_capacity(each.len());
    for (row, epsilon) in each.iter().enumerate() {
        let law = match made.get(epsilon.as_str()) {
            Some(law) => law.clone(),
            None => {
                let law = make(epsilon)
                    .map_err(|error| lines::fault(path, row, epsilon, &format!("is not a budget: {error}")))?;
                made.insert(epsilon, law.clone());
                law
            }
        };
        laws.push(law);
    }
    Ok(Varying::Slice { axis: 0, laws })
}

/// Of the lattice of Laplace noise: a thousandth of a count.
const BITS: u32 = 10;

/// What was asked for of Skellam noise: its delta, and the largest that is accepted.
#[derive(Clone, Copy, Debug)]
pub struct Deltas {
    asked: f64,
    accepted: f64,
}

impl Deltas {
    /// The least noise that promises `(n, epsilon)` but for this delta.
    pub fn noise(self, n: u64, epsilon: &str) -> Result<SkellamNoise, BudgetError> {
        SkellamNoise::promising(n, epsilon, self.asked)?.accepting_delta(self.accepted)
    }
}

impl Noise {
    /// The bits of Laplace noise, which no other mechanism has.
    pub fn bits(&self) -> Result<u32, Refused> {
        match (self.mechanism, self.bits) {
            (Kind::Laplace, bits) => Ok(bits.unwrap_or(BITS)),
            (_, Some(_)) => Err(Refused::new(
                "--bits is for --mechanism laplace: the other mechanisms release whole numbers, so leave it out",
            )),
            // Asked of nobody.
            (_, None) => Ok(BITS),
        }
    }

    /// The deltas of Skellam noise, which no other mechanism has.
    pub fn deltas(&self) -> Result<Deltas, Refused> {
        match (self.mechanism, self.delta) {
            (Kind::Skellam, Some(delta)) => {
                let asked = Delta::new(delta)?;
                let most = self.accept_delta.map(Delta::new).transpose()?;
                let most = most.unwrap_or(Delta::ACCEPTED_BY_DEFAULT);
                if asked > most {
                    let most = most.get();
                    return Err(Refused::new(format!(
                        "--delta {delta}: the promise may be broken with that probability, and without a further word at most {most} is \
                         accepted; lower it, or say --accept-delta {delta}"
                    )));
                }
                Ok(Deltas {
                    asked: delta,
                    accepted: most.get(),
                })
            }
            (Kind::Skellam, None) => Err(Refused::new(
                "--mechanism skellam needs --delta: no epsilon bounds its loss for certain, so say with which probability it may \
                 be passed, such as --delta 1e-6",
            )),
            (_, Some(_)) => Err(Refused::new(
                "--delta is for --mechanism skellam: the other mechanisms keep their promise for certain, so leave it out",
            )),
            (_, None) if self.accept_delta.is_some() => Err(Refused::new(
                "--accept-delta is for --mechanism skellam: the other mechanisms keep their promise for certain, so leave it out",
            )),
            // Asked of nobody: the other mechanisms have none.
            (_, None) => Ok(Deltas {
                asked: 0.0,
                accepted: 0.0,
            }),
        }
    }
}
