//! How counts are divided over the terms of their rates.

use super::blocks::Block;
use super::conditional::{factors, parts};
use super::forms::Form;
use super::formula::{Style, moment};
use super::names::{CellNames, STYLES, SideNames, truth};
use super::passage::Passage;
use crate::derive::{DerivedModel, Division, Engine};
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
            for (part, rate) in division.parts.iter().zip(&division.rate) {
                let [part, of] = [part, rate].map(|of| factors(model, of, style));
                lines.push(match style {
                    // A count with a total is no Poisson count, and its parts are none.
                    Style::Unicode if count.total.is_some() => {
                        format!(
                            "{part} | {y} ~ Multinomial({y}), with the share {of} / {}",
                            names.rate[0]
                        )
                    }
                    Style::Latex if count.total.is_some() => names.sampled(&part, &of, style),
                    Style::Unicode => format!("{part} ~ Poisson({of})"),
                    Style::Latex => format!("{part} \\sim \\mathrm{{Poisson}}({of})"),
                });
            }
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
        for (part, share) in division.parts.iter().zip(shares) {
            lines.formula(STYLES.map(|style| {
                let [part, of] = [part, share].map(|of| factors(model, of, style));
                match form.is_gibbs() {
                    true => names.sampled(&part, &of, style),
                    false => names.expected(&part, &of, style),
                }
            }));
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
        let parts: Vec<String> = division.parts.iter().map(|part| factors(model, part, style)).collect();
        let shares: Vec<String> = shares.iter().map(|share| factors(model, share, style)).collect();
        let lines: Vec<String> = match engine {
            Engine::Gibbs => {
                let (y, mu) = (&names.count[0], &names.rate[0]);
                let over: Vec<String> = shares.iter().map(|share| format!("{share} / {mu}")).collect();
                let (parts, over) = (parts.join(", "), over.join(", "));
                vec![format!("({parts}) | {y} ~ Multinomial({y}, {over})")]
            }
            Engine::Cavi => {
                let means = parts.iter().zip(&shares);
                means.map(|(part, share)| names.expected(part, share, style)).collect()
            }
        };
        lines
    });
    lines.collect()
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

    /// A part with its share of the count.
    fn sampled(&self, part: &str, share: &str, style: Style) -> String {
        match style {
            Style::Unicode => format!("  {part}:  {share} / {}", self.rate[0]),
            Style::Latex => format!(
                r"({part}) \mid {0} \sim \mathrm{{Multinomial}}\left({0},\ {share} / {1}\right)",
                self.count[1], self.rate[1]
            ),
        }
    }

    /// The mean of a part.
    fn expected(&self, part: &str, share: &str, style: Style) -> String {
        let at = usize::from(style == Style::Latex);
        let [part, whole] = [part, &self.count[at]].map(|of| moment('E', of, style));
        let space = if style == Style::Unicode { " " } else { r" \, " };
        format!("{part} = {whole}{space}{share} / {}", self.geometric[at])
    }
}
