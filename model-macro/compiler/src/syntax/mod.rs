//! Tokens to the declaration as written.
//!
//! Nothing is looked up here: after this phase every statement has the form of the grammar, and that is
//! all that is known of it. A statement that cannot be parsed is reported, and only the names that it seems to
//! declare are kept; parsing goes on after its `;`.

mod ast;
mod bind;
mod parse;
mod rate;

pub use ast::*;
pub use parse::parse;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Splits `[$crate]` off, by which the macro says where the runtime is; a declaration does not begin with
/// a bracket.
pub fn root(input: TokenStream) -> (Option<TokenStream>, TokenStream) {
    let mut rest = input.clone().into_iter();
    match rest.next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            (Some(group.stream()), rest.collect())
        }
        _ => (None, input),
    }
}
