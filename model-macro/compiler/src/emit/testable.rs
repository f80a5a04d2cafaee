//! What the self-test needs of a model: the declaration as data, and how a tiny instance is put together.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Names, door};
use super::spec::spec;
use crate::derive::Derivation;

/// ```ignore
/// impl Testable for Topics {
///     const SPEC: &'static Spec = &Spec { .. };
///     fn assemble(setting: &Setting, form: FormKind, layout: Option<usize>) -> Result<TopicsModel, Error>
/// }
/// ```
pub(super) fn implementation(derivation: &Derivation, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let (name, bound, mechanisms) = (&names.model, &names.bound, &names.mechanisms);
    let spec = spec(derivation);
    let observed = (0..model.counts.len()).map(|i| quote!(#door::Observed::simulated(&setting.counts[#i])?));
    let sizes = model.sets.iter().enumerate().map(|(i, s)| {
        let set = &s.name;
        quote!(.#set(setting.sizes[#i]))
    });
    let hypers = model.hypers.iter().enumerate().map(|(i, h)| {
        let hyper = &h.name;
        quote!(.#hyper(setting.hypers[#i]))
    });
    let arrays = model.data.iter().enumerate().map(|(i, d)| {
        let array = &d.name;
        quote!(.#array(&setting.arrays[#i]))
    });
    quote! {
        impl #name {
            /// Checks everything that was derived, on a tiny instance of this model with simulated data:
            /// conditionals against the joint density, both samplers by the test of Geweke (2004), the laws of
            /// the variational bound, and that data that say nothing leave the prior. Takes some seconds in a
            /// release build.
            pub fn self_test() -> #door::Report {
                #door::self_test::<Self>()
            }
        }

        impl #door::Testable for #name {
            type Bound = #bound;

            const SPEC: &'static #door::Spec = &#spec;

            fn mechanisms() -> Vec<Box<dyn #door::Mechanism>> {
                Vec::from([#(#door::mechanism::<#mechanisms>()),*])
            }

            fn assemble(
                setting: &#door::Setting,
                form: #door::FormKind,
                layout: Option<usize>,
            ) -> Result<#bound, #door::Error> {
                Self::with_data(#(#observed),*)?
                    #(#sizes)*
                    #(#hypers)*
                    #(#arrays)*
                    .bind_with(form, layout)
            }
        }
    }
}
