//! Formulas in two notations from one description.

use crate::resolve::{Count, Indices, Latent, Model, Scalar, Side, VarId};

/// How a formula is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Unicode,
    Latex,
}

use Style::{Latex, Unicode};

/// A name as a symbol.
pub(super) fn symbol(name: &str, style: Style) -> String {
    match style {
        Unicode => skellam_formula::symbol(name).to_owned(),
        Latex if skellam_formula::greek(name).is_some() => format!("\\{name}"),
        Latex if name.chars().count() == 1 => name.to_owned(),
        Latex => format!("\\mathrm{{{}}}", name.replace('_', "\\_")),
    }
}

/// An index as a symbol. In plain text it is written as it is declared.
pub(super) fn index(name: &str, style: Style) -> String {
    match style {
        Unicode => name.to_owned(),
        Latex => symbol(name, style),
    }
}

/// `θ[d,k]` or `\theta_{d,k}`.
pub(super) fn indexed(name: &str, indices: &[String], style: Style) -> String {
    let symbol = symbol(name, style);
    match (indices, style) {
        ([], _) => symbol,
        (_, Unicode) => format!("{symbol}[{}]", indices.join(",")),
        (_, Latex) => format!(
            "{symbol}_{{{}}}",
            indices
                .iter()
                .map(|i| self::symbol(i, Latex))
                .collect::<Vec<_>>()
                .join(",")
        ),
    }
}

/// `Σ_{k} body`, or the body alone.
pub(super) fn sum(indices: &[String], body: &str, style: Style) -> String {
    match (indices, style) {
        ([], _) => body.to_string(),
        ([one], Unicode) => format!("Σ_{one} {body}"),
        (_, Unicode) => format!("Σ_{{{}}} {body}", indices.join(",")),
        (_, Latex) => format!("\\sum_{{{}}} {body}", indices.join(",")),
    }
}

/// Factors side by side.
pub(super) fn product(factors: &[String], style: Style) -> String {
    match (factors, style) {
        ([], _) => "1".to_string(),
        (_, Unicode) => factors.join(" "),
        (_, Latex) => factors.join(" \\, "),
    }
}

/// A number times hyperparameters.
pub(super) fn scalar(model: &Model, scalar: &Scalar, style: Style) -> String {
    let mut factors = Vec::new();
    if scalar.number != 1.0 || (scalar.hypers.is_empty() && scalar.per.is_empty()) {
        factors.push(format!("{}", scalar.number));
    }
    factors.extend(
        scalar
            .hypers
            .iter()
            .map(|h| symbol(&model.hypers[h.0].name.to_string(), style)),
    );
    factors.extend(scalar.per.iter().map(|set| match style {
        Unicode => format!("|{}|⁻¹", model.set(*set)),
        Latex => format!(
            r"|\mathrm{{{}}}|^{{-1}}",
            model.set(*set).to_string().replace('_', r"\_")
        ),
    }));
    product(&factors, style)
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
pub(super) fn first_times(letter: &str, until: usize, style: Style) -> String {
    format!("[{}<{until}]", index(letter, style))
}

/// What is to the power of `[t<1]`: itself at the first times, else one.
pub(super) fn at_first_times(of: &str, letter: &str, until: usize, style: Style) -> String {
    let power = first_times(letter, until, style);
    match style {
        Unicode => format!("{of}^{power}"),
        Latex => format!("{of}^{{{power}}}"),
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

/// The number on a term: `y[d,v,k]`, numbered if the rate has several terms; `c⁺[d,v,k]` on the plus side of a difference.
pub(super) fn allocated(count: &Count, term: usize, letters: &[String], style: Style) -> String {
    let name = count.name.to_string();
    let side = count.side(term);
    let terms = count.terms_of(side);
    let number = (terms.len() > 1).then(|| term - terms.start + 1);
    let sign = match (count.is_difference(), side, style) {
        (false, ..) => "",
        (true, Side::Plus, Unicode) => "⁺",
        (true, Side::Minus, Unicode) => "⁻",
        (true, Side::Plus, Latex) => "+",
        (true, Side::Minus, Latex) => "-",
    };
    if number.is_none() && sign.is_empty() {
        return indexed(&name, letters, style);
    }
    match style {
        Unicode => {
            let digits = number.map_or(String::new(), |number| number.to_string());
            let digits: String = digits.chars().map(|d| SUBSCRIPTS[d as usize - '0' as usize]).collect();
            let base = format!(
                "{}{sign}{digits}",
                if sign.is_empty() { name } else { symbol(&name, Unicode) }
            );
            indexed(&base, letters, style)
        }
        Latex => {
            let number = number.map_or(String::new(), |number| format!("({number})"));
            format!("{}^{{{sign}{number}}}_{{{}}}", symbol(&name, Latex), letters.join(","))
        }
    }
}

const SUBSCRIPTS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
