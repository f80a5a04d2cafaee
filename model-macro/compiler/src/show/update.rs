//! The printed update of a latent: conditional, variational posterior, sufficient statistic, exposure.

use super::blocks::Block;
use super::conditional::{parts as written, statement};
use super::formula::declared;
use super::shapes::{self, forwards, remark, tables};
use crate::derive::{DerivedModel, Origin, Summand, Turn, Update};
use crate::resolve::Model;

/// `Gibbs` and `CAVI` of a latent.
fn both(model: &Model, update: &Update) -> [String; 2] {
    [
        statement(model, &update.conditional, false),
        statement(model, &update.posterior, true),
    ]
}

/// The summands that data and children add to a parameter.
fn added<'a>(all: impl IntoIterator<Item = &'a Summand>) -> impl Iterator<Item = &'a Summand> {
    all.into_iter().filter(|part| part.from != Origin::Prior)
}

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
    let [gibbs, _] = both(model, update);
    gibbs
}

/// Everything that a sweep draws of latents, a line each, in its order.
pub fn in_order(derivation: &DerivedModel) -> Vec<String> {
    let lines = derivation.schedule.iter().flat_map(|turn| match *turn {
        Turn::Latent(of) | Turn::Forwards(of, _) => {
            vec![conditional(&derivation.model, &derivation.updates[of.0])]
        }
        Turn::Tables(shape) | Turn::Backwards(shape, _) => tables(derivation, shape).to_vec(),
    });
    lines.collect()
}

/// The variational posterior in one line.
pub fn posterior(model: &Model, update: &Update) -> String {
    let [_, cavi] = both(model, update);
    cavi
}

/// Remarks on the table counts in a conditional: what they are, and that they are drawn before the latent, which is integrated out.
fn about_tables(derivation: &DerivedModel, update: &Update) -> Vec<String> {
    let model = &derivation.model;
    let mut lines = Vec::new();
    for (number, shape) in model.shapes.iter().enumerate() {
        let is_read = update.occurrences().any(|of| of.count == model.counts.len() + number);
        if is_read {
            lines.extend(tables(derivation, number));
            lines.extend(remark(model, shape, ""));
        }
        if shape.of == update.latent {
            let [l, zeta] = shapes::names(model, number);
            lines.push(format!(
                "its shape is learned: {l} and {zeta} are drawn before it, with it integrated out"
            ));
        }
    }
    lines
}

/// What is said of one latent: conditional, variational update, sufficient statistic, exposure, remarks.
pub fn parts(derivation: &DerivedModel, update: &Update) -> Parts {
    let model = &derivation.model;
    let [conditional, mut ascent] = both(model, update);
    if !model.shapes.is_empty() {
        ascent = "none: a shape that is learned has no bound".to_owned();
    }
    let exposure = match &update.dropped[..] {
        [] => written(model, added(update.conditional.rate())),
        dropped => format!(
            "{}, which is constant along the simplex and drops out",
            written(model, dropped)
        ),
    };
    Parts {
        conditional,
        ascent,
        statistic: written(model, added(update.conditional.statistic())),
        exposure,
        remarks: in_sequence(model, update)
            .into_iter()
            .chain(custom_update(model, update))
            .chain(about_tables(derivation, update))
            .collect(),
    }
}

/// See [`parts`].
#[derive(Debug)]
pub struct Parts {
    /// The complete conditional.
    pub conditional: String,
    /// The variational update.
    pub ascent: String,
    /// What the data add to the first parameter: the sufficient statistic.
    pub statistic: String,
    /// What the data add to the second: the exposure.
    pub exposure: String,
    /// What else is to be known.
    pub remarks: Vec<String>,
}
