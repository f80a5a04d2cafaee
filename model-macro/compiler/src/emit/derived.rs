//! The declaration as data, and what was derived from its rates: scale symmetries, and along which indices weights are constant.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::hygiene::Item;
use super::names::{Names, door};
use super::spec;
use crate::derive::DerivedModel;

/// ```ignore
/// impl Declaration for TopicsModel {
///     const SPEC: &'static Spec = &Spec { .. };
///     const DERIVED: Derived = Derived { .. };
/// }
/// ```
pub(super) fn declared(derivation: &DerivedModel, names: &Names) -> Item {
    let (door, bound, gibbs, cavi) = (door(), &names.bound, &names.gibbs, &names.cavi);
    let (spec, derived) = (spec::spec(derivation), derived(derivation, names));
    Item::Impl(quote! {
        impl #door::Declaration for #bound {
            type Gibbs = #gibbs;
            type Cavi = #cavi;
            const SPEC: &'static #door::Spec = &#spec;
            const DERIVED: #door::Derived = #derived;
            const EMITTED: &'static #door::Emitted = &Self::EMITTED;
        }
    })
}

/// ```ignore
/// Derived { symmetries: &[Symmetry::new(&[Scaled::new(0, 1, 1), ..], true)], constant: &[&[]] }
/// ```
fn derived(derivation: &DerivedModel, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let symmetries = derivation.symmetries.iter().map(|symmetry| {
        let by_index = symmetry.set.is_some();
        let scaled = symmetry.scaled.iter().map(|scaled| {
            let (latent, axis, power) = (names.constants.latent(scaled.latent), scaled.axis, scaled.power);
            let power = Literal::i64_unsuffixed(power);
            quote!(#door::Scaled::new(#latent, #axis, #power))
        });
        quote!(#door::Symmetry::new(&[#(#scaled),*], #by_index))
    });
    let constant = (0..model.counts.len()).map(|count| constant(derivation, count));
    quote! {
        #door::Derived {
            symmetries: &[#(#symmetries),*],
            constant: &[#(#constant),*],
        }
    }
}

/// The indices along which the weights of cells must be constant, each with the latent that needs it.
fn constant(derivation: &DerivedModel, number: usize) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let constant = derivation.constant.get(number).into_iter().flatten();
    let constant = constant.map(|(var, latent)| {
        let index = model.set(model.count(number).vars[var.0].set).to_string();
        let (axis, position, latent) = (var.0, latent.0, model.latents[latent.0].name.to_string());
        quote!(#door::Constant { index: #index, axis: #axis, latent: #latent, position: #position })
    });
    quote!(&[#(#constant),*])
}
