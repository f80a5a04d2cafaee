//! What is expanded when a declaration has mistakes: enough that its uses give no errors of their own.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{array_type, door};
use crate::syntax::{Declaration, Item};

/// The model's types with the fields and methods that users name, none of which can be reached: the
/// mistakes are errors of their own.
pub fn skeleton(declaration: &Declaration) -> TokenStream {
    let (vis, name, door) = (&declaration.vis, &declaration.name, door());
    let with = |suffix: &str| format_ident!("{name}{suffix}");
    let (sizes, gibbs, cavi) = (with("Sizes"), with("Gibbs"), with("Cavi"));
    let (mut setters, mut sets, mut latents, mut rank) = (Vec::new(), Vec::new(), Vec::new(), 2);
    for item in &declaration.items {
        match item {
            Item::Index(all) => {
                setters.extend(all.iter().map(|s| (s.name.clone(), false)));
                sets.extend(all.iter().map(|s| s.name.clone()));
            }
            Item::Hyper(hypers) => setters.extend(hypers.iter().map(|h| (h.name.clone(), true))),
            Item::Data(data) => setters.push((data.name.clone(), true)),
            Item::Latent(latent) => latents.push((latent.name.clone(), latent.binds.len())),
            Item::Count(count) => rank = count.binds.len(),
            Item::Let(_) | Item::Release(_) => {}
        }
    }
    // A name that is declared twice, or like one of the methods, must not give a second error.
    let mut seen: Vec<String> = METHODS.iter().map(ToString::to_string).collect();
    let mut first = |name: &syn::Ident| {
        let word = name.to_string();
        let new = !seen.contains(&word);
        seen.push(word);
        new
    };
    setters.retain(|(setter, _)| first(setter));
    let mut known: Vec<syn::Ident> = Vec::new();
    sets.retain(|set| {
        !known.contains(set) && {
            known.push(set.clone());
            true
        }
    });
    latents.retain(|(latent, _)| {
        !known.contains(latent) && {
            known.push(latent.clone());
            true
        }
    });
    let setters = setters.into_iter().map(|(setter, any)| match any {
        true => quote! { pub fn #setter<T>(self, _: T) -> Self { self } },
        false => quote! { pub fn #setter(self, _: usize) -> Self { self } },
    });
    let constants = sets.iter().enumerate().map(|(i, set)| {
        let (constant, word) = (super::names::constant(set), set.to_string());
        quote! { pub const #constant: #door::Index = #door::Index::new(#word, #i); }
    });
    let fit = |fit: &syn::Ident, holds: TokenStream, elbo: TokenStream| {
        let fields = latents.iter().map(|(latent, rank)| {
            let kind = array_type(*rank);
            quote!(pub #latent: #door::#holds<#kind>)
        });
        let rate = array_type(rank);
        quote! {
            #[allow(missing_docs, dead_code)]
            #[derive(Clone, Debug)]
            #vis struct #fit { #(#fields,)* #elbo }

            #[allow(missing_docs, dead_code)]
            impl #fit {
                pub fn rate(&self) -> &#rate { ::core::unreachable!("the declaration has mistakes") }
                pub fn collapse(&self) -> Option<#door::Collapse> { None }
                pub fn labels(&self, _: #door::Index) -> Option<&[String]> { None }
            }
        }
    };
    let fits = [
        fit(&gibbs, quote!(Draws), quote!()),
        fit(&cavi, quote!(Posterior), quote!(pub elbo: Option<f64>,)),
    ];
    quote! {
        #[allow(missing_docs, dead_code)]
        #[derive(Clone, Copy, Debug)]
        #vis struct #sizes { #(pub #sets: usize),* }

        #(#fits)*

        #[allow(missing_docs, dead_code)]
        #[derive(Clone, Debug)]
        #vis struct #name;

        #[allow(missing_docs, dead_code)]
        impl #name {
            #(#constants)*
            pub fn new<T>(_: T) -> Result<Self, #door::Error> { Ok(Self) }
            pub fn exact<T>(_: T) -> Result<Self, #door::Error> { Ok(Self) }
            pub fn naive<T>(_: T) -> Result<Self, #door::Error> { Ok(Self) }
            pub fn labels(self, _: #door::Index, _: &[String]) -> Result<Self, #door::Error> { Ok(self) }
            pub fn derivation() -> #door::Derivation { ::core::unreachable!("the declaration has mistakes") }
            pub fn generated() -> &'static str { "" }
            pub fn graph() -> &'static str { "" }
            pub fn plan(_: #sizes) -> #door::Plan { ::core::unreachable!("the declaration has mistakes") }
            pub fn gibbs(&self, _: &#door::Gibbs) -> Result<#gibbs, #door::Error> {
                ::core::unreachable!("the declaration has mistakes")
            }
            pub fn cavi(&self, _: &#door::Cavi) -> Result<#cavi, #door::Error> {
                ::core::unreachable!("the declaration has mistakes")
            }
            #(#setters)*
        }
    }
}

/// Methods of the skeleton.
const METHODS: [&str; 10] = [
    "new",
    "exact",
    "naive",
    "labels",
    "derivation",
    "generated",
    "graph",
    "plan",
    "gibbs",
    "cavi",
];
