//! The macro behind `skellam::model!`. Use it from there: its documentation is with the `model` macro of
//! [skellam](https://docs.rs/skellam).

use proc_macro::TokenStream;

/// Expands a declaration. `skellam::model!` puts the path of its crate before it, in brackets.
#[proc_macro]
pub fn declare(input: TokenStream) -> TokenStream {
    skellam_compiler::expand(input.into()).into()
}
