//! The printed derivation, block by block.

use super::cells::CellLines;
use super::conditional::{family, parameters, parts};
use super::division::allocations;
use super::first_times::first_rates;
use super::forms::{FormLines, forms};
use super::formula::{cells, declared as declared_as, symbol};
use super::names::{CellNames, SideNames, mean, truth, weight_of};
use super::operands::operands;
use super::shapes::remark;
use super::symmetry::symmetries;
use super::totals::{self, LineText};
use super::update::rules;
use crate::derive::{Cell, DerivedModel, Formed};
use crate::resolve::{Count, LatentId, Model, Side};

/// Formulas under a heading.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// What the block is about.
    pub heading: String,
    /// The rule that was used, or an empty string.
    pub rule: String,
    /// One each; what goes on from the line before is indented.
    pub lines: Vec<String>,
}

/// A count in a printed derivation; its channel adds the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct CellText {
    /// What the model calls the quantities of a cell.
    pub names: CellNames,
    /// Whether no cell may be summed out because a Dirichlet factor needs weights of one.
    pub is_drawn: bool,
    /// What its law says of a cell, where the language knows the law.
    pub cell: Option<CellLines>,
    /// How whole lines are drawn, where their total is known.
    pub line: Option<LineText>,
}

/// A derivation as it is printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    /// The model, and what its counts are made of.
    pub before: Vec<Block>,
    /// Its counts.
    pub counts: Vec<CellText>,
    /// Every form of inference.
    pub forms: [FormLines; 6],
    /// Rules, weights, symmetries and trees.
    pub after: Vec<Block>,
    /// The first latent that is a simplex, which the published form refuses.
    pub simplex: Option<String>,
    /// The first latent whose shape is learned, which coordinate ascent refuses.
    pub learned: Option<String>,
    /// Why there are no tokens, if so.
    pub no_tokens: Option<String>,
}

/// A count and its law in one line: `y[d,v] ~ Poisson(Σ_k θ[d,k] φ[k,v])`.
pub fn count(derivation: &DerivedModel, number: usize) -> String {
    let (model, count) = (&derivation.model, &derivation.model.counts[number]);
    let rate = |side| parts(model, &derivation.division(number, side).rate);
    let law = match (&count.total, count.is_difference()) {
        (Some(_), _) => format!(
            "{}({}, {})",
            totals::multinomial(count),
            totals::total(model, count),
            rate(Side::Plus)
        ),
        (None, false) => format!("Poisson({})", rate(Side::Plus)),
        (None, true) => format!("Skellam(plus = {}, minus = {})", rate(Side::Plus), rate(Side::Minus)),
    };
    format!("{} ~ {law}{}", truth(count), cells(count))
}

/// Everything that is printed, in this order.
pub fn printed(derivation: &DerivedModel) -> Printed {
    let model = &derivation.model;
    let mut before = vec![declared(derivation)];
    before.extend((0..model.counts.len()).filter_map(|count| allocations(derivation, count)));
    before.extend((0..model.shapes.len()).map(|shape| learned(model, shape)));
    let counts = model.counts.iter().enumerate().map(|(number, count)| {
        let names = CellNames::new(model, count);
        CellText {
            is_drawn: !derivation.constant[number].is_empty(),
            cell: match &derivation.cells[number] {
                Cell::Of(law) => Some(CellLines::new(law, &names)),
                Cell::Known | Cell::Released | Cell::OfLine => None,
            },
            line: totals::line(model, count),
            names,
        }
    });
    let mut after = vec![rules(derivation)];
    after.extend(weights(derivation));
    after.extend(symmetries(derivation));
    after.extend(computed(derivation));
    let simplex = model.latents.iter().find(|l| l.along().is_some());
    Printed {
        before,
        counts: counts.collect(),
        forms: forms(derivation),
        after,
        no_tokens: derivation.tokens.as_ref().err().cloned(),
        simplex: simplex.map(|l| l.name.to_string()),
        learned: model
            .shapes
            .first()
            .map(|shape| model.latents[shape.of.0].name.to_string()),
    }
}

/// How the rate of each count is computed.
fn computed(derivation: &DerivedModel) -> Vec<Block> {
    let model = &derivation.model;
    let counts = model.counts.iter().zip(&derivation.formed);
    let of_count = |(count, formed): (&Count, &Formed)| Block {
        heading: format!("How the rate of {} is computed", count.name),
        rule: String::new(),
        lines: operands(model, count, formed),
    };
    counts.map(of_count).collect()
}

fn declared(derivation: &DerivedModel) -> Block {
    let model = &derivation.model;
    let mut lines = Vec::new();
    for (id, latent) in model.latents.iter().enumerate() {
        let (law, parameters) = (
            family(derivation, LatentId(id)),
            parameters(derivation, LatentId(id)).join(", "),
        );
        lines.push(format!("{} ~ {law}({parameters})", declared_as(latent)));
    }
    for (number, count) in model.counts.iter().enumerate() {
        if count.is_difference() {
            lines.extend(difference(derivation, number));
            continue;
        }
        let mu = mean(model, count);
        lines.push(format!(
            "{mu} = {}",
            parts(model, &derivation.division(number, Side::Plus).rate)
        ));
        lines.push(match count.total {
            Some(_) => totals::law(model, count),
            None => format!("{} ~ Poisson({mu}){}", truth(count), cells(count)),
        });
    }
    if model.starts_anywhere() {
        lines.push(format!("{CONDITION}; times are counted from 0"));
    }
    lines.extend(first_rates(model));
    Block {
        heading: "The model; Gamma is (shape, rate)".into(),
        rule: String::new(),
        lines,
    }
}

/// What `[t<1]` and `[author[d]=a]` are.
pub(super) const CONDITION: &str = "a condition in brackets is 1 where it holds, else 0";

/// Both rates of a difference, and its law.
fn difference(derivation: &DerivedModel, number: usize) -> [String; 3] {
    let (model, count) = (&derivation.model, &derivation.model.counts[number]);
    let [plus, minus, _] = SideNames::new(model, count).rate;
    let rate = |side| parts(model, &derivation.division(number, side).rate);
    [
        format!("{plus} = {}", rate(Side::Plus)),
        format!("{minus} = {}", rate(Side::Minus)),
        format!("{} ~ Skellam({plus}, {minus}){}", truth(count), cells(count)),
    ]
}

/// What table counts are.
fn learned(model: &Model, shape: usize) -> Block {
    let name = declared_as(&model.latents[model.shapes[shape].of.0]);
    Block {
        heading: format!("Shape of {name}"),
        rule: "a gamma that is integrated out leaves counts that are negative binomial in its shape; given table counts, these are Poisson in it"
            .into(),
        lines: remark(model, shape, "").to_vec(),
    }
}

/// The rule for the weight of a cell.
fn weights_rule(derivation: &DerivedModel) -> &'static str {
    let model = &derivation.model;
    if model.counts.iter().all(Count::is_difference) {
        "held-out cells are left out; a difference says something of both rates wherever it is observed"
    } else if derivation.constant.iter().any(|along| !along.is_empty()) {
        "held-out cells are left out; where a Dirichlet factor needs constant weights every other cell weighs one"
    } else {
        "held-out cells are left out; a cell whose log marginal is linear in its rate is exposure alone"
    }
}

/// What cells weigh; nothing where every count is drawn by whole lines, in which no exposure is summed.
fn weights(derivation: &DerivedModel) -> Option<Block> {
    let model = &derivation.model;
    if model.counts.iter().all(|count| count.total.is_some()) {
        return None;
    }
    let weighed = |is_summed_out: bool| {
        let of = (0..model.counts.len()).filter(|&count| model.counts[count].total.is_none());
        let names = of.filter(|&count| is_partly_summed_out(derivation, count) == is_summed_out);
        let names: Vec<String> = names.map(|count| symbol(&weight_of(model, count)).to_owned()).collect();
        names.join(", ")
    };
    let outside = match model.counts.iter().all(|c| c.guards.is_empty()) {
        true => "",
        false => " and outside of `where`",
    };
    let mut lines = Vec::new();
    let mut say = |w: String, words: &[&str]| {
        if !w.is_empty() {
            lines.push(format!("{w} = 0 at held-out cells{outside}, {}", words[0]));
            lines.extend(words[1..].iter().map(|word| format!("    {word}")));
        }
    };
    say(weighed(false), &["1 at all others"]);
    say(
        weighed(true),
        &[
            "1 at visited cells,",
            "and what the channel says at cells that are exposure alone",
        ],
    );
    if !model.counts.iter().all(Count::is_difference) {
        let is_held_at_one =
            |count: usize| derivation.weighs_alike(count) && derivation.cells[count].may_be_summed_out();
        if (0..model.counts.len()).any(is_held_at_one) {
            lines.push("where every Dirichlet factor that needs this is frozen: at cells that are not visited, what the channel says".into());
        }
        lines.push("sums of allocations run over visited cells, sums of exposures over all".into());
    }
    Some(Block {
        heading: "Weights".into(),
        rule: weights_rule(derivation).into(),
        lines,
    })
}

/// Whether cells of a count are summed out, so that the channel says what they weigh.
fn is_partly_summed_out(derivation: &DerivedModel, count: usize) -> bool {
    derivation.cells[count].may_be_summed_out() && !derivation.weighs_alike(count)
}
