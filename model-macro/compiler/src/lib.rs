//! The compiler behind `skellam::model!`: declaration to derivation to Rust.
//!
//! An ordinary library over `proc_macro2` tokens, so that every phase can be called from a test.

pub mod cells;
pub mod check;
pub mod derive;
pub mod diagnostics;
pub mod emit;
pub mod family;
pub mod resolve;
pub mod show;
pub mod shown;
pub mod syntax;

use diagnostics::Sink;
use proc_macro2::TokenStream;

/// Expands a declaration, or reports every mistake in it.
pub fn expand(input: TokenStream) -> TokenStream {
    let (root, declaration) = syntax::root(input);
    let mut sink = Sink::default();
    let expansion = match derivation(declaration, &mut sink) {
        Ok(derivation) => emit::emit(&derivation),
        Err(skeleton) => {
            let errors = sink.into_tokens();
            quote::quote! { #errors #skeleton }
        }
    };
    match root {
        Some(root) => emit::rooted(expansion, &root),
        None => expansion,
    }
}

/// All phases but the last. On a mistake, the skeleton to expand instead.
pub fn derivation(input: TokenStream, sink: &mut Sink) -> Result<derive::DerivedModel, TokenStream> {
    let Some(declaration) = syntax::parse(input, sink) else {
        return Err(TokenStream::new());
    };
    let skeleton = emit::skeleton(&declaration);
    let model = resolve::resolve(declaration, sink);
    check::check(&model, sink);
    if sink.is_clean() {
        Ok(derive::derive(model))
    } else {
        Err(skeleton)
    }
}
