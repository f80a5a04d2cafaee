//! Learned shapes: their table counts, and the exposure of these.

use super::conditional::{is_factor, parameters, parts};
use super::formula::{Letters, declared, indexed, symbol};
use super::names::weight_of;
use crate::derive::{DerivedModel, Origin, Summand};
use crate::resolve::{LatentId, Model, VarId};

/// The law of the table counts of a shape, and their exposure.
pub fn tables(derivation: &DerivedModel, number: usize) -> [String; 2] {
    let (model, shape) = (&derivation.model, &derivation.model.shapes[number]);
    let update = &derivation.updates[shape.of.0].conditional;
    let [counts, exposure] = [&update.statistic()[..], update.rate()]
        .map(|all| all.iter().filter(|part| part.from != Origin::Prior).collect::<Vec<_>>());
    let written = |all: &[&Summand]| match all {
        [] => "0".to_owned(),
        all => parts(model, all.iter().copied()),
    };
    let [rate, over] = &parameters(derivation, shape.of)[..] else {
        unreachable!("a shape is that of a gamma")
    };
    let [l, zeta] = names(model, number);
    let prior: Vec<&Summand> = update.rate().iter().filter(|part| part.from == Origin::Prior).collect();
    let bracketed = |all: &[&Summand]| match is_factor(model, all) {
        true => written(all),
        false => format!("({})", written(all)),
    };
    let relative = match &over[..] {
        "1" => written(&exposure),
        _ => format!("{}/{}", bracketed(&exposure), bracketed(&prior)),
    };
    let counts = written(&counts);
    [
        format!("{l} | − ~ CRT({counts}, {rate})"),
        format!("{zeta} = ln(1 + {relative})"),
    ]
}

/// `l[d,v]` and `ζ[d,v]`.
pub(super) fn names(model: &Model, number: usize) -> [String; 2] {
    let tables = &model.shapes[number].tables;
    let free: Vec<VarId> = tables.free_vars().collect();
    let letters = Letters::of(tables).list(&free);
    let zeta = weight_of(model, model.counts.len() + number);
    [indexed(&tables.name.to_string(), &letters), indexed(&zeta, &letters)]
}

/// What table counts are, in words; `mark` stands around what is a formula.
pub fn remark(model: &Model, number: usize, mark: &str) -> [String; 3] {
    let shape = &model.shapes[number];
    let latent = &model.latents[shape.of.0];
    let zeta = weight_of(model, model.counts.len() + number);
    let tables = shape.tables.name.to_string();
    let l = symbol(&tables).to_owned();
    [
        format!(
            "{mark}{l}{mark} is drawn with {mark}{}{mark} integrated out",
            declared(latent)
        ),
        format!(
            "{mark}CRT(n, s){mark} is the sum of n coins, with the probabilities {mark}s/s, s/(s + 1), .., s/(s + n − 1){mark}"
        ),
        format!(
            "given {mark}{l}{mark}, the shape is the rate of a Poisson count with the exposure {mark}{}{mark}",
            symbol(&zeta)
        ),
    ]
}

/// The order in which table counts of a latent in its own shape are drawn.
pub fn backwards(model: &Model, number: usize) -> Option<String> {
    let latent = &model.latents[model.shapes[number].of.0];
    let time = &latent.indices[model.in_turn_along(model.shapes[number].of)?].name;
    let [l, zeta] = names(model, number);
    Some(format!(
        "backwards, from the last {time} to the first: {l} and {zeta} given those of later {time}, and divided over the terms of the shape   [Schein, Wallach and Zhou 2016]"
    ))
}

/// The order in which the values of such a latent are drawn.
pub(super) fn forwards(model: &Model, id: LatentId) -> Option<String> {
    let latent = &model.latents[id.0];
    let time = &latent.indices[model.in_turn_along(id)?].name;
    Some(format!(
        "forwards, from the first {time} to the last, each given the values before it   [Schein, Wallach and Zhou 2016]"
    ))
}
