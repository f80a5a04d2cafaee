//! Products as text.

use super::{Entry, Factor, Name, Place, Product, Side, Stated};
use skellam_formula::symbol;

impl Product {
    /// The product with its sum.
    pub fn write(&self) -> String {
        sum(&self.over, &self.write_each())
    }

    /// What is summed.
    pub fn write_each(&self) -> String {
        product(&self.factors)
    }

    /// Several in one line.
    pub fn write_sum(all: &[Self]) -> String {
        let all: Vec<String> = all.iter().map(Self::write).collect();
        all.join(" + ")
    }
}

impl Stated {
    /// The statement in one line.
    pub fn write(&self) -> String {
        format!("{} ~ {}", self.of.write(), self.write_law())
    }

    /// The law alone.
    pub fn write_law(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(|of| Product::write_sum(of)).collect();
        format!("{}({})", self.write_family(), parameters.join(", "))
    }

    /// `Gamma`, `Dirichlet_v`
    pub fn write_family(&self) -> String {
        match &self.along {
            None => self.family.clone(),
            Some(along) => format!("{}_{along}", self.family),
        }
    }
}

impl Factor {
    /// The factor.
    pub fn write(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::PerSize(set) => format!("|{set}|⁻¹"),
            Self::Of(entry) => entry.write(),
            Self::AtFirst { of, at, until } => at_first_times(&of.write(), at, *until),
            Self::First { at, until } => first_times(at, *until),
            Self::Found { of, is } => format!("[{}={is}]", of.write()),
            Self::Mean(of) => moment('E', &product(of)),
            Self::Geometric(of) => moment('G', &product(of)),
            Self::Square(of) => square(of),
            Self::Less([one, other]) => format!("({} − {})", product(one), product(other)),
        }
    }
}

impl Entry {
    /// The entry.
    pub fn write(&self) -> String {
        let at: Vec<String> = self.at.iter().map(Place::to_string).collect();
        indexed(&self.of.write(), &at)
    }
}

impl Name {
    /// The name; that of a count on a term with its marks.
    pub fn write(&self) -> String {
        let sign = match self.side {
            None => "",
            Some(Side::Plus) => "⁺",
            Some(Side::Minus) => "⁻",
        };
        let digits = self.number.map(|number| number.to_string()).unwrap_or_default();
        let digits = digits.bytes().map(|digit| SUBSCRIPTS[usize::from(digit - b'0')]);
        format!("{}{sign}{}", symbol(&self.name), digits.collect::<String>())
    }
}

/// Digits below the line.
pub(super) const SUBSCRIPTS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];

/// `t-1`, `author[d]`: as indices are written.
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

fn product(factors: &[Factor]) -> String {
    let all: Vec<String> = factors.iter().map(Factor::write).collect();
    times(&all)
}

/// Factors side by side.
pub fn times(factors: &[String]) -> String {
    match factors {
        [] => "1".to_string(),
        _ => factors.join(" "),
    }
}

/// `Σ_k body`, or the body alone.
pub fn sum(over: &[String], body: &str) -> String {
    match over {
        [] => body.to_string(),
        [one] => format!("Σ_{one} {body}"),
        _ => format!("Σ_{{{}}} {body}", over.join(",")),
    }
}

/// `θ[d,k]`
pub fn indexed(name: &str, indices: &[String]) -> String {
    match indices {
        [] => symbol(name).to_owned(),
        _ => format!("{}[{}]", symbol(name), indices.join(",")),
    }
}

/// `[t<1]`: one at the first times, else zero.
fn first_times(at: &Place, until: usize) -> String {
    format!("[{at}<{until}]")
}

/// What is to the power of `[t<1]`: itself at the first times, else one.
fn at_first_times(of: &str, at: &Place, until: usize) -> String {
    format!("{of}^{}", first_times(at, until))
}

/// `E[x]` or `G[x]`
pub fn moment(letter: char, of: &str) -> String {
    format!("{letter}[{of}]")
}

/// `exposure[d]²`, `(0.5 boost)²`
fn square(factors: &[Factor]) -> String {
    let written = product(factors);
    match factors {
        [Factor::Mean(_)] => format!("{written}²"),
        _ if written.contains(' ') => format!("({written})²"),
        _ => format!("{written}²"),
    }
}
