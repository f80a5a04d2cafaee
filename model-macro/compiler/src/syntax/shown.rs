//! Tokens as a person would have typed them, for messages that say what to type.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::ParseStream;

/// What stands before the place where `end` holds.
pub(super) fn until(input: ParseStream, end: impl Fn(ParseStream) -> bool) -> String {
    let (ahead, mut tokens) = (input.fork(), TokenStream::new());
    while !ahead.is_empty() && !end(&ahead) {
        match ahead.parse::<TokenTree>() {
            Ok(token) => tokens.extend([token]),
            Err(_) => break,
        }
    }
    shown(tokens)
}

/// What stands between `start` and `input`, which is behind it.
pub(super) fn between(start: ParseStream, input: ParseStream) -> String {
    let all = |from: ParseStream| {
        let tokens: TokenStream = from.fork().parse().unwrap_or_default();
        tokens.into_iter().collect::<Vec<TokenTree>>()
    };
    let (mut tokens, left) = (all(start), all(input).len());
    tokens.truncate(tokens.len() - left);
    shown(tokens.into_iter().collect())
}

/// The text of some tokens.
pub(super) fn shown(tokens: TokenStream) -> String {
    let mut out = String::new();
    let mut before: Option<TokenTree> = None;
    for token in tokens {
        if !out.ends_with("::") && before.as_ref().is_some_and(|before| apart(before, &token)) {
            out.push(' ');
        }
        match &token {
            TokenTree::Group(group) => {
                let [open, close] = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Bracket => ["[", "]"],
                    Delimiter::Brace => ["{ ", " }"],
                    Delimiter::None => ["", ""],
                };
                out.push_str(&format!("{open}{}{close}", shown(group.stream())));
            }
            other => out.push_str(&other.to_string()),
        }
        before = Some(token);
    }
    out
}

/// Whether a space stands between two tokens.
fn apart(before: &TokenTree, token: &TokenTree) -> bool {
    match (before, token) {
        (TokenTree::Ident(word), TokenTree::Group(group)) => word == "in" || group.delimiter() == Delimiter::Brace,
        (_, TokenTree::Punct(punct)) if matches!(punct.as_char(), ',' | ';' | '.' | ':') => false,
        (TokenTree::Punct(punct), TokenTree::Punct(_)) => punct.spacing() == proc_macro2::Spacing::Alone,
        (TokenTree::Punct(punct), _) => punct.as_char() != '.',
        _ => true,
    }
}
