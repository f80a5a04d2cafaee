//! The adjoint of a rate: counts of operands are added to the entries that make them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::super::hygiene::Item;
use super::super::names::door;
use super::handed::{alone, beside, divided};
use super::rate::{made, of_rate};
use super::words::{declared, named};
use super::{Loops, ReadFrom, letter, node, words::Words};
use crate::derive::{FormedSlot, Operand, Origin};
use crate::resolve::{Count, Indices, LatentId, SetId, Side, Source, VarId};
use crate::show;

/// ```ignore
/// /// `y[d,v,k]`, the parts of `y[d,v]`, added to `Σ_v y[d,v,k]` and `Σ_d y[d,v,k]`.
/// struct TopicsCountsOfY<'a> {
///     theta: Entries<2, &'a mut [f64]>,
///     phi: Entries<2, &'a mut [f64]>,
/// }
///
/// impl Adjoint for TopicsCountsOfY<'_> { .. }
/// ```
pub(super) fn adjoint(loops: &Loops<'_>, number: usize) -> Item {
    let (model, door, name) = (loops.model(), door(), &loops.names.counts_of[number]);
    let (latents, sets) = (latents(loops, number), sizes(loops, number));
    let fields = latents.iter().map(|of| {
        let (name, rank) = (loops.latent(*of), model.latents[of.0].indices.len());
        match loops.is_turned(number, *of) {
            true => quote!(#name: #door::Turned<'a>),
            false => quote!(#name: #door::Entries<#rank, &'a mut [f64]>),
        }
    });
    let sets: Vec<Ident> = sets.iter().map(|set| declared(model.set(*set))).collect();
    let (doc, from) = (doc(loops, number), from(loops, number, &latents, &sets));
    let (read, rate) = (&loops.names.read, &loops.names.rates_of[number]);
    let (of, held) = (&loops.words.read, &loops.words.held);
    let values = match (has_nodes(loops, number), reads(loops, number)) {
        (true, _) => quote!(#held: #rate<'a>,),
        (false, true) => quote!(#of: #read<'a>,),
        (false, false) => quote!(),
    };
    let nodes = node::counted(loops, number).map(|(name, node)| {
        let rank = node.vars.len();
        quote!(#name: #door::Entries<#rank>)
    });
    let [left, right] = [false, true].map(|right| side(loops, number, right));
    let finish = finish(loops, number);
    Item::Impl(quote! {
        #[doc = #doc]
        struct #name<'a> {
            #values
            #(#sets: usize,)*
            #(#fields,)*
            #(#nodes,)*
        }

        #from

        impl #door::Adjoint for #name<'_> {
            #left

            #right

            #finish
        }
    })
}

/// Hands the numbers of inner nodes down, once all are there.
fn finish(loops: &Loops<'_>, number: usize) -> Option<TokenStream> {
    let (door, n, parts) = (door(), &loops.words.n, &loops.words.parts);
    let add = |operand: &Operand, letter: &dyn Fn(VarId) -> Ident| {
        let (array, at) = counted(loops, number, operand)?;
        let entry = target(loops, number, (&array, at), letter);
        Some(quote!(#entry += #n;))
    };
    let body = node::finish(loops, &values(loops, number), &add);
    let is_any = node::counted(loops, number).next().is_some();
    is_any.then(|| {
        let doc = node::divided(loops, number);
        let parts = named(&body, parts);
        quote! {
            #[doc = #doc]
            fn finish(&mut self, #parts: &mut #door::Parts) {
                #body
            }
        }
    })
}

/// Whether numbers of nodes are handed down, or values of nodes divide others.
fn has_nodes(loops: &Loops<'_>, number: usize) -> bool {
    let is_any = node::counted(loops, number).next().is_some();
    is_any || (!loops.nodes[number].is_empty() && reads(loops, number))
}

/// From where an adjoint reads values.
pub(super) fn values(loops: &Loops<'_>, number: usize) -> ReadFrom {
    let (read, held) = (&loops.words.read, &loops.words.held);
    match has_nodes(loops, number) {
        true => of_rate(loops, number, &quote!(self.#held)),
        false => ReadFrom {
            x: quote!(self.#read),
            of: None,
            number,
        },
    }
}

/// The array to which numbers of an operand are added, and its indices there; `None` of what is known.
pub(super) fn counted<'o>(
    loops: &'o Loops<'_>,
    number: usize,
    operand: &'o Operand,
) -> Option<(TokenStream, &'o [VarId])> {
    let at = match operand {
        Operand::Latent(_, at) => at,
        Operand::Buffer(node) if loops.formed[number].is_counted(*node) => &loops.formed[number].nodes[*node].vars,
        Operand::Started(Source::Latent(_), at, _) => at,
        _ => return None,
    };
    let name = loops.field(number, operand)?;
    Some((quote!(self.#name), at))
}

/// `self.theta[[d, k]]`, an entry that is added to.
pub(super) fn target(
    loops: &Loops<'_>,
    number: usize,
    (array, at): (&TokenStream, &[VarId]),
    letter: &dyn Fn(VarId) -> Ident,
) -> TokenStream {
    let (count, x) = (loops.model().count(number), values(loops, number).x);
    let at = loops.places(&x, count, at, letter);
    quote!(#array[[#(#at),*]])
}

/// Whether an adjoint reads values: numbers of an operand are divided over the summands that make it in proportion to these, and some are added
/// where an array of positions tells.
fn reads(loops: &Loops<'_>, number: usize) -> bool {
    let vars = &loops.model().count(number).vars;
    let mut slots = loops.formed[number].slots.iter();
    slots.any(|slot| {
        let sides = [false, true].map(|right| factors(loops, number, slot.side(right)));
        let mut read = sides.iter().flatten().flat_map(|(_, at)| *at);
        slot.has_sum() || read.any(|var| vars.lookup(*var).is_some())
    })
}

/// The latents in the rate of a count, in the order of declaration.
fn latents(loops: &Loops<'_>, number: usize) -> Vec<LatentId> {
    let is_in = |of: &LatentId| {
        [false, true]
            .iter()
            .any(|right| reached(loops, number, *right).contains(of))
    };
    (0..loops.model().latents.len()).map(LatentId).filter(is_in).collect()
}

/// The latents that rows reach, or columns, in the order of declaration.
pub(super) fn reached(loops: &Loops<'_>, number: usize, right: bool) -> Vec<LatentId> {
    let slots = loops.formed[number].slots.iter();
    let mut all: Vec<LatentId> = slots
        .flat_map(|slot| factors(loops, number, slot.side(right)))
        .map(|(of, _)| of)
        .collect();
    all.sort();
    all.dedup();
    all
}

/// The latents of an operand with their indices.
fn factors<'o>(loops: &'o Loops<'_>, number: usize, side: &'o [Operand]) -> Vec<(LatentId, &'o [VarId])> {
    let leaves = loops.formed[number].leaves(side).into_iter();
    leaves.filter_map(Operand::latent).collect()
}

/// The index sets whose sizes tell where the parts of the inner index are.
fn sizes(loops: &Loops<'_>, number: usize) -> Vec<SetId> {
    let (count, slots) = (loops.model().count(number), &loops.formed[number].slots);
    let of = |vars: &[VarId]| vars.iter().map(|var| count.vars[var.0].set).collect::<Vec<_>>();
    let ends = slots
        .iter()
        .filter(|_| slots.len() > 1)
        .flat_map(|slot| of(&slot.inner));
    let within = slots
        .iter()
        .flat_map(|slot| of(slot.inner.get(1..).unwrap_or_default()));
    let mut all: Vec<SetId> = ends.chain(within).collect();
    all.sort();
    all.dedup();
    all
}

/// `y[d,v,k]`, the parts of `y[d,v]`, added to `Σ_v y[d,v,k]` and `Σ_d y[d,v,k]`.
fn doc(loops: &Loops<'_>, number: usize) -> String {
    let (model, derivation) = (loops.model(), loops.derivation);
    let names = show::CellNames::new(model, model.count(number));
    let whole = |side| match (&names.sides, side) {
        (None, _) => &names.truth,
        (Some(sides), Side::Plus) => &sides.count[0],
        (Some(sides), Side::Minus) => &sides.count[1],
    };
    let divided = derivation.divisions_of(number).map(|division| {
        let whole = whole(division.side);
        let parts = division.parts.iter().map(|part| show::summand(model, &part.each()));
        let parts: Vec<String> = parts.map(|part| format!("`{part}`")).collect();
        match division.is_whole() {
            true => format!("`{whole}`"),
            false => format!("{}, the parts of `{whole}`", in_words(&parts)),
        }
    });
    let what = divided.collect::<Vec<_>>().join("; ");
    let mut sums: Vec<String> = Vec::new();
    for update in &derivation.updates {
        for part in update.conditional.statistic() {
            let is_here = matches!(part.from, Origin::Rate(place) if place.count == number);
            let sum = format!("`{}`", show::summand(model, part));
            if is_here && !sums.contains(&sum) {
                sums.push(sum);
            }
        }
    }
    let divided = match loops.formed[number].slots.iter().any(FormedSlot::has_sum) {
        true => {
            " Counts of an operand that is a sum are divided over what is summed: drawn, or in proportion if they are means."
        }
        false => "",
    };
    format!("{what}, added to {}.{divided}", in_words(&sums))
}

/// `a`, `b` and `c`
fn in_words(all: &[String]) -> String {
    match all {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// ```ignore
/// impl<'a> TopicsCountsOfY<'a> {
///     fn new(x: TopicsRead<'_>, n: &'a mut [Vec<f64>]) -> Self { .. }
/// }
/// ```
fn from(loops: &Loops<'_>, number: usize, latents: &[LatentId], sets: &[Ident]) -> TokenStream {
    let (model, door) = (loops.model(), door());
    let (name, read) = (&loops.names.counts_of[number], &loops.names.read);
    let fields: Vec<Ident> = latents.iter().map(|of| loops.latent(*of)).collect();
    let locals = Words::locals([&loops.words.x, &loops.words.n].into_iter().chain(&fields));
    let (x, n) = (&locals[0], &locals[1]);
    let pattern = (0..model.latents.len()).map(|at| match latents.iter().position(|of| of.0 == at) {
        Some(field) => {
            let local = &locals[2 + field];
            quote!(#local)
        }
        None => quote!(_),
    });
    let x_tokens = quote!(#x);
    let values = latents
        .iter()
        .zip(&fields)
        .zip(&locals[2..])
        .map(|((of, field), local)| {
            let shape = loops.shape(&x_tokens, &model.latents[of.0].indices);
            match loops.is_turned(number, *of) {
                true => quote!(#field: #door::Turned::new(#shape, #local)),
                false => quote!(#field: #door::Entries::new(#shape, #local)),
            }
        });
    let sizes = sets.iter().map(|set| quote!(#set: #x.#set));
    let (of, held) = (&loops.words.read, &loops.words.held);
    let values_read = match (has_nodes(loops, number), reads(loops, number)) {
        (true, _) => {
            let rate = made(loops, number, &x_tokens);
            Some(quote!(#held: #rate))
        }
        (false, true) if of == x => Some(quote!(#x)),
        (false, true) => Some(quote!(#of: #x)),
        (false, false) => None,
    };
    let nodes = node::counted(loops, number).map(|(name, node)| {
        let sizes = node
            .vars
            .iter()
            .map(|var| loops.size(&x_tokens, model.count(number).vars[var.0].set));
        quote!(#name: #door::Entries::zeros([#(#sizes),*]))
    });
    let lifetime = if values_read.is_some() { quote!('a) } else { quote!('_) };
    let values: Vec<TokenStream> = values_read
        .into_iter()
        .chain(sizes)
        .chain(values)
        .chain(nodes)
        .collect();
    let x = named(&quote!(#(#values)*), x);
    quote! {
        impl<'a> #name<'a> {
            fn new(#x: #read<#lifetime>, #n: &'a mut [Vec<f64>]) -> Self {
                let [#(#pattern,)* ..] = #n else {
                    ::core::unreachable!("every latent has counts")
                };
                Self { #(#values,)* }
            }
        }
    }
}

/// Adds the numbers of a row, or of a column.
fn side(loops: &Loops<'_>, number: usize, right: bool) -> TokenStream {
    let (door, count, n) = (door(), loops.model().count(number), &loops.words.n);
    let method = quote::format_ident!("{}", if right { "right" } else { "left" });
    let slots = &loops.formed[number].slots;
    let range = range(loops, count, slots);
    let body: TokenStream = match &slots[..] {
        [slot] if slot.is_sum(right) => divided(loops, number, (0, slot), right, &range),
        [slot] => alone(loops, number, slot, slot.side(right), &range),
        several => {
            let each = several.iter().enumerate();
            each.map(|(at, slot)| match slot.is_sum(right) {
                true => divided(loops, number, (at, slot), right, &range),
                false => beside(loops, number, (at, slot), slot.side(right), &range),
            })
            .collect()
        }
    };
    let looked_up = loops.looked_up(count, &values(loops, number).x, &body);
    let body = quote!(#looked_up #body);
    let place = loops.place(count, &body);
    let [range, n, parts] = [&range, n, &loops.words.parts].map(|local| named(&body, local));
    quote! {
        fn #method(&mut self, #place: #door::At, #range: ::core::ops::Range<usize>, #n: &[f64], #parts: &mut #door::Parts) {
            #body
        }
    }
}

/// What the range of the inner index is called: as that index, if the rate has only one.
fn range(loops: &Loops<'_>, count: &Count, slots: &[FormedSlot]) -> Ident {
    let mut letters = slots
        .iter()
        .flat_map(|slot| slot.inner.iter().map(|var| letter(count, &slot.sums)(*var)));
    match (letters.next(), letters.next()) {
        (Some(only), None) => only,
        _ => loops.words.entries.clone(),
    }
}
