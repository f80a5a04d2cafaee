//! Products in two notations.

use super::{Entry, Factor, Name, Place, Product, Side, Stated};
use crate::Notation::{self, Latex, Unicode};
use crate::symbol::symbol_in;

impl Product {
    /// The product with its sum.
    pub fn write(&self, notation: Notation) -> String {
        sum(&self.over, &self.write_each(notation), notation)
    }

    /// What is summed.
    pub fn write_each(&self, notation: Notation) -> String {
        product(&self.factors, notation)
    }

    /// Several in one line.
    pub fn write_sum(all: &[Self], notation: Notation) -> String {
        let all: Vec<String> = all.iter().map(|one| one.write(notation)).collect();
        all.join(" + ")
    }
}

impl Stated {
    /// The statement in one line.
    pub fn write(&self, notation: Notation) -> String {
        let sign = if notation == Unicode { "~" } else { "\\sim" };
        format!("{} {sign} {}", self.of.write(notation), self.write_law(notation))
    }

    /// The law alone.
    pub fn write_law(&self, notation: Notation) -> String {
        let parameters = self.parameters.iter().map(|of| Product::write_sum(of, notation));
        let parameters: Vec<String> = parameters.collect();
        match notation {
            Unicode => format!("{}({})", self.write_family(notation), parameters.join(", ")),
            Latex => format!(
                "{}\\left({}\\right)",
                self.write_family(notation),
                parameters.join(",\\ ")
            ),
        }
    }

    /// `Gamma`, `Dirichlet_v`
    pub fn write_family(&self, notation: Notation) -> String {
        let Self { family, along, .. } = self;
        match (along, notation) {
            (None, Unicode) => family.clone(),
            (Some(along), Unicode) => format!("{family}_{along}"),
            (None, Latex) => format!("\\mathrm{{{}}}", family.replace('_', "\\_")),
            (Some(along), Latex) => {
                let along = symbol_in(along, Latex);
                format!("\\mathrm{{{}}}_{{{along}}}", family.replace('_', "\\_"))
            }
        }
    }
}

impl Factor {
    /// The factor.
    pub fn write(&self, notation: Notation) -> String {
        match (self, notation) {
            (Self::Number(number), _) => number.to_string(),
            (Self::PerSize(set), Unicode) => format!("|{set}|⁻¹"),
            (Self::PerSize(set), Latex) => format!(r"|\mathrm{{{}}}|^{{-1}}", set.replace('_', r"\_")),
            (Self::Of(entry), _) => entry.write(notation),
            (Self::AtFirst { of, at, until }, _) => at_first_times(&of.write(notation), at, *until, notation),
            (Self::First { at, until }, _) => first_times(at, *until, notation),
            (Self::Found { of, is }, _) => {
                let is = if notation == Unicode {
                    is.clone()
                } else {
                    symbol_in(is, Latex)
                };
                format!("[{}={is}]", of.write(notation))
            }
            (Self::Mean(of), _) => moment('E', &product(of, notation), notation),
            (Self::Geometric(of), _) => moment('G', &product(of, notation), notation),
            (Self::Square(of), _) => square(of, notation),
            (Self::Less([one, other]), _) => {
                let minus = if notation == Unicode { "−" } else { "-" };
                format!("({} {minus} {})", product(one, notation), product(other, notation))
            }
        }
    }
}

impl Entry {
    /// The entry.
    pub fn write(&self, notation: Notation) -> String {
        let at: Vec<String> = self.at.iter().map(Place::to_string).collect();
        match (&self.of.side, &self.of.number, notation) {
            (None, None, _) => indexed(&self.of.name, &at, notation),
            (_, _, Unicode) => indexed(&self.of.write(Unicode), &at, Unicode),
            (_, _, Latex) => format!("{}_{{{}}}", self.of.write(Latex), at.join(",")),
        }
    }
}

impl Name {
    /// The name; that of a count on a term with its marks.
    pub fn write(&self, notation: Notation) -> String {
        let sign = match (self.side, notation) {
            (None, _) => "",
            (Some(Side::Plus), Unicode) => "⁺",
            (Some(Side::Minus), Unicode) => "⁻",
            (Some(Side::Plus), Latex) => "+",
            (Some(Side::Minus), Latex) => "-",
        };
        let symbol = symbol_in(&self.name, notation);
        match (self.number, notation) {
            (None, Latex) if sign.is_empty() => symbol,
            (None, Latex) => format!("{symbol}^{{{sign}}}"),
            (Some(number), Latex) => format!("{symbol}^{{{sign}({number})}}"),
            (None, Unicode) => format!("{symbol}{sign}"),
            (Some(number), Unicode) => {
                let digits = number.to_string();
                let digits = digits.bytes().map(|digit| SUBSCRIPTS[usize::from(digit - b'0')]);
                format!("{symbol}{sign}{}", digits.collect::<String>())
            }
        }
    }
}

/// Digits below the line.
pub(super) const SUBSCRIPTS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];

/// `t-1`, `author[d]`: as indices are written in plain text.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::At(letter, 0) => f.write_str(letter),
            Self::At(letter, by) => write!(f, "{letter}{by:+}"),
            Self::In(Entry { of, at }) => {
                let at: Vec<String> = at.iter().map(Self::to_string).collect();
                write!(f, "{}[{}]", of.name, at.join(","))
            }
        }
    }
}

fn product(factors: &[Factor], notation: Notation) -> String {
    let all: Vec<String> = factors.iter().map(|factor| factor.write(notation)).collect();
    times(&all, notation)
}

/// Factors side by side.
pub fn times(factors: &[String], notation: Notation) -> String {
    match (factors, notation) {
        ([], _) => "1".to_string(),
        (_, Unicode) => factors.join(" "),
        (_, Latex) => factors.join(" \\, "),
    }
}

/// `Σ_{k} body`, or the body alone.
pub fn sum(over: &[String], body: &str, notation: Notation) -> String {
    match (over, notation) {
        ([], _) => body.to_string(),
        ([one], Unicode) => format!("Σ_{one} {body}"),
        (_, Unicode) => format!("Σ_{{{}}} {body}", over.join(",")),
        (_, Latex) => format!("\\sum_{{{}}} {body}", over.join(",")),
    }
}

/// `θ[d,k]` or `\theta_{d,k}`
pub fn indexed(name: &str, indices: &[String], notation: Notation) -> String {
    let symbol = symbol_in(name, notation);
    match (indices, notation) {
        ([], _) => symbol,
        (_, Unicode) => format!("{symbol}[{}]", indices.join(",")),
        (_, Latex) => {
            let indices: Vec<String> = indices.iter().map(|index| symbol_in(index, Latex)).collect();
            format!("{symbol}_{{{}}}", indices.join(","))
        }
    }
}

/// `[t<1]`: one at the first times, else zero.
pub fn first_times(at: &Place, until: usize, notation: Notation) -> String {
    let at = at.to_string();
    let at = if notation == Unicode { at } else { symbol_in(&at, Latex) };
    format!("[{at}<{until}]")
}

/// What is to the power of `[t<1]`: itself at the first times, else one.
pub fn at_first_times(of: &str, at: &Place, until: usize, notation: Notation) -> String {
    let power = first_times(at, until, notation);
    match notation {
        Unicode => format!("{of}^{power}"),
        Latex => format!("{of}^{{{power}}}"),
    }
}

/// `E[x]` or `G[x]`
pub fn moment(letter: char, of: &str, notation: Notation) -> String {
    match notation {
        Unicode => format!("{letter}[{of}]"),
        Latex => format!("\\mathbb{{{letter}}}[{of}]"),
    }
}

/// `exposure[d]²`, `(0.5 boost)²`
fn square(factors: &[Factor], notation: Notation) -> String {
    let written = product(factors, notation);
    let base = match factors {
        [Factor::Mean(_)] => written,
        _ if written.contains(' ') => format!("({written})"),
        _ => written,
    };
    match notation {
        Unicode => format!("{base}²"),
        Latex => format!("{base}^2"),
    }
}
