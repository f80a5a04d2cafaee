//! Names and the indices that statements bind.

use proc_macro2::Span;
use syn::parse::{ParseStream, Result};
use syn::punctuated::Punctuated;
use syn::{Ident, Lit, Token, bracketed};

use super::ast::Bind;
use super::clause::no_where;
use super::shown::until;
use super::wrong::{at_comma, nothing, skip, word, wrong};
use crate::diagnostics::{Diagnostic, Sink};

/// A name; if it is missing, the error says `what` it would name.
pub(super) fn name(input: ParseStream, what: &str) -> Result<Ident> {
    let span = input.span();
    let example = match what {
        "an index set" => "docs",
        "an index" => "k",
        "a hyperparameter" => "a",
        "a data array" => "x",
        "a definition" => "mu",
        "the model" => "Topics",
        "the law of a count" => "Poisson",
        "a prior" => "Gamma",
        _ if what.contains("count") => "y",
        _ => "theta",
    };
    match input.parse::<Ident>() {
        Ok(name) => {
            let spelt = name.to_string();
            let plain = spelt.strip_prefix("r#").unwrap_or(&spelt);
            if plain.len() < spelt.len() {
                return Err(wrong(
                    span,
                    format!("`{name}` cannot be the name of {what}"),
                    "names label results and files, where `r#` has no meaning",
                    format!("`{plain}_`"),
                ));
            }
            // Rust also takes accents that are characters of their own, and the dot that formulas multiply by.
            let letters: String = plain.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
            if letters.len() < plain.len() {
                return Err(wrong(
                    span,
                    format!("`{name}` cannot be the name of {what}"),
                    "formulas are written and read in letters, digits and underscores, and it has a character that is none of them",
                    format!("`{}`", if letters.is_empty() { example } else { &letters }),
                ));
            }
            Ok(name)
        }
        Err(_) => match word(input) {
            Some(word) => Err(wrong(
                span,
                format!("`{word}` cannot be the name of {what}"),
                "it is a keyword of Rust",
                format!("`{word}_`"),
            )),
            None => Err(wrong(
                span,
                format!("the name of {what} is expected here"),
                "a name is a word of letters, digits and underscores",
                format!("`{example}`"),
            )),
        },
    }
}

/// `[k in topics, ..]`, or nothing, behind the `name` of something that may have no index.
pub(super) fn binds(input: ParseStream, name: Option<&Ident>, sink: &mut Sink) -> Result<Vec<Bind>> {
    if !input.peek(syn::token::Bracket) {
        let follows = input.is_empty()
            || at_comma(input)
            || input.peek(Token![~])
            || input.peek(Token![=])
            || input.peek(Token![:])
            || input.peek(Token![where]);
        // Whatever else comes is reported, and how many indices there are is not known.
        return Ok(if follows {
            Vec::new()
        } else {
            vec![unknown(input.span())]
        });
    }
    let span = input.span();
    let inside;
    bracketed!(inside in input);
    if let (Some(name), true) = (name, inside.is_empty()) {
        sink.push(
            Diagnostic::new(span, format!("brackets without an index after `{name}`"))
                .why("brackets bind indices; a name without indices is one number and has no brackets")
                .help(format!("`{name}`")),
        );
        return Ok(vec![unknown(span)]);
    }
    Ok(bind_list(&inside, sink))
}

/// `k in topics, ..`: every mistake is reported, and a bind that has one is kept, so that their number
/// stays right.
pub(super) fn bind_list(input: ParseStream, sink: &mut Sink) -> Vec<Bind> {
    bind_list_until(input, sink, |_| false)
}

/// The indices of a sum. One without a set is not reported here: which set it is the factors that carry it tell.
pub(super) fn sum_binds(input: ParseStream, sink: &mut Sink) -> Vec<Bind> {
    let ahead = input.fork();
    let names = ahead.call(Punctuated::<Ident, Token![,]>::parse_terminated);
    match names {
        Ok(names) if !input.is_empty() => {
            skip(input, |_| false);
            let untold = |var: Ident| Bind {
                set: Ident::new(Bind::UNTOLD, var.span()),
                var,
            };
            names.into_iter().map(untold).collect()
        }
        _ => bind_list(input, sink),
    }
}

/// The same, up to where `end` holds.
pub(super) fn bind_list_until(input: ParseStream, sink: &mut Sink, end: impl Fn(ParseStream) -> bool) -> Vec<Bind> {
    let mut all = Vec::new();
    while !input.is_empty() {
        all.push(bind(input, sink));
        if input.is_empty() || end(input) {
            break;
        }
        if input.peek(Token![where]) {
            sink.push(no_where(input.span()));
            skip(input, |_| false);
            break;
        }
        match input.parse::<Token![,]>() {
            Ok(_) => {}
            Err(_) => {
                sink.push(
                    Diagnostic::new(input.span(), "`,` expected between two indices")
                        .why("each index of a bracket is bound on its own")
                        .help("`d in docs, k in topics`"),
                );
                skip(input, |input| at_comma(input) || input.peek2(Token![in]));
                if at_comma(input) {
                    // What follows is the next bind.
                    let _ = input.parse::<Token![,]>();
                }
            }
        }
    }
    all
}

/// An index that could not be read.
fn unknown(span: Span) -> Bind {
    let var = nothing(span);
    Bind { set: var.clone(), var }
}

/// `k in topics`
fn bind(input: ParseStream, sink: &mut Sink) -> Bind {
    let span = input.span();
    let var = match name(input, "an index") {
        Ok(var) => var,
        Err(error) => {
            sink.push(error.into());
            skip(input, at_comma);
            return unknown(span);
        }
    };
    if input.peek(Token![-]) || input.peek(Token![+]) {
        sink.push(
            Diagnostic::new(input.span(), format!("`{var}` is shifted where it is bound"))
                .why("the brackets of a declaration bind unshifted indices; a shift selects an earlier entry, in a rate or a prior")
                .help(format!("`{var} in ..` here, and `{var} - 1` in a rate or a prior")),
        );
        skip(input, |input| input.peek(Token![in]) || at_comma(input));
    }
    if input.parse::<Token![in]>().is_err() {
        // Which set it is, and whether the name is that of one, is told where names are looked up.
        if input.is_empty() || at_comma(input) {
            let set = Ident::new(Bind::UNTOLD, var.span());
            return Bind { var, set };
        }
        // `d: docs` and `d = docs` say which set is meant.
        let ahead = input.fork();
        let set = (ahead.parse::<Token![:]>().is_ok() || ahead.parse::<Token![=]>().is_ok())
            .then(|| ahead.parse::<Ident>().ok())
            .flatten()
            .map_or("docs".to_string(), |set| set.to_string());
        sink.push(
            Diagnostic::new(var.span(), format!("which index set does `{var}` run over?"))
                .why("the brackets of a declaration bind indices, each to its set by `in`")
                .help(format!("`{var} in {set}`")),
        );
        skip(input, at_comma);
        let set = nothing(var.span());
        return Bind { var, set };
    }
    let span = input.span();
    if let Some(mistake) = range(input, &var) {
        sink.push(mistake);
        skip(input, at_comma);
        return Bind {
            var,
            set: nothing(span),
        };
    }
    let set = name(input, "an index set").unwrap_or_else(|error| {
        sink.push(error.into());
        skip(input, at_comma);
        nothing(span)
    });
    Bind { var, set }
}

/// The message for a range or a number instead of an index set.
fn range(input: ParseStream, var: &Ident) -> Option<Diagnostic> {
    let text = until(input, at_comma);
    if !input.peek(Lit) && !text.contains("..") {
        return None;
    }
    let end = text
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .trim_start_matches('=')
        .trim();
    let is_name = end.starts_with(|c: char| c.is_alphabetic()) && end.chars().all(|c| c.is_alphanumeric() || c == '_');
    Some(
        Diagnostic::new(input.span(), format!("`{text}` is not an index set"))
            .why("an index runs over an index set; its size comes from the data, or is given when the model is built")
            .help(if is_name {
                format!("`{var} in {end}`")
            } else {
                format!("`index {var}s;` and `{var} in {var}s`, with its size by `.{var}s(..)`")
            }),
    )
}
