//! The derivation to Rust. Nothing is decided here: every function formats what `derive` decided.
//!
//! After this phase there are tokens, and they compile: the model has passed every check.

mod builder;
mod contract;
mod factors;
mod fits;
mod inspect;
mod latents;
mod names;
mod sizes;
mod skeleton;
mod steps;
mod walks;

use proc_macro2::TokenStream;
use quote::quote;

use crate::derive::Derivation;

pub use names::Names;
pub use skeleton::skeleton;

/// The expansion of a declaration.
pub fn emit(derivation: &Derivation) -> TokenStream {
    let body = body(derivation);
    let inspect = inspect::methods(derivation, &printed(&body, derivation));
    quote! { #body #inspect }
}

/// Everything but the methods that print it.
fn body(derivation: &Derivation) -> TokenStream {
    let names = Names::new(&derivation.model);
    let parts = [
        sizes::sizes(derivation, &names),
        factors::factors(derivation, &names),
        builder::builder(derivation, &names),
        fits::fits(derivation, &names),
        walks::model(derivation, &names),
    ];
    parts.into_iter().collect()
}

/// The body as a file of its own.
fn printed(body: &TokenStream, derivation: &Derivation) -> String {
    let head = format!(
        "//! Generated from the declaration of `{}`.\n//!\n//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.\n\n",
        derivation.model.name
    );
    match syn::parse2::<syn::File>(quote! { #[allow(unused_imports)] use ::skellam::prelude::*; #body }) {
        Ok(file) => head + &prettyplease::unparse(&file),
        Err(error) => unreachable!("the expansion is Rust: {error}"),
    }
}
