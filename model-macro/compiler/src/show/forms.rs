//! What is printed of each form of inference, except what channels add about cells.

use super::blocks::CONDITION;
use super::bound::bound;
use super::conditional::statement;
use super::division::{shares, tables_divided};
use super::moments::definitions;
use super::moves::{SYMMETRIES, joint_moves};
use super::passage::Passage;
use super::shapes::{backwards, tables};
use super::tokens;
use super::update::{custom_update, in_sequence};
use crate::derive::{DerivedModel, Summand, Turn};
use crate::resolve::{Index, Model};

/// An engine in one of its forms, called as the variants of the runtime's `EngineForm`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Gibbs sampling, noise summed out.
    Gibbs,
    /// Gibbs sampling with the variables of the noise.
    GibbsAugmented,
    /// Gibbs sampling token by token.
    GibbsTokens,
    /// Coordinate ascent, noise summed out.
    Cavi,
    /// Coordinate ascent with the variables of the noise.
    CaviAugmented,
    /// Coordinate ascent as published.
    CaviPublished,
}

impl Form {
    /// All of them, in the order in which they are printed.
    pub const ALL: [Self; 6] = [
        Self::Gibbs,
        Self::GibbsAugmented,
        Self::GibbsTokens,
        Self::Cavi,
        Self::CaviAugmented,
        Self::CaviPublished,
    ];

    pub(super) fn is_gibbs(self) -> bool {
        matches!(self, Self::Gibbs | Self::GibbsAugmented | Self::GibbsTokens)
    }
}

/// What is printed of one form.
#[derive(Debug, Clone, PartialEq)]
pub struct FormLines {
    /// Which.
    pub form: Form,
    /// Moments, and rates at them.
    pub definitions: Passage,
    /// How counts are divided over the terms of their rates.
    pub allocation: Passage,
    /// The conditional of every latent, or q of it.
    pub latents: Passage,
    /// The bound, except what cells add to it.
    pub bound: Passage,
}

/// Every form.
pub fn forms(derivation: &DerivedModel) -> [FormLines; 6] {
    Form::ALL.map(|form| match form {
        Form::GibbsTokens => FormLines {
            form,
            definitions: Passage::default(),
            allocation: tokens::allocation(derivation),
            latents: tokens::latents(derivation),
            bound: bound(derivation, form),
        },
        form => of_cells(derivation, form),
    })
}

fn of_cells(derivation: &DerivedModel, form: Form) -> FormLines {
    FormLines {
        form,
        definitions: definitions(derivation, form),
        allocation: shares(derivation, form),
        latents: latents(derivation, form),
        bound: bound(derivation, form),
    }
}

/// What has to be known to read the conditionals of a model besides its letters, a sentence each.
pub fn notes(derivation: &DerivedModel) -> Vec<&'static str> {
    let condition = has_condition(derivation).then_some(CONDITION);
    let left_out = is_shifted(&derivation.model).then_some(LEFT_OUT);
    condition.into_iter().chain(left_out).collect()
}

/// Whether a conditional has terms under a condition, `[t<1]` or `[author[d]=a]`. Those of both engines have the same.
fn has_condition(derivation: &DerivedModel) -> bool {
    let mut shown = derivation
        .updates
        .iter()
        .flat_map(|update| &update.conditional.law.parameters);
    shown.any(|sum| sum.iter().any(Summand::has_condition))
}

/// Whether a model looks back in time.
fn is_shifted(model: &Model) -> bool {
    let mut indices = model.vars();
    indices.any(|index: &Index| index.lookup.as_ref().is_some_and(|lookup| lookup.array().is_none()))
}

/// What becomes of references out of time: `level[t-1]` at the first time, the shape and the rate of a child at `t+1` at the last.
const LEFT_OUT: &str = "what would be before the first time or after the last is left out: a term of a sum, a factor of a product, all that a child there would add";

fn latents(derivation: &DerivedModel, form: Form) -> Passage {
    let (model, mut lines) = (&derivation.model, Passage::default());
    for turn in &derivation.schedule {
        let update = match *turn {
            Turn::Latent(latent) => &derivation.updates[latent.0],
            Turn::Tables(shape) => {
                if form.is_gibbs() {
                    let [law, exposure] = tables(derivation, shape);
                    lines.formula(&law);
                    lines.source("Zhou and Carin 2015");
                    lines.formula(&exposure);
                    lines.lines.extend(tables_divided(derivation, shape).lines);
                    if let Some(order) = backwards(model, shape) {
                        lines.words(format!("  {order}"));
                    }
                }
                continue;
            }
        };
        let of = match form.is_gibbs() {
            true => &update.conditional,
            false => &update.posterior,
        };
        lines.formula(&statement(model, of, !form.is_gibbs()));
        let remarks = in_sequence(model, update)
            .into_iter()
            .chain(custom_update(model, update));
        remarks.for_each(|remark| lines.words(format!("  {remark}")));
    }
    if has_condition(derivation) && !model.starts_anywhere() {
        lines.words(CONDITION);
    }
    if is_shifted(model) {
        lines.words(LEFT_OUT);
    }
    match form {
        Form::Gibbs => joint_moves(derivation, &mut lines),
        Form::GibbsAugmented if !derivation.symmetries.is_empty() => {
            lines.words(SYMMETRIES);
        }
        _ => {}
    }
    lines
}
