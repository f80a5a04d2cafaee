//! The macro behind `skellam::model!`. Use it from there: its documentation is with the `model` macro of
//! [skellam](https://docs.rs/skellam).

use proc_macro::TokenStream;

/// Expands a declaration. `skellam::model!` puts the path of its crate before it, in brackets.
#[proc_macro]
pub fn declare(input: TokenStream) -> TokenStream {
    skellam_compiler::expand(input.into()).into()
}

/// Keeps the source of an `impl Channel for ..`, so that `generated()` of every model that names the channel prints it below the code that
/// runs.
///
/// ```text
/// #[skellam::shown]
/// impl Channel for Detected { .. }
/// ```
#[proc_macro_attribute]
pub fn shown(_: TokenStream, item: TokenStream) -> TokenStream {
    skellam_compiler::shown::shown(item.into()).into()
}
