//! Formulas in two notations from one description.

use super::totals;
use crate::resolve::{Access, Count, Index, Indices, Latent, LatentId, Model, Scalar, Side, Term, VarId};

/// How a formula is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Unicode,
    Latex,
}

use Style::{Latex, Unicode};

/// Names that have a Greek letter.
const GREEK: [(&str, &str); 23] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
];

/// A name as a symbol.
pub(super) fn symbol(name: &str, style: Style) -> String {
    let greek = GREEK.iter().find(|(word, _)| *word == name);
    match (greek, style) {
        (Some((_, letter)), Unicode) => (*letter).to_string(),
        (Some((word, _)), Latex) => format!("\\{word}"),
        (None, Unicode) => name.to_string(),
        (None, Latex) if name.chars().count() == 1 => name.to_string(),
        (None, Latex) => format!("\\mathrm{{{}}}", name.replace('_', "\\_")),
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
        Self::of_vars(&count.vars)
    }

    /// The indices of a latent, for the parameters of its prior.
    pub fn of_latent(latent: &Latent) -> Self {
        Self::of_vars(&latent.prior.vars)
    }

    fn of_vars(vars: &[Index]) -> Self {
        Self((0..vars.len()).map(|at| vars.shown(VarId(at))).collect())
    }

    pub fn list(&self, vars: &[VarId]) -> Vec<String> {
        vars.iter().map(|v| self.0[v.0].clone()).collect()
    }
}

/// A factor at its indices.
pub(super) fn access(model: &Model, access: &Access, letters: &Letters, style: Style) -> String {
    let plain = plain(model, access, letters, style);
    match access.start {
        None => plain,
        Some(start) => format!(
            "{} {plain}",
            first_times(&letters.list(&[start.var])[0], start.until, style)
        ),
    }
}

/// The same, whatever the times at which it is read.
fn plain(model: &Model, access: &Access, letters: &Letters, style: Style) -> String {
    indexed(
        &model.name_of(access.of).to_string(),
        &letters.list(&access.vars),
        style,
    )
}

/// `[t<1]`: one at the first times, else zero.
pub(super) fn first_times(letter: &str, until: usize, style: Style) -> String {
    format!("[{}<{until}]", symbol(letter, style))
}

/// What is to the power of `[t<1]`: itself at the first times, else one.
pub(super) fn at_first_times(of: &str, letter: &str, until: usize, style: Style) -> String {
    let power = first_times(letter, until, style);
    match style {
        Unicode => format!("{of}^{power}"),
        Latex => format!("{of}^{{{power}}}"),
    }
}

/// Coefficient and factors of a term, one of which may be left out.
pub(super) fn factors(
    model: &Model,
    term: &Term,
    without: Option<usize>,
    letters: &Letters,
    style: Style,
) -> Vec<String> {
    let mut all = Vec::new();
    if !term.coefficient.is_one() {
        all.push(scalar(model, &term.coefficient, style));
    }
    let kept = term.factors.iter().enumerate().filter(|(i, _)| Some(*i) != without);
    all.extend(kept.map(|(_, f)| access(model, f, letters, style)));
    all
}

/// The parameters of the prior of a latent.
pub(super) fn parameters(model: &Model, id: LatentId, style: Style) -> Vec<String> {
    let latent = &model.latents[id.0];
    let terms = latent.prior.terms().into_iter().enumerate();
    let all = terms.map(|(at, term)| match model.shape_of(id) {
        Some(shape) if at == 0 => rate(model, &shape.tables, Side::Plus, style),
        _ => parameter(model, latent, term, style),
    });
    all.collect()
}

/// A parameter of a prior.
pub(super) fn parameter(model: &Model, latent: &Latent, term: &Term, style: Style) -> String {
    let letters = Letters::of_latent(latent);
    let mut all = Vec::new();
    if !term.coefficient.is_one() {
        all.push(scalar(model, &term.coefficient, style));
    }
    all.extend(term.factors.iter().map(|factor| {
        let plain = plain(model, factor, &letters, style);
        match factor.start {
            None => plain,
            Some(start) => at_first_times(&plain, &letters.list(&[start.var])[0], start.until, style),
        }
    }));
    if all.is_empty() {
        "1".into()
    } else {
        product(&all, style)
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
            let [a, b] = [g.left, g.right].map(|v| symbol(&count.vars[v.0].name.to_string(), style));
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

/// The rate of a count, or of a side of a difference.
pub(super) fn rate(model: &Model, count: &Count, side: Side, style: Style) -> String {
    let letters = Letters::of(count);
    let terms: Vec<String> = count.terms[count.terms_of(side)]
        .iter()
        .map(|t| {
            sum(
                &letters.list(&t.summed),
                &product(&factors(model, t, None, &letters, style), style),
                style,
            )
        })
        .collect();
    terms.join(" + ")
}

/// A law with its rate: `Poisson(Σ_k θ[d,k] φ[k,v])`, or with the rates of both sides of a difference.
pub(super) fn law(model: &Model, count: &Count) -> String {
    let rate = |side| rate(model, count, side, Unicode);
    if let Some(total) = &count.total {
        let along = Letters::of(count).list(&[total.along]);
        return format!(
            "Multinomial_{}({}, {})",
            along[0],
            totals::total(model, count, Unicode),
            rate(Side::Plus)
        );
    }
    match count.is_difference() {
        false => format!("Poisson({})", rate(Side::Plus)),
        true => format!("Skellam(plus = {}, minus = {})", rate(Side::Plus), rate(Side::Minus)),
    }
}

/// The allocation of a term: `y[d,v,k]`, numbered if the rate has several terms; `c⁺[d,v,k]` on the plus side of a difference.
pub(super) fn allocation(count: &Count, term: usize, letters: &Letters, style: Style) -> String {
    let vars: Vec<VarId> = count
        .free_vars()
        .chain(count.terms[term].summed.iter().copied())
        .collect();
    allocated(count, term, &letters.list(&vars), style)
}

/// The same at given letters.
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
