//! What the rate of a prior is at the first times, where it reads an earlier one and no `or` says what stands there.

use super::formula::{declared, indexed, product, scalar};
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
        let at: Vec<String> = factor.vars.iter().map(|var| vars.shown(*var)).collect();
        indexed(&model.name_of(factor.of).to_string(), &at)
    };
    let left_out: Vec<String> = term.factors.iter().filter(is_left_out).map(entry).collect();
    if left_out.is_empty() {
        return None;
    }
    let is_one =
        term.coefficient.number == 1.0 && term.coefficient.hypers.is_empty() && term.coefficient.per.is_empty();
    let rest = term.factors.iter().filter(|factor| !is_read_before(factor)).map(entry);
    let rest: Vec<String> = rest.collect();
    let rest = match is_one && !rest.is_empty() {
        true => rest,
        false => scalar(model, &term.coefficient).into_iter().chain(rest).collect(),
    };
    Some(format!(
        "the first rate of {} is {}: one stands for {} where there is no earlier time",
        declared(latent),
        product(&rest),
        left_out.join(" and ")
    ))
}
