//! From the text of a formula to products.
//!
//! ```text
//! formula = product { " + " product }
//! product = [ "Σ_" letter " " | "Σ_{" letter { "," letter } "} " ] factor { " " factor }
//! factor  = number | "|" set "|⁻¹" | ( "E[" | "G[" ) factor { " " factor } "]"
//!         | "[" array "[" place { "," place } "]=" letter "]" | "[" place "<" number "]"
//!         | name [ "[" place { "," place } "]" ] [ "^[" place "<" number "]" ]
//! place   = letter [ ("+" | "-") number ] | array "[" place { "," place } "]"
//! ```

use skellam_formula::symbol;

use super::{Atom, Of, Place, Product};
use crate::model::Spec;

/// A latent as formulas write it: `θ[d,k]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) struct Own(pub &'static str);

impl Own {
    /// Its indices.
    fn letters(self) -> Vec<&'static str> {
        let list = self.0.split_once('[').and_then(|(_, list)| list.strip_suffix(']'));
        list.map_or(Vec::new(), |list| list.split(',').collect())
    }
}

/// The products of a formula about a latent. If `has_cell`, something in each may have a name that the model does not declare: it is that of a
/// cell.
///
/// # Panics
///
/// If the text is no formula, or names what the model does not have. Formulas are those of generated code: whoever has changed one is told what
/// is wrong with it.
pub(in crate::model) fn read(spec: &Spec, own: Own, text: &str, has_cell: bool) -> Read {
    let mut reader = Text {
        spec,
        own: own.letters(),
        whole: text,
        rest: text,
        has_means: false,
    };
    let mut products = vec![reader.product(has_cell)];
    while reader.take(" + ") {
        products.push(reader.product(has_cell));
    }
    if !reader.rest.is_empty() {
        reader.fail("the end, or ` + `");
    }
    Read {
        products,
        has_means: reader.has_means,
    }
}

/// A formula that was read.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::model) struct Read {
    pub products: Vec<Product>,
    /// Whether it has means, `E[..]` or `G[..]`: only coordinate ascent has.
    pub has_means: bool,
}

/// What is still to be read.
struct Text<'a> {
    spec: &'a Spec,
    own: Vec<&'static str>,
    whole: &'a str,
    rest: &'a str,
    has_means: bool,
}

/// Indices as they appear, those of the latent first; and whether there is a cell that has not come yet.
struct Letters<'a> {
    known: Vec<&'a str>,
    awaits_cell: bool,
}

impl<'a> Letters<'a> {
    fn number(&mut self, letter: &'a str) -> usize {
        match self.known.iter().position(|known| *known == letter) {
            Some(at) => at,
            None => {
                self.known.push(letter);
                self.known.len() - 1
            }
        }
    }
}

impl<'a> Text<'a> {
    fn fail(&self, expected: &str) -> ! {
        let at = self.whole.len() - self.rest.len();
        panic!(
            "formula `{}`: expected {expected} at `{}`",
            self.whole,
            &self.whole[at..]
        )
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn want(&mut self, text: &str) {
        if !self.take(text) {
            self.fail(&format!("`{text}`"));
        }
    }

    /// As many characters as `is` takes.
    fn run(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|letter| !is(letter)).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at(end);
        self.rest = rest;
        run
    }

    /// A name, with the signs and the numbers of allocations, or the primes of an index.
    fn name(&mut self) -> &'a str {
        let is_mark = |letter| matches!(letter, '_' | '\'' | '⁺' | '⁻' | '₀'..='₉');
        let name = self.run(|letter| letter.is_alphanumeric() || is_mark(letter));
        if name.is_empty() {
            self.fail("a name");
        }
        name
    }

    fn whole_number(&mut self) -> usize {
        match self.run(|letter| letter.is_ascii_digit()).parse() {
            Ok(number) => number,
            Err(_) => self.fail("a whole number"),
        }
    }

    fn product(&mut self, has_cell: bool) -> Product {
        let over = self.over();
        let mut letters = Letters {
            known: self.own.clone(),
            awaits_cell: has_cell,
        };
        let mut product = Product::one();
        self.factors(&mut product, &mut letters);
        for letter in &over {
            letters.number(letter);
        }
        let summed = &letters.known[self.own.len()..];
        if let Some(letter) = summed.iter().find(|letter| !over.contains(letter)) {
            panic!(
                "formula `{}`: index `{letter}` is neither the latent's nor summed over",
                self.whole
            );
        }
        product.summed = summed.len();
        product
    }

    /// `Σ_v` or `Σ_{d,v}`.
    fn over(&mut self) -> Vec<&'a str> {
        let mut all = Vec::new();
        if !self.take("Σ_") {
            return all;
        }
        match self.take("{") {
            false => all.push(self.name()),
            true => {
                all.push(self.name());
                while self.take(",") {
                    all.push(self.name());
                }
                self.want("}");
            }
        }
        self.want(" ");
        all
    }

    fn factors(&mut self, product: &mut Product, letters: &mut Letters<'a>) {
        self.factor(product, letters);
        while !self.rest.starts_with(" + ") && self.take(" ") {
            self.factor(product, letters);
        }
    }

    fn factor(&mut self, product: &mut Product, letters: &mut Letters<'a>) {
        if self.take("[") {
            let atom = self.condition(letters);
            return product.multiply(atom);
        }
        if self.take("|") {
            let set = self.name();
            self.want("|⁻¹");
            let is = |per: Option<usize>| per.is_some_and(|of| self.spec.sets[of] == set);
            let Some(hyper) = self.spec.hypers.iter().position(|hyper| is(hyper.per)) else {
                self.fail(&format!("an index set that something is divided by, not `{set}`"))
            };
            return product.multiply(entry(Of::Hyper(hyper), Vec::new(), None));
        }
        if self.rest.starts_with(|first: char| first.is_ascii_digit()) {
            let number = self.run(|letter| letter.is_ascii_digit() || letter == '.');
            match number.parse::<f64>() {
                Ok(number) => product.number *= number,
                Err(_) => self.fail("a number"),
            }
            return;
        }
        let name = self.name();
        let is_count = self.spec.counts.iter().any(|count| count.name == name);
        if matches!(name, "E" | "G") && !is_count && self.named(name).is_none() {
            self.want("[");
            self.has_means = true;
            self.factors(product, letters);
            return self.want("]");
        }
        let at = match self.take("[") {
            true => self.places(letters),
            false => Vec::new(),
        };
        let at_first = self.take("^[").then(|| {
            let place = self.place(letters);
            self.want("<");
            let until = self.whole_number();
            self.want("]");
            (place, until)
        });
        let of = match self.named(name) {
            Some(of) => of,
            None if letters.awaits_cell => {
                letters.awaits_cell = false;
                Of::Cell
            }
            None => panic!("formula `{}`: the model has no `{name}`", self.whole),
        };
        product.multiply(entry(of, at, at_first));
    }

    /// `author[d]=a]` or `t<1]`, behind the bracket.
    fn condition(&mut self, letters: &mut Letters<'a>) -> Atom {
        let place = self.place(letters);
        let atom = match (self.take("="), place) {
            (true, Place::In(array, at)) => {
                let letter = self.name();
                let is = letters.number(letter);
                Atom::Found { array, at, is }
            }
            (false, at) => {
                self.want("<");
                let until = self.whole_number();
                Atom::First { at, until }
            }
            (true, Place::At(..)) => self.fail("an array of positions before `=`"),
        };
        self.want("]");
        atom
    }

    /// Places behind a bracket, and the one that closes it.
    fn places(&mut self, letters: &mut Letters<'a>) -> Vec<Place> {
        let mut all = vec![self.place(letters)];
        while self.take(",") {
            all.push(self.place(letters));
        }
        self.want("]");
        all
    }

    fn place(&mut self, letters: &mut Letters<'a>) -> Place {
        let name = self.name();
        if self.take("[") {
            let at = self.places(letters);
            return match self.named(name) {
                Some(Of::Array(array)) => Place::In(array, at),
                _ => panic!("formula `{}`: the model has no array of positions `{name}`", self.whole),
            };
        }
        let sign = match (self.take("+"), self.take("-")) {
            (true, _) => 1,
            (_, true) => -1,
            _ => 0,
        };
        let by = if sign == 0 { 0 } else { self.whole_number() as i64 };
        Place::At(letters.number(name), sign * by)
    }

    /// What the model calls so, in letters or in Greek.
    fn named(&self, name: &str) -> Option<Of> {
        let is = |declared: &str| declared == name || symbol(declared) == name;
        let spec = self.spec;
        let latent = spec.latents.iter().position(|latent| is(latent.name)).map(Of::Latent);
        let array = || spec.arrays.iter().position(|array| is(array.name)).map(Of::Array);
        let hyper = || {
            let hypers = spec.hypers.iter();
            hypers.map(|hyper| hyper.name).position(is).map(Of::Hyper)
        };
        latent.or_else(array).or_else(hyper)
    }
}

fn entry(of: Of, at: Vec<Place>, at_first: Option<(Place, usize)>) -> Atom {
    Atom::Entry { of, at, at_first }
}
