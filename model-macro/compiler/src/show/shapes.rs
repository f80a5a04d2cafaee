//! Shapes that are learned: their table counts, and the exposure of these.

use super::conditional::parts;
use super::formula::{Letters, Style, declared, indexed, parameter, rate, symbol};
use super::names::weight_of;
use crate::derive::{DerivedModel, Origin};
use crate::resolve::{Model, Shape, Side, VarId};

/// The law of the table counts of a shape, and their exposure, in one notation.
pub(super) fn tables(derivation: &DerivedModel, number: usize, style: Style) -> [String; 2] {
    let (model, shape) = (&derivation.model, &derivation.model.shapes[number]);
    let latent = &model.latents[shape.of.0];
    let update = &derivation.updates[shape.of.0].conditional;
    let added = |all: &[crate::derive::Contraction]| {
        let all: Vec<_> = all.iter().filter(|part| part.from != Origin::Prior).collect();
        match &all[..] {
            [] => "0".to_owned(),
            all => parts(model, all.iter().copied(), style),
        }
    };
    let (counts, exposure) = (added(update.statistic()), added(update.rate()));
    let rate = rate(model, &shape.tables, Side::Plus, style);
    let over = parameter(model, latent, &latent.prior.terms[1], style);
    let [l, zeta] = names(model, number, style);
    match style {
        Style::Unicode => {
            let [exposure, over] = [&exposure, &over].map(|of| match of.contains(' ') {
                true => format!("({of})"),
                false => of.clone(),
            });
            [
                format!("{l} | − ~ CRT({counts}, {rate})"),
                match &over[..] {
                    "1" => format!("{zeta} = ln(1 + {exposure})"),
                    _ => format!("{zeta} = ln(1 + {exposure}/{over})"),
                },
            ]
        }
        Style::Latex => [
            format!(r"{l} \mid - \sim \mathrm{{CRT}}\left({counts},\ {rate}\right)"),
            format!(r"{zeta} = \ln\left(1 + \frac{{{exposure}}}{{{over}}}\right)"),
        ],
    }
}

/// `l[d,v]` and `ζ[d,v]`.
fn names(model: &Model, number: usize, style: Style) -> [String; 2] {
    let tables = &model.shapes[number].tables;
    let free: Vec<VarId> = tables.free_vars().collect();
    let letters = Letters::of(tables).list(&free);
    let zeta = weight_of(model, model.counts.len() + number);
    [
        indexed(&tables.name.to_string(), &letters, style),
        indexed(&zeta, &letters, style),
    ]
}

/// What table counts are, in words.
pub fn remark(model: &Model, shape: &Shape) -> [String; 3] {
    let latent = &model.latents[shape.of.0];
    let zeta = weight_of(model, model.counts.len() + position(model, shape));
    [
        format!("drawn with {} integrated out", declared(latent, Style::Unicode)),
        "CRT(n, s) is the sum of n coins, the t-th with probability s/(s + t − 1)".to_owned(),
        format!(
            "given it the shape is the rate of a Poisson count with the exposure {}",
            symbol(&zeta, Style::Unicode)
        ),
    ]
}

fn position(model: &Model, shape: &Shape) -> usize {
    model
        .shapes
        .iter()
        .position(|other| other.of == shape.of)
        .unwrap_or_default()
}

/// The same two in Unicode, for generated code.
pub fn table_lines(derivation: &DerivedModel, number: usize) -> [String; 2] {
    tables(derivation, number, Style::Unicode)
}
