//! The rate of a count: its operands at a position.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::super::hygiene::Item;
use super::super::names::door;
use super::times::Times;
use super::{Loops, ReadFrom, is_read_by, is_row, letter, node};
use crate::derive::{FormedSlot, Operand};
use crate::resolve::{Count, Side, VarId};
use crate::show;

/// ```ignore
/// /// `μ[d,v] = Σ_k θ[d,k] φ[k,v]`: rows `d`, columns `v`.
/// struct TopicsRateOfY<'a>(TopicsRead<'a>);
///
/// impl Rate for TopicsRateOfY<'_> { .. }
/// ```
pub(super) fn rate(loops: &Loops<'_>, number: usize) -> Item {
    let (model, door) = (loops.model(), door());
    let (count, formed) = (model.count(number), &loops.formed[number]);
    let name = &loops.names.rates_of[number];
    let names = show::CellNames::new(model, count);
    let is = |rate: &str, side| {
        let sum = show::summands(model, &loops.derivation.division(number, side).rate);
        format!("`{rate} = {sum}`")
    };
    let rates = match (number.checked_sub(model.counts.len()), &names.sides) {
        (Some(shape), _) => {
            let of = show::entry(model, model.shapes[shape].of);
            let sum = show::summands(model, &loops.derivation.division(number, Side::Plus).rate);
            format!("The shape of `{of}`, `{sum}`")
        }
        (None, None) => is(&names.rate, Side::Plus),
        (None, Some(sides)) => {
            let [plus, minus, _] = &sides.rate;
            format!("{}, {}", is(plus, Side::Plus), is(minus, Side::Minus))
        }
    };
    let doc = format!(
        "{rates}: {}, {}.{}",
        listed(count, &formed.rows, "row"),
        listed(count, &formed.cols, "column"),
        if formed.by_cell {
            " `right` reads both indices of a cell, and is formed at each."
        } else {
            ""
        }
    );
    let own = own(loops, number);
    let sizes = formed.slots.iter().map(|slot| inner_size(loops, &own.x, count, slot));
    let inner = added(sizes.collect());
    let plus = names.sides.is_some().then(|| {
        let of_plus = formed.slots.iter().filter(|slot| count.side(slot.term) == Side::Plus);
        let plus = added(of_plus.map(|slot| inner_size(loops, &own.x, count, slot)).collect());
        quote!(fn plus(&self) -> usize { #plus })
    });
    let [left, right] = [false, true].map(|right| side(loops, number, right));
    let (declared, squared) = (declared(loops, number), squared(loops, number));
    Item::Impl(quote! {
        #[doc = #doc]
        #declared

        impl #door::Rate for #name<'_> {
            fn inner(&self) -> usize {
                #inner
            }

            #plus

            #left

            #right

            #squared
        }
    })
}

/// `left[0] *= 2.0;`, where an operand is a sum and a term has a number.
fn squared(loops: &Loops<'_>, number: usize) -> Option<TokenStream> {
    let (count, left, own) = (loops.model().count(number), &loops.words.sides[0], own(loops, number));
    let slots = &loops.formed[number].slots;
    let each = slots.iter().enumerate().filter_map(|(at, slot)| {
        let by = &count.terms[slot.term].coefficient;
        let (part, by) = (
            part(loops, &own.x, number, at),
            (!by.is_one()).then(|| loops.scalar(&own.x, by).tokens())?,
        );
        let (from, whole) = (&part.from, part.of(left));
        Some(match (slot.inner.is_empty(), part.is_whole) {
            (true, _) => quote!(#left[#from] *= #by;),
            (false, true) => quote!(#left.iter_mut().for_each(|#left| *#left *= #by);),
            (false, false) => quote!(#whole.iter_mut().for_each(|#left| *#left *= #by);),
        })
    });
    let each: Vec<TokenStream> = each.collect();
    let is_made_of_squares = slots.iter().any(FormedSlot::has_sum) && !each.is_empty();
    is_made_of_squares.then(|| quote!(fn square_numbers(&self, #left: &mut [f64]) { #(#each)* }))
}

/// ```ignore
/// struct TopicsRateOfY<'a> {
///     x: TopicsRead<'a>,
///     /// `phi` by `v`: what a column reads is side by side.
///     phi: Entries<2>,
/// }
///
/// impl<'a> From<TopicsRead<'a>> for TopicsRateOfY<'a> { .. }
/// ```
fn declared(loops: &Loops<'_>, number: usize) -> TokenStream {
    let (door, count, x) = (door(), loops.model().count(number), &loops.words.x);
    let (name, read) = (&loops.names.rates_of[number], &loops.names.read);
    if is_plain(loops, number) {
        return quote!(struct #name<'a>(#read<'a>););
    }
    let from = ReadFrom {
        x: quote!(#x),
        of: None,
        number,
    };
    let turned = loops.turned(number);
    let turned = turned.iter().filter_map(|operand| {
        let (field, letter) = (
            loops.field(number, operand)?,
            letter(count, &loops.formed[number].slots[0].sums),
        );
        let [_, other] = loops.array(&from, operand)?.1 else {
            unreachable!("what is turned has two indices")
        };
        let other = letter(*other);
        let doc = format!("`{field}` by `{other}`: what a column reads is side by side.");
        Some((
            quote!(#[doc = #doc] #field: #door::Entries<2>),
            quote!(#field: #x.#field.turned()),
        ))
    });
    let (mut fields, mut values): (Vec<TokenStream>, Vec<TokenStream>) = turned.unzip();
    let (of_nodes, made) = node::made(loops, &from);
    fields.extend(of_nodes);
    values.extend(loops.nodes[number].iter().map(|name| quote!(#name)));
    quote! {
        struct #name<'a> {
            #x: #read<'a>,
            #(#fields,)*
        }

        impl<'a> From<#read<'a>> for #name<'a> {
            fn from(#x: #read<'a>) -> Self {
                #(#made)*
                Self { #(#values,)* #x }
            }
        }
    }
}

/// Whether a rate holds nothing but what it reads.
fn is_plain(loops: &Loops<'_>, number: usize) -> bool {
    loops.turned(number).is_empty() && loops.nodes[number].is_empty()
}

/// `self.0`, what the rate of a count reads.
fn own(loops: &Loops<'_>, number: usize) -> ReadFrom {
    of_rate(loops, number, &quote!(self))
}

/// The same of a rate that is called `rate`.
pub(super) fn of_rate(loops: &Loops<'_>, number: usize, rate: &TokenStream) -> ReadFrom {
    let x = &loops.words.x;
    ReadFrom {
        x: match is_plain(loops, number) {
            true => quote!(#rate.0),
            false => quote!(#rate.#x),
        },
        of: Some(rate.clone()),
        number,
    }
}

/// `TopicsRateOfY::from(x)`
pub(super) fn made(loops: &Loops<'_>, number: usize, of: &TokenStream) -> TokenStream {
    let name = &loops.names.rates_of[number];
    match is_plain(loops, number) {
        true => quote!(#name(#of)),
        false => quote!(#name::from(#of)),
    }
}

/// `rows `d``
fn listed(count: &Count, vars: &[VarId], noun: &str) -> String {
    let letters: Vec<String> = vars.iter().map(|var| count.vars[var.0].name.to_string()).collect();
    match &letters[..] {
        [] => format!("one {noun}"),
        [only] => format!("{noun}s `{only}`"),
        several => format!("{noun}s `({})`", several.join(",")),
    }
}

/// `self.0.topics`, how many entries of the inner index belong to a term; `None` for one.
pub(super) fn inner_size(loops: &Loops<'_>, x: &TokenStream, count: &Count, slot: &FormedSlot) -> Option<TokenStream> {
    (!slot.inner.is_empty()).then(|| loops.sizes(x, count, &slot.inner))
}

/// `2 + self.0.topics + 2 * self.0.parts`: sizes, of which `None` is one.
pub(super) fn added(sizes: Vec<Option<TokenStream>>) -> TokenStream {
    let ones = sizes.iter().filter(|size| size.is_none()).count();
    let mut several: Vec<(TokenStream, usize)> = Vec::new();
    for size in sizes.into_iter().flatten() {
        match several
            .iter_mut()
            .find(|(known, _)| known.to_string() == size.to_string())
        {
            Some((_, times)) => *times += 1,
            None => several.push((size, 1)),
        }
    }
    let ones = (ones > 0 || several.is_empty()).then(|| quote!(#ones));
    let several = several.into_iter().map(|(size, times)| match times {
        1 => size,
        _ => quote!(#times * #size),
    });
    let terms = ones.into_iter().chain(several);
    quote!(#(#terms)+*)
}

/// The part of the inner index that belongs to the slot number `at`: `0`, `1..`, `1..1 + x.topics`.
pub(super) struct Part {
    pub from: TokenStream,
    /// Where it ends; nothing for the last one.
    pub to: Option<TokenStream>,
    /// Whether it is the whole.
    pub is_whole: bool,
}

/// The part that belongs to a slot.
pub(super) fn part(loops: &Loops<'_>, x: &TokenStream, number: usize, at: usize) -> Part {
    let (count, slots) = (loops.model().count(number), &loops.formed[number].slots);
    let until = |end: usize| {
        let sizes = slots[..end].iter().map(|slot| inner_size(loops, x, count, slot));
        added(sizes.collect())
    };
    Part {
        from: until(at),
        to: (at + 1 < slots.len()).then(|| until(at + 1)),
        is_whole: slots.len() == 1,
    }
}

impl Part {
    /// `left`, `left[1..]`
    pub fn of(&self, array: &Ident) -> TokenStream {
        let Self { from, to, is_whole } = self;
        match is_whole {
            true => quote!(#array),
            false => quote!(#array[#from..#to]),
        }
    }
}

/// The operand of a row, or of a column.
fn side(loops: &Loops<'_>, number: usize, right: bool) -> TokenStream {
    let (door, count) = (door(), loops.model().count(number));
    let name = &loops.words.sides[usize::from(right)];
    let method = quote::format_ident!("{}", if right { "right" } else { "left" });
    let slots = loops.formed[number].slots.iter().enumerate();
    let body: TokenStream = slots
        .map(|(at, slot)| {
            let part = part(loops, &own(loops, number).x, number, at);
            written(loops, number, slot, slot.side(right), (name, &part))
        })
        .collect();
    let looked_up = loops.looked_up(count, &own(loops, number).x, &body);
    let body = quote!(#looked_up #body);
    let place = loops.place(count, &body);
    quote! {
        fn #method(&self, #place: #door::At, #name: &mut [f64]) {
            #body
        }
    }
}

/// Writes the operand of a slot.
fn written(
    loops: &Loops<'_>,
    number: usize,
    slot: &FormedSlot,
    operands: &[Operand],
    (name, part): (&Ident, &Part),
) -> TokenStream {
    let (own, door, count) = (own(loops, number), door(), loops.model().count(number));
    let letter = letter(count, &slot.sums);
    let all: Vec<&Operand> = operands.iter().collect();
    let right = name == &loops.words.sides[1];
    if slot.is_sum(right) {
        return summed(loops, (number, slot, right), &all, (name, part), &letter);
    }
    let Some((last, outer)) = slot.inner.split_last() else {
        let (from, value) = (&part.from, loops.product(&own, &all, &letter).tokens());
        return quote!(#name[#from] = #value;);
    };
    let reads = |operand: &&&Operand| (loops.array(&own, operand)).is_some_and(|(_, at)| is_read_by(count, at, *last));
    let (along, fixed): (Vec<&Operand>, Vec<&Operand>) = operands.iter().partition(|operand| reads(&operand));
    let factor = loops.product(&own, &fixed, &letter);
    let turned = match right {
        true => loops.turned(number),
        false => Vec::new(),
    };
    let line = |operand: &&Operand| match (turned.contains(operand), loops.array(&own, operand)) {
        (true, Some((_, [_, other]))) => {
            let (field, other) = (loops.field(number, operand), letter(*other));
            Some(quote!(self.#field.row([#other])))
        }
        _ => row(loops, &own, operand, *last, &letter),
    };
    let rows: Option<Vec<TokenStream>> = along.iter().map(line).collect();
    let is_part = !part.is_whole && outer.is_empty();
    let whole = if is_part { part.of(name) } else { quote!(#name) };
    let argument = if is_part { quote!(&mut #whole) } else { whole.clone() };
    let innermost = match (rows.as_deref(), factor.is_one()) {
        (Some([]), _) => {
            let value = factor.tokens();
            quote!(#whole.fill(#value);)
        }
        (Some([row]), true) => quote!(#whole.copy_from_slice(#row);),
        (Some([one, other]), true) => quote!(#door::multiply(#argument, #one, #other);),
        (Some([one, other, more @ ..]), true) => {
            let factor = &loops.words.e;
            quote! {
                #door::multiply(#argument, #one, #other);
                #(
                    for (#name, #factor) in #whole.iter_mut().zip(#more) {
                        *#name *= #factor;
                    }
                )*
            }
        }
        _ => {
            let (k, value) = (letter(*last), loops.product(&own, &all, &letter).tokens());
            quote! {
                for (#k, #name) in #whole.iter_mut().enumerate() {
                    *#name = #value;
                }
            }
        }
    };
    // Indices but the last one are taken value by value.
    let run = |at: usize| loops.sizes(&own.x, count, &slot.inner[at + 1..]);
    outer.iter().enumerate().rev().fold(innermost, |inside, (at, var)| {
        let (letter, run) = (letter(*var), run(at));
        let whole = if at == 0 { part.of(name) } else { quote!(#name) };
        quote! {
            for (#letter, #name) in #whole.chunks_exact_mut(#run).enumerate() {
                #inside
            }
        }
    })
}

/// Writes the operand of a row that is a sum of products:
///
/// ```ignore
/// left.fill(0.0);
/// for c in 0..self.0.groups {
///     add_multiple(left, self.0.theta[[i, c]], self.0.pi.row([c]));
/// }
/// ```
fn summed(
    loops: &Loops<'_>,
    (number, slot, right): (usize, &FormedSlot, bool),
    operands: &[&Operand],
    (name, part): (&Ident, &Part),
    letter: &dyn Fn(VarId) -> Ident,
) -> TokenStream {
    let (own, door, count) = (own(loops, number), door(), loops.model().count(number));
    let each = |body: TokenStream| {
        slot.below[usize::from(right)].iter().rev().fold(body, |body, var| {
            let (letter, size) = (letter(*var), loops.size(&own.x, count.vars[var.0].set));
            quote!(for #letter in 0..#size { #body })
        })
    };
    let value = |operands: &[&Operand]| {
        let product = loops.product(&own, operands, letter).tokens();
        slot.below[usize::from(right)].iter().rev().fold(product, |sum, var| {
            let (letter, size) = (letter(*var), loops.size(&own.x, count.vars[var.0].set));
            quote!((0..#size).map(|#letter| #sum).sum::<f64>())
        })
    };
    let Some(last) = slot.inner.last() else {
        let (from, value) = (&part.from, value(operands));
        return quote!(#name[#from] = #value;);
    };
    let reads = |operand: &&Operand| (loops.array(&own, operand)).is_some_and(|(_, at)| is_read_by(count, at, *last));
    let (along, fixed): (Vec<&Operand>, Vec<&Operand>) = operands.iter().copied().partition(reads);
    let whole = part.of(name);
    let row = match along[..] {
        [only] => row(loops, &own, only, *last, letter),
        _ => None,
    };
    match row {
        Some(row) => {
            let by = loops.product(&own, &fixed, letter).tokens();
            let argument = if part.is_whole {
                quote!(#name)
            } else {
                quote!(&mut #whole)
            };
            let add = each(quote!(#door::add_multiple(#argument, #by, #row);));
            quote!(#whole.fill(0.0); #add)
        }
        None => {
            let (k, value) = (letter(*last), value(operands));
            quote! {
                for (#k, #name) in #whole.iter_mut().enumerate() {
                    *#name = #value;
                }
            }
        }
    }
}

/// `x.theta.row([d])`, if the entries along `last` are side by side.
pub(super) fn row(
    loops: &Loops<'_>,
    from: &ReadFrom,
    operand: &Operand,
    last: VarId,
    letter: &dyn Fn(VarId) -> Ident,
) -> Option<TokenStream> {
    let (array, at) = loops.array(from, operand)?;
    let count = loops.model().count(from.number);
    is_row(count, at, last).then(|| {
        let others = loops.places(&from.x, count, &at[..at.len() - 1], letter);
        quote!(#array.row([#(#others),*]))
    })
}

/// What an operand is multiplied by on its own side.
pub(super) fn neighbours<'s>(side: &'s [Operand], of: &Operand) -> Vec<&'s Operand> {
    side.iter().filter(|operand| *operand != of).collect()
}

/// Their product.
pub(super) fn beside(
    loops: &Loops<'_>,
    from: &ReadFrom,
    side: &[Operand],
    of: &Operand,
    letter: &dyn Fn(VarId) -> Ident,
) -> Times {
    loops.product(from, &neighbours(side, of), letter)
}
