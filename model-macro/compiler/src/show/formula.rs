//! Formulas from what they are made of.

use super::product::Product;
use super::product::{Entry, Factor, Name, Place, Side as Sign};

use crate::resolve::{Count, Indices, Latent, Model, Scalar, Side, VarId};

pub(super) use super::product::{indexed, moment, sum, times as product};
pub(super) use skellam_formula::symbol;

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
pub(super) fn side_by_side(factors: Vec<Factor>) -> String {
    Product {
        over: Vec::new(),
        factors,
    }
    .write_each()
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
pub(super) fn declared(latent: &Latent) -> String {
    let indices: Vec<String> = latent.indices.iter().map(|index| index.name.to_string()).collect();
    indexed(&latent.name.to_string(), &indices)
}

/// ` where i ≠ j`, or nothing.
pub(super) fn cells(count: &Count) -> String {
    let clauses: Vec<String> = count
        .guards
        .iter()
        .map(|g| {
            let [a, b] = [g.left, g.right].map(|v| count.vars[v.0].name.to_string());
            let sign = if g.less { "<" } else { "≠" };
            format!("{a} {sign} {b}")
        })
        .collect();
    match &clauses[..] {
        [] => String::new(),
        _ => format!(" where {}", clauses.join(", ")),
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
