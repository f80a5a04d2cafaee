//! The printed derivation, block by block.

use super::formula::{Letters, Style, access, allocation, factors, indexed, product, rate, scalar, sum, symbol};
use super::tree::layout;
use crate::derive::{Derivation, Update};
use crate::resolve::{Access, Channel, Count, Model, Prior, Source, VarId};

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
    for count in &model.counts {
        blocks.push(allocations(model, count));
        let (truth, observed, mean) = (truth(count), observed(model, count), mean(model, count));
        blocks.push(Block::Channel {
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

fn declared(model: &Model) -> Block {
    let [unicode, latex] = STYLES.map(|style| {
        let mut lines = Vec::new();
        for latent in &model.latents {
            let Prior::Gamma { shape, rate } = &latent.prior;
            let indices: Vec<String> = latent.indices.iter().map(|i| i.name.to_string()).collect();
            let name = indexed(&latent.name.to_string(), &indices, style);
            let (shape, rate) = (scalar(model, shape, style), scalar(model, rate, style));
            lines.push(match style {
                Style::Unicode => format!("{name} ~ Gamma({shape}, {rate})"),
                Style::Latex => format!("{name} \\sim \\mathrm{{Gamma}}({shape}, {rate})"),
            });
        }
        for count in &model.counts {
            let at = usize::from(style == Style::Latex);
            let (y, mu) = (&truth(count)[at], &mean(model, count)[at]);
            let mean = rate(model, count, style);
            lines.push(match style {
                Style::Unicode => format!("{mu} = {mean}"),
                Style::Latex => format!("{mu} = {mean}"),
            });
            lines.push(match style {
                Style::Unicode => format!("{y} ~ Poisson({mu})"),
                Style::Latex => format!("{y} \\sim \\mathrm{{Poisson}}({mu})"),
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

/// Shape and rate that the data add, for every place where the latent occurs.
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
        let mut others = factors(model, term, Some(o.factor), &letters, style);
        if expected {
            let known = |f: &Access| matches!(f.of, Source::Data(_));
            let [fixed, random] = [true, false].map(|fixed| {
                let chosen = term
                    .factors
                    .iter()
                    .enumerate()
                    .filter(|(i, f)| *i != o.factor && known(f) == fixed);
                chosen
                    .map(|(_, f)| access(model, f, &letters, style))
                    .collect::<Vec<_>>()
            });
            others.truncate(usize::from(!term.coefficient.is_one()));
            others.extend(fixed);
            match (random.is_empty(), style) {
                (true, _) => {}
                (false, Style::Unicode) => others.push(format!("E[{}]", product(&random, style))),
                (false, Style::Latex) => others.push(format!("\\mathbb{{E}}[{}]", product(&random, style))),
            }
        }
        let y = match (expected, style) {
            (false, _) => y,
            (true, Style::Unicode) => format!("E[{y}]"),
            (true, Style::Latex) => format!("\\mathbb{{E}}[{y}]"),
        };
        counts.push(sum(&over, &y, style));
        let weighed: Vec<String> = std::iter::once(w).chain(others).collect();
        exposures.push(sum(&over, &product(&weighed, style), style));
    }
    [counts, exposures]
}

fn left_side(model: &Model, update: &Update, style: Style) -> String {
    let latent = &model.latents[update.latent.0];
    let indices: Vec<String> = latent.indices.iter().map(|i| i.name.to_string()).collect();
    indexed(&latent.name.to_string(), &indices, style)
}

fn updated(model: &Model, update: &Update) -> Block {
    let [unicode, latex] = STYLES.map(|style| {
        let name = left_side(model, update, style);
        let (a, b) = (scalar(model, &update.shape, style), scalar(model, &update.rate, style));
        [false, true]
            .map(|expected| {
                let [counts, exposures] = additions(model, update, expected, style);
                let (shape, rate) = (
                    format!("{a} + {}", counts.join(" + ")),
                    format!("{b} + {}", exposures.join(" + ")),
                );
                match (expected, style) {
                    (false, Style::Unicode) => format!("Gibbs:  {name} | − ~ Gamma({shape}, {rate})"),
                    (true, Style::Unicode) => format!("CAVI:   q({name}) = Gamma({shape}, {rate})"),
                    (false, Style::Latex) => {
                        format!("{name} \\mid - \\sim \\mathrm{{Gamma}}\\left({shape},\\ {rate}\\right)")
                    }
                    (true, Style::Latex) => format!("q({name}) = \\mathrm{{Gamma}}\\left({shape},\\ {rate}\\right)"),
                }
            })
            .to_vec()
    });
    let heading = format!("Update of {}", model.latents[update.latent.0].name);
    Block::Text {
        heading,
        rule: update.rule.name().into(),
        unicode,
        latex,
    }
}

/// The complete conditional in one line of Unicode.
pub fn conditional(model: &Model, update: &Update) -> String {
    let style = Style::Unicode;
    let (a, b) = (scalar(model, &update.shape, style), scalar(model, &update.rate, style));
    let [counts, exposures] = additions(model, update, false, style);
    format!(
        "{} | − ~ Gamma({a} + {}, {b} + {})",
        left_side(model, update, style),
        counts.join(" + "),
        exposures.join(" + ")
    )
}

fn weights(model: &Model) -> Block {
    let w = [Style::Unicode, Style::Latex].map(|style| symbol(weight(model), style));
    Block::Text {
        heading: "Weights".into(),
        rule: "held-out cells are left out; a cell whose log marginal is linear in its rate is exposure alone".into(),
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
