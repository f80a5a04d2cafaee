//! The scale symmetries of a model in words.

use super::blocks::Block;
use super::formula::{Style, indexed, symbol};
use super::names::STYLES;
use crate::derive::{DerivedModel, Scaled, Symmetry};
use crate::resolve::Model;

/// The block on scale symmetries; `None` if there are none.
pub(super) fn symmetries(derivation: &DerivedModel) -> Option<Block> {
    if derivation.symmetries.is_empty() {
        return None;
    }
    let model = &derivation.model;
    let [unicode, latex] = STYLES.map(|style| {
        let all = derivation.symmetries.iter();
        let mut lines: Vec<String> = all.map(|symmetry| line(model, symmetry, style)).collect();
        lines.push(match style {
            Style::Unicode => "ln p(u) = u Σ e·a − Σ exp(e·u) b·x,  u = ln s, over the entries x ~ Gamma(a, b) scaled by s^e".into(),
            Style::Latex => {
                r"\ln p(u) = u \sum e\,a - \sum e^{e u}\, b\, x, \quad u = \ln s, \quad x \sim \mathrm{Gamma}(a, b) \text{ scaled by } s^{e}".into()
            }
        });
        lines
    });
    Some(Block {
        heading: "Scale symmetries".into(),
        rule: "rates stay as they are, so that priors alone decide; the law of u is log-concave and drawn exactly \
               (generalised inverse Gaussian where the powers are 1 and −1)"
            .into(),
        unicode,
        latex,
    })
}

/// `θ[·,k] · s,  φ[k,·] / s   for every k in topics`
fn line(model: &Model, symmetry: &Symmetry, style: Style) -> String {
    let letter = symmetry.set.and_then(|_| {
        let first = symmetry.scaled.first()?;
        Some(model.latents[first.latent.0].indices[first.axis].name.to_string())
    });
    let parts: Vec<String> = symmetry
        .scaled
        .iter()
        .map(|s| scaled(model, s, letter.as_deref(), style))
        .collect();
    let parts = parts.join(if style == Style::Unicode { ",  " } else { ",\\quad " });
    match (symmetry.set, letter, style) {
        (Some(set), Some(letter), Style::Unicode) => format!("{parts}   for every {letter} in {}", model.set(set)),
        (Some(set), Some(letter), Style::Latex) => format!(
            "{parts} \\qquad \\text{{for every }} {} \\text{{ in {}}}",
            symbol(&letter, style),
            model.set(set).to_string().replace('_', "\\_")
        ),
        _ => parts,
    }
}

fn scaled(model: &Model, scaled: &Scaled, letter: Option<&str>, style: Style) -> String {
    let latent = &model.latents[scaled.latent.0];
    let dot = if style == Style::Unicode { "·" } else { "\\cdot" };
    let indices: Vec<String> = (0..latent.indices.len())
        .map(|axis| match letter {
            Some(letter) if axis == scaled.axis => letter.to_owned(),
            _ => dot.to_owned(),
        })
        .collect();
    let of = match style {
        Style::Unicode => indexed(&latent.name.to_string(), &indices, style),
        Style::Latex => {
            let name = symbol(&latent.name.to_string(), style);
            let letters: Vec<String> = indices
                .iter()
                .map(|i| if i == dot { i.clone() } else { symbol(i, style) })
                .collect();
            if letters.is_empty() {
                name
            } else {
                format!("{name}_{{{}}}", letters.join(","))
            }
        }
    };
    let power = match (scaled.power.abs(), style) {
        (1, _) => "s".to_owned(),
        (n, Style::Unicode) => format!("s^{n}"),
        (n, Style::Latex) => format!("s^{{{n}}}"),
    };
    match (scaled.power > 0, style) {
        (true, Style::Unicode) => format!("{of} · {power}"),
        (true, Style::Latex) => format!("{of}\\, {power}"),
        (false, _) => format!("{of} / {power}"),
    }
}
