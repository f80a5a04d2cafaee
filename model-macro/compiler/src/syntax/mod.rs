//! Tokens to the declaration as written.
//!
//! Nothing is looked up here: after this phase every statement has the form of the grammar, and that is
//! all that is known of it. What has another form is reported and poisoned, and parsing goes on behind it,
//! at the next `,`, `)` or `;`: every name that a statement seems to declare is kept, so that its uses are
//! not reported too.

mod arithmetic;
mod ast;
mod attributes;
mod bind;
mod channel;
mod clause;
mod foreign;
mod law;
mod parse;
mod place;
mod prior;
mod rate;
mod shown;
mod statement;
mod total;
mod wrong;

pub use ast::*;
pub(crate) use channel::{MECHANISMS, channels, not_a_channel};
pub use parse::parse;
pub(crate) use statement::no_domain;

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
