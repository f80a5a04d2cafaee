//! What the rate of a prior is at the first times, where it reads an earlier one and no `or` says what stands there.

use super::product::{Entry, Factor, Name, Place};

use super::formula::{declared, scalar, side_by_side};
use crate::resolve::{Access, Indices, Latent, Model};

/// A sentence for each such latent.
pub(super) fn first_rates(model: &Model) -> Vec<String> {
    model
        .latents
        .iter()
        .filter_map(|latent| first_rate(model, latent))
        .collect()
}

fn first_rate(model: &Model, latent: &Latent) -> Option<String> {
    let (vars, term) = (&latent.prior.vars, latent.prior.terms.last()?);
    // What `or` names is read at the same index, so many values from the first.
    let is_named = |base, back| {
        let mut starts = term.factors.iter().filter_map(|factor| factor.start);
        starts.any(|start| start.var == base && start.until == back)
    };
    let is_read_before = |factor: &&Access| !vars.shifts(factor).is_empty();
    let is_left_out = |factor: &&Access| {
        vars.shifts(factor)
            .iter()
            .any(|(_, base, back)| !is_named(*base, *back))
    };
    let entry = |factor: &Access| {
        Factor::Of(Entry {
            of: Name::plain(model.name_of(factor.of).to_string()),
            at: factor.vars.iter().map(|var| Place::of(&vars.shown(*var))).collect(),
        })
    };
    let left_out: Vec<String> = (term.factors.iter().filter(is_left_out))
        .map(|factor| side_by_side(vec![entry(factor)]))
        .collect();
    if left_out.is_empty() {
        return None;
    }
    let is_one =
        term.coefficient.number == 1.0 && term.coefficient.hypers.is_empty() && term.coefficient.per.is_empty();
    let rest = term.factors.iter().filter(|factor| !is_read_before(factor)).map(entry);
    let rest: Vec<Factor> = rest.collect();
    let rest = match is_one && !rest.is_empty() {
        true => rest,
        false => scalar(model, &term.coefficient).into_iter().chain(rest).collect(),
    };
    Some(format!(
        "the first rate of {} is {}: one stands for {} where there is no earlier time",
        declared(latent),
        side_by_side(rest),
        left_out.join(" and ")
    ))
}
