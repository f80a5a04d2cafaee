//! Statements that add numbers of an operand to the entries that make it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::super::names::door;
use super::adjoint::{counted, target, values};
use super::rate::{added, inner_size, part};
use super::words::named;
use super::{Loops, is_read_by, is_row, letter};
use crate::derive::{FormedSlot, Operand};
use crate::resolve::{Count, VarId};

/// Adds the numbers of a rate of one term.
pub(super) fn alone(
    loops: &Loops<'_>,
    number: usize,
    slot: &FormedSlot,
    side: &[Operand],
    range: &Ident,
) -> TokenStream {
    let (door, n, count) = (door(), &loops.words.n, loops.model().count(number));
    let letter = letter(count, &slot.sums);
    let added = side
        .iter()
        .filter_map(|operand| Some((operand, counted(loops, number, operand)?)));
    let (along, fixed): (Vec<_>, Vec<_>) =
        added.partition(|(_, (_, at))| slot.inner.iter().any(|var| is_read_by(count, at, *var)));
    let fixed = fixed.iter().map(|(_, (array, at))| {
        let entry = target(loops, number, (array, at), &letter);
        quote!(#entry += #n.iter().sum::<f64>();)
    });
    let fixed: Vec<TokenStream> = fixed.collect();
    let (k, is_one) = match &slot.inner[..] {
        [k] => (letter(*k), true),
        _ => (range.clone(), false),
    };
    let is_row = |at: &[VarId]| is_one && slot.inner.iter().all(|k| is_row(count, at, *k));
    let last = along.len().saturating_sub(1);
    let along = along.iter().enumerate().map(|(place, (operand, (array, at)))| {
        let range = match place == last {
            true => quote!(#range),
            false => quote!(#range.clone()),
        };
        let is_turned = matches!(operand, Operand::Latent(of, _) if loops.is_turned(number, *of));
        if let ([first, other], true) = (at, is_one && is_turned)
            && slot.inner.first() == Some(first)
        {
            let other = letter(*other);
            return quote!(#door::add(&mut #array.row_mut(#other)[#range], #n););
        }
        if is_row(at) {
            let others = loops.places(&values(loops, number).x, count, &at[..at.len() - 1], &letter);
            return quote!(#door::add(&mut #array.row_mut([#(#others),*])[#range], #n););
        }
        let (entry, found) = (
            target(loops, number, (array, at), &letter),
            found(loops, &quote!(self), count, slot, &k),
        );
        quote! {
            for (#k, #n) in #range.zip(#n) {
                #found
                #entry += #n;
            }
        }
    });
    quote!(#(#fixed)* #(#along)*)
}

/// Adds the numbers of one of several terms.
pub(super) fn beside(
    loops: &Loops<'_>,
    number: usize,
    (at, slot): (usize, &FormedSlot),
    side: &[Operand],
    range: &Ident,
) -> TokenStream {
    let (door, n, count) = (door(), &loops.words.n, loops.model().count(number));
    let letter = letter(count, &slot.sums);
    let part = part(loops, &quote!(self), number, at);
    let (from, to) = (&part.from, part.to.unwrap_or_else(|| end(loops, number)));
    let counted = side.iter().filter_map(|operand| {
        let (array, at) = counted(loops, number, operand)?;
        let entry = target(loops, number, (&array, at), &letter);
        Some(quote!(#entry += #n;))
    });
    let counted: Vec<TokenStream> = counted.collect();
    if counted.is_empty() {
        return quote!();
    }
    let k = match &slot.inner[..] {
        [k] => letter(*k),
        _ => loops.words.entries.clone(),
    };
    let found = found(loops, &quote!(self), count, slot, &k);
    let body = quote!(#found #(#counted)*);
    let k = named(&body, &k);
    quote! {
        for (#k, #n) in #door::part(#from..#to, &#range, #n) {
            #body
        }
    }
}

/// Divides the numbers of a row, or of a column, over the summands of its operand:
///
/// ```ignore
/// for (e, n) in e.zip(n).filter(|(_, n)| **n != 0.0) {
///     let parts = parts.of(*n, self.x.groups, |c| self.x.theta[[i, c]] * self.x.pi[[c, e]]);
///     for (c, n) in parts.iter().enumerate() {
///         self.theta[[i, c]] += n;
///         self.pi[[c, e]] += n;
///     }
/// }
/// ```
pub(super) fn divided(
    loops: &Loops<'_>,
    number: usize,
    (at, slot): (usize, &FormedSlot),
    right: bool,
    range: &Ident,
) -> TokenStream {
    let (door, n, count) = (door(), &loops.words.n, loops.model().count(number));
    let (from, parts, letter) = (values(loops, number), &loops.words.parts, letter(count, &slot.sums));
    let (operands, below) = (slot.side(right), &slot.below[usize::from(right)]);
    let all: Vec<&Operand> = operands.iter().collect();
    let weight = loops.product(&from, &all, &letter).tokens();
    let length = loops.sizes(&from.x, count, below);
    let counted = operands.iter().filter_map(|operand| {
        let (array, at) = counted(loops, number, operand)?;
        let entry = target(loops, number, (&array, at), &letter);
        Some(quote!(#entry += #n;))
    });
    let (one, found) = match &below[..] {
        [only] => (letter(*only), quote!()),
        several => {
            let one = loops.words.part.clone();
            let found = digits(loops, &from.x, (count, several), &one, &letter);
            (one, found)
        }
    };
    let weight = match found.is_empty() {
        true => weight,
        false => quote!({ #found #weight }),
    };
    let divide = quote! {
        let #parts = #parts.of(*#n, #length, |#one| #weight);
        for (#one, #n) in #parts.iter().enumerate() {
            #found
            #(#counted)*
        }
    };
    let numbers = match loops.formed[number].slots.len() {
        1 => quote!(#range.zip(#n)),
        _ => {
            let part = part(loops, &quote!(self), number, at);
            let (from, to) = (&part.from, part.to.unwrap_or_else(|| end(loops, number)));
            quote!(#door::part(#from..#to, &#range, #n))
        }
    };
    let k = match &slot.inner[..] {
        [k] => named(&divide, &letter(*k)),
        _ => quote!(_),
    };
    quote! {
        for (#k, #n) in #numbers.filter(|(_, #n)| **#n != 0.0) {
            #divide
        }
    }
}

/// How many values the inner index has.
fn end(loops: &Loops<'_>, number: usize) -> TokenStream {
    let (count, slots) = (loops.model().count(number), &loops.formed[number].slots);
    let sizes = slots.iter().map(|slot| inner_size(loops, &quote!(self), count, slot));
    added(sizes.collect())
}

/// `let (k, l) = (at / self.parts, at % self.parts);`, where a term sums over several indices.
pub(super) fn found(loops: &Loops<'_>, x: &TokenStream, count: &Count, slot: &FormedSlot, at: &Ident) -> TokenStream {
    digits(loops, x, (count, &slot.inner), at, &letter(count, &slot.sums))
}

/// The same for any indices: their values at a number that counts them all; nothing where it is the only one.
fn digits(
    loops: &Loops<'_>,
    x: &TokenStream,
    (count, vars): (&Count, &[VarId]),
    at: &Ident,
    letter: &dyn Fn(VarId) -> Ident,
) -> TokenStream {
    let Some((last, outer)) = vars.split_last().filter(|(_, outer)| !outer.is_empty()) else {
        return quote!();
    };
    let outer_values = outer.iter().enumerate().map(|(number, var)| {
        let below = loops.sizes(x, count, &vars[number + 1..]);
        let below = if number + 1 < outer.len() {
            quote!((#below))
        } else {
            below
        };
        let own = loops.size(x, count.vars[var.0].set);
        match number {
            0 => quote!(#at / #below),
            _ => quote!(#at / #below % #own),
        }
    });
    let size = loops.size(x, count.vars[last.0].set);
    let letters = vars.iter().map(|var| letter(*var));
    quote!(let (#(#letters),*) = (#(#outer_values,)* #at % #size);)
}
