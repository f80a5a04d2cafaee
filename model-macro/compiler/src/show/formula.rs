//! Formulas from what they are made of.

use crate::resolve::{Count, Indices, Latent, Model, Scalar, Side, VarId};

pub(super) use skellam_formula::symbol;

/// Factors side by side.
pub(super) fn product(factors: &[String]) -> String {
    match factors {
        [] => "1".to_string(),
        _ => factors.join(" "),
    }
}

/// `Σ_k body`, or the body alone.
pub(super) fn sum(over: &[String], body: &str) -> String {
    match over {
        [] => body.to_string(),
        [one] => format!("Σ_{one} {body}"),
        _ => format!("Σ_{{{}}} {body}", over.join(",")),
    }
}

/// `θ[d,k]`
pub(super) fn indexed(name: &str, indices: &[String]) -> String {
    match indices {
        [] => symbol(name).to_owned(),
        _ => format!("{}[{}]", symbol(name), indices.join(",")),
    }
}

/// `E[x]` or `G[x]`
pub(super) fn moment(letter: char, of: &str) -> String {
    format!("{letter}[{of}]")
}

/// A number times hyperparameters.
pub(super) fn scalar(model: &Model, scalar: &Scalar) -> Vec<String> {
    let is_number = scalar.number != 1.0 || (scalar.hypers.is_empty() && scalar.per.is_empty());
    let number = is_number.then(|| scalar.number.to_string());
    let hypers = scalar.hypers.iter();
    let hypers = hypers.map(|hyper| symbol(&model.hypers[hyper.0].name.to_string()).to_owned());
    let per = scalar.per.iter().map(|set| format!("|{}|⁻¹", model.set(*set)));
    number.into_iter().chain(hypers).chain(per).collect()
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
pub(super) fn first_times(letter: &str, until: usize) -> String {
    format!("[{letter}<{until}]")
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

/// Digits below the line.
const SUBSCRIPTS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];

/// What the count on a term is called: `y₂` if the rate has several terms, `c⁺` on the plus side of a difference.
pub(super) fn allocated(count: &Count, term: usize) -> String {
    let side = count.side(term);
    let sign = match (count.is_difference(), side) {
        (false, _) => "",
        (true, Side::Plus) => "⁺",
        (true, Side::Minus) => "⁻",
    };
    let terms = count.terms_of(side);
    let number = match terms.len() {
        1 => String::new(),
        _ => (term - terms.start + 1).to_string(),
    };
    let number = number.bytes().map(|digit| SUBSCRIPTS[usize::from(digit - b'0')]);
    format!(
        "{}{sign}{}",
        symbol(&count.name.to_string()),
        number.collect::<String>()
    )
}
