//! The numbers of what is declared: `TopicsModel::THETA`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::check::numbers;
use crate::resolve::{LatentId, Model};

/// Constants by which generated code, and whoever reads the factors of a chain, names latents, known arrays and counts.
#[derive(Debug)]
pub struct Constants {
    /// `THETA`
    pub latents: Vec<Ident>,
    /// `X`
    pub data: Vec<Ident>,
    /// `Y`
    pub counts: Vec<Ident>,
    /// `SHAPE_OF_THETA`
    pub shapes: Vec<Ident>,
}

impl Constants {
    /// The constants of a model.
    pub fn new(model: &Model) -> Self {
        let mut all = numbers(model).into_iter().map(|number| format_ident!("{number}"));
        let mut next = |number: usize| all.by_ref().take(number).collect();
        let mut named = Self {
            latents: next(model.latents.len()),
            data: next(model.data.len()),
            counts: next(model.counts.len()),
            shapes: Vec::new(),
        };
        let shapes = model.shapes.iter();
        let shapes = shapes.map(|shape| named.free(format_ident!("SHAPE_OF_{}", named.latents[shape.of.0])));
        named.shapes = shapes.collect();
        named
    }

    /// A name that no constant of the declaration has.
    fn free(&self, mut name: Ident) -> Ident {
        let taken = [&self.latents, &self.data, &self.counts, &self.shapes];
        while taken.iter().any(|all| all.contains(&name)) {
            name = format_ident!("{name}_");
        }
        name
    }

    /// `Self::THETA`
    pub(super) fn latent(&self, latent: LatentId) -> TokenStream {
        let constant = &self.latents[latent.0];
        quote!(Self::#constant)
    }

    /// `Self::Y`
    pub(super) fn count(&self, count: usize) -> TokenStream {
        let constant = match count.checked_sub(self.counts.len()) {
            None => &self.counts[count],
            Some(shape) => &self.shapes[shape],
        };
        quote!(Self::#constant)
    }
}
