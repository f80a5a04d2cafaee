//! The derivation to Rust. Nothing is decided here: every function formats what `derive` decided.
//!
//! After this phase there are tokens, and they compile: the model has passed every check.

mod builder;
mod cells;
mod constants;
mod data;
mod fits;
mod hygiene;
mod inspect;
mod names;
mod setters;
mod sizes;
mod skeleton;
mod spec;
mod testable;
mod tidy;
mod trees;
mod updates;

use proc_macro2::TokenStream;
use quote::quote;

use crate::derive::Derivation;

pub use names::Names;
pub use skeleton::skeleton;

/// The expansion of a declaration.
pub fn emit(derivation: &Derivation) -> TokenStream {
    let body = body(derivation);
    let inspect = inspect::methods(derivation, &printed(&body, derivation));
    tidy::tidy(hygiene::enclose(quote! { #body #inspect }, &derivation.model.name))
}

/// An expansion with paths to the runtime that begin at `root` in the place of `::skellam`.
pub fn rooted(expansion: TokenStream, root: &TokenStream) -> TokenStream {
    hygiene::rooted(expansion, root)
}

/// What `generated()` prints: the source that runs, without the methods that print it.
pub fn source(derivation: &Derivation) -> String {
    printed(&body(derivation), derivation)
}

/// Everything but the methods that print it: first what is read, the rates and the conditionals, then what carries data in and fits out.
fn body(derivation: &Derivation) -> TokenStream {
    let names = Names::new(&derivation.model);
    let parts = [
        cells::cells(derivation, &names),
        updates::model(derivation, &names),
        sizes::sizes(derivation, &names),
        builder::builder(derivation, &names),
        fits::fits(derivation, &names),
        testable::implementation(derivation, &names),
    ];
    parts.into_iter().collect()
}

/// The body as a file of its own.
fn printed(body: &TokenStream, derivation: &Derivation) -> String {
    let name = &derivation.model.name;
    let head = format!(
        "//! Generated from the declaration of `{name}`.\n//!\n//! This file compiles against the crate `skellam` alone and \
         makes the same draws as the macro.\n\n{}",
        if plain(derivation) { "" } else { ALLOWED }
    );
    let body = tidy::abbreviate(tidy::tidy(body.clone()));
    let file = quote! {
        #[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
        use ::skellam::prelude::*;
        use ::skellam::private as rt;
        #body
    };
    match syn::parse2::<syn::File>(file) {
        Ok(file) => head + &spaced(&prettyplease::unparse(&file)),
        Err(error) => unreachable!("the expansion is Rust: {error}"),
    }
}

/// At the head of the printed source of a model whose names are not in small letters.
const ALLOWED: &str = "#![allow(non_snake_case, non_upper_case_globals, reason = \"the declaration says how its names are written\")]\n\n";

/// Whether the declared names, and those that are made of them, are written as Rust writes them.
fn plain(derivation: &Derivation) -> bool {
    let model = &derivation.model;
    let fixed = model
        .sets
        .iter()
        .map(|s| &s.name)
        .chain(model.hypers.iter().map(|h| &h.name));
    let free = model
        .data
        .iter()
        .map(|d| &d.name)
        .chain(model.latents.iter().map(|l| &l.name));
    let mut all = fixed.chain(free).chain(model.counts.iter().map(|c| &c.name));
    all.all(|name| {
        let name = name.to_string();
        name == name.to_lowercase() && !name.contains("__") && !name.ends_with('_')
    })
}

/// An empty line before every item that does not open a block.
fn spaced(source: &str) -> String {
    let mut out = String::new();
    let mut before = "";
    for line in source.lines() {
        let starts = |word: &str| line.trim_start().starts_with(word);
        let opens = starts("///")
            || starts("#[doc")
            || starts("#[derive")
            || starts("#[allow")
            || starts("fn ")
            || starts("pub fn ")
            || starts("impl")
            || starts("pub struct");
        let follows = before.trim_start().starts_with("///") || before.trim_start().starts_with("#[");
        let first = before.trim_end().ends_with('{') || before.is_empty() || before.ends_with(',');
        if opens && !follows && !first {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        before = line;
    }
    out
}
