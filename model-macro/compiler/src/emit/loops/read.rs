//! What generated code reads.

use quote::quote;
use syn::Ident;

use super::super::hygiene::Item;
use super::super::names::door;
use super::Loops;
use super::words::{Words, declared};
use crate::resolve::Index;

/// ```ignore
/// struct TopicsRead<'a> {
///     docs: usize,
///     a: f64,
///     theta: Entries<2, &'a [f64]>,
/// }
///
/// impl<'a> From<Reading<'a>> for TopicsRead<'a> { .. }
/// ```
pub(super) fn read(loops: &Loops<'_>) -> Item {
    let (model, door, read, bound) = (loops.model(), door(), &loops.names.read, &loops.names.bound);
    let constants = &loops.names.constants;
    let sets: Vec<Ident> = model.sets.iter().map(|set| declared(&set.name)).collect();
    let hypers: Vec<Ident> = model.hypers.iter().map(|hyper| declared(&hyper.name)).collect();
    // Locals of one function: no two have one name, and none hides what is read.
    let locals = Words::locals(std::iter::once(&loops.words.of).chain(sets.iter().chain(&hypers)));
    let of = &locals[0];
    let (of_sets, of_hypers) = locals[1..].split_at(sets.len());
    let short = |field: &Ident, local: &Ident| match field == local {
        true => quote!(#field),
        false => quote!(#field: #local),
    };
    let numbers = sets.iter().chain(&hypers).zip(&locals[1..]);
    let numbers: Vec<_> = numbers.map(|(field, local)| short(field, local)).collect();
    let known = (!hypers.is_empty()).then(|| quote!(let [#(#of_hypers),*] = #of.hypers();));

    let arrays = model.data.iter().enumerate().map(|(at, array)| {
        let number = &constants.data[at];
        (&array.name, &array.indices[..], quote!(#of.array(#bound::#number)))
    });
    let latents = model.latents.iter().enumerate().map(|(at, latent)| {
        let number = &constants.latents[at];
        (&latent.name, &latent.indices[..], quote!(#of.latent(#bound::#number)))
    });
    let size = |index: &Index| of_sets[index.set.0].clone();
    let (mut fields, mut values) = (Vec::new(), Vec::new());
    for (name, indices, from) in arrays.chain(latents) {
        let (name, rank) = (declared(name), indices.len());
        if indices.is_empty() {
            fields.push(quote!(#name: f64));
            values.push(quote!(#name: #from[0]));
            continue;
        }
        let sizes = indices.iter().map(size);
        fields.push(quote!(#name: #door::Entries<#rank, &'a [f64]>));
        values.push(quote!(#name: #door::Entries::new([#(#sizes),*], #from)));
    }
    Item::Impl(quote! {
        /// What a sweep reads: sizes, what is known, and a number for each entry of each latent: its value, mean, or counts.
        #[derive(Clone, ::core::marker::Copy)]
        struct #read<'a> {
            #(#sets: usize,)*
            #(#hypers: f64,)*
            #(#fields,)*
        }

        impl<'a> From<#door::Reading<'a>> for #read<'a> {
            fn from(#of: #door::Reading<'a>) -> Self {
                let [#(#of_sets),*] = #of.sizes();
                #known
                Self { #(#numbers,)* #(#values,)* }
            }
        }
    })
}
