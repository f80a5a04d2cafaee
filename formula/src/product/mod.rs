//! Products over the indices of a model, as values: what conditionals are made of.
//!
//! They are printed in derivations and in generated code, where the runtime reads them again. So the grammar stands once, here:
//!
//! ```text
//! statement = entry " ~ " name [ "_" letter ] "(" sum { ", " sum } ")"
//! sum       = product { " + " product }
//! product   = [ "Σ_" letter " " | "Σ_{" letter { "," letter } "} " ] factor { " " factor }
//! factor    = number | "|" set "|⁻¹" | ( "E[" | "G[" ) factor { " " factor } "]"
//!           | "[" array "[" place { "," place } "]=" letter "]" | "[" place "<" number "]"
//!           | entry [ "^[" place "<" number "]" ]
//! entry     = name [ "[" place { "," place } "]" ]
//! place     = letter [ ("+" | "-") number ] | array "[" place { "," place } "]"
//! ```

mod read;
mod write;

pub use read::NoFormula;
pub use write::{at_first_times, first_times, indexed, moment, sum, times};

/// A product, summed over some indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// The letters of the indices that are summed over.
    pub over: Vec<String>,
    /// The factors; the product of none is one.
    pub factors: Vec<Factor>,
}

/// A factor.
#[derive(Clone, Debug, PartialEq)]
pub enum Factor {
    /// A number.
    Number(f64),
    /// One over the size of an index set.
    PerSize(String),
    /// An entry of what has indices, or the value of what has none.
    Of(Entry),
    /// A factor at the first values of an index, else one: `x^[t<1]`.
    AtFirst {
        /// The factor.
        of: Box<Self>,
        /// The index.
        at: Place,
        /// How many values.
        until: usize,
    },
    /// One at the first values of an index, else zero: `[t<1]`.
    First {
        /// The index.
        at: Place,
        /// How many values.
        until: usize,
    },
    /// One where the entry of an array of positions is the value of an index, else zero: `[author[d]=a]`.
    Found {
        /// The entry.
        of: Entry,
        /// The letter of the index.
        is: String,
    },
    /// The mean of a product under q: `E[x]`.
    Mean(Vec<Self>),
    /// Its geometric mean, `exp(E[ln x])`: `G[x]`.
    Geometric(Vec<Self>),
    /// The square of a product. It is printed, and never read.
    Square(Vec<Self>),
    /// One product less another. It is printed, and never read.
    Less([Vec<Self>; 2]),
}

/// An entry of what has indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Of what.
    pub of: Name,
    /// Where.
    pub at: Vec<Place>,
}

/// What is called so: a latent, an array, a hyperparameter, a count, the weight of a cell. The counts on the terms of a rate are called after the
/// count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name, as it was declared or as it is printed.
    pub name: String,
    /// The side of a difference on which the term is.
    pub side: Option<Side>,
    /// The number of the term among those of the rate, or of its side; from one.
    pub number: Option<usize>,
}

/// A side of a difference of two counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What counts.
    Plus,
    /// What is taken away.
    Minus,
}

/// The value of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// That of an index by its letter, moved: `t-1`.
    At(String, i64),
    /// The entry of an array of positions: `author[d]`.
    In(Entry),
}

/// A law with its parameters: `θ[d,k] ~ Gamma(a, b)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// What has the law.
    pub of: Entry,
    /// Its family.
    pub family: String,
    /// The letter of the index along which entries sum to one.
    pub along: Option<String>,
    /// Its parameters.
    pub parameters: Vec<Vec<Product>>,
}

impl Name {
    /// What has a name of its own.
    pub fn plain(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            side: None,
            number: None,
        }
    }

    /// The count on term `term` of a rate, of whose terms `sides` has the sides; of a count that is not a difference these are `None`. It is
    /// numbered where there are several.
    pub fn of_term(count: impl Into<String>, sides: &[Option<Side>], term: usize) -> Self {
        let of_side = |terms: &[Option<Side>]| terms.iter().filter(|side| **side == sides[term]).count();
        Self {
            name: count.into(),
            side: sides[term],
            number: (of_side(sides) > 1).then(|| of_side(&sides[..term]) + 1),
        }
    }

    /// Whether it is `other`, where either may be printed as a Greek letter.
    pub fn is(&self, other: &Self) -> bool {
        let printed = |name: &Self| crate::symbol(&name.name).to_owned();
        printed(self) == printed(other) && self.side == other.side && self.number == other.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 9] = [
        "a",
        "1",
        "Σ_v w[d,v] 2 boost φ[k,v] style[author[d],k]",
        "Σ_{v,c⁺} [d<2] y₁[d+1,v,c⁺] 0.25 |words|⁻¹ boost E[walk[d-1,k]^[d<3]]",
        "Σ_v G[θ[d,k]] G[φ[k,v']] + a",
        "[author[d]=a] y⁺₂[d,v] y⁻[author[from[d]],v]",
        "l_theta₂[d,k,j]",
        "E[2 x y[i]] 3",
        "n_1[t-2,b]",
    ];

    #[test]
    fn what_is_read_is_written_as_it_was() {
        for text in TEXTS {
            let read = Product::read_sum(text, &|_| false).expect(text);
            assert_eq!(Product::write_sum(&read), text);
        }
        for text in [
            "θ[d,k] ~ Gamma(a + Σ_j w[j,k] ψ[d,j], 1)",
            "φ[k,v] ~ Dirichlet_v(η[v])",
            "φ[k,w_id] ~ Dirichlet_w_id(η[w_id])",
            "x[i] ~ my_law(a, b)",
            "x ~ mine::Law(a, b[c[x],1])",
        ] {
            let read = Stated::read(text, &|_| false).expect(text);
            assert_eq!(read.write(), text);
        }
    }

    #[test]
    fn a_sum_is_products_of_factors() {
        let read = Product::read_sum("Σ_v w[d,v] θ[t-1]^[t<2] + 2", &|_| false).expect("a sum");
        let at = |letter: &str, by| Place::At(letter.into(), by);
        let entry = |of: &str, at: &[Place]| Entry {
            of: Name::plain(of),
            at: at.to_vec(),
        };
        let first = Product {
            over: vec!["v".into()],
            factors: vec![
                Factor::Of(entry("w", &[at("d", 0), at("v", 0)])),
                Factor::AtFirst {
                    of: Box::new(Factor::Of(entry("θ", &[at("t", -1)]))),
                    at: at("t", 0),
                    until: 2,
                },
            ],
        };
        let second = Product {
            over: Vec::new(),
            factors: vec![Factor::Number(2.0)],
        };
        assert_eq!(read, [first, second]);
    }

    #[test]
    fn the_count_on_a_term_is_numbered_where_there_are_several() {
        let plain = [None, None];
        assert_eq!(Name::of_term("y", &plain, 1).write(), "y₂");
        assert_eq!(Name::of_term("y", &plain[..1], 0).write(), "y");
        let sides = [Side::Plus, Side::Minus, Side::Plus].map(Some);
        let written = [0, 1, 2].map(|term| Name::of_term("c", &sides, term).write());
        assert_eq!(written, ["c⁺₁", "c⁻", "c⁺₂"]);
    }

    /// `E[d]` is an entry where something is called `E`, and a mean elsewhere.
    #[test]
    fn what_is_called_as_a_mean_is_comes_first() {
        let [one, other] = [true, false].map(|is_name| Product::read_sum("E[d]", &|name| is_name && name == "E"));
        assert!(matches!(&one.expect("an entry")[0].factors[..], [Factor::Of(_)]));
        assert!(matches!(&other.expect("a mean")[0].factors[..], [Factor::Mean(_)]));
    }

    #[test]
    fn what_is_no_formula_is_told() {
        for (text, told) in [
            ("Σ_v w[d,v", "expected `]`"),
            ("Σ_v w[d,v])", "expected the end, or ` + `"),
            ("", "expected a name"),
            ("[d<k]", "expected a whole number"),
            ("1.2.3", "expected a number"),
            ("[d=1]", "expected an array of positions before `=`"),
        ] {
            let told_here = Product::read_sum(text, &|_| false).expect_err(text).to_string();
            assert!(told_here.contains(told), "{text}: {told_here}");
        }
        for text in [
            "θ[d]",
            "θ[d] ~ Gamma",
            "θ[d] ~ Gamma(a",
            "θ[d] ~ Gamma(a,b)",
            "θ[d] ~ Gamma(a) x",
        ] {
            assert!(Stated::read(text, &|_| false).is_err(), "{text}");
        }
    }
}
