//! Mistakes of form, and how parsing goes on after them.

use proc_macro2::{Span, TokenTree};
use syn::Error;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::{Ident, Token};

use crate::diagnostics::{Diagnostic, Sink, nearest};

/// A mistake as a parser returns it.
pub(super) fn wrong(
    span: Span,
    what: impl Into<String>,
    why: impl std::fmt::Display,
    help: impl std::fmt::Display,
) -> Error {
    let what: String = what.into();
    Error::new(span, format!("{what}\n  why: {why}\n  help: {help}"))
}

/// Keywords of statements, each with a statement.
pub(super) const STATEMENTS: [(&str, &str); 10] = [
    ("index", "index docs, words;"),
    ("hyper", "hyper a: positive = 0.1;"),
    ("data", "data x[d in docs]: positive;"),
    (
        "latent",
        "latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);",
    ),
    (
        "count",
        "count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);",
    ),
    ("total", "total people;"),
    (
        "hidden",
        "hidden n[i in classes] ~ Multinomial(people, p[i], along = i);",
    ),
    ("let", "let mu[d in docs] = x[d] * theta[d];"),
    ("release", "release y by TwoSidedGeometric;"),
    ("update", "update theta by Mine;"),
];

/// The form of a statement by its keyword.
pub(super) fn form(keyword: &str) -> &'static str {
    STATEMENTS
        .iter()
        .find(|(k, _)| *k == keyword)
        .map_or("", |(_, form)| form)
}

/// The word that comes next, keywords of Rust included.
pub(super) fn word(input: ParseStream) -> Option<Ident> {
    input.fork().call(Ident::parse_any).ok()
}

/// Whether the next tokens can only begin a statement.
pub(super) fn at_statement(input: ParseStream) -> bool {
    let ahead = input.fork();
    let keyword = ahead.call(Ident::parse_any).map(|word| word.to_string());
    keyword.is_ok_and(|word| STATEMENTS.iter().any(|(k, _)| *k == word)) && ahead.call(Ident::parse_any).is_ok()
}

/// Whether a comma comes next where a statement ends: what follows can only begin another.
pub(super) fn comma_for_end(input: ParseStream) -> bool {
    let ahead = input.fork();
    ahead.parse::<Token![,]>().is_ok() && at_statement(&ahead)
}

/// What `parse` finds; else reports, passes over what is left of the statement, and finds nothing.
pub(super) fn recover<T>(
    input: ParseStream,
    keyword: &str,
    sink: &mut Sink,
    parse: impl FnOnce(ParseStream, &mut Sink) -> Result<T>,
) -> Option<T> {
    match parse(input, sink) {
        Ok(found) => Some(found),
        Err(error) => {
            report(error, keyword, sink);
            skip(input, at_statement);
            None
        }
    }
}

/// Reports a mistake in a statement; one that does not say more is shown the statement's form.
pub(super) fn report(error: Error, keyword: &str, sink: &mut Sink) {
    let why = format!("a statement with `{keyword}` has another form");
    sink.push(Diagnostic::from(error).or(why, format!("`{}`", form(keyword))));
}

/// Passes over tokens up to where `end` holds.
pub(super) fn skip(input: ParseStream, end: impl Fn(ParseStream) -> bool) {
    while !input.is_empty() && !end(input) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}

/// What stands in parentheses behind `law` comes next.
pub(super) fn opened(input: ParseStream, law: &Ident, form: &str) -> Result<()> {
    if input.peek(syn::token::Paren) {
        return Ok(());
    }
    Err(wrong(
        input.span(),
        format!("`(` expected after `{law}`"),
        "a law is followed by its parameters",
        format!("`{form}`"),
    ))
}

/// Whether a comma comes next.
pub(super) fn at_comma(input: ParseStream) -> bool {
    input.peek(Token![,])
}

/// What to type instead of `wrong`: the nearest of `known`, else `form`.
pub(super) fn instead(wrong: &str, known: &[&str], form: impl std::fmt::Display) -> String {
    match nearest(wrong, known.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("`{form}`"),
    }
}

/// A name that stands for nothing, instead of one that could not be read: what refers to it is not
/// reported again.
pub(super) fn nothing(span: Span) -> Ident {
    Ident::new("_", span)
}

/// Words in backticks, with commas.
pub(super) fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<String> = words.into_iter().map(|w| format!("`{w}`")).collect();
    all.join(", ")
}
