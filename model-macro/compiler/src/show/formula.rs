//! Formulas in two notations from one description.

use skellam_formula::Product;
use skellam_formula::product::{Entry, Factor, Name, Place, Side as Sign};

use crate::resolve::{Count, Indices, Latent, Model, Scalar, Side, VarId};

pub(super) use skellam_formula::product::{indexed, moment, sum, times as product};
pub(super) use skellam_formula::{Notation as Style, symbol_in as symbol};

use Style::{Latex, Unicode};

/// An index as a symbol. In plain text it is written as it is declared.
pub(super) fn index(name: &str, style: Style) -> String {
    match style {
        Unicode => name.to_owned(),
        Latex => symbol(name, style),
    }
}

/// A number times hyperparameters.
pub(super) fn scalar(model: &Model, scalar: &Scalar) -> Vec<Factor> {
    let mut factors = Vec::new();
    if scalar.number != 1.0 || (scalar.hypers.is_empty() && scalar.per.is_empty()) {
        factors.push(Factor::Number(scalar.number));
    }
    let hypers = scalar.hypers.iter().map(|h| model.hypers[h.0].name.to_string());
    factors.extend(hypers.map(|name| {
        Factor::Of(Entry {
            of: Name::plain(name),
            at: Vec::new(),
        })
    }));
    factors.extend(
        scalar
            .per
            .iter()
            .map(|set| Factor::PerSize(model.set(*set).to_string())),
    );
    factors
}

/// Factors that are summed over nothing.
pub(super) fn side_by_side(factors: Vec<Factor>, style: Style) -> String {
    Product {
        over: Vec::new(),
        factors,
    }
    .write_each(style)
}

/// Names of the indices of one count, changed where a conditional needs other letters.
#[derive(Debug, Clone)]
pub(super) struct Letters(Vec<String>);

impl Letters {
    /// As declared. Two indices may share a letter when different terms contract them; they never meet
    /// in one formula.
    pub fn of(count: &Count) -> Self {
        Self((0..count.vars.len()).map(|at| count.vars.shown(VarId(at))).collect())
    }

    pub fn list(&self, vars: &[VarId]) -> Vec<String> {
        vars.iter().map(|v| self.0[v.0].clone()).collect()
    }
}

/// `[t<1]`: one at the first times, else zero.
pub(super) fn first_times(letter: &str, until: usize) -> Factor {
    Factor::First {
        at: Place::of(letter),
        until,
    }
}

/// `θ[d,k]` as declared.
pub(super) fn declared(latent: &Latent, style: Style) -> String {
    let indices: Vec<String> = latent.indices.iter().map(|index| index.name.to_string()).collect();
    indexed(&latent.name.to_string(), &indices, style)
}

/// ` where i ≠ j`, or nothing.
pub(super) fn cells(count: &Count, style: Style) -> String {
    let clauses: Vec<String> = count
        .guards
        .iter()
        .map(|g| {
            let [a, b] = [g.left, g.right].map(|v| index(&count.vars[v.0].name.to_string(), style));
            let sign = match (g.less, style) {
                (true, _) => "<",
                (false, Unicode) => "≠",
                (false, Latex) => "\\neq",
            };
            format!("{a} {sign} {b}")
        })
        .collect();
    match (&clauses[..], style) {
        ([], _) => String::new(),
        (_, Unicode) => format!(" where {}", clauses.join(", ")),
        (_, Latex) => format!(" \\quad ({})", clauses.join(",\\ ")),
    }
}

/// What the count on a term is called: `y₂` if the rate has several terms, `c⁺` on the plus side of a difference.
pub(super) fn allocated(count: &Count, term: usize) -> Name {
    let side = |term: usize| {
        let side = match count.side(term) {
            Side::Plus => Sign::Plus,
            Side::Minus => Sign::Minus,
        };
        count.is_difference().then_some(side)
    };
    let sides: Vec<Option<Sign>> = (0..count.terms.len()).map(side).collect();
    Name::of_term(count.name.to_string(), &sides, term)
}
