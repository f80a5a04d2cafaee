//! Names and the indices that statements bind.

use syn::parse::{ParseStream, Result};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, Token, bracketed};

use super::ast::Bind;

/// A name; `what` it names is said if there is none.
pub(super) fn name(input: ParseStream, what: &str) -> Result<Ident> {
    let span = input.span();
    input
        .parse()
        .map_err(|_| Error::new(span, format!("the name of {what} is expected here")))
}

/// `[k in topics, ..]`, or nothing.
pub(super) fn binds(input: ParseStream) -> Result<Vec<Bind>> {
    if !input.peek(syn::token::Bracket) {
        return Ok(Vec::new());
    }
    let inside;
    bracketed!(inside in input);
    let binds = Punctuated::<Bind, Token![,]>::parse_terminated_with(&inside, bind)?;
    Ok(binds.into_iter().collect())
}

/// `k in topics`
pub(super) fn bind(input: ParseStream) -> Result<Bind> {
    let var = name(input, "an index")?;
    input.parse::<Token![in]>().map_err(|_| {
        Error::new(
            var.span(),
            format!("which index set does `{var}` run over?\n  help: `{var} in set`"),
        )
    })?;
    Ok(Bind {
        var,
        set: name(input, "an index set")?,
    })
}
