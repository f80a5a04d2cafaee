//! What the self-test needs of a model: the declaration as data, and how a tiny instance is put together.

use proc_macro2::TokenStream;
use quote::quote;

use super::cells;
use super::names::{Names, door};
use super::spec::spec;
use crate::derive::Derivation;

/// ```ignore
/// impl Testable for Topics {
///     const SPEC: &'static Spec = &Spec { .. };
///     fn assemble(setting: &Setting, form: FormKind, layout: Option<usize>) -> Result<Box<dyn Model>, Error>
/// }
/// ```
pub(super) fn implementation(derivation: &Derivation, names: &Names) -> TokenStream {
    let door = door();
    let (name, bound, mechanisms) = (&names.model, &names.bound, &names.mechanisms);
    let spec = spec(derivation);
    let counts = derivation.model.counts.iter().zip(mechanisms).zip(&names.cells);
    let tested = counts.map(|((count, mechanism), cell)| match cells::noise(&count.channel) {
        Some(_) => quote!(#door::Named::<#mechanism>::NAME.tested_by(#cell)),
        None => quote!(#door::mechanism::<#mechanism>()),
    });
    let known = derivation
        .model
        .counts
        .iter()
        .any(|count| cells::noise(&count.channel).is_some());
    let used = known.then(|| quote!(use #door::TestedBy as _;));
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
            const SPEC: &'static #door::Spec = &#spec;

            fn mechanisms() -> Vec<Box<dyn #door::Mechanism>> {
                #used
                Vec::from([#(#tested),*])
            }

            fn assemble(
                setting: &#door::Setting,
                form: #door::FormKind,
                layout: Option<usize>,
            ) -> Result<Box<dyn #door::Model>, #door::Error> {
                let given = #door::Given::simulated(Self::SPEC, &Self::mechanisms(), setting)?;
                Ok(Box::new(#door::Declared::<#bound>::from(given).bind_with(form, layout)?))
            }
        }
    }
}
