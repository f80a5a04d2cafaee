//! Counts with a known total in writing: their law, how a line of them is drawn, what a line adds to the bound.

use super::formula::{Letters, cells, indexed};
use super::names::{CellNames, mean, truth};
use crate::resolve::{Channel, Count, Model, Total, TotalOf, VarId};

/// How a line is found: by Gibbs sampling, by coordinate ascent, and what it adds to the bound.
#[derive(Debug, Clone, PartialEq)]
pub struct LineText {
    /// A draw of the line.
    pub gibbs: Vec<String>,
    /// The means of its cells.
    pub cavi: Vec<String>,
    /// What it adds to the bound; nothing where its total is a cell of another line.
    pub bound: Vec<String>,
}

/// The name of a total.
pub(super) fn total_name(model: &Model, total: &Total) -> String {
    match total.of {
        TotalOf::Hyper(id) => model.hypers[id.0].name.to_string(),
        TotalOf::Data(id) => model.data[id.0].name.to_string(),
        TotalOf::Count(number) => model.counts[number].name.to_string(),
    }
}

/// `length[d]`
pub(super) fn total(model: &Model, count: &Count) -> String {
    let Some(total) = &count.total else {
        return String::new();
    };
    let letters = Letters::of(count).list(&total.vars);
    indexed(&total_name(model, total), &letters)
}

/// `y[d,v] ~ Multinomial_v(length[d], μ[d,v])`
pub(super) fn law(model: &Model, count: &Count) -> String {
    let (y, mu, n) = (truth(count), mean(model, count), total(model, count));
    format!("{y} ~ {}({n}, {mu}){}", multinomial(count), cells(count))
}

/// `Multinomial_v`
pub(super) fn multinomial(count: &Count) -> String {
    format!("Multinomial_{}", along(count))
}

/// The index along which a count adds up.
fn along(count: &Count) -> String {
    let along = count.total.as_ref().map_or(VarId(0), |total| total.along);
    Letters::of(count).list(&[along]).concat()
}

/// `L[d]`, what a line adds to the bound.
pub(super) fn bound(model: &Model, count: &Count) -> String {
    let along = count.total.as_ref().map(|total| total.along);
    let others: Vec<VarId> = count.free_vars().filter(|var| Some(*var) != along).collect();
    let whole = CellNames::new(model, count).bound;
    let name = whole.split('[').next().unwrap_or("L");
    indexed(name, &Letters::of(count).list(&others))
}

/// How a line of a count with a total is found, or an unknown Poisson total; `None` for other counts.
pub fn line(model: &Model, count: &Count) -> Option<LineText> {
    match count.total.is_some() {
        true => Some(lines(model, count)),
        false => is_open(model, count).then(|| open(model, count)),
    }
}

/// Whether a Poisson count is the total of another, and is not observed as it is.
pub(super) fn is_open(model: &Model, count: &Count) -> bool {
    let number = model.counts.iter().position(|other| other.name == count.name);
    let is_total = number.is_some_and(|number| model.totalled_by(number).next().is_some());
    is_total && count.total.is_none() && !matches!(count.channel, Channel::Exact)
}

/// The counts whose totals are the cells of this one.
fn below<'a>(model: &'a Model, count: &Count) -> Vec<&'a Count> {
    let number = model.counts.iter().position(|other| other.name == count.name);
    number
        .into_iter()
        .flat_map(|number| model.totalled_by(number))
        .collect()
}

/// `μ^x / x! · P(c | x) · Π g(x)`, the weight of a number in a cell: its law up to a constant, times the probability of what was observed, times what every
/// line below says; and what that is, where there is one.
fn weight(model: &Model, count: &Count, w: &str, rate: &str) -> Vec<String> {
    let below: Vec<String> = below(model, count).iter().map(|of| of.name.to_string()).collect();
    let mut lines = vec![format!("{w}(x) = {rate}^x / x!")];
    if !count.is_hidden() {
        lines[0] += &format!(" · P({} | x)", CellNames::new(model, count).observed);
    }
    if !below.is_empty() {
        lines[0] += " · Π g(x)";
        let below = below.join(" and ");
        lines.push(format!(
            "g(x) = x! F(x), one for each line of {below} whose total it is"
        ));
    }
    lines
}

/// How an unknown Poisson total is found.
fn open(model: &Model, count: &Count) -> LineText {
    let names = CellNames::new(model, count);
    let (y, visited) = (&names.truth, "every such cell is visited and weighs one".to_owned());
    let mut gibbs = weight(model, count, "w", &names.rate);
    gibbs.push(format!("P({y} = x) ∝ w(x),  for x = 0, 1, .. as far as w goes"));
    gibbs.push(visited.clone());
    let mut cavi = weight(model, count, "w", &names.geometric);
    cavi.push(format!(
        "q of it and of the lines below is this law;  E[{y}] = Σ_x x w(x) / Σ_x w(x)"
    ));
    cavi.push(visited);
    LineText {
        gibbs,
        cavi,
        bound: vec![format!("{} = ln Σ_x w(x) − {}", names.bound, names.mean_rate)],
    }
}

/// How a line of cells is found: the weights of the sums of its first cells, then a draw, or messages, from its last cell backwards. The book derives both on its
/// page *The mathematics*, under *Known totals*.
fn lines(model: &Model, count: &Count) -> LineText {
    let names = CellNames::new(model, count);
    let (y, n, j) = (&names.truth, total(model, count), along(count));
    let sums = |rate: &str| {
        let mut lines = weight(model, count, &format!("w_{j}"), rate);
        lines.push(format!(
            "F_0 = 1 at 0,  F_{j}(s) = Σ_x w_{j}(x) F_{{{j}−1}}(s − x);  F is the last of them"
        ));
        lines
    };
    let no_exposure = "rates sum to one along a line, so that there is no exposure".to_owned();
    let mut gibbs = sums(&names.rate);
    gibbs.push(format!(
        "backwards from s = {n}:  P({y} = x) ∝ w_{j}(x) F_{{{j}−1}}(s − x),  then s − x takes the place of s"
    ));
    gibbs.push(no_exposure.clone());
    // A total that is a count has a law of its own, over which the line is averaged.
    let is_known = !matches!(&count.total, Some(total) if matches!(total.of, TotalOf::Count(_)));
    let (given, last) = match is_known {
        true => (String::new(), format!("B_{j} = 1/F({n}) at s = {n}, 0 elsewhere")),
        false => (
            format!(" given {n}, and q({n} = x) is the factor of x in E[{n}]"),
            format!("B_{j}(s) = q({n} = s)/F(s)"),
        ),
    };
    let mut cavi = sums(&names.geometric);
    cavi.extend([
        format!("q of a line is this law{given};  B at its last cell, then backwards:"),
        format!("  {last},  B_{{{j}−1}}(s) = Σ_x w_{j}(x) B_{j}(s + x)"),
        format!("E[{y}] = Σ_x x w_{j}(x) Σ_s F_{{{j}−1}}(s) B_{j}(s + x)"),
        no_exposure,
    ]);
    // Where the total is a cell of another line, that has the evidence of this one in its weight.
    let bound = is_known.then(|| format!("{} = ln {n}! + ln F({n})", bound(model, count)));
    LineText {
        gibbs,
        cavi,
        bound: bound.into_iter().collect(),
    }
}
