//! What is expanded when a declaration has mistakes: enough that its uses give no errors of their own.

use proc_macro2::TokenStream;
use quote::quote;

use crate::syntax::{Declaration, Item};

/// The model's type with the methods that users call, none of which can be reached: the mistakes are
/// errors of their own.
pub fn skeleton(declaration: &Declaration) -> TokenStream {
    let (vis, name) = (&declaration.vis, &declaration.name);
    let mut setters = Vec::new();
    for item in &declaration.items {
        match item {
            Item::Index(sets) => setters.extend(sets.iter().map(|s| (s.name.clone(), quote!(usize)))),
            Item::Hyper(hypers) => setters.extend(hypers.iter().map(|h| (h.name.clone(), quote!(f64)))),
            Item::Data(data) => setters.push((data.name.clone(), quote!(T))),
            _ => {}
        }
    }
    // A name that is declared twice must not give a second error.
    let mut seen: Vec<syn::Ident> = vec![
        syn::Ident::new("new", name.span()),
        syn::Ident::new("exact", name.span()),
    ];
    setters.retain(|(setter, _)| {
        !seen.contains(setter) && {
            seen.push(setter.clone());
            true
        }
    });
    let setters = setters.into_iter().map(|(setter, kind)| {
        let generic = if kind.to_string() == "T" { quote!(<T>) } else { quote!() };
        quote! {
            #[allow(missing_docs)]
            pub fn #setter #generic (self, _: #kind) -> Self { self }
        }
    });
    quote! {
        #[allow(missing_docs, dead_code)]
        #[derive(Clone, Debug)]
        #vis struct #name;

        #[allow(missing_docs, dead_code)]
        impl #name {
            pub fn new<T>(_: T) -> ::core::result::Result<Self, ::skellam::private::Error> {
                ::core::unreachable!("the declaration has mistakes")
            }
            pub fn exact<T>(_: T) -> ::core::result::Result<Self, ::skellam::private::Error> {
                ::core::unreachable!("the declaration has mistakes")
            }
            #(#setters)*
        }
    }
}
