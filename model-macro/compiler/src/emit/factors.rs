//! `TopicsFactors`: one array per latent, and `TopicsBuffers`: one per inner node.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{Names, door, set_list};
use crate::derive::Derivation;

/// ```ignore
/// pub struct TopicsFactors { pub theta: Vec<f64>, pub phi: Vec<f64> }
/// ```
pub(super) fn factors(derivation: &Derivation, names: &Names) -> TokenStream {
    let model = &derivation.model;
    let (vis, factors, buffers, door) = (&model.vis, &names.factors, &names.buffers, door());
    let doc = format!(
        "One array per latent of [`{}`], row-major: values, counts or derivatives.",
        model.name
    );
    let latents: Vec<_> = model.latents.iter().map(|l| &l.name).collect();
    let fields = model.latents.iter().map(|l| {
        let (name, attrs) = (&l.name, &l.attrs);
        let doc = format!("`{name}`, ({}).", set_list(model, l.indices.iter().map(|i| i.set)));
        quote! { #(#attrs)* #[doc = #doc] pub #name: ::std::vec::Vec<f64> }
    });
    let nodes = derivation
        .layouts
        .iter()
        .zip(&model.counts)
        .flat_map(|(layouts, count)| {
            layouts.iter().enumerate().flat_map(move |(l, layout)| {
                (0..layout.buffers.len()).map(move |b| {
                    let name = format_ident!("{}{}_node{}", count.name, l, b);
                    quote! { #name: ::std::vec::Vec<f64> }
                })
            })
        });
    let buffers_doc = format!(
        "Inner nodes of the contraction trees of [`{}`]; those of layouts not in use are empty.",
        model.name
    );
    quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #vis struct #factors { #(#fields),* }

        impl #door::Factors for #factors {
            fn arrays(&self) -> Vec<&[f64]> {
                Vec::from([#(&self.#latents[..]),*])
            }

            fn arrays_mut(&mut self) -> Vec<&mut Vec<f64>> {
                Vec::from([#(&mut self.#latents),*])
            }
        }

        #[doc = #buffers_doc]
        #[doc(hidden)]
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::default::Default)]
        #vis struct #buffers { #(#nodes),* }
    }
}
