//! Formulas in two notations.

use super::{CellNames, Expr, Part, Quantity};

/// How a formula is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Plain text.
    Unicode,
    /// LaTeX.
    Latex,
}

use Notation::{Latex, Unicode};

/// How tightly a formula holds together: what is looser than its place gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Atom,
}

impl Expr {
    /// The formula in the letters of a model.
    pub fn write(&self, names: &CellNames, notation: Notation) -> String {
        let w = |of: &Self| of.write(names, notation);
        // A radical and a fraction bar group what they cover in LaTeX.
        let product = |of: &Self| of.at_least(Binding::Product, names, notation);
        let atom = |of: &Self| of.at_least(Binding::Atom, names, notation);
        match (self, notation) {
            (Self::Number(n), _) => n.to_string(),
            (Self::Of(of), _) => quantity(*of, names, notation).to_owned(),
            (Self::Sum(all), _) => {
                let mut out = String::new();
                for (i, term) in all.iter().enumerate() {
                    match (i, term) {
                        (0, term) => out.push_str(&w(term)),
                        (_, Self::Negative(of)) => out.push_str(&format!(" {} {}", minus(notation), product(of))),
                        (_, term) => out.push_str(&format!(" + {}", w(term))),
                    }
                }
                out
            }
            (Self::Negative(of), _) => format!("{}{}", minus(notation), product(of)),
            (Self::Product(all), _) => {
                let factors: Vec<String> = all.iter().map(product).collect();
                factors.join(match notation {
                    Unicode if all.iter().any(Self::is_wide) => " · ",
                    Unicode => " ",
                    Latex => r" \, ",
                })
            }
            (Self::Quotient(of), Unicode) => {
                let bar = if self.is_wide() { " / " } else { "/" };
                format!("{}{bar}{}", product(&of[0]), atom(&of[1]))
            }
            (Self::Quotient(of), Latex) => format!(r"\frac{{{}}}{{{}}}", w(&of[0]), w(&of[1])),
            (Self::Root(of), Unicode) => format!("√({})", w(of)),
            (Self::Root(of), Latex) => format!(r"\sqrt{{{}}}", w(of)),
            (Self::Square(of), Unicode) => format!("{}²", atom(of)),
            (Self::Square(of), Latex) => format!("{}^2", atom(of)),
            // A minus needs no parentheses up there.
            (Self::Power(of), Unicode) => match &of[1] {
                Self::Negative(exponent) => format!("{}^{}{}", atom(&of[0]), minus(notation), atom(exponent)),
                exponent => format!("{}^{}", atom(&of[0]), atom(exponent)),
            },
            (Self::Power(of), Latex) => format!("{}^{{{}}}", atom(&of[0]), w(&of[1])),
            (Self::Factorial(of), _) => format!("{}!", atom(of)),
            (Self::Absolute(of), _) => format!("|{}|", w(of)),
            (Self::Positive(of), Unicode) => format!("max({}, 0)", w(of)),
            (Self::Positive(of), Latex) => format!(r"\max({}, 0)", w(of)),
            (Self::Floor(of), Unicode) => format!("⌊{}⌋", w(of)),
            (Self::Floor(of), Latex) => format!(r"\left\lfloor {} \right\rfloor", w(of)),
            (Self::Exp(of), Unicode) => format!("exp({})", w(of)),
            (Self::Exp(of), Latex) => format!(r"\exp\left({}\right)", w(of)),
            (Self::Ln(of), Unicode) => format!("ln {}", tight(of, names, notation)),
            (Self::Ln(of), Latex) => format!(r"\ln {}", tight(of, names, notation)),
            (Self::Digamma(of), Unicode) => format!("ψ({})", w(of)),
            (Self::Digamma(of), Latex) => format!(r"\psi({})", w(of)),
            (Self::Bessel(of), Unicode) => format!("I({}, {})", w(&of[0]), w(&of[1])),
            (Self::Bessel(of), Latex) => format!(r"I_{{{}}}({})", w(&of[0]), w(&of[1])),
            (Self::Mean(of), Unicode) => format!("E[{}]", w(of)),
            (Self::Mean(of), Latex) => format!(r"\mathbb{{E}}[{}]", w(of)),
            (Self::Variance(of), Unicode) => format!("V[{}]", w(of)),
            (Self::Variance(of), Latex) => format!(r"\mathbb{{V}}[{}]", w(of)),
            (Self::GeometricMean(of), Unicode) => format!("G[{}]", w(of)),
            (Self::GeometricMean(of), Latex) => format!(r"\mathbb{{G}}[{}]", w(of)),
            (Self::Delta(of), Unicode) => format!("D[{}]", w(of)),
            (Self::Delta(of), Latex) => format!(r"\mathbb{{D}}[{}]", w(of)),
            (Self::Divergence(part), Unicode) => {
                let level = level(*part, names);
                format!("KL(q({level}) ‖ p({level}))")
            }
            (Self::Divergence(part), Latex) => {
                let level = level(*part, names);
                format!(r"\mathrm{{KL}}\bigl(q({level}) \,\|\, p({level})\bigr)")
            }
            (Self::WherePresent(of), Unicode) => {
                format!(
                    "{} if {} = 1, else 0",
                    w(of),
                    quantity(Quantity::Observed, names, notation)
                )
            }
            (Self::WherePresent(of), Latex) => {
                let c = quantity(Quantity::Observed, names, notation);
                format!(r"{} \text{{ if }} {c} = 1 \text{{, else }} 0", w(of))
            }
            (Self::Ratio { at, is_gibbs }, _) => {
                let (next, at) = (w(&((**at).clone() + Self::from(1))), w(at));
                let p = if *is_gibbs { "P" } else { "q" };
                format!("({next}) {p}({next})/{p}({at})")
            }
            (Self::Probability(cut, of), _) => {
                let truth = quantity(Quantity::Truth, names, notation);
                format!("q({truth} {} {})", cut.sign(notation), w(of))
            }
        }
    }

    /// Whether it is a quotient of powers, which would run together with what stands beside it.
    fn is_wide(&self) -> bool {
        matches!(self, Self::Quotient(of) if matches!(of[0], Self::Power(_)))
    }

    fn binding(&self, notation: Notation) -> Binding {
        match (self, notation) {
            (Self::Sum(_) | Self::Negative(_) | Self::WherePresent(_), _) => Binding::Sum,
            (Self::Quotient(_), Latex) => Binding::Product,
            (Self::Product(_) | Self::Quotient(_), _) => Binding::Product,
            _ => Binding::Atom,
        }
    }

    fn at_least(&self, least: Binding, names: &CellNames, notation: Notation) -> String {
        let written = self.write(names, notation);
        match (self.binding(notation) < least, notation) {
            (false, _) => written,
            (true, Unicode) => format!("({written})"),
            (true, Latex) => format!(r"\left({written}\right)"),
        }
    }
}

/// What a logarithm is taken of.
fn tight(of: &Expr, names: &CellNames, notation: Notation) -> String {
    match of {
        Expr::Bessel(_) => of.write(names, notation),
        of => of.at_least(Binding::Atom, names, notation),
    }
}

fn minus(notation: Notation) -> &'static str {
    match notation {
        Unicode => "−",
        Latex => "-",
    }
}

fn level(part: Part, names: &CellNames) -> &'static str {
    quantity(Quantity::Level(part), names, Unicode)
}

fn quantity(of: Quantity, names: &CellNames, notation: Notation) -> &'static str {
    match (names.of(of), of, notation) {
        (Some(name), ..) => name,
        (None, Quantity::Alpha, Unicode) => "α",
        (None, Quantity::Alpha, Latex) => r"\alpha",
        (None, Quantity::First, _) => "A",
        (None, Quantity::FirstInAll, Unicode) => "ΣA",
        (None, Quantity::FirstInAll, Latex) => r"\textstyle\sum A",
        (None, Quantity::Second, _) => "B",
        (None, Quantity::Any, _) => "x",
        (None, _, Unicode) => "λ",
        (None, _, Latex) => r"\lambda",
    }
}
