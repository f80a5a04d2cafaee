//! The level of a count: its rates summed over all cells.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::super::names::door;
use super::closed::Lets;
use super::summand::Closed;
use super::times::{Times, in_product};
use super::{Loops, free_letters};
use crate::derive::{Leaf, Summand};
use crate::show;

/// `level_of_y`
pub(super) fn method(loops: &Loops<'_>, number: usize) -> Ident {
    format_ident!("level_of_{}", loops.model().count(number).name)
}

/// ```ignore
/// /// `Σ_{d,v} w[d,v] μ[d,v]`, by the values of one index if asked.
/// fn level_of_y(of: Reading<'_>, by: Option<usize>, w: &CellWeights<'_>) -> Vec<f64> {
///     let x = TopicsRead::from(of);
///     let level: Vec<f64> = match by { .. };
///     if by.is_none() { Vec::from([level.iter().sum::<f64>()]) } else { level }
/// }
/// ```
pub(super) fn level(loops: &Loops<'_>, number: usize) -> TokenStream {
    let (model, door, words) = (loops.model(), door(), &loops.words);
    let (x, w, of, by, level) = (&words.x, &words.w, &words.of, &words.by, &words.level);
    let (count, read, name) = (model.count(number), &loops.names.read, method(loops, number));
    let letters: Vec<String> = count.vars[..count.free]
        .iter()
        .map(|var| var.name.to_string())
        .collect();
    let names = show::CellNames::new(model, count);
    let rate = match &names.sides {
        None => names.rate,
        Some(show::SideNames {
            rate: [plus, minus, _], ..
        }) => format!("({plus} + {minus})"),
    };
    let over = match &letters[..] {
        [only] => only.clone(),
        several => format!("{{{}}}", several.join(",")),
    };
    let doc = format!(
        "`Σ_{over} {} {rate}`, all cells weighed as most of them are; for each value of the index number `{by}`, if there is one. Likelihoods and means of rates take it.",
        show::weight(model, number)
    );
    let first = by_index(loops, number, 0);
    let others = (1..count.free).map(|axis| {
        let values = by_index(loops, number, axis);
        quote!(Some(#axis) => #values)
    });
    let found = match count.free {
        1 => first,
        _ => quote!(match #by { #(#others)* _ => #first }),
    };
    let end = quote!(if #by.is_none() { Vec::from([#level.iter().sum::<f64>()]) } else { #level });
    quote! {
        #[doc = #doc]
        fn #name(#of: #door::Reading<'_>, #by: Option<usize>, #w: &#door::CellWeights<'_>) -> Vec<f64> {
            let #x = #read::from(#of);
            let #level: Vec<f64> = #found;
            #end
        }
    }
}

/// `{ let phi = ..; (0..x.docs).map(|d| w.base() * w.at(0, d) * ..).collect() }`: the level at every value of an index.
fn by_index(loops: &Loops<'_>, number: usize, axis: usize) -> TokenStream {
    let (w, count) = (&loops.words.w, loops.model().count(number));
    let x = &loops.words.x;
    let (letter, size) = (
        &free_letters(count)[axis],
        loops.size(&quote!(#x), count.vars[axis].set),
    );
    let mut lets = Lets::beside(&[&loops.words.level]);
    let sides = loops.derivation.divisions_of(number);
    let terms = sides.flat_map(|division| &division.rate).map(|part| {
        let weight = Leaf::Weight {
            count: number,
            at: (0..part.own).collect(),
        };
        let weighed = Summand {
            factors: std::iter::once(weight).chain(part.factors.iter().cloned()).collect(),
            ..part.clone()
        };
        let closed = Closed::of(loops, &weighed, quote!(#w)).by(axis);
        let mut product = closed.product(loops);
        // What weighs the index itself stands before all terms.
        product.weighed.retain(|(index, _)| *index != axis);
        let [_, value] = closed.form(product, &mut lets);
        value
    });
    let terms: Vec<Times> = terms.collect();
    let value = in_product(&terms);
    let statements = lets.statements;
    quote!({
        #(#statements)*
        (0..#size).map(|#letter| #w.base() * #w.at(#axis, #letter) * #value).collect()
    })
}
