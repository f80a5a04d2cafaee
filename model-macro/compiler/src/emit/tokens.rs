//! Small pieces of code that several artifacts are made of.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::door;
use crate::resolve::{Latent, Model, Scalar, Source, Term, VarId};

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

/// Strides over the indices of a latent of an array that has those `vars` (positions among the latent's
/// indices) in that order: `&[s.topics, 1]`, zero for an index that the array lacks.
pub(super) fn strides(model: &Model, latent: &Latent, vars: &[VarId]) -> TokenStream {
    let strides = (0..latent.indices.len()).map(|position| {
        let Some(at) = vars.iter().position(|v| v.0 == position) else {
            return quote!(0);
        };
        let inner = vars[at + 1..].iter().map(|v| model.set(latent.indices[v.0].set));
        product(inner.map(|set| quote!(s.#set)).collect())
    });
    quote!(&[#(#strides),*])
}

/// The sizes of a latent's indices: `&[s.docs, s.topics]`.
pub(super) fn shape_tokens(model: &Model, latent: &Latent) -> TokenStream {
    let sets = latent.indices.iter().map(|i| model.set(i.set));
    quote!(&[#(s.#sets),*])
}

/// A parameter of a latent's prior as a monomial, one of its factors left out if so asked:
/// `Monomial::new(&[s.docs, s.topics], self.a).times(&x.xi, &[1, 0])`.
pub(super) fn monomial(model: &Model, latent: &Latent, term: &Term, without: Option<usize>) -> TokenStream {
    let door = door();
    let (shape, coefficient) = (shape_tokens(model, latent), scalar_tokens(model, &term.coefficient));
    let kept = term.factors.iter().enumerate().filter(|(i, _)| Some(*i) != without);
    let times = kept.map(|(_, factor)| {
        let strides = strides(model, latent, &factor.vars);
        match factor.of {
            Source::Latent(id) => {
                let name = &model.latents[id.0].name;
                quote!(.times(&x.#name, #strides))
            }
            Source::Data(id) => {
                let name = &model.data[id.0].name;
                quote!(.times(self.#name.as_slice(), #strides))
            }
        }
    });
    quote!(#door::Monomial::new(#shape, #coefficient)#(#times)*)
}
