//! Contractions without cells to code: parameters of priors, and what the priors of other latents say of one.

use proc_macro2::TokenStream;
use quote::quote;

use super::constants::Constants;
use super::names::door;
use super::tokens::{product, scalar_tokens};
use crate::derive::{Contraction, Leaf, Origin};
use crate::resolve::{LatentId, Model, Scalar, Source};

/// Some leaves of a contraction as numbers over the entries of an array with the indices `order`:
/// `Monomial::new(&[s.docs, s.topics], self.a).times(&x[Self::XI], &[1, 0])`.
pub(super) fn monomial<'a>(
    model: &Model,
    constants: &Constants,
    part: &Contraction,
    order: &[usize],
    leaves: impl IntoIterator<Item = &'a Leaf>,
) -> TokenStream {
    let door = door();
    let (mut coefficient, mut times) = (Scalar::one(), Vec::new());
    for leaf in leaves {
        match leaf {
            Leaf::Scalar(more) => {
                coefficient.number *= more.number;
                coefficient.hypers.extend(&more.hypers);
            }
            Leaf::Latent(id, at) => {
                let (latent, strides) = (constants.latent(*id), strides(model, part, order, at));
                times.push(quote!(.times(&x[#latent], #strides)));
            }
            Leaf::Data(id, at) => {
                let (array, strides) = (constants.data(id.0), strides(model, part, order, at));
                times.push(quote!(.times(self.__bound.array(#array), #strides)));
            }
            Leaf::Allocation { .. } | Leaf::Weight { .. } | Leaf::Mean(_) => {
                unreachable!("parameters of priors have neither cells nor means in them")
            }
        }
    }
    let sizes = order.iter().map(|&i| model.set(part.indices[i].set));
    let coefficient = scalar_tokens(model, &coefficient);
    quote!(#door::Monomial::new(&[#(s.#sizes),*], #coefficient)#(#times)*)
}

/// The number that a contraction without arrays is.
pub(super) fn constant(part: &Contraction) -> Option<Scalar> {
    match &part.factors[..] {
        [] => Some(Scalar::one()),
        [Leaf::Scalar(scalar)] => Some(scalar.clone()),
        _ => None,
    }
}

/// Where a contraction reads a latent.
pub(super) fn read_at(part: &Contraction, latent: LatentId) -> Option<&[usize]> {
    part.factors.iter().find_map(|leaf| match leaf {
        Leaf::Latent(id, at) if *id == latent => Some(&at[..]),
        _ => None,
    })
}

/// Strides over the indices `order` of an array that has the indices `at`, in that order: `&[s.topics, 1]`, zero for an index
/// that the array lacks.
pub(super) fn strides(model: &Model, part: &Contraction, order: &[usize], at: &[usize]) -> TokenStream {
    let strides = order.iter().map(|index| {
        let Some(position) = at.iter().position(|other| other == index) else {
            return quote!(0);
        };
        let inner = at[position + 1..].iter().map(|&i| model.set(part.indices[i].set));
        product(inner.map(|set| quote!(s.#set)).collect())
    });
    quote!(&[#(#strides),*])
}

/// Whether an adjoint walk computes a contraction: the weight of every cell times what the rest of its term multiplies the entry by.
pub(super) fn walked(model: &Model, part: &Contraction) -> bool {
    let Origin::Rate(place) = part.from else { return false };
    let term = &model.counts[place.count].terms[place.term];
    let (mut weights, mut numbers, mut arrays) = (0, Scalar::one(), Vec::new());
    for leaf in &part.factors {
        match leaf {
            Leaf::Weight { count, .. } => weights += usize::from(*count == place.count),
            Leaf::Scalar(more) => {
                numbers.number *= more.number;
                numbers.hypers.extend(&more.hypers);
            }
            Leaf::Latent(id, _) => arrays.push(Source::Latent(*id)),
            Leaf::Data(id, _) => arrays.push(Source::Data(*id)),
            Leaf::Allocation { .. } | Leaf::Mean(_) => return false,
        }
    }
    let others = term.factors.iter().enumerate().filter(|(i, _)| *i != place.factor);
    weights == 1 && numbers == term.coefficient && others.map(|(_, f)| f.of).eq(arrays)
}
