//! Sums of products in closed form: indices are summed over one after another, the one first whose sum is smallest.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::super::names::door;
use super::summand::Closed;
use super::times::Times;
use super::words::{Words, ident, names, numbers};

/// A product that is summed over some of its indices, which are numbered.
#[derive(Debug, Default)]
pub(super) struct Product {
    /// What has no index.
    pub numbers: Times,
    /// What has some.
    pub arrays: Vec<Array>,
    /// Where arrays of positions have to hold an index.
    pub found: Vec<Found>,
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
    /// Whether an index tells a position that has to be found.
    fn is_sought(&self, index: usize) -> bool {
        self.found.iter().any(|found| found.at.contains(&index))
    }

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
    /// The indices that tell which entry is read.
    pub at: Vec<usize>,
    /// The entry, where some of its indices are looked up.
    pub entry: Option<TokenStream>,
}

/// One where an entry of an array of positions is an index, else zero.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// What the array is called.
    pub word: String,
    /// How it is reached.
    pub from: TokenStream,
    /// The indices of the entry.
    pub at: Vec<usize>,
    /// The index.
    pub is: usize,
}

/// Statements before a closed form, with the names that they give.
#[derive(Debug, Default)]
pub(super) struct Lets {
    pub statements: Vec<TokenStream>,
    used: Vec<String>,
    made: Vec<(TokenStream, Ident)>,
}

impl Lets {
    /// Statements where some names are in use.
    pub fn beside(used: &[&Ident]) -> Self {
        Self {
            used: used.iter().map(ToString::to_string).collect(),
            ..Self::default()
        }
    }

    /// The statements so far; those that come next stand elsewhere.
    pub fn take(&mut self) -> Vec<TokenStream> {
        self.made.clear();
        std::mem::take(&mut self.statements)
    }

    /// What a statement calls `made`; a new one calls it `name`, if none does.
    fn bind(&mut self, made: &TokenStream, name: impl FnOnce(&mut Self) -> Ident, is_number: bool) -> Ident {
        let text = made.to_string();
        if let Some((_, name)) = self.made.iter().find(|(known, _)| known.to_string() == text) {
            return name.clone();
        }
        let name = name(self);
        let of_type = is_number.then(|| quote!(: f64));
        self.statements.push(quote!(let #name #of_type = #made;));
        self.made.push((made.clone(), name.clone()));
        // What was called so before, or was made of it, can be written no more.
        let last = self.made.len() - 1;
        let mut places = 0..;
        self.made.retain(|(made, known)| {
            let is_last = places.next() == Some(last);
            !names(made, &name) && (is_last || *known != name)
        });
        name
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

/// `docs` of `x.docs`
fn last_word(size: &TokenStream) -> String {
    let size = size.to_string();
    size.rsplit(['.', ' ']).next().unwrap_or("size").to_owned()
}

impl Array {
    /// An array that has been made.
    pub fn made(word: String, name: &Ident, at: Vec<usize>) -> Self {
        Self {
            word,
            from: quote!(#name),
            at,
            entry: None,
        }
    }

    /// What is told by an expression at some indices.
    pub fn of_entry(word: &str, at: Vec<usize>, entry: TokenStream) -> Self {
        Self {
            word: word.to_owned(),
            from: quote!(),
            at,
            entry: Some(entry),
        }
    }

    /// Reads the array at shifted indices.
    pub fn shift(&mut self, by: &[isize], outside: f64, letters: &[Ident]) {
        let (from, letters) = (&self.from, self.at.iter().map(|at| &letters[*at]));
        let by = numbers(by);
        self.from = quote!(#from.shifted(#by, #outside));
        let from = &self.from;
        self.entry = Some(quote!(#from[[#(#letters),*]]));
    }

    /// Whether it is a local of the function.
    fn is_made(&self) -> bool {
        syn::parse2::<Ident>(self.from.clone()).is_ok()
    }
}

impl Closed<'_> {
    /// The product in closed form: the weights at the indices that are not summed over, and the rest. What is summed before it is found is in
    /// `lets`.
    pub fn form(&self, mut of: Product, lets: &mut Lets) -> [Times; 2] {
        let mut last = Times::default();
        while let Some(index) = self.next(&of) {
            if of.is_sought(index) {
                break;
            }
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
                let name = lets.bind(&made, |lets| lets.local(self.words, &word), false);
                of.arrays.push(Array::made(name.to_string(), &name, at));
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
                let set = last_word(&self.sizes[index]);
                let (made, is_number) = (self.made(&with, index, weight, &rest), rest.is_empty());
                let name = lets.bind(&made, |lets| lets.name(self.words, &with, &set), is_number);
                match is_number {
                    true => of.numbers.factors.push(quote!(#name)),
                    false => {
                        let words: Vec<&str> = with.iter().map(|array| array.word.as_str()).collect();
                        of.arrays.push(Array::made(words.join("_"), &name, rest));
                    }
                }
            }
        }
        if !of.found.is_empty() {
            self.put(&mut of, lets);
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
            (of.is_sought(*index), self.rest(&with, *index).len() + more, with.len())
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
        match &array.entry {
            Some(entry) => entry.clone(),
            None => super::entry(&array.from, array.at.iter().map(|index| self.letters[*index].clone())),
        }
    }

    /// A sum over an index, without its type: `(0..x.topics).map(|k| x.theta[[d, k]] * phi[[k]]).sum`.
    fn summed(&self, with: &[Array], index: usize, weight: Option<usize>) -> TokenStream {
        if let ([only @ Array { entry: None, .. }], None) = (with, weight)
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
        let has_fixed = |fixed| with.iter().any(|array| array.at.contains(&fixed));
        if only.entry.is_some() || self.fixed.is_some_and(has_fixed) {
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
        if let [only @ Array { entry: None, .. }] = with
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

    /// Sums over the indices that tell positions: every product is added to the entry that is found there.
    ///
    /// ```ignore
    /// let mut theta_of_s = Entries::zeros([x.sections]);
    /// for d in 0..x.docs {
    ///     let s = x.section.position([d]);
    ///     theta_of_s[[s]] += theta[[d]];
    /// }
    /// ```
    fn put(&self, of: &mut Product, lets: &mut Lets) {
        let (door, found) = (door(), std::mem::take(&mut of.found));
        let mut telling: Vec<usize> = Vec::new();
        for index in found.iter().flat_map(|found| &found.at) {
            telling.extend(Some(*index).filter(|index| !telling.contains(index)));
        }
        let (over, own): (Vec<usize>, Vec<usize>) = telling.iter().partition(|index| of.over.contains(index));
        of.over.retain(|index| !over.contains(index));
        let (with, without): (Vec<Array>, Vec<Array>) = std::mem::take(&mut of.arrays)
            .into_iter()
            .partition(|array| array.at.iter().any(|index| over.contains(index)));
        let (weighed, others) = std::mem::take(&mut of.weighed)
            .into_iter()
            .partition(|(index, _)| over.contains(index));
        (of.arrays, of.weighed) = (without, others);
        let weighed: Vec<(usize, usize)> = weighed;
        let by: Vec<TokenStream> = weighed.iter().map(|(index, axis)| self.weight(*axis, *index)).collect();
        let mut at: Vec<usize> = found.iter().map(|found| found.is).collect();
        for index in own.iter().chain(with.iter().flat_map(|array| &array.at)) {
            if !telling.contains(index) || own.contains(index) {
                at.extend(Some(*index).filter(|index| !at.contains(index)));
            }
        }
        let word = match (&with[..], &over[..]) {
            ([array, ..], _) => array.word.clone(),
            ([], [index, ..]) => last_word(&self.sizes[*index]),
            ([], []) => found[0].word.clone(),
        };
        let name = lets.local(self.words, &format!("{word}_of_{}", self.letters[found[0].is]));
        let fixed: Vec<usize> = found.iter().map(|found| found.is).chain(telling.clone()).collect();
        let add = self.added((&name, &at), &fixed, &with, &by, true);
        let positions = found.iter().map(|found| {
            let (is, from) = (&self.letters[found.is], &found.from);
            let letters = found.at.iter().map(|index| &self.letters[*index]);
            quote!(let #is = #from.position([#(#letters),*]);)
        });
        let body = quote!(#(#positions)* #add;);
        let each = telling.iter().rev().fold(body, |body, index| {
            let (letter, size) = (&self.letters[*index], &self.sizes[*index]);
            quote!(for #letter in 0..#size { #body })
        });
        let sizes = at.iter().map(|index| &self.sizes[*index]);
        lets.statements
            .push(quote!(let mut #name = #door::Entries::zeros([#(#sizes),*]);));
        lets.statements.push(each);
        of.arrays.push(Array::made(word, &name, at));
    }

    /// Adds a multiple of the product of some arrays to an array along `indices`, but for those that are `fixed`.
    pub fn added(
        &self,
        (to, indices): (&Ident, &[usize]),
        fixed: &[usize],
        arrays: &[Array],
        by: &[TokenStream],
        is_array: bool,
    ) -> TokenStream {
        let (door, letter) = (door(), |index: &usize| self.letters[*index].clone());
        let along: Vec<usize> = indices
            .iter()
            .copied()
            .filter(|index| !fixed.contains(index) && arrays.iter().any(|array| array.at.contains(index)))
            .collect();
        let times = |arrays: &[&Array]| {
            let values = arrays.iter().map(|array| self.value(array));
            by.iter().cloned().chain(values).collect::<Times>().tokens()
        };
        if let ([only], Some((end, others))) = (&along[..], indices.split_last())
            && end == only
        {
            let (reads, rest): (Vec<&Array>, Vec<&Array>) = arrays.iter().partition(|array| array.at.contains(only));
            if let [array @ Array { entry: None, .. }] = reads[..]
                && array.at.last() == Some(only)
                && array.at.iter().filter(|index| *index == only).count() == 1
            {
                let (by, from) = (times(&rest), &array.from);
                let (others, at) = (
                    others.iter().map(letter),
                    array.at[..array.at.len() - 1].iter().map(letter),
                );
                return quote!(#door::add_multiple(#to.row_mut([#(#others),*]), #by, #from.row([#(#at),*])));
            }
        }
        let value = times(&arrays.iter().collect::<Vec<_>>());
        let entry = match indices.is_empty() && !is_array {
            true => quote!(#to),
            false => {
                let at = indices.iter().map(letter);
                quote!(#to[[#(#at),*]])
            }
        };
        let assign = quote!(#entry += #value);
        along.iter().rev().fold(assign, |body, index| {
            let (letter, size) = (letter(index), &self.sizes[*index]);
            quote!(for #letter in 0..#size { #body; })
        })
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
