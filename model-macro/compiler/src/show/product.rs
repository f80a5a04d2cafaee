//! Products over the indices of a model, as values: what conditionals are made of.
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

mod write;

pub use write::{indexed, moment, sum, times};

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

impl Place {
    /// The value of an index as it is printed: `d`, `t-1`, `author[d]`. What is none of these is a letter.
    pub fn of(text: &str) -> Self {
        if let Some((array, at)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            let mut depth = 0;
            // Commas within brackets are those of other arrays.
            let between = |letter: char| {
                depth += i32::from(letter == '[') - i32::from(letter == ']');
                letter == ',' && depth == 0
            };
            return Self::In(Entry {
                of: Name::plain(array),
                at: at.split(between).map(Self::of).collect(),
            });
        }
        let by = text.find(['+', '-']).map(|at| text.split_at(at));
        match by.and_then(|(letter, by)| Some((letter, by.parse().ok()?))) {
            Some((letter, by)) => Self::At(letter.to_owned(), by),
            None => Self::At(text.to_owned(), 0),
        }
    }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_an_index_is_written_as_it_was_read() {
        for text in ["d", "t-1", "t+12", "author[d]", "author[from[d,e],t-1]", "v'", "c⁺"] {
            assert_eq!(Place::of(text).to_string(), text);
        }
        let within = Entry {
            of: Name::plain("from"),
            at: vec![Place::At("d".to_owned(), -2)],
        };
        assert_eq!(Place::of("from[d-2]"), Place::In(within));
    }
}
