//! The printed update of a latent: conditional, variational posterior, sufficient statistic, exposure.

use super::blocks::{Block, STYLES, weight};
use super::formula::{Letters, Style, access, allocation, declared, factors, indexed, parameter, product, sum, symbol};
use crate::derive::Update;
use crate::resolve::{Access, Model, Prior, Source, Term, VarId};

/// Shape and rate that data and children add, for every place where the latent occurs.
fn additions(model: &Model, update: &Update, expected: bool, style: Style) -> [Vec<String>; 2] {
    let (mut counts, mut exposures) = (Vec::new(), Vec::new());
    for o in &update.occurrences {
        let count = &model.counts[o.count];
        let term = &count.terms[o.term];
        let factor = &term.factors[o.factor];
        let letters = Letters::for_latent(model, count, update.latent, factor);
        let over: Vec<VarId> = count
            .free_vars()
            .chain(term.summed.iter().copied())
            .filter(|v| !factor.vars.contains(v))
            .collect();
        let over = letters.list(&over);
        let free: Vec<VarId> = count.free_vars().collect();
        let y = allocation(count, o.term, &letters, style);
        let w = match &model.counts[..] {
            [_] => weight(model).to_string(),
            _ => format!("{}_{}", weight(model), count.name),
        };
        let w = indexed(&w, &letters.list(&free), style);
        let mut weighed = vec![w];
        weighed.extend(others(model, term, o.factor, &letters, expected, style));
        counts.push(sum(&over, &if expected { mean_of(&y, style) } else { y }, style));
        exposures.push(sum(&over, &product(&weighed, style), style));
    }
    for child in &update.children {
        let latent = &model.latents[child.latent.0];
        let Prior::Gamma { shape, rate } = &latent.prior else {
            unreachable!("only gamma priors have parents")
        };
        let letters = Letters::of_child(model, child.latent, update.latent, &child.access);
        let all = (0..latent.indices.len()).map(VarId);
        let over: Vec<VarId> = all.clone().filter(|v| !child.access.vars.contains(v)).collect();
        let over = letters.list(&over);
        let shape = factors(model, shape, None, &letters, style);
        let shape = if shape.is_empty() {
            "1".into()
        } else {
            product(&shape, style)
        };
        counts.push(sum(&over, &shape, style));
        let Some(at) = rate.factors.iter().position(|f| f.of == Source::Latent(update.latent)) else {
            unreachable!("a child has its parent in its rate")
        };
        let own = indexed(&latent.name.to_string(), &letters.list(&all.collect::<Vec<_>>()), style);
        let mut weighed = others(model, rate, at, &letters, expected, style);
        weighed.push(if expected { mean_of(&own, style) } else { own });
        exposures.push(sum(&over, &product(&weighed, style), style));
    }
    [counts, exposures]
}

fn mean_of(of: &str, style: Style) -> String {
    match style {
        Style::Unicode => format!("E[{of}]"),
        Style::Latex => format!("\\mathbb{{E}}[{of}]"),
    }
}

/// Coefficient and factors of a term but one; the random ones in a mean if `expected`.
fn others(model: &Model, term: &Term, without: usize, letters: &Letters, expected: bool, style: Style) -> Vec<String> {
    let mut all = factors(model, term, Some(without), letters, style);
    if expected {
        let known = |f: &Access| matches!(f.of, Source::Data(_));
        let [fixed, random] = [true, false].map(|fixed| {
            let chosen = term
                .factors
                .iter()
                .enumerate()
                .filter(|(i, f)| *i != without && known(f) == fixed);
            chosen
                .map(|(_, f)| access(model, f, letters, style))
                .collect::<Vec<_>>()
        });
        all.truncate(usize::from(!term.coefficient.is_one()));
        all.extend(fixed);
        if !random.is_empty() {
            all.push(mean_of(&product(&random, style), style));
        }
    }
    all
}

/// The prior's own part of a conditional: a parameter, parents in a mean if `expected`.
fn own_part(model: &Model, update: &Update, term: &Term, expected: bool, style: Style) -> String {
    let latent = &model.latents[update.latent.0];
    let random = term.factors.iter().any(|f| matches!(f.of, Source::Latent(_)));
    if !(expected && random) {
        return parameter(model, latent, term, style);
    }
    let all = others(
        model,
        term,
        term.factors.len(),
        &Letters::of_latent(latent),
        true,
        style,
    );
    product(&all, style)
}

/// The conditional of a latent, or its variational posterior if `expected`: the law with its parameters.
fn law(model: &Model, update: &Update, expected: bool, style: Style) -> String {
    let latent = &model.latents[update.latent.0];
    let [counts, exposures] = additions(model, update, expected, style);
    let plus = |own: String, more: &[String]| {
        std::iter::once(own)
            .chain(more.iter().cloned())
            .collect::<Vec<_>>()
            .join(" + ")
    };
    match (&latent.prior, style) {
        (Prior::Gamma { shape, rate }, _) => {
            let shape = plus(own_part(model, update, shape, expected, style), &counts);
            let rate = plus(own_part(model, update, rate, expected, style), &exposures);
            match style {
                Style::Unicode => format!("Gamma({shape}, {rate})"),
                Style::Latex => format!("\\mathrm{{Gamma}}\\left({shape},\\ {rate}\\right)"),
            }
        }
        (
            Prior::Dirichlet {
                concentration, along, ..
            },
            _,
        ) => {
            let concentration = plus(own_part(model, update, concentration, expected, style), &counts);
            let along = symbol(&latent.indices[*along].name.to_string(), style);
            match style {
                Style::Unicode => format!("Dirichlet_{along}({concentration})"),
                Style::Latex => format!("\\mathrm{{Dirichlet}}_{{{along}}}\\left({concentration}\\right)"),
            }
        }
    }
}

/// `Gibbs` and `CAVI` of a latent.
fn both(model: &Model, update: &Update, style: Style) -> [String; 2] {
    let name = declared(&model.latents[update.latent.0], style);
    [false, true].map(|expected| {
        let law = law(model, update, expected, style);
        match (expected, style) {
            (false, Style::Unicode) => format!("{name} | − ~ {law}"),
            (true, Style::Unicode) => format!("q({name}) = {law}"),
            (false, Style::Latex) => format!("{name} \\mid - \\sim {law}"),
            (true, Style::Latex) => format!("q({name}) = {law}"),
        }
    })
}

/// How the entries of a latent that meet in a term are updated; nothing for the others.
fn in_sequence(model: &Model, update: &Update) -> Option<String> {
    let latent = &model.latents[update.latent.0];
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

/// Who updates a latent, where it is not the derived rule.
fn own_update(model: &Model, update: &Update) -> Option<String> {
    let path = model.latents[update.latent.0].own.as_ref()?;
    let words: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    Some(format!(
        "updated by {}, which the declaration names; it must leave this conditional invariant",
        words.join("::")
    ))
}

pub(super) fn updated(model: &Model, update: &Update) -> Block {
    let [[gibbs, cavi], latex] = STYLES.map(|style| both(model, update, style));
    let mut unicode = vec![format!("Gibbs:  {gibbs}"), format!("CAVI:   {cavi}")];
    unicode.extend(in_sequence(model, update));
    unicode.extend(own_update(model, update));
    Block::Text {
        heading: format!("Update of {}", model.latents[update.latent.0].name),
        rule: format!("{} ({})", update.rule.name(), update.rule.source()),
        unicode,
        latex: latex.to_vec(),
    }
}

/// The complete conditional in one line of Unicode.
pub fn conditional(model: &Model, update: &Update) -> String {
    let [gibbs, _] = both(model, update, Style::Unicode);
    gibbs
}

/// What is said of one latent: conditional, variational update, sufficient statistic, exposure, remarks.
pub fn parts(model: &Model, update: &Update) -> Parts {
    let [conditional, ascent] = both(model, update, Style::Unicode);
    let [counts, exposures] = additions(model, update, false, Style::Unicode);
    let is_simplex = matches!(model.latents[update.latent.0].prior, Prior::Dirichlet { .. });
    Parts {
        conditional,
        ascent,
        statistic: counts.join(" + "),
        exposure: if is_simplex {
            format!(
                "{}, which is constant along the simplex and drops out",
                exposures.join(" + ")
            )
        } else {
            exposures.join(" + ")
        },
        remarks: in_sequence(model, update)
            .into_iter()
            .chain(own_update(model, update))
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
    /// What the data add to the first parameter.
    pub statistic: String,
    /// What they add to the second.
    pub exposure: String,
    /// What else is to be known.
    pub remarks: Vec<String>,
}
