//! What cells that weigh otherwise than most add to exposures.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::names::door;
use super::rate::{beside, made, neighbours, part, row};
use super::times::Times;
use super::words::names;
use super::{Loops, ReadFrom, is_read_by, is_row, letter};
use crate::derive::{FormedSlot, Operand};
use crate::resolve::VarId;

/// `w.correct_left(&TopicsRateOfY(x), &mut exposure, &|[d, ..], e, exposure| ..);`, nothing if rows do not reach the latent.
pub(super) fn correction(
    loops: &Loops<'_>,
    number: usize,
    right: bool,
    w: &TokenStream,
    of: &dyn Fn(&Operand) -> bool,
) -> Option<TokenStream> {
    let words = &loops.words;
    let (x, e, exposure) = (&words.x, &words.e, &words.exposure);
    let (count, formed) = (loops.model().count(number), &loops.formed[number]);
    let slots = formed.slots.iter().enumerate();
    let factors = slots.flat_map(|(at, slot)| {
        let factors = slot.side(right).iter().filter(|operand| of(operand));
        factors.map(move |factor| (at, slot, factor))
    });
    let factors: Vec<(usize, &FormedSlot, &Operand)> = factors.collect();
    let is_turned = |(_, slot, factor): &(usize, &FormedSlot, &Operand)| loops.is_read_turned(number, slot, factor);
    let turned = right && !factors.is_empty() && factors.iter().all(is_turned);
    let corrected = factors.iter().map(|&(at, slot, factor)| match slot.is_sum(right) {
        true => summed(loops, number, (at, slot, right), factor),
        false => corrected(loops, number, (at, slot, right), factor, turned),
    });
    let corrected: Vec<Corrected> = corrected.collect();
    let statements: TokenStream = corrected.iter().map(Corrected::statement).collect();
    let looked_up = loops.looked_up(count, &quote!(#x), &statements);
    let body = match (&corrected[..], looked_up.is_empty()) {
        ([], _) => return None,
        ([Corrected::Value(value)], true) => value.clone(),
        ([Corrected::Value(value)], false) => quote!({ #looked_up #value }),
        _ => quote!({ #looked_up #statements }),
    };
    let (place, made) = (loops.place(count, &body), made(loops, number, &quote!(#x)));
    let method = match (right, turned) {
        (false, _) => format_ident!("correct_left"),
        (true, false) => format_ident!("correct_right"),
        (true, true) => format_ident!("correct_right_turned"),
    };
    // Nodes are read of the rate.
    let rate = &words.rate;
    let (before, rate) = match names(&body, rate) {
        true => (quote!(let #rate = #made;), quote!(#rate)),
        false => (quote!(), made),
    };
    let to = if turned { &words.turned } else { exposure };
    Some(quote! {
        #before
        #w.#method(&#rate, &mut #exposure, &|#place, #e, #to| #body);
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
    (at, slot, right): (usize, &FormedSlot, bool),
    factor: &Operand,
    turned: bool,
) -> Corrected {
    let (door, words, count) = (door(), &loops.words, loops.model().count(number));
    let (from, e) = (values(loops, number), &words.e);
    let exposure = if turned { &words.turned } else { &words.exposure };
    let (x, side) = (&from.x, slot.side(right));
    let letter = letter(count, &slot.sums);
    let mut indices = loops.array(&from, factor).map_or(Vec::new(), |(_, at)| at.to_vec());
    if turned {
        indices.reverse();
    }
    let (part, beside) = (part(loops, x, number, at), beside(loops, &from, side, factor, &letter));
    let entry = {
        let at = loops.places(x, count, &indices, &letter);
        quote!(#exposure[[#(#at),*]])
    };
    let times = |first: TokenStream| Times::of(first).and(beside.clone()).tokens();
    let whole = part.of(e);
    // A kernel multiplies by the only neighbour, if its entries are side by side.
    let only = match (&neighbours(side, factor)[..], &slot.inner[..]) {
        ([only], [k]) => row(loops, &from, only, *k, &letter),
        _ => None,
    };
    match &slot.inner[..] {
        [] => {
            let (from, value) = (&part.from, times);
            let value = value(quote!(#e[#from]));
            Corrected::Value(quote!(#entry += #value))
        }
        [k] if is_row(count, &indices, *k) && beside.is_one() => {
            let others = loops.places(x, count, &indices[..indices.len() - 1], &letter);
            let all = if part.is_whole { whole } else { quote!(&#whole) };
            Corrected::Value(quote!(#door::add(#exposure.row_mut([#(#others),*]), #all)))
        }
        [k] if is_row(count, &indices, *k) && only.is_some() => {
            let others = loops.places(x, count, &indices[..indices.len() - 1], &letter);
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
                    let found = super::handed::found(loops, x, count, slot, entries);
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
fn summed(
    loops: &Loops<'_>,
    number: usize,
    (at, slot, right): (usize, &FormedSlot, bool),
    factor: &Operand,
) -> Corrected {
    let (door, words, count) = (door(), &loops.words, loops.model().count(number));
    let (from, e, exposure) = (values(loops, number), &words.e, &words.exposure);
    let x = &from.x;
    let letter = letter(count, &slot.sums);
    let indices = loops.array(&from, factor).map_or(&[][..], |(_, at)| at);
    let (part, beside) = (
        part(loops, x, number, at),
        beside(loops, &from, slot.side(right), factor, &letter),
    );
    let whole = part.of(e);
    let times = |first: TokenStream| Times::of(first).and(beside.clone()).tokens();
    let entry = {
        let at = loops.places(x, count, indices, &letter);
        quote!(#exposure[[#(#at),*]])
    };
    let each = |body: TokenStream| {
        slot.below[usize::from(right)].iter().rev().fold(body, |body, var| {
            let (letter, size) = (letter(*var), loops.size(x, count.vars[var.0].set));
            quote!(for #letter in 0..#size { #body })
        })
    };
    Corrected::Statement(match &slot.inner[..] {
        [] => {
            let from = &part.from;
            let value = times(quote!(#e[#from]));
            each(quote!(#entry += #value;))
        }
        [k] if !is_read_by(count, indices, *k) && only_along(loops, &from, (slot, right), factor, *k).is_some() => {
            let along = only_along(loops, &from, (slot, right), factor, *k);
            let row = along.and_then(|along| row(loops, &from, along, *k, &letter));
            let others = neighbours(slot.side(right), factor).into_iter();
            let others: Vec<&Operand> = others.filter(|operand| Some(*operand) != along).collect();
            let all = if part.is_whole { quote!(#whole) } else { quote!(&#whole) };
            let value = Times::of(quote!(#door::dot(#all, #row)))
                .and(loops.product(&from, &others, &letter))
                .tokens();
            each(quote!(#entry += #value;))
        }
        [k, ..] => {
            let (k, is_last) = (letter(*k), is_row(count, indices, *k));
            let value = beside.tokens();
            if is_last && !names(&value, &k) {
                let others = loops.places(x, count, &indices[..indices.len() - 1], &letter);
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

/// The only neighbour of an operand along the inner index, if its entries there are side by side.
fn only_along<'s>(
    loops: &Loops<'_>,
    from: &ReadFrom,
    (slot, right): (&'s FormedSlot, bool),
    of: &Operand,
    k: VarId,
) -> Option<&'s Operand> {
    let count = loops.model().count(from.number);
    let at = |operand: &'s Operand| loops.array(from, operand).map_or(&[][..], |(_, at)| at);
    let along = neighbours(slot.side(right), of).into_iter();
    let along = along.filter(|operand| is_read_by(count, at(operand), k));
    match along.collect::<Vec<_>>()[..] {
        [only] => Some(only).filter(|only| is_row(count, at(only), k)),
        _ => None,
    }
}

/// From where corrections read values.
fn values(loops: &Loops<'_>, number: usize) -> ReadFrom {
    let (x, rate) = (&loops.words.x, &loops.words.rate);
    ReadFrom {
        x: quote!(#x),
        of: Some(quote!(#rate)),
        number,
    }
}
