//! The printed derivation, block by block.

use super::formula::{
    Letters, Style, access, allocation, declared as declared_as, factors, indexed, parameter, product, rate, sum,
    symbol,
};
use super::tree::layout;
use crate::derive::{Derivation, Update};
use crate::resolve::{Access, Channel, Count, Model, Prior, Source, Term, VarId};

/// One block of a printed derivation.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Formulas under a heading.
    Text {
        /// What the block is about.
        heading: String,
        /// The rule that was used, or an empty string.
        rule: String,
        /// A line each.
        unicode: Vec<String>,
        /// A displayed formula each.
        latex: Vec<String>,
    },
    /// The place where the channel's own text goes, with what it calls its variables.
    Channel {
        /// Which count.
        count: usize,
        /// The true count of a cell.
        truth: String,
        /// What was observed there.
        observed: String,
        /// Its rate.
        rate: String,
        /// The same in LaTeX.
        truth_latex: String,
        /// The same in LaTeX.
        observed_latex: String,
        /// The same in LaTeX.
        rate_latex: String,
    },
}

/// Every block in order: the model, the allocation, the channel, the updates, the trees.
pub fn blocks(derivation: &Derivation) -> Vec<Block> {
    let model = &derivation.model;
    let mut blocks = vec![declared(model)];
    for (number, count) in model.counts.iter().enumerate() {
        blocks.push(allocations(model, count));
        let (truth, observed, mean) = (truth(count), observed(model, count), mean(model, count));
        blocks.push(Block::Channel {
            count: number,
            truth: truth[0].clone(),
            observed: observed[0].clone(),
            rate: mean[0].clone(),
            truth_latex: truth[1].clone(),
            observed_latex: observed[1].clone(),
            rate_latex: mean[1].clone(),
        });
    }
    blocks.extend(derivation.updates.iter().map(|u| updated(model, u)));
    blocks.push(weights(model));
    for (count, layouts) in model.counts.iter().zip(&derivation.layouts) {
        let mut unicode = Vec::new();
        for (i, l) in layouts.iter().enumerate() {
            if layouts.len() > 1 {
                unicode.push(format!("layout {i}:"));
            }
            unicode.extend(layout(model, count, l).lines().map(str::to_string));
        }
        let heading = match layouts.len() {
            1 => format!("How the rate of {} is computed", count.name),
            n => format!(
                "How the rate of {} is computed: {n} layouts, the cheapest at the sizes given is used",
                count.name
            ),
        };
        blocks.push(Block::Text {
            heading,
            rule: String::new(),
            latex: Vec::new(),
            unicode,
        });
    }
    blocks
}

const STYLES: [Style; 2] = [Style::Unicode, Style::Latex];

/// `y[d,v]`, or another name at the indices of the count.
fn cell(count: &Count, name: &str) -> [String; 2] {
    let letters = Letters::of(count);
    let vars: Vec<VarId> = count.free_vars().collect();
    STYLES.map(|style| indexed(name, &letters.list(&vars), style))
}

/// The true count of a cell.
fn truth(count: &Count) -> [String; 2] {
    cell(count, &count.name.to_string())
}

/// Its rate: `mu`, unless the model calls something else that.
fn mean(model: &Model, count: &Count) -> [String; 2] {
    cell(count, unused(model, &["mu", "rate"]))
}

/// The weight of a cell: `w`, unless the model calls something else that.
fn weight(model: &Model) -> &'static str {
    unused(model, &["w", "omega", "weight"])
}

/// The first of some names that the model does not use, or the last of them.
fn unused(model: &Model, names: &[&'static str]) -> &'static str {
    let taken = |name: &str| {
        let latents = model.latents.iter().map(|l| &l.name);
        let data = model.data.iter().map(|d| &d.name);
        let hypers = model.hypers.iter().map(|h| &h.name);
        let counts = model.counts.iter().map(|c| &c.name);
        latents
            .chain(data)
            .chain(hypers)
            .chain(counts)
            .any(|known| known == name)
    };
    names
        .iter()
        .find(|name| !taken(name))
        .or(names.last())
        .copied()
        .unwrap_or("w")
}

/// What was observed: the count itself, or its release, which is called `c` where nothing else is.
fn observed(model: &Model, count: &Count) -> [String; 2] {
    match count.channel {
        Channel::Exact => truth(count),
        Channel::Mechanism(_) => {
            let letters = Letters::of(count);
            let vars: Vec<VarId> = count.free_vars().collect();
            let list = letters.list(&vars);
            let latents = model.latents.iter().map(|l| &l.name);
            let mut names = latents
                .chain(model.data.iter().map(|d| &d.name))
                .chain(model.hypers.iter().map(|h| &h.name));
            let [plain, tex] = if names.any(|name| name == "c") {
                STYLES.map(|style| symbol(&count.name.to_string(), style) + "'")
            } else {
                ["c".to_string(), "c".to_string()]
            };
            [
                format!("{plain}[{}]", list.join(",")),
                format!("{tex}_{{{}}}", list.join(",")),
            ]
        }
    }
}

/// ` where i ≠ j`, or nothing.
fn cells(count: &Count, style: Style) -> String {
    let clauses: Vec<String> = count
        .guards
        .iter()
        .map(|g| {
            let [a, b] = [g.left, g.right].map(|v| symbol(&count.vars[v.0].name.to_string(), style));
            let sign = match (g.less, style) {
                (true, _) => "<",
                (false, Style::Unicode) => "≠",
                (false, Style::Latex) => "\\neq",
            };
            format!("{a} {sign} {b}")
        })
        .collect();
    match (&clauses[..], style) {
        ([], _) => String::new(),
        (_, Style::Unicode) => format!(" where {}", clauses.join(", ")),
        (_, Style::Latex) => format!(" \\quad ({})", clauses.join(",\\ ")),
    }
}

fn declared(model: &Model) -> Block {
    let [unicode, latex] = STYLES.map(|style| {
        let mut lines = Vec::new();
        for latent in &model.latents {
            let name = declared_as(latent, style);
            let law = match (&latent.prior, style) {
                (Prior::Gamma { .. }, Style::Unicode) => "Gamma".to_string(),
                (Prior::Gamma { .. }, Style::Latex) => "\\mathrm{Gamma}".to_string(),
                (Prior::Dirichlet { along, .. }, Style::Unicode) => {
                    format!("Dirichlet_{}", latent.indices[*along].name)
                }
                (Prior::Dirichlet { along, .. }, Style::Latex) => {
                    format!(
                        "\\mathrm{{Dirichlet}}_{{{}}}",
                        symbol(&latent.indices[*along].name.to_string(), style)
                    )
                }
            };
            let parameters: Vec<String> = latent
                .prior
                .terms()
                .into_iter()
                .map(|t| parameter(model, latent, t, style))
                .collect();
            let tilde = if style == Style::Unicode { "~" } else { "\\sim" };
            lines.push(format!("{name} {tilde} {law}({})", parameters.join(", ")));
        }
        for count in &model.counts {
            let at = usize::from(style == Style::Latex);
            let (y, mu) = (&truth(count)[at], &mean(model, count)[at]);
            let mean = rate(model, count, style);
            lines.push(format!("{mu} = {mean}"));
            let cells = cells(count, style);
            lines.push(match style {
                Style::Unicode => format!("{y} ~ Poisson({mu}){cells}"),
                Style::Latex => format!("{y} \\sim \\mathrm{{Poisson}}({mu}){cells}"),
            });
        }
        lines
    });
    Block::Text {
        heading: "The model; Gamma is (shape, rate)".into(),
        rule: String::new(),
        unicode,
        latex,
    }
}

fn allocations(model: &Model, count: &Count) -> Block {
    let letters = Letters::of(count);
    let [unicode, latex] = STYLES.map(|style| {
        let at = usize::from(style == Style::Latex);
        let (y, mu) = (&truth(count)[at], &mean(model, count)[at]);
        let parts: Vec<String> = count
            .terms
            .iter()
            .enumerate()
            .map(|(t, term)| {
                sum(
                    &letters.list(&term.summed),
                    &allocation(count, t, &letters, style),
                    style,
                )
            })
            .collect();
        let mut lines = vec![format!("{y} = {}", parts.join(" + "))];
        for (t, term) in count.terms.iter().enumerate() {
            let part = allocation(count, t, &letters, style);
            let of = product(&factors(model, term, None, &letters, style), style);
            lines.push(match style {
                Style::Unicode => format!("{part} ~ Poisson({of})"),
                Style::Latex => format!("{part} \\sim \\mathrm{{Poisson}}({of})"),
            });
        }
        let all: Vec<String> = count
            .terms
            .iter()
            .enumerate()
            .map(|(t, term)| {
                format!(
                    "{} : {}",
                    allocation(count, t, &letters, style),
                    product(&factors(model, term, None, &letters, style), style)
                )
            })
            .collect();
        lines.push(match style {
            Style::Unicode => {
                format!("all of them | {y} ~ Multinomial({y}, in proportion to their rates, which sum to {mu})")
            }
            Style::Latex => format!(
                "({}) \\mid {y} \\sim \\mathrm{{Multinomial}}\\left({y}, \\tfrac{{1}}{{{mu}}}(\\cdot)\\right)",
                all.join(",\\ ")
            ),
        });
        lines
    });
    Block::Text {
        heading: format!("Allocation of {}", count.name),
        rule:
            "a Poisson count with a sum for its rate is a sum of Poisson counts; given the total they are multinomial"
                .into(),
        unicode,
        latex,
    }
}

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
        let w = indexed(weight(model), &letters.list(&free), style);
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
    let name = declared_as(&model.latents[update.latent.0], style);
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

fn updated(model: &Model, update: &Update) -> Block {
    let [gibbs, cavi] = both(model, update, Style::Unicode);
    let mut unicode = vec![format!("Gibbs:  {gibbs}"), format!("CAVI:   {cavi}")];
    unicode.extend(in_sequence(model, update));
    unicode.extend(own_update(model, update));
    Block::Text {
        heading: format!("Update of {}", model.latents[update.latent.0].name),
        rule: format!("{} ({})", update.rule.name(), update.rule.source()),
        unicode,
        latex: both(model, update, Style::Latex).to_vec(),
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

/// What the weight of a cell follows from.
fn weights_rule(model: &Model) -> &'static str {
    let simplex = model.latents.iter().any(|l| l.along().is_some());
    if simplex {
        "held-out cells are left out; where a Dirichlet factor needs constant weights every other cell weighs one, and its true count is drawn"
    } else {
        "held-out cells are left out; a cell whose log marginal is linear in its rate is exposure alone"
    }
}

fn weights(model: &Model) -> Block {
    let w = [Style::Unicode, Style::Latex].map(|style| symbol(weight(model), style));
    Block::Text {
        heading: "Weights".into(),
        rule: weights_rule(model).into(),
        unicode: vec![
            format!(
                "{} = 0 at held-out cells, 1 at visited cells, and at the others what the channel says",
                w[0]
            ),
            "sums of allocations run over visited cells, sums of exposures over all".into(),
        ],
        latex: vec![format!(
            "{} = \\begin{{cases}} 0 & \\text{{held out}} \\\\ 1 & \\text{{visited}} \\\\ \\text{{as the channel says}} & \\text{{otherwise}} \\end{{cases}}",
            w[1]
        )],
    }
}
