//! The printed derivation, block by block.

use super::formula::{
    Letters, Style, allocation, cells, declared as declared_as, factors, indexed, parameter, product, rate, sum, symbol,
};
use super::tree::layout;
use super::update::updated;
use crate::derive::Derivation;
use crate::resolve::{Channel, Count, Model, Prior, VarId};

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
        /// Whether no cell may be summed out because a Dirichlet factor needs weights of one.
        drawn: bool,
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
            drawn: !derivation.constant[number].is_empty(),
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

pub(super) const STYLES: [Style; 2] = [Style::Unicode, Style::Latex];

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
pub(super) fn weight(model: &Model) -> &'static str {
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
                "{} = 0 at held-out cells{}, 1 at visited cells, and at the others what the channel says",
                w[0],
                if model.counts.iter().all(|c| c.guards.is_empty()) {
                    ""
                } else {
                    " and outside of `where`"
                }
            ),
            "sums of allocations run over visited cells, sums of exposures over all".into(),
        ],
        latex: vec![format!(
            "{} = \\begin{{cases}} 0 & \\text{{held out}} \\\\ 1 & \\text{{visited}} \\\\ \\text{{as the channel says}} & \\text{{otherwise}} \\end{{cases}}",
            w[1]
        )],
    }
}
