//! What is expanded when a declaration has mistakes: enough that its uses give no errors of their own. With full
//! paths, as nothing is enclosed: the mistake may be that the model has a name of the prelude.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::names::{array_type, door};
use crate::check::label;
use crate::syntax::{Declaration, Item, Prior};

/// The model's type and its fits with what users call, none of which can be reached: the mistakes are
/// errors of their own.
pub fn skeleton(declaration: &Declaration) -> TokenStream {
    let (vis, name, door) = (&declaration.vis, &declaration.name, door());
    let [sizes, gibbs, cavi] = ["Sizes", "Gibbs", "Cavi"].map(|suffix| format_ident!("{name}{suffix}"));
    let settable = settable(declaration);
    let (setters, constants) = (setters(&settable), constants(declaration, &settable));
    let latents = latents(declaration);
    let sets = declaration.items.iter().filter_map(|item| match item {
        Item::Index(sets) => Some(sets.iter().map(|s| (s.name.clone(), TokenStream::new()))),
        _ => None,
    });
    let size_fields: TokenStream = once(sets.flatten().collect(), &[])
        .into_iter()
        .map(|(set, _)| quote!(pub #set: usize,))
        .collect();
    let draws: TokenStream = latents
        .iter()
        .map(|(latent, kind, _)| quote!(pub #latent: #door::Draws<#kind>,))
        .collect();
    let posteriors: TokenStream = latents
        .iter()
        .map(|(latent, kind, posterior)| quote!(pub #latent: #door::#posterior<#kind>,))
        .collect();
    let (rate, several) = several(declaration);
    let unreachable = quote!(::core::unreachable!("the declaration has mistakes"));
    let common = quote! {
        pub fn rate(&self) -> &#rate { #unreachable }
        pub fn collapse(&self) -> ::core::option::Option<#door::Collapse> { #unreachable }
        pub fn labels(&self, _: #door::Index) -> ::core::option::Option<&[::std::string::String]> { #unreachable }
    };
    let allowed = allowed();
    quote! {
        #allowed
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #name;

        #several

        #allowed
        impl #name {
            #constants
            pub fn new<T>(_: T) -> ::core::result::Result<Self, #door::Error> { #unreachable }
            pub fn exact<T>(_: T) -> ::core::result::Result<Self, #door::Error> { #unreachable }
            pub fn naive<T>(_: T) -> ::core::result::Result<Self, #door::Error> { #unreachable }
            pub fn labels(self, _: #door::Index, _: &[impl ::core::convert::AsRef<str>]) -> ::core::result::Result<Self, #door::Error> { ::core::result::Result::Ok(self) }
            pub fn gibbs(&self, _: &#door::Gibbs) -> ::core::result::Result<#gibbs, #door::Error> { #unreachable }
            pub fn cavi(&self, _: &#door::Cavi) -> ::core::result::Result<#cavi, #door::Error> { #unreachable }
            pub fn derivation() -> #door::Derivation { #unreachable }
            pub fn generated() -> &'static str { #unreachable }
            pub fn graph() -> &'static str { #unreachable }
            pub fn explain(_: &str) -> ::core::result::Result<#door::Explanation, #door::Error> { #unreachable }
            pub fn self_test() -> #door::Report { #unreachable }
            pub fn plan(_: #sizes) -> #door::Plan { #unreachable }
            #setters
        }

        #allowed
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #vis struct #sizes { #size_fields }

        #allowed
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #gibbs { #draws }

        #allowed
        impl #gibbs {
            pub fn sweeps(&self) -> usize { #unreachable }
            #common
        }

        #allowed
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #cavi {
            #posteriors
            pub elbo: ::core::option::Option<f64>,
            pub trace: ::std::vec::Vec<(usize, f64)>,
            pub restarts: ::std::vec::Vec<::core::option::Option<f64>>,
            pub iterations: usize,
            pub converged: bool,
        }

        #allowed
        impl #cavi { #common }
    }
}

fn allowed() -> TokenStream {
    quote! {
        #[allow(
            missing_docs,
            dead_code,
            non_snake_case,
            non_camel_case_types,
            reason = "stands in for a model that has mistakes"
        )]
    }
}

/// Every name that may have a setter, with what is set; those of broken statements take anything.
fn settable(declaration: &Declaration) -> Vec<(Ident, TokenStream)> {
    let mut all: Vec<(Ident, TokenStream)> = Vec::new();
    for item in &declaration.items {
        match item {
            Item::Index(sets) => all.extend(sets.iter().map(|s| (s.name.clone(), quote!(usize)))),
            Item::Hyper(hypers) => all.extend(hypers.iter().map(|h| {
                let kind = if h.binds.is_empty() { quote!(f64) } else { quote!(T) };
                (h.name.clone(), kind)
            })),
            Item::Latent(latent) => all.push((format_ident!("freeze_{}", latent.name), quote!(T))),
            Item::Data(data) => all.push((data.name.clone(), quote!(T))),
            Item::Broken { names, .. } => all.extend(names.iter().map(|name| (name.clone(), quote!(T)))),
            _ => {}
        }
    }
    all
}

/// One setter for each name.
fn setters(settable: &[(Ident, TokenStream)]) -> TokenStream {
    let taken = [
        "new",
        "exact",
        "naive",
        "labels",
        "gibbs",
        "cavi",
        "derivation",
        "generated",
        "graph",
        "plan",
        "explain",
        "self_test",
    ];
    let each = once(settable.to_vec(), &taken).into_iter().map(|(setter, kind)| {
        let generic = if kind.to_string() == "T" { quote!(<T>) } else { quote!() };
        quote! { pub fn #setter #generic (self, _: #kind) -> Self { self } }
    });
    each.collect()
}

/// `Topics::WORDS`, and so on.
fn constants(declaration: &Declaration, settable: &[(Ident, TokenStream)]) -> TokenStream {
    let door = door();
    let sets = declaration.items.iter().filter_map(|item| match item {
        Item::Index(sets) => Some(sets.iter().map(|s| &s.name)),
        _ => None,
    });
    let setters: Vec<String> = settable.iter().map(|(name, _)| name.to_string()).collect();
    let all = sets.flatten().map(|set| {
        let label = label(&set.to_string(), &setters);
        (Ident::new(&label, set.span()), quote!())
    });
    let taken: Vec<&str> = setters.iter().map(String::as_str).collect();
    let each = once(all.collect(), &taken)
        .into_iter()
        .enumerate()
        .map(|(i, (constant, _))| {
            quote! { pub const #constant: #door::Index = #door::Index::new("", #i); }
        });
    each.collect()
}

/// Every latent, what one draw of it looks like, and what its variational posterior is called.
fn latents(declaration: &Declaration) -> Vec<(Ident, TokenStream, TokenStream)> {
    let latents = declaration.items.iter().filter_map(|item| match item {
        Item::Latent(latent) => Some(latent),
        _ => None,
    });
    let kinds = latents.clone().map(|l| (l.name.clone(), array_type(l.binds.len())));
    let taken = ["elbo", "trace", "restarts", "iterations", "converged"];
    once(kinds.collect(), &taken)
        .into_iter()
        .map(|(name, kind)| {
            let simplex = latents
                .clone()
                .any(|l| l.name == name && matches!(l.prior, Prior::Dirichlet { .. }));
            let posterior = if simplex { quote!(Simplex) } else { quote!(Posterior) };
            (name, kind, posterior)
        })
        .collect()
}

/// The type of `fit.rate()`, and the structs of a model of several counts, whose fields take anything.
fn several(declaration: &Declaration) -> (TokenStream, TokenStream) {
    let counts = declaration.items.iter().filter_map(|item| match item {
        Item::Count(count) => Some((count.name.clone(), array_type(count.binds.len()))),
        _ => None,
    });
    let counts = once(counts.collect(), &[]);
    let (vis, name) = (&declaration.vis, &declaration.name);
    match &counts[..] {
        [] => (array_type(2), quote!()),
        [(_, only)] => (only.clone(), quote!()),
        several => {
            let [data, truth, rates] = ["Data", "Counts", "Rates"].map(|suffix| format_ident!("{name}{suffix}"));
            let (fields, kinds): (Vec<_>, Vec<_>) = several.iter().cloned().unzip();
            let each: Vec<Ident> = (0..fields.len()).map(|i| format_ident!("T{i}")).collect();
            let allowed = allowed();
            let structs = quote! {
                #allowed
                #[derive(::core::clone::Clone, ::core::fmt::Debug)]
                #vis struct #data<#(#each),*> { #(pub #fields: #each),* }
                #allowed
                #[derive(::core::clone::Clone, ::core::fmt::Debug)]
                #vis struct #truth<#(#each),*> { #(pub #fields: #each),* }
                #allowed
                #[derive(::core::clone::Clone, ::core::fmt::Debug)]
                #vis struct #rates { #(pub #fields: #kinds),* }
            };
            (quote!(#rates), structs)
        }
    }
}

/// A name that is declared twice, or one that is taken, must not give a second error.
fn once(mut all: Vec<(Ident, TokenStream)>, taken: &[&str]) -> Vec<(Ident, TokenStream)> {
    let mut seen: Vec<String> = taken.iter().map(|t| (*t).to_string()).collect();
    all.retain(|(name, _)| {
        let name = name.to_string();
        !seen.contains(&name) && {
            seen.push(name);
            true
        }
    });
    all
}
