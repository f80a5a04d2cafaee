//! What is expanded when a declaration has mistakes: enough that its uses give no errors of their own.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::names::{array_type, door};
use crate::syntax::{Bind, Declaration, Item};

/// The model's type and its fits with what users call, none of which can be reached: the mistakes are
/// errors of their own.
pub fn skeleton(declaration: &Declaration) -> TokenStream {
    let (vis, name, door) = (&declaration.vis, &declaration.name, door());
    let [sizes, gibbs, cavi] = ["Sizes", "Gibbs", "Cavi"].map(|suffix| format_ident!("{name}{suffix}"));
    let (setters, constants) = (setters(declaration), constants(declaration));
    let latents = latents(declaration);
    let sets = declaration.items.iter().filter_map(|item| match item {
        Item::Index(sets) => Some(sets.iter().map(|s| (s.name.clone(), TokenStream::new()))),
        _ => None,
    });
    let size_fields: TokenStream = once(sets.flatten().collect(), &[])
        .into_iter()
        .map(|(set, _)| quote!(pub #set: usize,))
        .collect();
    let fields = |of: &TokenStream| -> TokenStream {
        let each = latents
            .iter()
            .map(|(latent, kind)| quote!(pub #latent: #door::#of<#kind>,));
        each.collect()
    };
    let (draws, posteriors) = (fields(&quote!(Draws)), fields(&quote!(Posterior)));
    let rate = rate(declaration);
    let unreachable = quote!(::core::unreachable!("the declaration has mistakes"));
    let common = quote! {
        pub fn rate(&self) -> &#rate { #unreachable }
        pub fn collapse(&self) -> Option<#door::Collapse> { #unreachable }
        pub fn labels(&self, _: #door::Index) -> Option<&[String]> { #unreachable }
    };
    let allowed = quote!(#[allow(missing_docs, dead_code, reason = "stands in for a model that has mistakes")]);
    quote! {
        #allowed
        #[derive(Clone, Debug)]
        #vis struct #name;

        #allowed
        impl #name {
            #constants
            pub fn new<T>(_: T) -> Result<Self, #door::Error> { #unreachable }
            pub fn exact<T>(_: T) -> Result<Self, #door::Error> { #unreachable }
            pub fn naive<T>(_: T) -> Result<Self, #door::Error> { #unreachable }
            pub fn labels(self, _: #door::Index, _: &[String]) -> Result<Self, #door::Error> { Ok(self) }
            pub fn gibbs(&self, _: &#door::Gibbs) -> Result<#gibbs, #door::Error> { #unreachable }
            pub fn cavi(&self, _: &#door::Cavi) -> Result<#cavi, #door::Error> { #unreachable }
            pub fn derivation() -> #door::Derivation { #unreachable }
            pub fn generated() -> &'static str { #unreachable }
            pub fn graph() -> &'static str { #unreachable }
            pub fn plan(_: #sizes) -> #door::Plan { #unreachable }
            #setters
        }

        #allowed
        #[derive(Clone, Copy, Debug)]
        #vis struct #sizes { #size_fields }

        #allowed
        #[derive(Clone, Debug)]
        #vis struct #gibbs { #draws }

        #allowed
        impl #gibbs {
            pub fn sweeps(&self) -> usize { #unreachable }
            #common
        }

        #allowed
        #[derive(Clone, Debug)]
        #vis struct #cavi {
            #posteriors
            pub elbo: Option<f64>,
            pub trace: Vec<(usize, f64)>,
            pub restarts: Vec<Option<f64>>,
            pub iterations: usize,
            pub converged: bool,
        }

        #allowed
        impl #cavi { #common }
    }
}

/// One setter for every name that may have one; those of broken statements take anything.
fn setters(declaration: &Declaration) -> TokenStream {
    let mut all: Vec<(Ident, TokenStream)> = Vec::new();
    for item in &declaration.items {
        match item {
            Item::Index(sets) => all.extend(sets.iter().map(|s| (s.name.clone(), quote!(usize)))),
            Item::Hyper(hypers) => all.extend(hypers.iter().map(|h| (h.name.clone(), quote!(f64)))),
            Item::Data(data) => all.push((data.name.clone(), quote!(T))),
            Item::Broken(names) => all.extend(names.iter().map(|name| (name.clone(), quote!(T)))),
            _ => {}
        }
    }
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
    ];
    let each = once(all, &taken).into_iter().map(|(setter, kind)| {
        let generic = if kind.to_string() == "T" { quote!(<T>) } else { quote!() };
        quote! { pub fn #setter #generic (self, _: #kind) -> Self { self } }
    });
    each.collect()
}

/// `Topics::WORDS`, and so on.
fn constants(declaration: &Declaration) -> TokenStream {
    let door = door();
    let sets = declaration.items.iter().filter_map(|item| match item {
        Item::Index(sets) => Some(sets.iter().map(|s| &s.name)),
        _ => None,
    });
    let all = sets.flatten().map(|set| (super::names::constant(set), quote!()));
    let each = once(all.collect(), &[])
        .into_iter()
        .enumerate()
        .map(|(i, (constant, _))| {
            quote! { pub const #constant: #door::Index = #door::Index::new("", #i); }
        });
    each.collect()
}

/// Every latent and what one draw of it looks like.
fn latents(declaration: &Declaration) -> Vec<(Ident, TokenStream)> {
    let kind = |binds: &[Bind]| array_type(binds.len());
    let latents = declaration.items.iter().filter_map(|item| match item {
        Item::Latent(latent) => Some((latent.name.clone(), kind(&latent.binds))),
        _ => None,
    });
    once(
        latents.collect(),
        &["elbo", "trace", "restarts", "iterations", "converged"],
    )
}

fn rate(declaration: &Declaration) -> TokenStream {
    let rank = declaration.items.iter().find_map(|item| match item {
        Item::Count(count) => Some(count.binds.len()),
        _ => None,
    });
    array_type(rank.unwrap_or(2))
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
