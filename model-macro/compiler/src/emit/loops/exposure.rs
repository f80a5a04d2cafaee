//! The exposure of a latent: in closed form, then corrected at the cells that weigh otherwise.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::super::names::door;
use super::closed::{Array, Found, Lets, Product, Scope};
use super::rate::{beside, made, neighbours, part, row};
use super::times::{Times, in_product, sum};
use super::words::{Words, declared, names};
use super::{Loops, letter};
use crate::derive::{FormedSlot, Leaf, Operand, Origin, Summand, Update};
use crate::resolve::{LatentId, VarId};
use crate::show;

/// What rates add to the exposure of a latent.
pub(super) fn of_rates(update: &Update) -> impl Iterator<Item = &Summand> {
    let rate = update.conditional.rate().iter().chain(&update.dropped);
    rate.filter(|part| matches!(part.from, Origin::Rate(_)))
}

/// `exposure_of_theta`
pub(super) fn method(loops: &Loops<'_>, of: LatentId) -> Ident {
    format_ident!("exposure_of_{}", loops.latent(of))
}

/// ```ignore
/// /// `Σ_v w[d,v] φ[k,v]`
/// fn exposure_of_theta(of: Reading<'_>, w: &[CellWeights<'_>]) -> Entries<2> {
///     let (x, w) = (TopicsRead::from(of), &w[Self::Y]);
///     let phi = x.phi.sum::<1>(1, |v| w.at(1, v));
///     let mut exposure = Entries::of([x.docs, x.topics], |[d, k]| w.base() * w.at(0, d) * phi[[k]]);
///     w.correct_left(&TopicsRateOfY(x), &mut exposure, &|[d, ..], e, exposure| add(exposure.row_mut([d]), e));
///     exposure
/// }
/// ```
pub(super) fn exposure(loops: &Loops<'_>, update: &Update) -> Option<TokenStream> {
    let parts: Vec<&Summand> = of_rates(update).collect();
    if parts.is_empty() {
        return None;
    }
    let (model, door, words) = (loops.model(), door(), &loops.words);
    let (x, w, of, exposure) = (&words.x, &words.w, &words.of, &words.exposure);
    let indices = &model.latents[update.latent.0].indices;
    let (rank, shape) = (indices.len(), loops.shape(&quote!(#x), indices));
    let mut counts: Vec<usize> = parts.iter().filter_map(|part| place(part)).map(|of| of.count).collect();
    counts.sort_unstable();
    counts.dedup();
    let mut lets = Lets::default();
    let locals: Vec<Ident> = match &counts[..] {
        [_] => vec![w.clone()],
        several => several
            .iter()
            .map(|count| lets.local(words, &show::weight_of(model, *count)))
            .collect(),
    };
    let weights = |count: usize| {
        let at = counts.iter().position(|other| *other == count).unwrap_or_default();
        let local = &locals[at];
        quote!(#local)
    };
    let read = &loops.names.read;
    let constants = counts.iter().map(|count| loops.names.constants.count(*count));
    let begin = quote!(let (#x, #(#locals),*) = (#read::from(#of), #(&#w[#constants]),*););
    let mut terms: Vec<(usize, [Times; 2])> = Vec::new();
    for part in &parts {
        let count = place(part).map_or(0, |of| of.count);
        let closed = Closed::of(loops, part, weights(count));
        terms.push((count, closed.scope().closed(closed.product(loops), &mut lets)));
    }
    let of_counts = counts.iter().map(|count| {
        let of_count = terms.iter().filter(|(of, _)| of == count).map(|(_, term)| term.clone());
        weighed(&weights(*count), of_count.collect())
    });
    let of_counts: Vec<Times> = of_counts.collect();
    let (statements, value) = (lets.statements, sum(&of_counts));
    let own = letters(parts[0]).into_iter().take(parts[0].own);
    let own = own.map(|letter| match names(&value, &letter) {
        true => quote!(#letter),
        false => quote!(_),
    });
    let corrections = counts.iter().flat_map(|count| {
        let weights = weights(*count);
        [false, true].map(|right| correction(loops, update.latent, *count, right, &weights))
    });
    let (name, doc) = (
        method(loops, update.latent),
        show::summands(model, parts.iter().copied()),
    );
    let doc = format!("`{doc}`");
    Some(quote! {
        #[doc = #doc]
        fn #name(#of: #door::Reading<'_>, #w: &[#door::CellWeights<'_>]) -> #door::Entries<#rank> {
            #begin
            #(#statements)*
            let mut #exposure = #door::Entries::of(#shape, |[#(#own),*]| #value);
            #(#corrections)*
            #exposure
        }
    })
}

/// `w.base() * w.at(0, d) * (base + ..)`: what all terms have in common stands once.
fn weighed(w: &TokenStream, terms: Vec<[Times; 2]>) -> Times {
    let text = |of: &Times| of.tokens().to_string();
    let [first, _] = &terms[0];
    let is_common = terms.iter().all(|[weights, _]| text(weights) == text(first));
    let base: Times = [quote!(#w.base())].into_iter().collect();
    if let [[weights, value]] = &terms[..] {
        return base.and(weights.clone()).and(value.clone());
    }
    let common = if is_common { first.clone() } else { Times::default() };
    let each = terms.iter().map(|[weights, value]| match is_common {
        true => value.clone(),
        false => weights.clone().and(value.clone()),
    });
    let all = in_product(&each.collect::<Vec<_>>());
    base.and(common).and([all].into_iter().collect())
}

fn place(part: &Summand) -> Option<crate::derive::Occurrence> {
    match part.from {
        Origin::Rate(place) => Some(place),
        Origin::Prior | Origin::Child(_) | Origin::Term { .. } => None,
    }
}

/// A summand with what its closed form needs.
pub(super) struct Closed<'a> {
    of: &'a Summand,
    words: &'a Words,
    letters: Vec<Ident>,
    sizes: Vec<TokenStream>,
    own: Vec<usize>,
    fixed: Option<usize>,
    w: TokenStream,
    in_place: bool,
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
        }
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

    /// The letter of every index.
    pub fn letters(&self) -> &[Ident] {
        &self.letters
    }

    /// The size of every index.
    pub fn sizes(&self) -> &[TokenStream] {
        &self.sizes
    }

    /// What the closed form needs.
    pub fn scope(&self) -> Scope<'_> {
        Scope {
            words: self.words,
            letters: &self.letters,
            sizes: &self.sizes,
            own: &self.own,
            fixed: self.fixed,
            w: self.w.clone(),
            in_place: self.in_place,
        }
    }

    /// The summand as a product.
    pub fn product(&self, loops: &Loops<'_>) -> Product {
        let all = self.of.own + self.of.summed;
        let mut product = Product {
            numbers: Times::default(),
            arrays: Vec::new(),
            found: Vec::new(),
            weighed: Vec::new(),
            order: None,
            over: (0..all)
                .filter(|index| !self.own.contains(index) && Some(*index) != self.fixed)
                .collect(),
        };
        self.multiply(loops, &self.of.factors, &mut product);
        product
    }

    /// An array at some indices, of which some may be looked up.
    fn array(&self, loops: &Loops<'_>, word: String, from: TokenStream, at: &[usize]) -> Array {
        let looked_up = |index: &usize| self.of.indices[*index].looked_up.as_ref();
        let x = &loops.words.x;
        let each = at.iter().map(|index| match looked_up(index) {
            Some((array, told_by)) => {
                let array = declared(&loops.model().data[array.0].name);
                let told_by = told_by.iter().map(|index| &self.letters[*index]);
                quote!(#x.#array.position([#(#told_by),*]))
            }
            None => {
                let letter = &self.letters[*index];
                quote!(#letter)
            }
        });
        let entry = at.iter().any(|index| looked_up(index).is_some());
        let entry = entry.then(|| quote!(#from[[#(#each),*]]));
        let mut all: Vec<usize> = Vec::new();
        for index in at {
            let own = [*index];
            let told_by = looked_up(index).map_or(&own[..], |(_, told_by)| told_by);
            let new = told_by.iter().filter(|index| entry.is_none() || !all.contains(index));
            let new: Vec<usize> = new.copied().collect();
            all.extend(new);
        }
        Array {
            word,
            from,
            at: all,
            entry,
        }
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
                    product.found.push(Found {
                        word: word.to_string(),
                        from: quote!(#x.#field),
                        at: at.clone(),
                        is: *is,
                    });
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
                false => product.arrays.push(self.array(loops, word, from, at)),
            }
        }
    }
}

/// A letter for every index of a summand; one that is looked up is called as its array.
fn letters(of: &Summand) -> Vec<Ident> {
    let names = of.indices.iter().map(|letter| letter.name.as_str());
    Words::letters(names.map(|name| name.split('[').next().unwrap_or(name)))
}

/// `w.correct_left(&TopicsRateOfY(x), &mut exposure, &|[d, ..], e, exposure| ..);`, nothing if rows do not reach the latent.
fn correction(loops: &Loops<'_>, of: LatentId, number: usize, right: bool, w: &TokenStream) -> Option<TokenStream> {
    let words = &loops.words;
    let (x, e, exposure) = (&words.x, &words.e, &words.exposure);
    let count = &loops.model().counts[number];
    let slots = loops.formed[number].slots.iter().enumerate();
    let corrected = slots.flat_map(|(at, slot)| {
        let side = slot.side(right);
        let factors = side
            .iter()
            .filter(|operand| matches!(operand, Operand::Latent(latent, _) if *latent == of));
        factors.map(move |factor| match slot.is_sum(right) {
            true => summed(loops, number, (at, slot), factor),
            false => corrected(loops, number, (at, slot), side, factor),
        })
    });
    let corrected: Vec<Corrected> = corrected.collect();
    let body = match &corrected[..] {
        [] => return None,
        [Corrected::Value(value)] => value.clone(),
        several => {
            let statements = several.iter().map(Corrected::statement);
            quote!({ #(#statements)* })
        }
    };
    let looked_up = loops.looked_up(count, &quote!(#x), &body);
    let body = match (looked_up.is_empty(), &corrected[..]) {
        (true, _) => body,
        (false, [Corrected::Value(value)]) => quote!({ #looked_up #value }),
        (false, several) => {
            let statements = several.iter().map(Corrected::statement);
            quote!({ #looked_up #(#statements)* })
        }
    };
    let (place, rate) = (loops.place(count, &body), made(loops, number, &quote!(#x)));
    let method = format_ident!("correct_{}", if right { "right" } else { "left" });
    Some(quote! {
        #w.#method(&#rate, &mut #exposure, &|#place, #e, #exposure| #body);
    })
}

/// What corrects one entry, or several.
enum Corrected {
    Value(TokenStream),
    Statement(TokenStream),
}

impl Corrected {
    fn statement(&self) -> TokenStream {
        match self {
            Self::Value(value) => quote!(#value;),
            Self::Statement(statement) => statement.clone(),
        }
    }
}

/// Adds the corrections of a slot, times what the latent is multiplied by on its own side.
fn corrected(
    loops: &Loops<'_>,
    number: usize,
    (at, slot): (usize, &FormedSlot),
    side: &[Operand],
    factor: &Operand,
) -> Corrected {
    let (door, words, count) = (door(), &loops.words, &loops.model().counts[number]);
    let (x, e, exposure) = (&words.x, &words.e, &words.exposure);
    let x = quote!(#x);
    let letter = letter(count, &slot.sums);
    let Operand::Latent(_, indices) = factor else {
        unreachable!("a latent is corrected")
    };
    let (part, beside) = (part(loops, &x, number, at), beside(loops, &x, side, factor, &letter));
    let entry = {
        let at = indices.iter().map(|var| letter(*var));
        quote!(#exposure[[#(#at),*]])
    };
    let times = |first: TokenStream| {
        let first: Times = [first].into_iter().collect();
        first.and(beside.clone()).tokens()
    };
    let whole = part.of(e);
    // A kernel multiplies by the only neighbour, if its entries are side by side.
    let only = match (&neighbours(side, factor)[..], &slot.inner[..]) {
        ([only], [k]) => row(loops, &x, only, *k, &letter),
        _ => None,
    };
    match &slot.inner[..] {
        [] => {
            let (from, value) = (&part.from, times);
            let value = value(quote!(#e[#from]));
            Corrected::Value(quote!(#entry += #value))
        }
        [k] if indices.last() == Some(k) && beside.is_one() => {
            let others = indices[..indices.len() - 1].iter().map(|var| letter(*var));
            let all = if part.is_whole { whole } else { quote!(&#whole) };
            Corrected::Value(quote!(#door::add(#exposure.row_mut([#(#others),*]), #all)))
        }
        [k] if indices.last() == Some(k) && only.is_some() => {
            let others = indices[..indices.len() - 1].iter().map(|var| letter(*var));
            let all = if part.is_whole { whole } else { quote!(&#whole) };
            Corrected::Value(quote!(#door::add_products(#exposure.row_mut([#(#others),*]), #all, #only)))
        }
        inner => {
            let value = times(quote!(#e));
            let body = quote!(#entry += #value;);
            let reads = |var: &VarId| names(&body, &letter(*var));
            match inner {
                _ if !inner.iter().any(reads) => {
                    let value = times(quote!(#whole.iter().sum::<f64>()));
                    Corrected::Value(quote!(#entry += #value))
                }
                [k] => {
                    let k = letter(*k);
                    Corrected::Statement(quote!(for (#k, #e) in #whole.iter().enumerate() { #body }))
                }
                _ => {
                    let entries = &words.entries;
                    let found = super::adjoint::found(loops, &x, count, slot, entries);
                    Corrected::Statement(quote! {
                        for (#entries, #e) in #whole.iter().enumerate() {
                            #found
                            #body
                        }
                    })
                }
            }
        }
    }
}

/// Adds the corrections of a slot through an operand that is a sum of products:
///
/// ```ignore
/// for c in 0..x.groups {
///     add_multiple(exposure.row_mut([c]), x.theta[[i, c]], excess);
/// }
/// ```
fn summed(loops: &Loops<'_>, number: usize, (at, slot): (usize, &FormedSlot), factor: &Operand) -> Corrected {
    let (door, words, count) = (door(), &loops.words, &loops.model().counts[number]);
    let (x, e, exposure) = (&words.x, &words.e, &words.exposure);
    let x = quote!(#x);
    let letter = letter(count, &slot.sums);
    let Operand::Latent(_, indices) = factor else {
        unreachable!("a latent is corrected")
    };
    let (part, beside) = (
        part(loops, &x, number, at),
        beside(loops, &x, &slot.left, factor, &letter),
    );
    let whole = part.of(e);
    let times = |first: TokenStream| {
        let first: Times = [first].into_iter().collect();
        first.and(beside.clone()).tokens()
    };
    let entry = super::entry(&quote!(#exposure), indices.iter().map(|var| letter(*var)));
    let each = |body: TokenStream| {
        slot.summed.iter().rev().fold(body, |body, var| {
            let (letter, size) = (letter(*var), loops.size(&x, count.vars[var.0].set));
            quote!(for #letter in 0..#size { #body })
        })
    };
    Corrected::Statement(match &slot.inner[..] {
        [] => {
            let from = &part.from;
            let value = times(quote!(#e[#from]));
            each(quote!(#entry += #value;))
        }
        [k, ..] => {
            let (k, is_last) = (letter(*k), indices.last() == Some(k));
            let value = beside.tokens();
            if is_last && !names(&value, &k) {
                let others = indices[..indices.len() - 1].iter().map(|var| letter(*var));
                let all = if part.is_whole { whole } else { quote!(&#whole) };
                each(quote!(#door::add_multiple(#exposure.row_mut([#(#others),*]), #value, #all);))
            } else {
                let value = times(quote!(#e));
                let body = each(quote!(#entry += #value;));
                match names(&body, &k) {
                    true => quote!(for (#k, #e) in #whole.iter().enumerate() { #body }),
                    false => quote!(for #e in #whole.iter() { #body }),
                }
            }
        }
    })
}
