//! What is expanded when a declaration has mistakes: enough that its uses give no errors of their own. With full
//! paths, as nothing is enclosed: the mistake may be that the model has a name of the prelude.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::names::{array_type, door};
use crate::check::label;
use crate::syntax::{Declaration, Item, Prior};

/// The model's type and its fits with the methods that users call. None can run, as the mistakes are
/// errors.
pub fn skeleton(declaration: &Declaration) -> TokenStream {
    let (vis, name, door) = (&declaration.vis, &declaration.name, door());
    let [sizes, start, gibbs, cavi] = ["Sizes", "Start", "Gibbs", "Cavi"].map(|suffix| format_ident!("{name}{suffix}"));
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
    let names: Vec<&Ident> = latents.iter().map(|(latent, ..)| latent).collect();
    let kinds: Vec<&TokenStream> = latents.iter().map(|(_, kind, _)| kind).collect();
    let posteriors = latents.iter().map(|(.., posterior)| posterior);
    let (rate, several) = several(declaration);
    let unreachable = quote!(::core::unreachable!("the declaration has mistakes"));
    let common = quote! {
        pub fn rate(&self) -> ::core::result::Result<#rate, #door::Error> { #unreachable }
    };
    let deref = |fit: &Ident, kind: TokenStream| {
        quote! {
            impl ::core::ops::Deref for #fit {
                type Target = #kind;
                fn deref(&self) -> &#kind { #unreachable }
            }
        }
    };
    let (deref_gibbs, deref_cavi) = (
        deref(&gibbs, quote!(#door::GibbsFit)),
        deref(&cavi, quote!(#door::CaviFit)),
    );
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
            pub fn gibbs_with_checks(&self, _: &#door::Gibbs, _: &#door::Predictive) -> ::core::result::Result<(#gibbs, ::std::vec::Vec<#door::PredictiveCheck>), #door::Error> { #unreachable }
            pub fn predictive_check<T>(&self, _: &T, _: &#door::Predictive) -> ::core::result::Result<::std::vec::Vec<#door::PredictiveCheck>, #door::Error> { #unreachable }
            pub fn predictive_draws<T>(&self, _: &T, _: &str, _: &[impl ::core::convert::AsRef<[usize]>], _: u64) -> ::core::result::Result<::std::vec::Vec<::std::vec::Vec<f64>>, #door::Error> { #unreachable }
            pub fn rate_draws<T>(&self, _: &T, _: &str, _: &[impl ::core::convert::AsRef<[usize]>]) -> ::core::result::Result<::std::vec::Vec<::std::vec::Vec<[f64; 2]>>, #door::Error> { #unreachable }
            pub fn log_likelihood<T>(&self, _: &T, _: &str, _: ::core::option::Option<&[&[usize]]>) -> ::core::result::Result<#door::LogLikelihood, #door::Error> { #unreachable }
            pub fn waic<T>(&self, _: &T, _: &str) -> ::core::result::Result<#door::Waic, #door::Error> { #unreachable }
            pub fn prior_draws(&self, _: usize, _: u64) -> ::core::result::Result<::std::vec::Vec<#door::Undrawn<Self>>, #door::Error> { #unreachable }
            pub fn cavi(&self, _: &#door::Cavi) -> ::core::result::Result<#cavi, #door::Error> { #unreachable }
            pub fn derivation() -> #door::Derivation { #unreachable }
            pub fn derivation_of(_: #door::EngineForm) -> #door::Derivation { #unreachable }
            pub fn generated() -> &'static str { #unreachable }
            pub fn graph() -> &'static str { #unreachable }
            pub fn plan(_: #sizes) -> #door::Plan { #unreachable }
            #setters
        }

        #allowed
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #vis struct #sizes { #size_fields }

        #allowed
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::default::Default)]
        #vis struct #start { #(pub #names: ::core::option::Option<#door::Array>,)* }

        impl ::core::convert::From<#start> for #door::StartingValues {
            fn from(_: #start) -> Self { #unreachable }
        }

        #allowed
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #gibbs { #(pub #names: #door::Draws<#kinds>,)* }

        #allowed
        impl #gibbs { #common }

        #deref_gibbs

        #allowed
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #cavi { #(pub #names: #door::#posteriors<#kinds>,)* }

        #allowed
        impl #cavi { #common }

        #deref_cavi
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

/// What a setter takes.
#[derive(Clone, Copy)]
enum Takes {
    Size,
    Number,
    Array,
}

/// Every name that may have a setter, with what is set; those of broken statements take anything.
fn settable(declaration: &Declaration) -> Vec<(Ident, Takes)> {
    let mut all: Vec<(Ident, Takes)> = Vec::new();
    for item in &declaration.items {
        match item {
            Item::Index(sets) => all.extend(sets.iter().map(|s| (s.name.clone(), Takes::Size))),
            Item::Hyper(hypers) => all.extend(hypers.iter().map(|h| {
                let takes = if h.binds.is_empty() {
                    Takes::Number
                } else {
                    Takes::Array
                };
                (h.name.clone(), takes)
            })),
            Item::Latent(latent) => all.push((format_ident!("freeze_{}", latent.name), Takes::Array)),
            Item::Data(data) => all.push((data.name.clone(), Takes::Array)),
            Item::Broken { names, .. } => all.extend(names.iter().map(|name| (name.clone(), Takes::Array))),
            _ => {}
        }
    }
    all
}

/// One setter for each name.
fn setters(settable: &[(Ident, Takes)]) -> TokenStream {
    let taken = [
        "new",
        "exact",
        "naive",
        "labels",
        "gibbs",
        "cavi",
        "derivation",
        "derivation_of",
        "generated",
        "graph",
        "plan",
    ];
    let each = once(settable.to_vec(), &taken).into_iter().map(|(setter, takes)| {
        let (generic, kind) = match takes {
            Takes::Size => (None, quote!(usize)),
            Takes::Number => (None, quote!(f64)),
            Takes::Array => (Some(quote!(<T>)), quote!(T)),
        };
        quote! { pub fn #setter #generic (self, _: #kind) -> Self { self } }
    });
    each.collect()
}

/// `Topics::WORDS`, and so on.
fn constants(declaration: &Declaration, settable: &[(Ident, Takes)]) -> TokenStream {
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
            quote! { pub const #constant: #door::Index = #door::Index::new(#door::Origin::new("", 0, 0), "", #i); }
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
    once(kinds.collect(), &[])
        .into_iter()
        .map(|(name, kind)| {
            let simplex = latents
                .clone()
                .any(|l| l.name == name && matches!(&l.prior, Prior::Of { along: Some(_), .. }));
            let posterior = if simplex { quote!(Simplex) } else { quote!(Posterior) };
            (name, kind, posterior)
        })
        .collect()
}

/// The type of `fit.rate()`, and the structs of a model of several counts, whose fields take anything.
fn several(declaration: &Declaration) -> (TokenStream, TokenStream) {
    let counts = declaration.items.iter().filter_map(|item| match item {
        Item::Count(count) if !count.hidden => Some((count.name.clone(), array_type(count.binds.len()))),
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
fn once<T>(mut all: Vec<(Ident, T)>, taken: &[&str]) -> Vec<(Ident, T)> {
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
