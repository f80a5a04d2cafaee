//! The numbers of what is declared: `TopicsModel::THETA`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::names::set_list;
use crate::check::numbers;
use crate::resolve::{Index, LatentId, Model};
use crate::show;

/// Constants by which generated code, and whoever reads the factors of a chain, names latents, known arrays and counts.
#[derive(Debug)]
pub struct Constants {
    latents: Vec<Ident>,
    data: Vec<Ident>,
    counts: Vec<Ident>,
}

impl Constants {
    /// Those of a model.
    pub fn new(model: &Model) -> Self {
        let mut all = numbers(model)
            .into_iter()
            .map(|number| format_ident!("{}", number.name));
        let mut next = |number: usize| all.by_ref().take(number).collect();
        Self {
            latents: next(model.latents.len()),
            data: next(model.data.len()),
            counts: next(model.counts.len()),
        }
    }

    /// `Self::THETA`
    pub(super) fn latent(&self, latent: LatentId) -> TokenStream {
        let constant = &self.latents[latent.0];
        quote!(Self::#constant)
    }

    /// `Self::X`
    pub(super) fn data(&self, data: usize) -> TokenStream {
        let constant = &self.data[data];
        quote!(Self::#constant)
    }

    /// `Self::Y`
    pub(super) fn count(&self, count: usize) -> TokenStream {
        let constant = &self.counts[count];
        quote!(Self::#constant)
    }

    /// ```ignore
    /// /// The latent `theta`, (docs, topics).
    /// pub const THETA: usize = 0;
    /// ```
    pub(super) fn declared(&self, model: &Model) -> TokenStream {
        let over = |indices: &[Index]| set_list(model, indices.iter().map(|i| i.set));
        let latents = model
            .latents
            .iter()
            .map(|l| format!("latent `{}`, ({})", l.name, over(&l.indices)));
        let data = model
            .data
            .iter()
            .map(|d| format!("known array `{}`, ({})", d.name, over(&d.indices)));
        let counts = model.counts.iter().map(|c| {
            format!(
                "count `{}`, ({}): `{}`",
                c.name,
                over(&c.vars[..c.free]),
                show::count(model, c)
            )
        });
        let latents = latents.zip(&self.latents).enumerate();
        let data = data.zip(&self.data).enumerate();
        let counts = counts.zip(&self.counts).enumerate();
        let each = latents.chain(data).chain(counts).map(|(number, (what, constant))| {
            let doc = format!("The {what}.");
            quote! {
                #[doc = #doc]
                pub const #constant: usize = #number;
            }
        });
        each.collect()
    }
}
