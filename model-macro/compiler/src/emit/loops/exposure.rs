//! The exposure of a latent: in closed form, then corrected at the cells that weigh otherwise.

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::Ident;

use super::super::names::door;
use super::closed::Lets;
use super::correction::correction;
use super::summand::{Closed, letters};
use super::times::{Times, in_product, sum};
use super::words::{named, names};
use super::{Loops, node};
use crate::derive::{Operand, Summand, Update};
use crate::resolve::LatentId;
use crate::show;

/// What rates add to the exposure of a latent.
pub(super) fn of_rates(update: &Update) -> impl Iterator<Item = &Summand> {
    let rate = update.conditional.rate().iter().chain(&update.dropped);
    rate.filter(|part| part.place().is_some())
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
    let (model, parts) = (loops.model(), of_rates(update).collect::<Vec<&Summand>>());
    let doc = show::summands(model, parts.iter().copied());
    let doc = match update.is_in_line(model) {
        true => format!("`{doc}`, of all entries at once: joint moves take it."),
        false => format!("`{doc}`"),
    };
    (!parts.is_empty()).then(|| of_latent(loops, update, &parts, (&method(loops, update.latent), &doc)))
}

/// `messages_to_theta`
pub(super) fn messages(loops: &Loops<'_>, of: LatentId) -> Ident {
    format_ident!("messages_to_{}", loops.latent(of))
}

/// The part of the exposure of a latent in its own shape that its table counts add: from each time to those before it.
pub(super) fn of_messages(loops: &Loops<'_>, update: &Update) -> Option<TokenStream> {
    let (model, of) = (loops.model(), update.latent);
    model.in_turn_along(of)?;
    let own = model.shapes.iter().position(|shape| shape.of == of)? + model.counts.len();
    let is_own = |part: &&Summand| part.place().is_some_and(|place| place.count == own);
    let parts: Vec<&Summand> = of_rates(update).filter(is_own).collect();
    let doc = format!(
        "`{}`, what table counts say of earlier values.",
        show::summands(model, parts.iter().copied())
    );
    Some(of_latent(loops, update, &parts, (&messages(loops, of), &doc)))
}

/// A function that adds up parts of the exposure of a latent; those within inner nodes are found from the exposures of these.
fn of_latent(loops: &Loops<'_>, update: &Update, parts: &[&Summand], named: (&Ident, &str)) -> TokenStream {
    let parts: Vec<(usize, &Summand)> = (parts.iter())
        .filter_map(|part| Some((part.place()?.count, *part)))
        .collect();
    let is_of = |operand: &Operand| matches!(operand, Operand::Latent(of, _) if *of == update.latent);
    let through = |part: &Summand, lets: &mut Lets| node::of_latent(loops, part, part.place()?, lets);
    of_parts(loops, &parts, named, &is_of, &through)
}

/// ```ignore
/// /// `Σ_{i,j} w[i,j,t] a[i,p] b[j,q]`
/// fn exposure_of_c_core(of: Reading<'_>, w: &[CellWeights<'_>]) -> Entries<3> { .. }
/// ```
pub(super) fn of_node(loops: &Loops<'_>, number: usize, node: usize) -> TokenStream {
    let (part, name) = (node::exposed(loops, number, node), node::exposure(loops, number, node));
    let doc = format!("`{}`", show::summand(loops.model(), &part));
    let is_of = |operand: &Operand| *operand == Operand::Buffer(node);
    let outer = loops.formed[number].node_with_node(node);
    let through = |_: &Summand, lets: &mut Lets| Some(node::of_node(loops, (number, outer?, node), lets));
    of_parts(loops, &[(number, &part)], (&name, &doc), &is_of, &through)
}

/// A function that adds up parts of an exposure, each of a count, and corrects them by the operands that are what is exposed. What `through` finds is found from
/// the exposures of inner nodes.
fn of_parts(
    loops: &Loops<'_>,
    parts: &[(usize, &Summand)],
    (name, doc): (&Ident, &str),
    is_of: &dyn Fn(&Operand) -> bool,
    through: &dyn Fn(&Summand, &mut Lets) -> Option<Times>,
) -> TokenStream {
    let (model, door, words) = (loops.model(), door(), &loops.words);
    let (x, w, of, exposure) = (&words.x, &words.w, &words.of, &words.exposure);
    let (_, Summand { indices, own: rank, .. }) = parts[0];
    let sizes = indices[..*rank]
        .iter()
        .map(|letter| loops.size(&quote!(#x), letter.set));
    let shape = quote!([#(#sizes),*]);
    let (mut lets, mut through_nodes, mut direct) = (Lets::default(), Vec::new(), Vec::new());
    for (count, part) in parts {
        match through(part, &mut lets) {
            Some(found) => through_nodes.push(found),
            None => direct.push((*count, *part)),
        }
    }
    let of_nodes = lets.take();
    let mut counts: Vec<usize> = direct.iter().map(|(count, _)| *count).collect();
    counts.sort_unstable();
    counts.dedup();
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
    let begin = match &locals[..] {
        [] => quote!(let #x = #read::from(#of);),
        locals if of_nodes.is_empty() => quote!(let (#x, #(#locals),*) = (#read::from(#of), #(&#w[#constants]),*);),
        locals => quote!(let #x = #read::from(#of); #(#of_nodes)* #(let #locals = &#w[#constants];)*),
    };
    let mut terms: Vec<(usize, [Times; 2])> = Vec::new();
    for (count, part) in direct.into_iter().filter(|(count, _)| has_base(loops, *count)) {
        let closed = Closed::of(loops, part, weights(count));
        terms.push((count, closed.form(closed.product(loops), &mut lets)));
    }
    let of_counts = counts.iter().filter(|count| has_base(loops, **count)).map(|count| {
        let of_count = terms.iter().filter(|(of, _)| of == count).map(|(_, term)| term.clone());
        weighed(&weights(*count), of_count.collect())
    });
    let of_counts: Vec<Times> = of_counts.chain(through_nodes).collect();
    let (statements, value) = (lets.statements, sum(&of_counts));
    let own: Vec<Ident> = letters(parts[0].1).into_iter().take(*rank).collect();
    let read_at = own.iter().map(|letter| named(&value, letter));
    let corrections = counts.iter().flat_map(|count| {
        let weights = weights(*count);
        [false, true].map(|right| correction(loops, *count, right, &weights, is_of))
    });
    let closed = match of_counts.is_empty() {
        true => quote!(#door::Entries::zeros(#shape)),
        false => whole(&value, &own).unwrap_or_else(|| quote!(#door::Entries::of(#shape, |[#(#read_at),*]| #value))),
    };
    let corrected = corrected(exposure, &closed, corrections.flatten().collect());
    let begin = match locals.is_empty() {
        // What is read of nodes alone may need no array.
        true if !names(&quote!(#(#statements)* #corrected), x) => quote!(#(#of_nodes)*),
        true => quote!(#begin #(#of_nodes)*),
        false => begin,
    };
    quote! {
        #[doc = #doc]
        fn #name(#of: #door::Reading<'_>, #w: &[#door::CellWeights<'_>]) -> #door::Entries<#rank> {
            #begin
            #(#statements)*
            #corrected
        }
    }
}

/// `before.shifted([1, 0], 0.0).entries()`, if that is what stands at every entry, whose indices are `own`.
fn whole(value: &TokenStream, own: &[Ident]) -> Option<TokenStream> {
    let trees: Vec<TokenTree> = value.clone().into_iter().collect();
    // `x . shifted (..) [[t, k]]`
    let [
        ..,
        TokenTree::Ident(method),
        TokenTree::Group(_),
        TokenTree::Group(index),
    ] = &trees[..]
    else {
        return None;
    };
    let is_own = index.to_string() == quote!([[#(#own),*]]).to_string();
    let array: TokenStream = trees[..trees.len() - 1].iter().cloned().collect();
    (method == "shifted" && trees.len() == 5 && is_own).then(|| quote!(#array.entries()))
}

/// Whether cells have a base weight: those of table counts weigh what was drawn for each, and corrections are all of their exposure.
fn has_base(loops: &Loops<'_>, count: usize) -> bool {
    count < loops.model().counts.len()
}

/// `w.base() * w.at(0, d) * (base + ..)`: what all terms have in common stands once.
fn weighed(w: &TokenStream, terms: Vec<[Times; 2]>) -> Times {
    let text = |of: &Times| of.tokens().to_string();
    let [first, _] = &terms[0];
    let is_common = terms.iter().all(|[weights, _]| text(weights) == text(first));
    let base = Times::of(quote!(#w.base()));
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

/// The closed form, after the corrections of cells that weigh otherwise, if there are some.
fn corrected(exposure: &Ident, closed: &TokenStream, corrections: Vec<TokenStream>) -> TokenStream {
    match &corrections[..] {
        [] => closed.clone(),
        several => quote! {
            let mut #exposure = #closed;
            #(#several)*
            #exposure
        },
    }
}
