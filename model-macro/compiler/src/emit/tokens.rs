//! Small pieces of code that several artifacts are made of.

use proc_macro2::TokenStream;
use quote::quote;

use crate::resolve::{Latent, Model, Scalar};

/// Which of the walks a list of steps is written for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Walk {
    Forward,
    Adjoint,
    Thin,
}

/// Joins factors with `*`; `1` if there are none.
pub(super) fn product(factors: Vec<TokenStream>) -> TokenStream {
    factors
        .into_iter()
        .reduce(|a, b| quote!(#a * #b))
        .unwrap_or_else(|| quote!(1))
}

/// Joins sizes with `*` as floats, in brackets where there are several.
pub(super) fn float_product(sizes: impl Iterator<Item = TokenStream>) -> TokenStream {
    let sizes: Vec<TokenStream> = sizes.map(|size| quote!(#size as f64)).collect();
    match &sizes[..] {
        [] => quote!(1.0),
        [one] => one.clone(),
        [first, rest @ ..] => quote!((#first #(* #rest)*)),
    }
}

/// `2.0 * self.a`, `1.0` for the empty product.
pub(super) fn scalar_tokens(model: &Model, scalar: &Scalar) -> TokenStream {
    let hypers = scalar.hypers.iter().map(|h| {
        let name = &model.hypers[h.0].name;
        quote!(self.#name)
    });
    let number = scalar.number;
    let mut factors: Vec<TokenStream> = Vec::new();
    if number != 1.0 || scalar.hypers.is_empty() {
        factors.push(quote!(#number));
    }
    factors.extend(hypers);
    product(factors)
}

/// The sizes of a latent's indices: `&[s.docs, s.topics]`.
pub(super) fn shape_tokens(model: &Model, latent: &Latent) -> TokenStream {
    let sets = latent.indices.iter().map(|i| model.set(i.set));
    quote!(&[#(s.#sets),*])
}
