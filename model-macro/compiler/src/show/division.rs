//! How counts are divided over the terms of their rates.

use super::blocks::Block;
use super::conditional::{factors, parts};
use super::forms::Form;
use super::formula::{Style, moment};
use super::names::{CellNames, STYLES, SideNames, truth};
use super::passage::Passage;
use super::shapes::names as tables;
use crate::derive::{DerivedModel, Division, Engine, Summand};
use crate::resolve::{Count, Model, Side};

/// The parts of a count and the law of each; `None` for a count with one part.
pub(super) fn allocations(derivation: &DerivedModel, number: usize) -> Option<Block> {
    let (model, count) = (&derivation.model, &derivation.model.counts[number]);
    if !count.is_difference() && derivation.divisions_of(number).all(Division::is_whole) {
        return None;
    }
    let [unicode, latex] = STYLES.map(|style| {
        let at = usize::from(style == Style::Latex);
        let y = truth(count)[at].clone();
        let mut lines = Vec::new();
        if count.is_difference() {
            let [plus, minus, _] = SideNames::new(model, count).count.map(|name| name[at].clone());
            let sign = if style == Style::Unicode { "−" } else { "-" };
            lines.push(format!("{y} = {plus} {sign} {minus}"));
        }
        for division in derivation.divisions_of(number) {
            let whole = &DivisionNames::new(model, division).count[at];
            let parts = parts(model, &division.parts, style);
            if !count.is_difference() || *whole != parts {
                lines.push(format!("{whole} = {parts}"));
            }
        }
        for division in derivation.divisions_of(number) {
            let names = DivisionNames::new(model, division);
            let all = written(model, division, &division.rate, style);
            // A count with a total is not Poisson, and neither are its parts.
            if count.total.is_some() && style == Style::Latex {
                lines.push(names.joint(&all));
                continue;
            }
            lines.extend(all.iter().map(|[part, of]| match style {
                Style::Unicode if count.total.is_some() => {
                    format!(
                        "{part} | {y} ~ Multinomial({y}), with the share {of} / {}",
                        names.rate[0]
                    )
                }
                Style::Unicode => format!("{part} ~ Poisson({of})"),
                Style::Latex => format!("{part} \\sim \\mathrm{{Poisson}}({of})"),
            }));
        }
        lines
    });
    Some(Block {
        heading: format!("Allocation of {}", count.name),
        rule: match (count.is_difference(), &count.total) {
            (true, _) => {
                "a Skellam count is the difference of two Poisson counts, each a sum of Poisson counts that are multinomial given the total"
            }
            (false, Some(_)) => "a cell of a multinomial line with a sum for its rate is a sum of parts; given the cell they are multinomial",
            (false, None) => {
                "a Poisson count with a sum for its rate is a sum of Poisson counts; given the total they are multinomial"
            }
        }
        .into(),
        unicode,
        latex,
    })
}

/// The shares of every count in one form.
pub(super) fn shares(derivation: &DerivedModel, form: Form) -> Passage {
    let (model, mut lines) = (&derivation.model, Passage::default());
    for division in &derivation.divisions {
        if division.count >= model.counts.len() || division.is_whole() {
            continue;
        }
        let names = DivisionNames::new(model, division);
        let y = &names.count[0];
        lines.words(match form.is_gibbs() {
            true => format!("parts of {y} | {y} ~ Multinomial({y}), with shares   [VI18, eq. 1]"),
            false => format!("q(parts of {y} | {y}) is multinomial   [VI18, eq. 2 and 3]"),
        });
        let shares = match form.is_gibbs() {
            true => &division.sampled,
            false => &division.expected,
        };
        let written = STYLES.map(|style| written(model, division, shares, style));
        let [unicode, latex] = &written;
        match form.is_gibbs() {
            true => {
                let parts = unicode
                    .iter()
                    .map(|[part, share]| format!("  {part}:  {share} / {}", names.rate[0]));
                lines.unicode.extend(parts);
                lines.latex.push(names.joint(latex));
            }
            false => {
                for (plain, formula) in unicode.iter().zip(latex) {
                    lines.formula([
                        names.expected(plain, Style::Unicode),
                        names.expected(formula, Style::Latex),
                    ]);
                }
            }
        }
    }
    lines
}

/// How a count is divided, a line of Unicode for each part; none for a count with one part.
pub fn divided(derivation: &DerivedModel, number: usize, engine: Engine) -> Vec<String> {
    let (model, style) = (&derivation.model, Style::Unicode);
    let divisions = derivation.divisions_of(number).filter(|division| !division.is_whole());
    let lines = divisions.flat_map(|division| {
        let names = DivisionNames::new(model, division);
        let shares = match engine {
            Engine::Gibbs => &division.sampled,
            Engine::Cavi => &division.expected,
        };
        let all = written(model, division, shares, style);
        let lines: Vec<String> = match engine {
            Engine::Gibbs => {
                let (y, mu) = (&names.count[0], &names.rate[0]);
                let over: Vec<String> = all.iter().map(|[_, share]| format!("{share} / {mu}")).collect();
                vec![format!(
                    "({}) | {y} ~ Multinomial({y}, {})",
                    joined(&all),
                    over.join(", ")
                )]
            }
            Engine::Cavi => all.iter().map(|one| names.expected(one, style)).collect(),
        };
        lines
    });
    lines.collect()
}

/// How the table counts of a shape are divided over its terms; nothing for a shape of one term that nothing is summed over.
pub(super) fn tables_divided(derivation: &DerivedModel, shape: usize) -> Passage {
    let mut lines = Passage::default();
    let Some((l, [unicode, latex])) = table_parts(derivation, shape) else {
        return lines;
    };
    let y = &l[0];
    lines.words(format!(
        "parts of {y} | {y} ~ Multinomial({y}), with shares in proportion to"
    ));
    lines
        .unicode
        .extend(unicode.iter().map(|[part, share]| format!("  {part}:  {share}")));
    let shares: Vec<&str> = latex.iter().map(|[_, share]| &share[..]).collect();
    lines.latex.push(format!(
        r"({}) \mid {1} \sim \mathrm{{Multinomial}}\left({1}\right) \text{{ with shares in proportion to }} {2}",
        joined(&latex).replace(", ", r",\ "),
        l[1],
        shares.join(r",\ ")
    ));
    lines
}

/// The same in one line of Unicode, for generated code.
pub fn divided_tables(derivation: &DerivedModel, shape: usize) -> Option<String> {
    let ([l, _], [all, _]) = table_parts(derivation, shape)?;
    let shares: Vec<&str> = all.iter().map(|[_, share]| &share[..]).collect();
    let parts = joined(&all);
    Some(format!(
        "({parts}) | {l} ~ Multinomial({l}, in proportion to {})",
        shares.join(", ")
    ))
}

/// The name of table counts, and their parts with their shares, in both notations.
fn table_parts(derivation: &DerivedModel, shape: usize) -> Option<([String; 2], [Shares; 2])> {
    let model = &derivation.model;
    let mut divisions = derivation.divisions_of(model.counts.len() + shape);
    let division = divisions.find(|division| !division.is_whole())?;
    let names = STYLES.map(|style| {
        let [l, _] = tables(model, shape, style);
        l
    });
    Some((
        names,
        STYLES.map(|style| written(model, division, &division.sampled, style)),
    ))
}

/// Parts of a count, each with its share.
type Shares = Vec<[String; 2]>;

/// The parts of a division.
fn written(model: &Model, division: &Division, shares: &[Summand], style: Style) -> Shares {
    let all = division.parts.iter().zip(shares);
    all.map(|(part, share)| [part, share].map(|of| factors(model, of, style)))
        .collect()
}

/// `y₁[d,v], y₂[d,v,k]`
fn joined(all: &[[String; 2]]) -> String {
    let parts: Vec<&str> = all.iter().map(|[part, _]| &part[..]).collect();
    parts.join(", ")
}

/// `y[d,v]`
pub fn cell(count: &Count) -> String {
    let [unicode, _] = truth(count);
    unicode
}

/// The names of a count that is divided, and of its rates.
struct DivisionNames {
    count: [String; 2],
    rate: [String; 2],
    geometric: [String; 2],
}

impl DivisionNames {
    fn new(model: &Model, division: &Division) -> Self {
        let names = CellNames::new(model, &model.counts[division.count]);
        let Some(sides) = names.sides else {
            return Self {
                count: names.truth,
                rate: names.rate,
                geometric: names.geometric,
            };
        };
        let side = |[plus, minus, _]: [[String; 2]; 3]| match division.side {
            Side::Plus => plus,
            Side::Minus => minus,
        };
        Self {
            count: side(sides.count),
            rate: side(sides.rate),
            geometric: side(sides.geometric),
        }
    }

    /// The law of all parts, in LaTeX.
    fn joint(&self, all: &[[String; 2]]) -> String {
        let shares: Vec<String> = all
            .iter()
            .map(|[_, share]| format!("{share} / {}", self.rate[1]))
            .collect();
        format!(
            r"({}) \mid {1} \sim \mathrm{{Multinomial}}\left({1},\ {2}\right)",
            joined(all).replace(", ", r",\ "),
            self.count[1],
            shares.join(r",\ ")
        )
    }

    /// The mean of a part.
    fn expected(&self, [part, share]: &[String; 2], style: Style) -> String {
        let at = usize::from(style == Style::Latex);
        let [part, whole] = [part, &self.count[at]].map(|of| moment('E', of, style));
        let space = if style == Style::Unicode { " " } else { r" \, " };
        format!("{part} = {whole}{space}{share} / {}", self.geometric[at])
    }
}
