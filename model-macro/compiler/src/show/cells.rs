//! What a law that the language knows says of a cell, in the letters of a model.

use super::forms::Form;
use super::names::CellNames;
use super::wrap::wrapped_sum;
use crate::cells::{CellLaw, Step, Takes};

/// The rows of a law as they are printed.
#[derive(Debug, Clone, PartialEq)]
pub struct CellLines {
    /// How observation, count and noise are declared, where augmented forms keep the noise, or the count is a difference.
    pub declared: Vec<String>,
    /// What each form does at a cell.
    pub steps: [Vec<String>; 6],
    /// What the cell adds to the bound of a collapsed form, and of the augmented one; empty where that is the log likelihood.
    pub bound: [Vec<String>; 2],
}

impl CellLines {
    pub(super) fn new(law: &CellLaw, names: &CellNames) -> Self {
        let (written, bound) = (
            |steps: &[Step]| written(steps, names),
            |of: &str| match of {
                "" => Vec::new(),
                of => wrapped_sum(&in_letters(of, names)),
            },
        );
        let is_kept = law.noise.is_some() || law.takes == Takes::Difference;
        Self {
            declared: if is_kept { written(law.declared) } else { Vec::new() },
            steps: Form::ALL.map(|form| match (form, &law.noise) {
                (Form::Gibbs | Form::GibbsTokens, _) | (Form::GibbsAugmented, None) => written(law.draw),
                (Form::Cavi, _) | (Form::CaviAugmented, None) => written(law.ascend),
                (Form::CaviPublished, None) if law.takes == Takes::Difference => {
                    let mut lines = written(law.ascend);
                    lines.push("VI18 has no step for a difference: mean rates stand for ρ here".into());
                    lines
                }
                // The published pass asks such a channel at the mean.
                (Form::CaviPublished, None) => {
                    let at_mean = CellNames {
                        geometric: names.mean_rate.clone(),
                        ..names.clone()
                    };
                    self::written(law.ascend, &at_mean)
                }
                (Form::GibbsAugmented, Some(noise)) => written(noise.draw),
                (Form::CaviAugmented, Some(noise)) => written(noise.ascend),
                (Form::CaviPublished, Some(noise)) => written(noise.publish),
            }),
            bound: [law.bound, law.noise.map_or(law.bound, |noise| noise.bound)].map(bound),
        }
    }
}

fn written(steps: &[Step], names: &CellNames) -> Vec<String> {
    let line = |step: &Step| match step.source {
        "" => in_letters(step.formula, names),
        source => format!("{}   [{source}]", in_letters(step.formula, names)),
    };
    let mut lines: Vec<String> = steps.iter().map(line).collect();
    if steps.iter().any(|step| step.formula.contains("I(")) {
        lines.push("I(n, x) is the modified Bessel function of the first kind, of order n".into());
    }
    lines
}

/// A formula in the letters of one cell, in those of the model.
fn in_letters(formula: &str, names: &CellNames) -> String {
    let sides = names.sides.as_ref();
    let signed = |sign: &str, of: &[String; 3]| {
        let at = ["⁺", "⁻", "±"].iter().position(|other| *other == sign)?;
        Some(of[at].clone())
    };
    let letter = |word: &str, sign: &str| match (word, sign) {
        ("y", "") => Some(names.truth.clone()),
        ("c", "") => Some(names.observed.clone()),
        ("μ", "") => Some(names.rate.clone()),
        ("ρ", "") => Some(names.geometric.clone()),
        ("m", "") => Some(names.minimum.clone()),
        ("S", "") => Some(names.total.clone()),
        ("z", "") => Some(names.argument.clone()),
        ("L", "") => Some(names.bound.clone()),
        ("g", sign) => signed(sign, &names.noise),
        ("λ", sign) => signed(sign, &names.level),
        ("c", sign) => signed(sign, &sides?.count),
        ("μ", sign) => signed(sign, &sides?.rate),
        ("ρ", sign) => signed(sign, &sides?.geometric),
        _ => None,
    };
    let (mut out, mut rest) = (String::new(), formula);
    while let Some(first) = rest.chars().next() {
        let end = |of: &str, is: fn(char) -> bool| of.find(|c| !is(c)).unwrap_or(of.len());
        let word = &rest[..end(rest, char::is_alphabetic)];
        if word.is_empty() {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let after = &rest[word.len()..];
        let sign = &after[..end(after, |c| "⁺⁻±".contains(c))];
        match letter(word, sign) {
            Some(name) => out += &name,
            None => out += &rest[..word.len() + sign.len()],
        }
        rest = &after[sign.len()..];
    }
    out
}
