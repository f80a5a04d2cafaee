//! Counts with a known total, as formulas: their law, how a line of them is drawn, what a line adds to the bound.

use super::formula::{Letters, Style, cells, indexed};
use super::names::{CellNames, mean, truth};
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

/// The weights of the numbers that a count may have, at some rates, in both notations.
fn weight(names: &CellNames, count: &Count, (w, is_total): (&str, bool), rate: &[String; 2]) -> [String; 2] {
    let mut unicode = format!("{w}(x) = {}^x / x!", rate[0]);
    let subscript = w.strip_prefix("w_").map_or(String::new(), |j| format!("_{{{j}}}"));
    let mut latex = format!(r"w{subscript}(x) = \frac{{{}^x}}{{x!}}", rate[1]);
    if !count.is_hidden() {
        unicode.push_str(&format!(" · P({} | x)", names.observed[0]));
        latex.push_str(&format!(r" \, P({} \mid x)", names.observed[1]));
    }
    if is_total {
        unicode.push_str(" · Π g(x)");
        latex.push_str(r" \prod g(x)");
    }
    [unicode, latex]
}

/// The factor `g(x)` from the counts below a total, in both notations.
fn said(below: &[&Count]) -> [String; 2] {
    let of: Vec<String> = below.iter().map(|count| count.name.to_string()).collect();
    let of = of.join(" and ");
    [
        format!("g(x) = x! F(x) of every line of {of} whose total it is"),
        format!(r"g(x) = x! \, F(x) \quad \text{{of every line of {of} whose total it is}}"),
    ]
}

/// The counts whose totals are the cells of this one.
fn below<'a>(model: &'a Model, count: &Count) -> Vec<&'a Count> {
    let number = model.counts.iter().position(|other| other.name == count.name);
    number
        .into_iter()
        .flat_map(|number| model.totalled_by(number))
        .collect()
}

/// How an unknown Poisson total is found.
fn open(model: &Model, count: &Count) -> LineText {
    let names = CellNames::new(model, count);
    let below = below(model, count);
    let [y, latex_y] = &names.truth;
    let [l, latex_l] = &names.bound;
    let text = |rate: &[String; 2], [words, formula]: [String; 2]| {
        let [unicode, latex] = weight(&names, count, ("w", true), rate);
        let [lines, latex_lines] = said(&below);
        let remark = "every such cell is visited and weighs one".to_owned();
        [vec![unicode, lines, words, remark], vec![latex, latex_lines, formula]]
    };
    let gibbs = text(
        &names.rate,
        [
            format!("P({y} = x) ∝ w(x),  for x = 0, 1, .. as far as w goes"),
            format!(r"P({latex_y} = x) \propto w(x), \quad x = 0, 1, \ldots"),
        ],
    );
    let cavi = text(
        &names.geometric,
        [
            format!("q of it and of the lines below is this law;  E[{y}] = Σ_x x w(x) / Σ_x w(x)"),
            format!(r"\mathbb{{E}}[{latex_y}] = \sum_x x \, w(x) / \sum_x w(x)"),
        ],
    );
    let [mean, latex_mean] = &names.mean_rate;
    let bound = [
        vec![format!("{l} = ln Σ_x w(x) − {mean}")],
        vec![format!(r"{latex_l} = \ln \sum_x w(x) - {latex_mean}")],
    ];
    LineText { gibbs, cavi, bound }
}

fn lines(model: &Model, count: &Count) -> LineText {
    let names = CellNames::new(model, count);
    let below = below(model, count);
    let j = along(count);
    let n = [Style::Unicode, Style::Latex].map(|style| total(model, count, style));
    let w = format!("w_{j}");
    let weight = |rate: &[String; 2]| weight(&names, count, (&w, !below.is_empty()), rate);
    let sums = [
        format!("F_0 = 1 at 0,  F_{j}(s) = Σ_x w_{j}(x) F_{{{j}−1}}(s − x);  F is the last of them"),
        format!(r"F_0 = [1, 0, \ldots], \quad F_{{{j}}}(s) = \sum_x w_{{{j}}}(x) \, F_{{{j}-1}}(s - x)"),
    ];
    let [mut gibbs, mut gibbs_latex] = weight(&names.rate).map(|line| vec![line]);
    let [mut cavi, mut cavi_latex] = weight(&names.geometric).map(|line| vec![line]);
    for (lines, latex) in [(&mut gibbs, &mut gibbs_latex), (&mut cavi, &mut cavi_latex)] {
        if !below.is_empty() {
            let [unicode, formula] = said(&below);
            lines.push(unicode);
            latex.push(formula);
        }
        lines.push(sums[0].clone());
        latex.push(sums[1].clone());
    }
    let is_known = !matches!(&count.total, Some(total) if matches!(total.of, TotalOf::Count(_)));
    let y = &names.truth;
    gibbs.push(format!(
        "backwards from s = {}:  P({} = x) ∝ w_{j}(x) F_{{{j}−1}}(s − x),  then s − x for s",
        n[0], y[0]
    ));
    gibbs_latex.push(format!(
        r"P({} = x) \propto w_{{{j}}}(x) \, F_{{{j}-1}}(s - x), \quad s = {}",
        y[1], n[1]
    ));
    // A total that is a count has a law of its own, over which the line is averaged.
    let [end, latex_end] = match is_known {
        true => [
            format!("B_{j} = 1/F({0}) at s = {0}, 0 elsewhere", n[0]),
            format!(r"B_{{{j}}}(s) = \frac{{[s = {0}]}}{{F({0})}}", n[1]),
        ],
        false => [
            format!("B_{j}(s) = q({} = s)/F(s)", n[0]),
            format!(r"B_{{{j}}}(s) = \frac{{q({} = s)}}{{F(s)}}", n[1]),
        ],
    };
    cavi.push(match is_known {
        true => "q of a line is this law;  B starts at its last cell:".to_owned(),
        false => format!(
            "q of a line is this law given {0}, and q({0}) is found above it;  B starts at its last cell:",
            n[0]
        ),
    });
    cavi.push(format!("  {end},  B_{{{j}−1}}(s) = Σ_x w_{j}(x) B_{j}(s + x)"));
    cavi_latex.push(format!(
        r"{latex_end}, \quad B_{{{j}-1}}(s) = \sum_x w_{{{j}}}(x) \, B_{{{j}}}(s + x)"
    ));
    cavi.push(format!("E[{}] = Σ_x x w_{j}(x) Σ_s F_{{{j}−1}}(s) B_{j}(s + x)", y[0]));
    cavi_latex.push(format!(
        r"\mathbb{{E}}[{}] = \sum_x x \, w_{{{j}}}(x) \sum_s F_{{{j}-1}}(s) \, B_{{{j}}}(s + x)",
        y[1]
    ));
    let remark = "rates sum to one along a line, so that there is no exposure";
    gibbs.push(remark.to_owned());
    cavi.push(remark.to_owned());
    let bound = match is_known {
        false => [Vec::new(), Vec::new()],
        true => {
            let [line, latex] = [Style::Unicode, Style::Latex].map(|style| bound(model, count, style));
            [
                vec![format!("{line} = ln {0}! + ln F({0})", n[0])],
                vec![format!(r"{latex} = \ln {0}! + \ln F({0})", n[1])],
            ]
        }
    };
    LineText {
        gibbs: [gibbs, gibbs_latex],
        cavi: [cavi, cavi_latex],
        bound,
    }
}
