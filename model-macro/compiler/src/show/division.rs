//! How counts are divided over the terms of their rates.

use super::blocks::Block;
use super::conditional::{factors, parts};
use super::forms::Form;
use super::formula::moment;
use super::names::{CellNames, SideNames, truth};
use super::passage::Passage;
use super::shapes::names as tables;
use crate::derive::{DerivedModel, Division, Engine, Summand};
use crate::resolve::{Model, Side};

/// The parts of a count and the law of each; `None` for a count with one part.
pub(super) fn allocations(derivation: &DerivedModel, number: usize) -> Option<Block> {
    let (model, count) = (&derivation.model, &derivation.model.counts[number]);
    if !count.is_difference() && derivation.divisions_of(number).all(Division::is_whole) {
        return None;
    }
    let (y, mut lines) = (truth(count), Vec::new());
    if count.is_difference() {
        let [plus, minus, _] = SideNames::new(model, count).count;
        lines.push(format!("{y} = {plus} − {minus}"));
    }
    for division in derivation.divisions_of(number) {
        let whole = DivisionNames::new(model, division).count;
        let parts = parts(model, &division.parts);
        if !count.is_difference() || whole != parts {
            lines.push(format!("{whole} = {parts}"));
        }
    }
    for division in derivation.divisions_of(number) {
        let names = DivisionNames::new(model, division);
        let all = written(model, division, &division.rate);
        lines.extend(all.iter().map(|[part, of]| match count.total {
            // A count with a total is not Poisson, and neither are its parts.
            Some(_) => format!("{part} | {y} ~ Multinomial({y}), with the share {of} / {}", names.rate),
            None => format!("{part} ~ Poisson({of})"),
        }));
    }
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
        lines,
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
        let y = &names.count;
        lines.words(match form.is_gibbs() {
            true => format!("parts of {y} | {y} ~ Multinomial({y}), with shares   [VI18, eq. 1]"),
            false => format!("q(parts of {y} | {y}) is multinomial   [VI18, eq. 2 and 3]"),
        });
        let shares = match form.is_gibbs() {
            true => &division.sampled,
            false => &division.expected,
        };
        for one in &written(model, division, shares) {
            let [part, share] = one;
            match form.is_gibbs() {
                true => lines.lines.push(format!("  {part}:  {share} / {}", names.rate)),
                false => lines.formula(&names.expected(one)),
            }
        }
    }
    lines
}

/// How a count is divided, a line for each part; none for a count with one part.
pub fn divided(derivation: &DerivedModel, number: usize, engine: Engine) -> Vec<String> {
    let model = &derivation.model;
    let divisions = derivation.divisions_of(number).filter(|division| !division.is_whole());
    let lines = divisions.flat_map(|division| {
        let names = DivisionNames::new(model, division);
        let shares = match engine {
            Engine::Gibbs => &division.sampled,
            Engine::Cavi => &division.expected,
        };
        let all = written(model, division, shares);
        let lines: Vec<String> = match engine {
            Engine::Gibbs => {
                let (y, mu) = (&names.count, &names.rate);
                let over: Vec<String> = all.iter().map(|[_, share]| format!("{share} / {mu}")).collect();
                vec![format!(
                    "({}) | {y} ~ Multinomial({y}, {})",
                    joined(&all),
                    over.join(", ")
                )]
            }
            Engine::Cavi => all.iter().map(|one| names.expected(one)).collect(),
        };
        lines
    });
    lines.collect()
}

/// How the table counts of a shape are divided over its terms; nothing for a shape of one term that nothing is summed over.
pub(super) fn tables_divided(derivation: &DerivedModel, shape: usize) -> Passage {
    let mut lines = Passage::default();
    let Some((y, parts)) = table_parts(derivation, shape) else {
        return lines;
    };
    lines.words(format!(
        "parts of {y} | {y} ~ Multinomial({y}), with shares in proportion to"
    ));
    let parts = parts.iter().map(|[part, share]| format!("  {part}:  {share}"));
    lines.lines.extend(parts);
    lines
}

/// The same in one line, for generated code.
pub fn divided_tables(derivation: &DerivedModel, shape: usize) -> Option<String> {
    let (l, all) = table_parts(derivation, shape)?;
    let shares: Vec<&str> = all.iter().map(|[_, share]| &share[..]).collect();
    let parts = joined(&all);
    Some(format!(
        "({parts}) | {l} ~ Multinomial({l}, in proportion to {})",
        shares.join(", ")
    ))
}

/// The name of table counts, and their parts with their shares.
fn table_parts(derivation: &DerivedModel, shape: usize) -> Option<(String, Shares)> {
    let model = &derivation.model;
    let mut divisions = derivation.divisions_of(model.counts.len() + shape);
    let division = divisions.find(|division| !division.is_whole())?;
    let [l, _] = tables(model, shape);
    Some((l, written(model, division, &division.sampled)))
}

/// The shares of the terms of a count, with latents at their means: `E[θ[d,k]] E[φ[k,v]]`.
pub(super) fn shares_at_means(derivation: &DerivedModel, number: usize) -> Vec<String> {
    let division = derivation.division(number, Side::Plus);
    let all = written(&derivation.model, division, &division.mean);
    all.into_iter().map(|[_, share]| share).collect()
}

/// Parts of a count, each with its share.
type Shares = Vec<[String; 2]>;

/// The parts of a division.
fn written(model: &Model, division: &Division, shares: &[Summand]) -> Shares {
    let all = division.parts.iter().zip(shares);
    all.map(|(part, share)| [part, share].map(|of| factors(model, of)))
        .collect()
}

/// `y₁[d,v], y₂[d,v,k]`
fn joined(all: &[[String; 2]]) -> String {
    let parts: Vec<&str> = all.iter().map(|[part, _]| &part[..]).collect();
    parts.join(", ")
}

/// The names of a count that is divided, and of its rates.
struct DivisionNames {
    count: String,
    rate: String,
    geometric: String,
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
        let side = |[plus, minus, _]: [String; 3]| match division.side {
            Side::Plus => plus,
            Side::Minus => minus,
        };
        Self {
            count: side(sides.count),
            rate: side(sides.rate),
            geometric: side(sides.geometric),
        }
    }

    /// The mean of a part.
    fn expected(&self, [part, share]: &[String; 2]) -> String {
        let [part, whole] = [part, &self.count].map(|of| moment('E', of));
        format!("{part} = {whole} {share} / {}", self.geometric)
    }
}
