//! Counts with a known total in writing: their law, how a line of them is drawn, what a line adds to the bound.

use skellam_formula::line::{LineNames, MultinomialLine, PoissonTotal};

use super::formula::{Letters, Style, cells, indexed};
use super::names::{CellNames, STYLES, mean, truth};
use crate::resolve::{Channel, Count, Model, Total, TotalOf, VarId};

/// How a line is found, in both notations: by Gibbs sampling, by coordinate ascent, and what it adds to the bound.
#[derive(Debug, Clone, PartialEq)]
pub struct LineText {
    /// A draw of the line.
    pub gibbs: [Vec<String>; 2],
    /// The means of its cells.
    pub cavi: [Vec<String>; 2],
    /// What it adds to the bound; nothing where its total is a cell of another line.
    pub bound: [Vec<String>; 2],
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
pub(super) fn total(model: &Model, count: &Count, style: Style) -> String {
    let Some(total) = &count.total else {
        return String::new();
    };
    let letters = Letters::of(count).list(&total.vars);
    indexed(&total_name(model, total), &letters, style)
}

/// `y[d,v] ~ Multinomial_v(length[d], μ[d,v])`
pub(super) fn law(model: &Model, count: &Count, style: Style) -> String {
    let at = usize::from(style == Style::Latex);
    let (y, mu, n) = (&truth(count)[at], &mean(model, count)[at], total(model, count, style));
    let cells = cells(count, style);
    match style {
        Style::Unicode => format!("{y} ~ {}({n}, {mu}){cells}", multinomial(count)),
        Style::Latex => format!(
            "{y} \\sim \\mathrm{{Multinomial}}_{{{}}}({n}, {mu}){cells}",
            along(count)
        ),
    }
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
pub(super) fn bound(model: &Model, count: &Count, style: Style) -> String {
    let along = count.total.as_ref().map(|total| total.along);
    let others: Vec<VarId> = count.free_vars().filter(|var| Some(*var) != along).collect();
    let names = CellNames::new(model, count);
    let whole = &names.bound[0];
    let name = whole.split('[').next().unwrap_or("L");
    indexed(name, &Letters::of(count).list(&others), style)
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

/// What a model calls the quantities of a line, in both notations.
struct Names {
    cell: CellNames,
    total: [String; 2],
    along: String,
    bound: [String; 2],
    below: String,
}

impl Names {
    fn new(model: &Model, count: &Count) -> Self {
        let cell = CellNames::new(model, count);
        let (along, bound) = match count.total.is_some() {
            true => (along(count), STYLES.map(|style| bound(model, count, style))),
            // A Poisson count is a line of one cell.
            false => (String::new(), cell.bound.clone()),
        };
        let below = below(model, count);
        let below: Vec<String> = below.iter().map(|count| count.name.to_string()).collect();
        Self {
            cell,
            total: STYLES.map(|style| total(model, count, style)),
            along,
            bound,
            below: below.join(" and "),
        }
    }

    /// What `write` makes of them in each notation.
    fn each<T>(&self, write: impl Fn(&LineNames<'_>, Style) -> T) -> [T; 2] {
        [0, 1].map(|at| {
            let CellNames {
                truth,
                observed,
                rate,
                mean_rate,
                geometric,
                ..
            } = &self.cell;
            let names = LineNames {
                truth: &truth[at],
                observed: &observed[at],
                rate: &rate[at],
                mean_rate: &mean_rate[at],
                geometric: &geometric[at],
                total: &self.total[at],
                along: &self.along,
                bound: &self.bound[at],
                below: &self.below,
            };
            write(&names, STYLES[at])
        })
    }
}

/// How an unknown Poisson total is found.
fn open(model: &Model, count: &Count) -> LineText {
    let names = Names::new(model, count);
    let law = PoissonTotal {
        is_observed: !count.is_hidden(),
    };
    let (drawn, expected, bound) = (law.gibbs(), law.cavi(), law.bound());
    let remark = "every such cell is visited and weighs one";
    let gibbs = names.each(|names, style| {
        let mut lines = drawn.write(names, style);
        lines.push(drawn.write_draw(names, style));
        if style == Style::Unicode {
            lines.push(remark.to_owned());
        }
        lines
    });
    let cavi = names.each(|names, style| {
        let (mut lines, mean) = (expected.write(names, style), expected.mean().write(names, style));
        match style {
            Style::Unicode => lines.extend([
                format!("q of it and of the lines below is this law;  {mean}"),
                remark.to_owned(),
            ]),
            Style::Latex => lines.push(mean),
        }
        lines
    });
    LineText {
        gibbs,
        cavi,
        bound: names.each(|names, style| vec![bound.write(names, style)]),
    }
}

fn lines(model: &Model, count: &Count) -> LineText {
    let names = Names::new(model, count);
    let law = MultinomialLine {
        is_observed: !count.is_hidden(),
        is_total: !below(model, count).is_empty(),
        is_known: !matches!(&count.total, Some(total) if matches!(total.of, TotalOf::Count(_))),
    };
    let (drawn, expected, bound) = (law.gibbs(), law.cavi(), law.bound());
    let remark = "rates sum to one along a line, so that there is no exposure";
    let gibbs = names.each(|names, style| {
        let mut lines = drawn.sums.write(names, style);
        lines.push(drawn.write(names, style));
        if style == Style::Unicode {
            lines.push(remark.to_owned());
        }
        lines
    });
    let cavi = names.each(|names, style| {
        let (mut lines, [behind, mean]) = (expected.sums.write(names, style), expected.write(names, style));
        match style {
            Style::Unicode => {
                let n = names.total;
                let is_given = match law.is_known {
                    true => String::new(),
                    false => format!(" given {n}, and q({n} = x) is the factor of x in E[{n}]"),
                };
                lines.extend([
                    format!("q of a line is this law{is_given};  B at its last cell, then backwards:"),
                    format!("  {behind}"),
                    mean,
                    remark.to_owned(),
                ]);
            }
            Style::Latex => lines.extend([behind, mean]),
        }
        lines
    });
    let bound = names.each(|names, style| bound.iter().map(|of| of.write(names, style)).collect());
    LineText { gibbs, cavi, bound }
}
