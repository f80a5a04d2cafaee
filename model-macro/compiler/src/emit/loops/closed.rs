//! Sums of products in closed form: indices are summed over one after another, the one first whose sum is smallest.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::super::names::door;
use super::times::Times;
use super::words::{Words, ident};

/// A product that is summed over some of its indices, which are numbered.
#[derive(Debug)]
pub(super) struct Product {
    /// What has no index.
    pub numbers: Times,
    /// What has some.
    pub arrays: Vec<Array>,
    /// For an index of cells, its axis: the product has its weight as a factor.
    pub weighed: Vec<(usize, usize)>,
    /// The indices that are summed over.
    pub over: Vec<usize>,
    /// Two indices of which the first is below the second in every summand.
    pub order: Option<[usize; 2]>,
}

/// The other of two ordered indices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Other {
    pub index: usize,
    /// Whether it is below in every summand.
    pub is_below: bool,
}

impl Product {
    /// The index that an ordered one is kept above, or below.
    pub fn other(&self, index: usize) -> Option<Other> {
        let [below, above] = self.order?;
        match index {
            _ if index == above => Some(Other {
                index: below,
                is_below: true,
            }),
            _ if index == below => Some(Other {
                index: above,
                is_below: false,
            }),
            _ => None,
        }
    }
}

/// An array of a product.
#[derive(Debug, Clone)]
pub(super) struct Array {
    /// What it is called.
    pub word: String,
    /// How it is reached.
    pub from: TokenStream,
    /// Its indices.
    pub at: Vec<usize>,
}

/// What closed forms of one function share.
pub(super) struct Scope<'a> {
    /// Names of locals.
    pub words: &'a Words,
    /// The letter of every index.
    pub letters: &'a [Ident],
    /// The size of every index.
    pub sizes: &'a [TokenStream],
    /// The indices at which values are found.
    pub own: &'a [usize],
    /// An index that has one value where the code stands: no array is made along it.
    pub fixed: Option<usize>,
    /// The weights of cells.
    pub w: TokenStream,
    /// Whether the last sum stands in the value itself, if it is one of all its indices.
    pub in_place: bool,
}

/// Statements before a closed form, with the names that they give.
#[derive(Debug, Default)]
pub(super) struct Lets {
    pub statements: Vec<TokenStream>,
    used: Vec<String>,
}

impl Lets {
    /// Statements where some names are in use.
    pub fn beside(used: &[&Ident]) -> Self {
        Self {
            statements: Vec::new(),
            used: used.iter().map(ToString::to_string).collect(),
        }
    }

    /// A name that nothing else has.
    pub fn local(&mut self, words: &Words, of: &str) -> Ident {
        let name = words.made_of([of], &self.used);
        self.used.push(name.clone());
        ident(&name)
    }

    /// A name for what is made of some arrays. One that is made of a single other takes its name over.
    fn name(&mut self, words: &Words, of: &[Array], set: &str) -> Ident {
        let made_of: Vec<&str> = of.iter().map(|array| array.word.as_str()).collect();
        let name = match of {
            [] => words.made_of([set], &self.used),
            [only] if only.is_made() => only.from.to_string(),
            _ => words.made_of(made_of, &self.used),
        };
        self.used.push(name.clone());
        ident(&name)
    }
}

impl Array {
    /// Whether it is a local of the function.
    fn is_made(&self) -> bool {
        syn::parse2::<Ident>(self.from.clone()).is_ok()
    }
}

impl Scope<'_> {
    /// The product in closed form: the weights at the indices that are not summed over, and the rest. What is summed before it is found is in
    /// `lets`.
    pub fn closed(&self, mut of: Product, lets: &mut Lets) -> [Times; 2] {
        let mut last = Times::default();
        while let Some(index) = self.next(&of) {
            of.over.retain(|other| *other != index);
            let (with, without): (Vec<Array>, Vec<Array>) = of.arrays.into_iter().partition(|a| a.at.contains(&index));
            of.arrays = without;
            let weight = of.weighed.iter().position(|(at, _)| *at == index);
            let weight = weight.map(|at| of.weighed.remove(at).1);
            if let Some(other) = of.other(index) {
                of.order = None;
                let (made, at) = self.beyond(&with, index, weight, other);
                let word = with.first().map_or("cells", |array| array.word.as_str());
                let side = if other.is_below { "above" } else { "below" };
                let word = format!("{word}_{side}_{}", self.letters[other.index]);
                let name = lets.local(self.words, &word);
                lets.statements.push(quote!(let #name = #made;));
                of.arrays.push(Array {
                    word: name.to_string(),
                    from: quote!(#name),
                    at,
                });
                continue;
            }
            let rest = self.rest(&with, index);
            let is_last = self.in_place && of.over.is_empty() && self.own.iter().all(|own| rest.contains(own));
            // Entries that are apart are summed line by line.
            let is_apart = (self.weights_of_one(&with)).is_some_and(|(only, _)| only.at.last() != Some(&index));
            if with.is_empty() && weight.is_none() {
                let size = &self.sizes[index];
                of.numbers.factors.push(quote!(#size as f64));
            } else if is_last && (!is_apart || rest.is_empty()) {
                let sum = self.summed(&with, index, weight);
                // What is known before the sum stands before it.
                last.factors.push(quote!(#sum::<f64>()));
            } else {
                let size = self.sizes[index].to_string();
                let set = size.rsplit(['.', ' ']).next().unwrap_or("size").to_owned();
                let name = lets.name(self.words, &with, &set);
                let (made, is_number) = (self.made(&with, index, weight, &rest), rest.is_empty());
                lets.statements.push(match is_number {
                    true => quote!(let #name: f64 = #made;),
                    false => quote!(let #name = #made;),
                });
                match is_number {
                    true => of.numbers.factors.push(quote!(#name)),
                    false => {
                        let words: Vec<&str> = with.iter().map(|array| array.word.as_str()).collect();
                        of.arrays.push(Array {
                            word: words.join("_"),
                            from: quote!(#name),
                            at: rest,
                        });
                    }
                }
            }
        }
        let weights = of.weighed.iter().map(|(index, axis)| self.weight(*axis, *index));
        let values = of.arrays.iter().map(|array| self.value(array));
        let weights: Times = weights.collect();
        [weights, of.numbers.and(values.collect()).and(last)]
    }

    /// The index to sum over next: the one whose sum has the fewest indices, then the one of the fewest arrays.
    fn next(&self, of: &Product) -> Option<usize> {
        let cost = |index: &usize| {
            let with: Vec<Array> = of.arrays.iter().filter(|a| a.at.contains(index)).cloned().collect();
            // A sum beyond the other of two ordered indices has that one.
            let more = usize::from(of.other(*index).is_some());
            (self.rest(&with, *index).len() + more, with.len())
        };
        of.over.iter().copied().min_by_key(cost)
    }

    /// `w.at(1, v)`
    fn weight(&self, axis: usize, index: usize) -> TokenStream {
        let (w, letter) = (&self.w, &self.letters[index]);
        quote!(#w.at(#axis, #letter))
    }

    /// `x.phi[[k, v]]`
    pub fn value(&self, array: &Array) -> TokenStream {
        super::entry(&array.from, array.at.iter().map(|index| self.letters[*index].clone()))
    }

    /// A sum over an index, without its type: `(0..x.topics).map(|k| x.theta[[d, k]] * phi[[k]]).sum`.
    fn summed(&self, with: &[Array], index: usize, weight: Option<usize>) -> TokenStream {
        if let ([only], None) = (with, weight)
            && let Some((_, others)) = only.at.split_last().filter(|(end, _)| **end == index)
        {
            let (from, others) = (&only.from, others.iter().map(|index| &self.letters[*index]));
            return quote!(#from.row([#(#others),*]).iter().sum);
        }
        let (letter, size) = (&self.letters[index], &self.sizes[index]);
        let weight = weight.map(|axis| self.weight(axis, index));
        let factors: Times = weight
            .into_iter()
            .chain(with.iter().map(|array| self.value(array)))
            .collect();
        let each = factors.tokens();
        quote!((0..#size).map(|#letter| #each).sum)
    }

    /// The only array of several indices, with the values of those that have the summed one alone: they weigh it.
    fn weights_of_one<'p>(&self, with: &'p [Array]) -> Option<(&'p Array, Vec<TokenStream>)> {
        let (several, alone): (Vec<&Array>, Vec<&Array>) = with.iter().partition(|array| array.at.len() > 1);
        let [only] = several[..] else { return None };
        if self
            .fixed
            .is_some_and(|fixed| with.iter().any(|array| array.at.contains(&fixed)))
        {
            return None;
        }
        Some((only, alone.into_iter().map(|array| self.value(array)).collect()))
    }

    /// An array of sums over an index, or one such sum.
    pub fn made(&self, with: &[Array], index: usize, weight: Option<usize>, rest: &[usize]) -> TokenStream {
        let (door, letter) = (door(), &self.letters[index]);
        match with {
            _ if rest.is_empty() => {
                let sum = self.summed(with, index, weight);
                quote!(#sum())
            }
            several if let Some((only, others)) = self.weights_of_one(several) => {
                let (from, rank) = (&only.from, rest.len());
                let axis = only.at.iter().position(|at| *at == index).unwrap_or_default();
                let weight = weight.map(|axis| self.weight(axis, index));
                let weights: Times = weight.into_iter().chain(others).collect();
                let value = weights.tokens();
                let argument = if weights.is_one() { quote!(_) } else { quote!(#letter) };
                quote!(#from.sum::<#rank>(#axis, |#argument| #value))
            }
            several => {
                let sum = self.summed(several, index, weight);
                let sizes = rest.iter().map(|index| &self.sizes[*index]);
                let letters = rest.iter().map(|index| &self.letters[*index]);
                quote!(#door::Entries::of([#(#sizes),*], |[#(#letters),*]| #sum()))
            }
        }
    }

    /// Sums over the values of an index above those of another, or below: arrays have the other in its place.
    pub fn beyond(
        &self,
        with: &[Array],
        index: usize,
        weight: Option<usize>,
        other: Other,
    ) -> (TokenStream, Vec<usize>) {
        let (door, letter) = (door(), &self.letters[index]);
        let method = format_ident!("{}", if other.is_below { "sum_above" } else { "sum_below" });
        let by = weight.map(|axis| self.weight(axis, index));
        let put = |at: &[usize]| {
            at.iter()
                .map(|at| if *at == index { other.index } else { *at })
                .collect()
        };
        if let [only] = with
            && !self.fixed.is_some_and(|fixed| only.at.contains(&fixed))
        {
            let (from, axis) = (
                &only.from,
                only.at.iter().position(|at| *at == index).unwrap_or_default(),
            );
            let (argument, by) = match by {
                Some(by) => (quote!(#letter), by),
                None => (quote!(_), quote!(1.0)),
            };
            return (quote!(#from.#method(#axis, |#argument| #by)), put(&only.at));
        }
        let mut at = vec![index];
        at.extend(self.rest(with, index));
        let values: Times = by
            .into_iter()
            .chain(with.iter().map(|array| self.value(array)))
            .collect();
        let value = values.tokens();
        let (sizes, letters) = (
            at.iter().map(|at| &self.sizes[*at]),
            at.iter().map(|at| &self.letters[*at]),
        );
        (
            quote!(#door::Entries::of([#(#sizes),*], |[#(#letters),*]| #value).#method(0, |_| 1.0)),
            put(&at),
        )
    }

    /// The indices of some arrays without one, in the order in which they come.
    pub fn rest(&self, arrays: &[Array], without: usize) -> Vec<usize> {
        let mut all: Vec<usize> = Vec::new();
        for index in arrays.iter().flat_map(|array| &array.at) {
            if *index != without && Some(*index) != self.fixed && !all.contains(index) {
                all.push(*index);
            }
        }
        all
    }
}
