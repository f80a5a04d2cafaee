//! A summand of a conditional as a product that is summed in closed form.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::Loops;
use super::closed::{Array, Found, Product};
use super::times::Times;
use super::words::{Words, declared, numbers};
use crate::derive::{Leaf, Summand, Told};

/// A summand with what its closed form needs.
pub(super) struct Closed<'a> {
    of: &'a Summand,
    /// Names of locals.
    pub words: &'a Words,
    /// The letter of every index.
    pub letters: Vec<Ident>,
    /// The size of every index.
    pub sizes: Vec<TokenStream>,
    /// The indices at which values are found.
    pub own: Vec<usize>,
    /// An index that has one value where the code stands: no array is made along it.
    pub fixed: Option<usize>,
    /// The weights of cells.
    pub w: TokenStream,
    /// Whether the last sum stands in the value itself, if it is one of all its indices.
    pub in_place: bool,
    outside: f64,
}

impl<'a> Closed<'a> {
    /// The closed form at the indices of the summand that are not summed over.
    pub fn of(loops: &'a Loops<'_>, of: &'a Summand, w: TokenStream) -> Self {
        let x = &loops.words.x;
        Self {
            of,
            words: &loops.words,
            letters: letters(of),
            sizes: of
                .indices
                .iter()
                .map(|letter| loops.size(&quote!(#x), letter.set))
                .collect(),
            own: (0..of.own).collect(),
            fixed: None,
            w,
            in_place: true,
            outside: 0.0,
        }
    }

    /// The same with another number for what is read before the first time: a sum loses the term, a product the factor.
    pub fn outside(self, outside: f64) -> Self {
        Self { outside, ..self }
    }

    /// The same at one index alone.
    pub fn by(self, index: usize) -> Self {
        Self {
            own: vec![index],
            in_place: false,
            ..self
        }
    }

    /// The same at some indices, beside one that has a value where the code stands.
    pub fn beside(self, fixed: usize, own: Vec<usize>) -> Self {
        Self {
            own,
            fixed: Some(fixed),
            ..self
        }
    }

    /// The summand as a product.
    pub fn product(&self, loops: &Loops<'_>) -> Product {
        let all = self.of.own + self.of.summed;
        let is_summed = |index: &usize| !self.own.contains(index) && Some(*index) != self.fixed;
        let mut product = Product {
            over: (0..all).filter(is_summed).collect(),
            ..Product::default()
        };
        self.multiply(loops, &self.of.factors, &mut product);
        product
    }

    /// An index, or that which it is shifted from, and by how much.
    fn base(&self, index: usize) -> (usize, isize) {
        match self.of.indices[index].told {
            Some(Told::Shift(base, by)) => (base, by),
            _ => (index, 0),
        }
    }

    /// An array that is read at shifted indices, and these: `x.theta.shifted([-1, 0], 0.0)`.
    fn shifted(&self, from: &TokenStream, at: &[usize]) -> (TokenStream, Vec<usize>) {
        let (bases, by): (Vec<usize>, Vec<isize>) = at.iter().map(|index| self.base(*index)).unzip();
        match by.iter().all(|by| *by == 0) {
            true => (from.clone(), bases),
            false => {
                // What is beyond the last time adds nothing.
                let outside = if by.iter().any(|by| *by > 0) { 0.0 } else { self.outside };
                let by = numbers(&by);
                (quote!(#from.shifted(#by, #outside)), bases)
            }
        }
    }

    /// An array at some indices, of which some may be looked up or shifted.
    fn array(&self, loops: &Loops<'_>, word: String, from: &TokenStream, at: &[usize]) -> Array {
        let x = &loops.words.x;
        let (from, at) = self.shifted(from, at);
        let is_told = |index: &usize| self.of.indices[*index].told.is_some();
        let mut all: Vec<usize> = Vec::new();
        let each = at.iter().map(|index| match &self.of.indices[*index].told {
            Some(Told::By(array, told_by)) => {
                let array = declared(&loops.model().data[array.0].name);
                let (array, told_by) = self.shifted(&quote!(#x.#array), told_by);
                let letters = told_by.iter().map(|index| &self.letters[*index]);
                let position = quote!(#array.position([#(#letters),*]));
                all.extend(
                    told_by
                        .iter()
                        .filter(|index| !all.contains(index))
                        .copied()
                        .collect::<Vec<_>>(),
                );
                position
            }
            _ => {
                let letter = &self.letters[*index];
                all.extend(Some(*index).filter(|index| !all.contains(index)));
                quote!(#letter)
            }
        });
        let each: Vec<TokenStream> = each.collect();
        let is_shifted = syn::parse2::<syn::ExprMethodCall>(from.clone()).is_ok();
        match is_shifted || at.iter().any(is_told) {
            true => Array {
                word,
                entry: Some(quote!(#from[[#(#each),*]])),
                from,
                at: all,
            },
            false => Array {
                word,
                from,
                at,
                entry: None,
            },
        }
    }

    /// `f64::from(t < 1)`
    pub fn first(&self, at: usize, until: usize) -> Array {
        let time = &self.letters[at];
        Array::of_entry("first", vec![at], quote!(f64::from(#time < #until)))
    }

    /// `f64::from(t + 1 < x.times)`, for every index that is read so much later.
    fn not_last(&self) -> impl Iterator<Item = Array> + '_ {
        let own = 0..self.of.own;
        own.filter_map(|index| {
            let shifts = (0..self.of.indices.len()).map(|other| self.base(other));
            let by = shifts
                .filter(|(base, by)| *base == index && *by > 0)
                .map(|(_, by)| by)
                .max()? as usize;
            let (time, size) = (&self.letters[index], &self.sizes[index]);
            Some(Array::of_entry(
                "last",
                vec![index],
                quote!(f64::from(#time + #by < #size)),
            ))
        })
    }

    /// The product where it is of a child, which may be beyond the last time.
    pub fn product_of_child(&self, loops: &Loops<'_>) -> Product {
        let mut product = self.product(loops);
        product.arrays.extend(self.not_last());
        product
    }

    fn multiply(&self, loops: &Loops<'_>, factors: &[Leaf], product: &mut Product) {
        let x = &loops.words.x;
        let x = quote!(#x);
        for leaf in factors {
            let (name, at) = match leaf {
                Leaf::Scalar(of) => {
                    let numbers = loops.scalar(&x, of);
                    product.numbers.factors.extend(numbers.factors);
                    product.numbers.divisors.extend(numbers.divisors);
                    continue;
                }
                Leaf::Weight { at, count } => {
                    product
                        .weighed
                        .extend(at.iter().enumerate().map(|(axis, index)| (*index, axis)));
                    product.order = loops.formed[*count].order.map(|axes| axes.map(|axis| at[axis]));
                    continue;
                }
                // What is read of a latent is its mean, and under q latents are independent.
                Leaf::Mean(of) => {
                    self.multiply(loops, of, product);
                    continue;
                }
                Leaf::Found { of, at, is } => {
                    let word = &loops.model().data[of.0].name;
                    let field = declared(word);
                    let (from, at) = self.shifted(&quote!(#x.#field), at);
                    product.found.push(Found {
                        word: word.to_string(),
                        from,
                        at,
                        is: *is,
                    });
                    continue;
                }
                Leaf::First { at, until } => {
                    product.arrays.push(self.first(*at, *until));
                    continue;
                }
                Leaf::OnlyAtFirst { of, at, until } => {
                    product.arrays.push(self.first(*at, *until));
                    self.multiply(loops, std::slice::from_ref(&**of), product);
                    continue;
                }
                Leaf::AtFirst { of, at, until } => {
                    let array = self.at_first(loops, of, (*at, *until));
                    product.arrays.push(array);
                    continue;
                }
                Leaf::Data(of, at) => (&loops.model().data[of.0].name, at),
                Leaf::Latent(of, at) => (&loops.model().latents[of.0].name, at),
                other => unreachable!("no sum that is formed in place has {other:?}"),
            };
            let (field, word) = (declared(name), name.to_string());
            let from = quote!(#x.#field);
            match at.is_empty() {
                true => product.numbers.factors.push(from),
                false => product.arrays.push(self.array(loops, word, &from, at)),
            }
        }
    }

    /// `(if t < 1 { x.first[[k]] } else { 1.0 })`
    fn at_first(&self, loops: &Loops<'_>, of: &Leaf, (at, until): (usize, usize)) -> Array {
        let mut inner = Product::default();
        self.multiply(loops, std::slice::from_ref(of), &mut inner);
        let time = &self.letters[at];
        let values: Times = inner.arrays.iter().map(|array| self.value(array)).collect();
        let value = inner.numbers.and(values).tokens();
        let mut all = vec![at];
        for index in inner.arrays.iter().flat_map(|array| &array.at) {
            all.extend(Some(*index).filter(|index| !all.contains(index)));
        }
        Array::of_entry("first", all, quote!((if #time < #until { #value } else { 1.0 })))
    }
}

/// A letter for every index of a summand; one that is looked up is called as its array, one that is shifted as its index.
pub(super) fn letters(of: &Summand) -> Vec<Ident> {
    let names = of.indices.iter().map(|letter| letter.name.as_str());
    Words::letters(names.map(|name| name.split(['[', '+', '-']).next().unwrap_or(name)))
}
