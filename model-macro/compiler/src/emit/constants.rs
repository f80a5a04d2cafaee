//! The numbers of what is declared: `TopicsModel::THETA`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::check::numbers;
use crate::resolve::{LatentId, Model};

/// Constants by which generated code, and whoever reads the factors of a chain, names latents, known arrays and counts.
#[derive(Debug)]
pub struct Constants {
    latents: Vec<Ident>,
    data: Vec<Ident>,
    counts: Vec<Ident>,
    shapes: Vec<Ident>,
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
        let shapes = shapes.map(|shape| named.free(format_ident!("SHAPE_OF_{}", named.of_latent(shape.of.0))));
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
        let constant = self.of_latent(latent.0);
        quote!(Self::#constant)
    }

    /// `Self::Y`
    pub(super) fn count(&self, count: usize) -> TokenStream {
        let constant = match count.checked_sub(self.counts.len()) {
            None => self.of_count(count),
            Some(shape) => &self.shapes[shape],
        };
        quote!(Self::#constant)
    }

    /// `SHAPE_OF_THETA`
    pub(super) fn of_shape(&self, shape: usize) -> &Ident {
        &self.shapes[shape]
    }

    /// `THETA`
    pub(super) fn of_latent(&self, latent: usize) -> &Ident {
        &self.latents[latent]
    }

    /// `X`
    pub(super) fn of_data(&self, data: usize) -> &Ident {
        &self.data[data]
    }

    /// `Y`
    pub(super) fn of_count(&self, count: usize) -> &Ident {
        &self.counts[count]
    }
}
