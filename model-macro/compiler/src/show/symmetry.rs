//! The scale symmetries of a model in words.

use super::blocks::Block;
use super::formula::indexed;
use crate::derive::{DerivedModel, Scaled, Symmetry};
use crate::resolve::Model;

/// The block on scale symmetries; `None` if there are none.
pub(super) fn symmetries(derivation: &DerivedModel) -> Option<Block> {
    if derivation.symmetries.is_empty() {
        return None;
    }
    let model = &derivation.model;
    let all = derivation.symmetries.iter();
    let mut lines: Vec<String> = all.map(|symmetry| line(model, symmetry)).collect();
    lines.push("ln p(u) = u Σ e·a − Σ exp(e·u) b·x,  u = ln s, over the entries x ~ Gamma(a, b) scaled by s^e".into());
    Some(Block {
        heading: "Scale symmetries".into(),
        rule: "rates stay as they are, so that priors alone decide; the law of u is log-concave and drawn exactly \
               (generalised inverse Gaussian where the powers are 1 and −1)"
            .into(),
        lines,
    })
}

/// `θ[·,k] · s,  φ[k,·] / s   for every k in topics`
fn line(model: &Model, symmetry: &Symmetry) -> String {
    let letter = symmetry.set.and_then(|_| {
        let first = symmetry.scaled.first()?;
        Some(model.latents[first.latent.0].indices[first.axis].name.to_string())
    });
    let parts: Vec<String> = symmetry
        .scaled
        .iter()
        .map(|s| scaled(model, s, letter.as_deref()))
        .collect();
    let parts = parts.join(",  ");
    match (symmetry.set, letter) {
        (Some(set), Some(letter)) => format!("{parts}   for every {letter} in {}", model.set(set)),
        _ => parts,
    }
}

fn scaled(model: &Model, scaled: &Scaled, letter: Option<&str>) -> String {
    let latent = &model.latents[scaled.latent.0];
    let indices: Vec<String> = (0..latent.indices.len())
        .map(|axis| match letter {
            Some(letter) if axis == scaled.axis => letter.to_owned(),
            _ => "·".to_owned(),
        })
        .collect();
    let of = indexed(&latent.name.to_string(), &indices);
    let power = match scaled.power.abs() {
        1 => "s".to_owned(),
        n => format!("s^{n}"),
    };
    match scaled.power > 0 {
        true => format!("{of} · {power}"),
        false => format!("{of} / {power}"),
    }
}
