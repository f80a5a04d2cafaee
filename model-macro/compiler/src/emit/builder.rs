//! `Topics`: the declaration, on which data, sizes and hyperparameters are set.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::names::{Names, door};
use super::{data, setters};
use crate::check::labels;
use crate::derive::Derivation;
use crate::resolve::Channel;
use crate::syntax::Domain;

/// The struct, its constructors and its setters.
pub(super) fn builder(derivation: &Derivation, names: &Names) -> TokenStream {
    let model = &derivation.model;
    let (vis, name, bound, door, attrs) = (&model.vis, &names.model, &names.bound, door(), &model.attrs);
    let counts = model.counts.len();
    let sets: Vec<_> = model.sets.iter().map(|s| &s.name).collect();
    let aliases = aliases(derivation, names);
    let given = data::structs(derivation, names);
    let constructors = data::constructors(derivation, names);
    let constants: Vec<Ident> = (labels(model).iter().zip(&model.sets))
        .map(|(label, set)| Ident::new(label, set.name.span()))
        .collect();
    // The path, line and column tell the model from every other.
    let path = quote!(::core::concat!(::core::module_path!(), "::", ::core::stringify!(#name)));
    let indices = constants.iter().zip(&sets).enumerate().map(|(i, (constant, set))| {
        let (doc, word) = (format!("The index set `{set}`, to be labelled."), set.to_string());
        quote! {
            #[doc = #doc]
            pub const #constant: #door::Index = #door::Index::new(Self::__DECLARED, #word, #i);
        }
    });
    let setters = setters::setters(model);
    quote! {
        #aliases

        #(#attrs)*
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #name {
            __given: #door::Declared<#bound>,
        }

        impl ::core::ops::Deref for #name {
            type Target = #door::Declared<#bound>;

            fn deref(&self) -> &Self::Target {
                &self.__given
            }
        }

        #given

        impl #name {
            const __DECLARED: #door::Origin = #door::Origin::new(#path, ::core::line!(), ::core::column!());
            #(#indices)*

            #constructors

            fn with_data(counts: [::std::sync::Arc<dyn #door::CountData>; #counts]) -> Result<Self, #door::Error> {
                let __given = #door::Declared::with_data(Self::__DECLARED, counts.into())?;
                Ok(Self { __given })
            }

            #setters

            /// Names the values of an index set. Fits hand the labels on, and what draws or saves a fit can write them.
            ///
            /// # Errors
            ///
            /// If `index` is a constant of another model, whatever its name. Their number is compared with the size when the model
            /// is bound.
            pub fn labels(mut self, index: #door::Index, labels: &[impl ::core::convert::AsRef<str>]) -> Result<Self, #door::Error> {
                self.__given.given().label(index, labels)?;
                Ok(self)
            }
        }
    }
}

/// ```ignore
/// type TopicsMechanism = TwoSidedGeometric;
/// ```
///
/// The one place where a mechanism is named as the user wrote it: a name that is not in scope is one error.
fn aliases(derivation: &Derivation, names: &Names) -> TokenStream {
    let (vis, door) = (&derivation.model.vis, door());
    let each = derivation
        .model
        .counts
        .iter()
        .zip(&names.mechanisms)
        .map(|(count, alias)| {
            let path = match &count.channel {
                Channel::Exact => quote!(#door::Exact),
                Channel::Mechanism(path) => quote!(#path),
            };
            let doc = format!("The mechanism that `{}` is observed through.", count.name);
            quote! {
                #[doc = #doc]
                #vis type #alias = #path;
            }
        });
    each.collect()
}

/// A clause of `where`, between two axes of the data.
pub(super) fn guard(left: usize, right: usize, less: bool) -> TokenStream {
    let door = door();
    quote!(#door::Guard { left: #left, right: #right, less: #less })
}

/// `Positive`
pub(super) fn domain(domain: Domain) -> Ident {
    format_ident!("{}", super::names::camel(domain.keyword()))
}
