//! Tokens as a person would have typed them: numbers without suffixes, doc comments in lines.

use proc_macro2::{Delimiter, Group, Literal, Punct, Spacing, TokenStream, TokenTree};
use quote::quote;

/// Strips suffixes that `quote` puts on numbers and cuts doc strings into lines. Changes no meaning:
/// every number stands where its type is known.
pub(super) fn tidy(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Literal(literal) => out.extend([TokenTree::Literal(unsuffixed(literal))]),
            TokenTree::Group(group) => match doc(&group) {
                // `#` is out already: the lines after the first bring their own.
                Some(lines) => {
                    for (i, line) in lines.iter().enumerate() {
                        if i > 0 {
                            out.extend([TokenTree::Punct(Punct::new('#', Spacing::Alone))]);
                        }
                        out.extend(quote!([doc = #line]));
                    }
                }
                None => {
                    let mut tidied = Group::new(group.delimiter(), tidy(group.stream()));
                    tidied.set_span(group.span());
                    out.extend([TokenTree::Group(tidied)]);
                }
            },
            other => out.extend([other]),
        }
    }
    out
}

fn unsuffixed(literal: Literal) -> Literal {
    let text = literal.to_string();
    let mut bare = if let Some(digits) = text.strip_suffix("usize") {
        digits.parse().map(Literal::usize_unsuffixed).unwrap_or(literal.clone())
    } else if let Some(digits) = text.strip_suffix("f64") {
        digits.parse().map(Literal::f64_unsuffixed).unwrap_or(literal.clone())
    } else {
        return literal;
    };
    bare.set_span(literal.span());
    bare
}

/// The lines of `[doc = "text"]`, each with the space that a typed comment has; `None` if they have it.
fn doc(group: &Group) -> Option<Vec<String>> {
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let attribute: syn::MetaNameValue = syn::parse2(group.stream()).ok()?;
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(text),
        ..
    }) = &attribute.value
    else {
        return None;
    };
    let text = text.value();
    if !attribute.path.is_ident("doc") || text.is_empty() || text.starts_with(' ') {
        return None;
    }
    Some(
        text.lines()
            .map(|line| {
                if line.is_empty() {
                    String::new()
                } else {
                    format!(" {line}")
                }
            })
            .collect(),
    )
}

/// Tokens for a file that imports the runtime as `rt`: `::skellam::private::Root` becomes `rt::Root`.
pub(super) fn abbreviate(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut at = 0;
    while at < trees.len() {
        if is_door(&trees[at..]) {
            out.extend(quote!(rt));
            at += DOOR.len();
            continue;
        }
        match &trees[at] {
            TokenTree::Group(group) => {
                let inside = abbreviate(group.stream());
                out.extend([TokenTree::Group(Group::new(group.delimiter(), inside))]);
            }
            other => out.extend([other.clone()]),
        }
        at += 1;
    }
    out
}

const DOOR: [&str; 6] = [":", ":", "skellam", ":", ":", "private"];

fn is_door(trees: &[TokenTree]) -> bool {
    trees.len() >= DOOR.len() && DOOR.iter().zip(trees).all(|(word, tree)| tree.to_string() == *word)
}
