//! The printed update of a latent: its conditional and its variational posterior.

use super::blocks::Block;
use super::conditional::statement;
use super::formula::declared;
use super::shapes::{forwards, tables};
use crate::derive::{DerivedModel, Turn, Update};
use crate::resolve::Model;

/// How the entries of a latent that meet in a term are updated; nothing for the others.
pub fn in_sequence(model: &Model, update: &Update) -> Option<String> {
    let latent = &model.latents[update.latent.0];
    if let Some(order) = forwards(model, update.latent) {
        return Some(order);
    }
    if let Some(position) = update.in_time {
        let time = &latent.indices[position].name;
        return Some(format!(
            "one value of {time} after another, each given all others: entries of different ones meet in a prior"
        ));
    }
    let fixed: Vec<String> = update
        .sequence
        .iter()
        .map(|&p| latent.indices[p].name.to_string())
        .collect();
    (!fixed.is_empty()).then(|| {
        format!(
            "one value of {} after another, exposures current: entries of different ones meet in a cell",
            fixed.join(", ")
        )
    })
}

/// The custom update of a latent, if it has one, in words.
pub(super) fn custom_update(model: &Model, update: &Update) -> Option<String> {
    let own = model.latents[update.latent.0].own.as_ref()?;
    Some(format!(
        "updated by {}, which the declaration names; it must leave this conditional invariant",
        path(own)
    ))
}

/// `mine::Slice`
pub(super) fn path(of: &syn::Path) -> String {
    let words: Vec<String> = of.segments.iter().map(|s| s.ident.to_string()).collect();
    words.join("::")
}

/// Why each conditional has the form that it has.
pub(super) fn rules(derivation: &DerivedModel) -> Block {
    let model = &derivation.model;
    let line = |update: &Update| {
        let name = declared(&model.latents[update.latent.0]);
        format!("{name}: {} ({})", update.rule.name(), update.source(model.counts.len()))
    };
    Block {
        heading: "Rules by which latents are updated".into(),
        rule: String::new(),
        lines: derivation.updates.iter().map(line).collect(),
    }
}

/// The complete conditional in one line.
pub fn conditional(model: &Model, update: &Update) -> String {
    statement(model, &update.conditional, false)
}

/// Everything that a sweep draws of latents, a line each, in its order.
pub fn in_order(derivation: &DerivedModel) -> Vec<String> {
    let lines = derivation.schedule.iter().flat_map(|turn| match *turn {
        Turn::Latent(of) => {
            vec![conditional(&derivation.model, &derivation.updates[of.0])]
        }
        Turn::Tables(shape) => tables(derivation, shape).to_vec(),
    });
    lines.collect()
}

/// The variational posterior in one line.
pub fn posterior(model: &Model, update: &Update) -> String {
    statement(model, &update.posterior, true)
}
