//! `TopicsSizes`: the size of every index set.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::Names;
use crate::derive::Derivation;

/// ```ignore
/// pub struct TopicsSizes { pub docs: usize, pub words: usize, pub topics: usize }
/// ```
pub(super) fn sizes(derivation: &Derivation, names: &Names) -> TokenStream {
    let model = &derivation.model;
    let (vis, sizes) = (&model.vis, &names.sizes);
    let doc = format!("Sizes of the index sets of [`{}`].", model.name);
    let fields = model.sets.iter().map(|set| {
        let (name, attrs) = (&set.name, &set.attrs);
        let doc = format!("Size of `{name}`.");
        quote! { #(#attrs)* #[doc = #doc] pub #name: usize }
    });
    let (names, numbers): (Vec<_>, Vec<usize>) = model.sets.iter().map(|set| &set.name).zip(0..).unzip();
    quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq)]
        #vis struct #sizes { #(#fields),* }

        impl #sizes {
            fn of(sizes: &[usize]) -> Self {
                Self { #(#names: sizes[#numbers]),* }
            }
        }
    }
}
