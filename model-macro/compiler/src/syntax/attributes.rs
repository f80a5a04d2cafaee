//! What stands before a declaration: doc comments, and nothing else that begins with `#`.

use proc_macro2::TokenTree;
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Meta, Token};

use super::wrong::{at_statement, skip, word, wrong};
use crate::diagnostics::{Diagnostic, Sink};

/// Doc comments; every other attribute is reported and left out.
pub(super) fn attributes(input: ParseStream, sink: &mut Sink) -> Result<Vec<Attribute>> {
    if at_hash(input) {
        return Err(hash(input));
    }
    let mut all = input.call(Attribute::parse_outer)?;
    all.retain(|attribute| {
        let doc = attribute.path().is_ident("doc");
        if !doc {
            sink.push(refused(attribute));
        }
        doc
    });
    Ok(all)
}

/// Whether a `#` comes next that begins no attribute.
pub(super) fn at_hash(input: ParseStream) -> bool {
    input.peek(Token![#]) && !input.peek2(syn::token::Bracket)
}

/// Reports a comment in the manner of another language, and goes on behind it.
pub(super) fn comment(input: ParseStream, sink: &mut Sink) {
    sink.push(hash(input).into());
    // Where it ends is where a statement begins; its last word may be the keyword of one.
    skip(input, |input| {
        let ahead = input.fork();
        let _ = ahead.parse::<TokenTree>();
        at_statement(input) && !at_statement(&ahead)
    });
}

fn hash(input: ParseStream) -> syn::Error {
    let span = input.span();
    if input.peek2(Token![!]) {
        let why = "only doc comments may stand before what is declared";
        return wrong(span, "no attributes here", why, "put `//` before a comment");
    }
    let ahead = input.fork();
    let _ = ahead.parse::<Token![#]>();
    let first = word(&ahead).map_or("..".to_string(), |word| word.to_string());
    let why = "a comment in Rust begins with `//`";
    wrong(span, "`#` does not begin a comment", why, format!("`// {first}`"))
}

fn refused(attribute: &Attribute) -> Diagnostic {
    let path = attribute.path();
    let name = path.segments.first().map(|first| first.ident.to_string());
    let name = name.unwrap_or_default();
    let shown = match &attribute.meta {
        Meta::Path(_) => format!("#[{name}]"),
        _ => format!("#[{name}(..)]"),
    };
    let span = path
        .segments
        .first()
        .map_or(attribute.pound_token.span, |first| first.ident.span());
    Diagnostic::new(span, format!("no attributes here: `{shown}`"))
        .why("a declaration is taken as a whole, and only doc comments may stand before its parts")
        .help(if name == "cfg" || name == "cfg_attr" {
            "write two declarations, and choose between them: `#[cfg(..)] skellam::model! { .. }`".to_string()
        } else {
            format!("remove `{shown}`")
        })
}
