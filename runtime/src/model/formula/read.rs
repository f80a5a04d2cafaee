//! From formulas in the names of a model to products over its indices.

use skellam_formula::product::{Entry, Factor, Name, Place as Letter, Product as Written};
use skellam_formula::symbol;

use super::{Atom, Moment, Of, Place, Product};
use crate::model::Spec;

/// What a formula is about: a latent or a count at its indices, and what a cell of it is called: its weight, or the count on a term.
#[derive(Clone, Debug)]
pub(in crate::model) struct About<'a> {
    pub spec: &'a Spec,
    pub own: &'a Entry,
    pub cell: Option<Name>,
}

impl About<'_> {
    /// The products of a sum.
    ///
    /// # Panics
    ///
    /// If the text is not a formula, or names what the model does not have. Formulas are those of generated code: whoever has changed one is told what
    /// is wrong with it.
    pub fn read(&self, text: &str) -> Vec<Product> {
        match Written::read_sum(text, &|name| self.spec.has(name)) {
            Ok(sum) => self.resolve(text, &sum),
            Err(error) => panic!("{error}"),
        }
    }

    /// The same of a sum that was read; `text` is where it stands.
    pub fn resolve(&self, text: &str, sum: &[Written]) -> Vec<Product> {
        let own: Vec<&str> = self.own.at.iter().map(|place| letter(text, place)).collect();
        let of_product = |written: &Written| {
            let mut resolved = Resolved {
                about: self,
                text,
                letters: own.clone(),
                product: Product::one(),
            };
            resolved.factors(&written.factors, Moment::Value);
            for letter in &written.over {
                resolved.number(letter);
            }
            let summed = &resolved.letters[own.len()..];
            if let Some(letter) = summed
                .iter()
                .find(|letter| !written.over.iter().any(|over| over == *letter))
            {
                panic!("formula `{text}`: index `{letter}` is neither the latent's nor summed over");
            }
            let summed = summed.len();
            Product {
                summed,
                ..resolved.product
            }
        };
        sum.iter().map(of_product).collect()
    }
}

/// An index of what a formula is about.
fn letter<'a>(text: &str, place: &'a Letter) -> &'a str {
    match place {
        Letter::At(letter, 0) => letter,
        _ => panic!("formula `{text}`: what it is about is at indices, not at `{place}`"),
    }
}

/// A product on its way.
struct Resolved<'a> {
    about: &'a About<'a>,
    text: &'a str,
    /// Indices as they appear, those of the latent first.
    letters: Vec<&'a str>,
    product: Product,
}

impl<'a> Resolved<'a> {
    fn number(&mut self, letter: &'a str) -> usize {
        match self.letters.iter().position(|known| *known == letter) {
            Some(at) => at,
            None => {
                self.letters.push(letter);
                self.letters.len() - 1
            }
        }
    }

    fn factors(&mut self, all: &'a [Factor], moment: Moment) {
        all.iter().for_each(|factor| self.factor(factor, moment));
    }

    fn factor(&mut self, factor: &'a Factor, moment: Moment) {
        let text = self.text;
        match factor {
            Factor::Number(number) => self.product.number *= number,
            Factor::PerSize(set) => {
                let spec = self.about.spec;
                let is = |per: Option<usize>| per.is_some_and(|of| spec.sets[of] == set);
                let Some(hyper) = spec.hypers.iter().position(|hyper| is(hyper.per)) else {
                    panic!("formula `{text}`: nothing is divided by the size of `{set}`")
                };
                self.entry(Of::Hyper(hyper), &[], None, moment);
            }
            Factor::Of(entry) => self.entry(self.of(&entry.of), &entry.at, None, moment),
            Factor::AtFirst { of, at, until } => {
                let Factor::Of(entry) = &**of else {
                    panic!("formula `{text}`: what is read at the first times is an entry")
                };
                self.entry(self.of(&entry.of), &entry.at, Some((at, *until)), moment);
            }
            Factor::First { at, until } => {
                let (at, until) = (self.place(at), *until);
                self.product.multiply(Atom::First { at, until });
            }
            Factor::Found { of, is } => {
                let (array, at) = self.positions(of);
                let is = self.number(is);
                self.product.multiply(Atom::Found { array, at, is });
            }
            Factor::Mean(_) | Factor::Geometric(_) if moment != Moment::Value => {
                panic!("formula `{text}`: a mean is of values, not of a mean")
            }
            Factor::Mean(of) => self.factors(of, Moment::Mean),
            Factor::Geometric(of) => self.factors(of, Moment::Geometric),
            Factor::Square(_) | Factor::Less(_) => unreachable!("they are not read"),
        }
    }

    fn entry(&mut self, of: Of, at: &'a [Letter], first: Option<(&'a Letter, usize)>, moment: Moment) {
        let at = self.places(at);
        let at_first = first.map(|(at, until)| (self.place(at), until));
        // What is known is its own mean.
        let moment = match of {
            Of::Latent(_) => moment,
            _ => Moment::Value,
        };
        self.product.multiply(Atom::Entry {
            of,
            at,
            at_first,
            moment,
        });
    }

    fn places(&mut self, all: &'a [Letter]) -> Vec<Place> {
        all.iter().map(|place| self.place(place)).collect()
    }

    fn place(&mut self, place: &'a Letter) -> Place {
        match place {
            Letter::At(letter, by) => Place::At(self.number(letter), *by),
            Letter::In(entry) => {
                let (array, at) = self.positions(entry);
                Place::In(array, at)
            }
        }
    }

    /// An array of positions, and where it is read.
    fn positions(&mut self, entry: &'a Entry) -> (usize, Vec<Place>) {
        match self.about.spec.named(&entry.of) {
            Some(Of::Array(array)) => (array, self.places(&entry.at)),
            _ => panic!(
                "formula `{}`: the model has no array of positions `{}`",
                self.text, entry.of.name
            ),
        }
    }

    fn of(&self, name: &Name) -> Of {
        let cell = || self.about.cell.as_ref().filter(|cell| cell.is(name)).map(|_| Of::Cell);
        let of = self.about.spec.named(name).or_else(cell);
        of.unwrap_or_else(|| {
            let name = name.write();
            panic!("formula `{}`: nothing here is called `{name}`", self.text)
        })
    }
}

impl Spec {
    /// What a formula calls so, in letters or in Greek.
    fn named(&self, name: &Name) -> Option<Of> {
        let is = |declared: &str| Name::plain(declared).is(name);
        let latent = self.latents.iter().position(|latent| is(latent.name)).map(Of::Latent);
        let array = || self.arrays.iter().position(|array| is(array.name)).map(Of::Array);
        let hyper = || self.hypers.iter().position(|hyper| is(hyper.name)).map(Of::Hyper);
        latent.or_else(array).or_else(hyper)
    }

    /// Whether something is called so.
    pub(in crate::model) fn has(&self, name: &str) -> bool {
        let is_count = self.counts.iter().any(|count| symbol(count.name) == symbol(name));
        is_count || self.named(&Name::plain(name)).is_some()
    }
}
