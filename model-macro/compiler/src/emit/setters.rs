//! Methods that set sizes, hyperparameters, known arrays and frozen latents.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{door, set_list};
use crate::resolve::Model;

/// One setter for each name, and one `freeze_` for each latent.
pub(super) fn setters(model: &Model) -> TokenStream {
    let door = door();
    let sizes = model.sets.iter().enumerate().map(|(at, s)| {
        let set = &s.name;
        let doc =
            format!("Sets the size of `{set}`. A size that contradicts the data is an error when the model is bound.");
        quote! {
            #[doc = #doc]
            pub fn #set(mut self, size: usize) -> Self {
                self.__given.given().set_size(#at, size);
                self
            }
        }
    });
    let hypers = model.hypers.iter().enumerate().map(|(at, h)| {
        let (hyper, attrs, domain) = (&h.name, &h.attrs, h.domain.keyword());
        let doc = format!("Sets the hyperparameter `{hyper}`, which must be {domain}.");
        quote! {
            #(#attrs)*
            #[doc = #doc]
            pub fn #hyper(mut self, value: f64) -> Self {
                self.__given.given().set_hyper(#at, value);
                self
            }
        }
    });
    let arrays = model.data.iter().enumerate().map(|(at, d)| {
        let (data, attrs) = (&d.name, &d.attrs);
        let sets = set_list(model, d.indices.iter().map(|i| i.set));
        let (noun, domain) = (
            if d.hyper { "hyperparameter" } else { "known array" },
            d.domain.keyword(),
        );
        let doc = format!("Gives the {noun} `{data}`, ({sets}), whose entries must be {domain}.");
        quote! {
            #(#attrs)*
            #[doc = #doc]
            pub fn #data(mut self, array: impl Into<#door::Array>) -> Self {
                self.__given.given().set_array(#at, array.into());
                self
            }
        }
    });
    let latents = model.latents.iter().enumerate().map(|(at, l)| {
        let (latent, setter) = (&l.name, format_ident!("freeze_{}", l.name));
        let sets = set_list(model, l.indices.iter().map(|i| i.set));
        let doc = format!(
            "Fixes `{latent}`, ({sets}), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way."
        );
        quote! {
            #[doc = #doc]
            pub fn #setter(mut self, values: impl Into<#door::Array>) -> Self {
                self.__given.given().freeze(#at, values.into());
                self
            }
        }
    });
    quote! {
        #(#sizes)*
        #(#hypers)*
        #(#arrays)*
        #(#latents)*
    }
}
