//! Statements by their keywords.

use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseBuffer, ParseStream, Result};
use syn::{Attribute, Ident, Path, Token};

use super::arithmetic;
use super::ast::*;
use super::attributes::attributes;
use super::bind::{binds, name};
use super::clause::{guards, no_where};
use super::foreign::{brackets, is_of_counts};
use super::law::law;
use super::prior::prior;
use super::rate;
use super::shown::{between, until};
use super::wrong::{at_comma, at_statement, comma_for_end, instead, listed, recover, report, skip, word, wrong};
use crate::diagnostics::{Diagnostic, Sink, nearest};

const DOMAINS: [Domain; 4] = [Domain::Positive, Domain::Nonnegative, Domain::Unit, Domain::Whole];

/// The statement behind `keyword`, and whether something in it has no name. What can be told apart from its
/// mistakes is kept, so that uses of its names are not reported too.
pub(super) fn statement(
    input: ParseStream,
    keyword: &str,
    attrs: Vec<Attribute>,
    sink: &mut Sink,
) -> Result<(Item, bool)> {
    let mut nameless = false;
    let item = match keyword {
        "index" => Item::Index(list(input, keyword, sink, &mut nameless, |input, sink| {
            let attrs = merged(&attrs, attributes(input, sink)?);
            let name = name(input, "an index set")?;
            let ordered = ordered(input);
            size(input, &name, sink);
            Ok(Index { attrs, name, ordered })
        })),
        "hyper" => Item::Hyper(list(input, keyword, sink, &mut nameless, |input, sink| {
            hyper(input, &attrs, sink)
        })),
        "data" => {
            let name = name(input, "a data array")?;
            let binds = binds(input, Some(&name), sink)?;
            let domain_span = input.span();
            let positions = set_of_positions(input);
            let domain = match positions {
                None if !input.peek(Token![~]) => domain(input, &name, sink),
                _ => None,
            };
            if input.peek(Token![=]) {
                let what = format!("`{name}` is data, which have no default");
                sink.push(
                    Diagnostic::new(input.span(), what)
                        .why("data are given when the model is built; hyperparameters may have defaults")
                        .help(format!("`hyper {name}: positive = ..;`, or leave the default out")),
                );
                skip(input, at_statement);
            }
            Item::Data(Data {
                attrs,
                name,
                binds,
                domain: domain.map_or(Domain::Positive, |(domain, _)| domain),
                domain_span: domain.map_or(domain_span, |(_, span)| span),
                positions,
            })
        }
        "latent" => {
            let name = name(input, "a latent")?;
            let binds = binds(input, Some(&name), sink)?;
            let prior = recover(input, keyword, sink, |input, sink| {
                if input.peek(Token![where]) {
                    sink.push(no_where(input.span()));
                    skip(input, |input| input.peek(Token![~]));
                }
                tilde(
                    input,
                    "a latent is followed by its prior",
                    "~ Gamma(shape = a, rate = b)",
                )?;
                prior(input, &name, &binds, sink)
            });
            Item::Latent(Latent {
                attrs,
                name,
                binds,
                prior: prior.unwrap_or(Prior::Broken),
            })
        }
        "total" => Item::Hyper(list(input, keyword, sink, &mut nameless, |input, sink| {
            let attrs = merged(&attrs, attributes(input, sink)?);
            let name = name(input, "a total")?;
            let domain_span = name.span();
            Ok(Hyper {
                attrs,
                name,
                binds: Vec::new(),
                domain: Domain::Whole,
                domain_span,
                default: None,
            })
        })),
        "count" | "hidden" => {
            let name = name(input, "a count")?;
            let binds = binds(input, None, sink)?;
            let (guards, partial) = guards(input, &binds, sink)?;
            let law = recover(input, keyword, sink, |input, sink| law(input, &name, &binds, sink));
            Item::Count(Count {
                attrs,
                name,
                binds,
                guards,
                partial,
                law: law.unwrap_or(CountLaw::Poisson(Rate { terms: Vec::new() })),
                hidden: keyword == "hidden",
            })
        }
        "let" => {
            let name = name(input, "a definition")?;
            let binds = binds(input, Some(&name), sink)?;
            let rate = recover(input, keyword, sink, |input, sink| {
                input.parse::<Token![=]>().map_err(|e| {
                    wrong(
                        e.span(),
                        "`=` expected after the name of a definition",
                        "a definition stands for its body wherever it is used",
                        format!("`let {name}[..] = ..;`"),
                    )
                })?;
                rate::rate(input, sink)
            });
            Item::Let(Let {
                name,
                binds,
                rate: rate.unwrap_or(Rate { terms: Vec::new() }),
            })
        }
        "release" => {
            let count = name(input, "the count to release")?;
            by(input, &format!("release {count} by TwoSidedGeometric;"), sink)?;
            let why = "it is a type of Rust, by its name or its path";
            let mechanism = path(input, "the mechanism of a release", why, "TwoSidedGeometric")?;
            if let Some(span) = call(input) {
                let law = constructed(&mechanism);
                sink.push(
                    Diagnostic::new(span, "a release names its law without parameters")
                        .why("the parameters come with the data: each `Released` carries its own")
                        .help(format!("`release {count} by {law};`")),
                );
            }
            Item::Release(Release { count, mechanism })
        }
        "update" => {
            let latent = name(input, "the latent to update")?;
            by(input, &format!("update {latent} by Mine;"), sink)?;
            let why = "it is a value of Rust, a unit struct, a `const` or a `static`, by its name or its path";
            let step = path(input, "what updates a latent", why, "Mine")?;
            if let Some(span) = call(input) {
                sink.push(
                    Diagnostic::new(span, "an update is a value, by its name or its path")
                        .why("the value is made once and used in every sweep: a unit struct, a `const` or a `static`")
                        .help(format!(
                            "`update {latent} by MINE;` and `const MINE: .. = ..;` before the model"
                        )),
                );
            }
            Item::Update(Update { latent, step })
        }
        _ => unreachable!("only keywords of statements come here"),
    };
    Ok((item, nameless))
}

/// The word `by`; `form` is what the statement should look like.
fn by(input: ParseStream, form: &str, sink: &mut Sink) -> Result<()> {
    let why = "`by` stands between the name and the law or update";
    let next = word(input);
    match next {
        Some(next) if next == "by" => {
            input.call(Ident::parse_any)?;
            Ok(())
        }
        // A word in its place, with another behind it, is a misspelt one.
        Some(next) if next.to_string().len() > 1 && nearest(&next.to_string(), ["by"]).is_some() => {
            sink.push(
                Diagnostic::new(next.span(), "`by` expected here")
                    .why(why)
                    .help("did you mean `by`?"),
            );
            input.call(Ident::parse_any)?;
            Ok(())
        }
        _ => Err(wrong(input.span(), "`by` expected here", why, format!("`{form}`"))),
    }
}

fn path(input: ParseStream, what: &str, why: &str, example: &str) -> Result<Path> {
    let span = input.span();
    let expected = |_| wrong(span, format!("{what} is expected here"), why, format!("`{example}`"));
    input.call(Path::parse_mod_style).map_err(expected)
}

/// What stands in parentheses or braces behind a path, passed over: where it begins.
fn call(input: ParseStream) -> Option<Span> {
    let span = input.span();
    let called = input.peek(syn::token::Paren) || input.peek(syn::token::Brace);
    if called {
        let _ = input.parse::<TokenTree>();
    }
    called.then_some(span)
}

/// The type of a constructor: `Law` of `Law::new`.
fn constructed(path: &Path) -> String {
    let mut all: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let is_function = |name: &String| name.starts_with(|c: char| c.is_lowercase());
    if all.len() > 1 && all.last().is_some_and(is_function) {
        all.pop();
    }
    let root = if path.leading_colon.is_some() { "::" } else { "" };
    format!("{root}{}", all.join("::"))
}

/// `: ordered`, read if it is there.
fn ordered(input: ParseStream) -> bool {
    let read = |input: ParseStream| -> Result<bool> {
        input.parse::<Token![:]>()?;
        Ok(input.call(Ident::parse_any)? == "ordered")
    };
    let found = read(&input.fork()).unwrap_or(false);
    found && read(input).is_ok()
}

/// What is written as the size of an index set: reported, and passed over.
fn size(input: ParseStream, name: &Ident, sink: &mut Sink) {
    if !input.peek(Token![=]) && !input.peek(Token![:]) && !input.peek(syn::token::Bracket) {
        return;
    }
    sink.push(
        Diagnostic::new(input.span(), format!("the size of `{name}` is not declared"))
            .why("one declaration serves data of every size: sizes come from the data, or are given when the model is built")
            .help(format!("`index {name};`, and `.{name}(10)` on what `new` returns")),
    );
    skip(input, |input| at_comma(input) || at_statement(input));
}

/// `~ Gamma(..)` behind something that is known.
pub(super) fn no_prior(input: ParseStream, name: &Ident, keyword: &str, binds: &[Bind]) -> Diagnostic {
    let binds = brackets(binds, None);
    let prior = until(input, |input| at_comma(input) || at_statement(input));
    let what = match keyword {
        "data" => "data are known and have no prior",
        _ => "a hyperparameter is known and has no prior",
    };
    let [why, keyword] = match is_of_counts(&law_behind(input)) {
        true => ["what was observed, with a law, is a count", "count"],
        false => ["a quantity with a prior is learned, so it is a latent", "latent"],
    };
    Diagnostic::new(input.span(), what)
        .why(why)
        .help(format!("`{keyword} {name}{binds} {prior};`"))
}

/// The name of the law behind the `~` that comes next.
fn law_behind(input: ParseStream) -> String {
    let ahead = input.fork();
    let _ = ahead.parse::<Token![~]>();
    word(&ahead).map_or(String::new(), |law| law.to_string())
}

fn hyper(input: ParseStream, outer: &[Attribute], sink: &mut Sink) -> Result<Hyper> {
    let attrs = merged(outer, attributes(input, sink)?);
    let name = name(input, "a hyperparameter")?;
    let binds = binds(input, Some(&name), sink)?;
    let span = input.span();
    let domain = match input.peek(Token![~]) {
        true => None,
        false => domain(input, &name, sink),
    };
    let mut default = None;
    if input.peek(Token![~]) {
        sink.push(no_prior(input, &name, "hyper", &binds));
        skip(input, |input| at_comma(input) || at_statement(input));
    }
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        let start = input.fork();
        match rate::number(input, "a default is known when the model is compiled") {
            Ok(number) => {
                default = Some(number);
                let sign = |sign: &ParseBuffer| sign.peek(Token![/]) || sign.peek(Token![*]) || sign.peek(Token![+]);
                if sign(input) || input.peek(Token![-]) || input.peek(Token![^]) {
                    let span = input.span();
                    skip(input, |input| at_comma(input) || at_statement(input));
                    let value = arithmetic::value(&between(&start, input));
                    sink.push(
                        Diagnostic::new(span, "a default is one number")
                            .why("the number is read as it is written, and nothing is computed")
                            .help(match value {
                                Some(value) => format!("`{value:?}`"),
                                None => "write its value out, such as `0.1`".to_string(),
                            }),
                    );
                    default = None;
                }
            }
            Err(error) => {
                report(error, "hyper", sink);
                skip(input, at_comma);
            }
        }
    }
    Ok(Hyper {
        attrs,
        name,
        binds,
        domain: domain.map_or(Domain::Positive, |(domain, _)| domain),
        domain_span: domain.map_or(span, |(_, span)| span),
        // Whether it lies in a domain that could not be read is not known.
        default: domain.and(default),
    })
}

/// `: authors`: a word that is not a domain, which may be an index set; passed over.
fn set_of_positions(input: ParseStream) -> Option<Ident> {
    let ahead = input.fork();
    ahead.parse::<Token![:]>().ok()?;
    let found = word(&ahead)?;
    if DOMAINS.iter().any(|domain| found == domain.keyword()) {
        return None;
    }
    let _ = input.parse::<Token![:]>();
    let _ = input.call(Ident::parse_any);
    Some(found)
}

/// The message for a word that is neither a domain nor an index set.
pub(crate) fn no_domain(name: &Ident, word: &Ident) -> Diagnostic {
    let words = DOMAINS.map(Domain::keyword);
    let form = format!("{name}: positive");
    Diagnostic::new(word.span(), format!("`{word}` is not a domain"))
        .why(accepted())
        .help(instead(&word.to_string(), &words, form))
}

fn accepted() -> String {
    format!(
        "a domain says which values are accepted: {}",
        listed(DOMAINS.map(Domain::keyword))
    )
}

/// `: positive`; none if there is no such domain, which is reported.
fn domain(input: ParseStream, name: &Ident, sink: &mut Sink) -> Option<(Domain, Span)> {
    let words = DOMAINS.map(Domain::keyword);
    let why = accepted();
    let end =
        |input: ParseStream| input.peek(Token![=]) || input.peek(Token![~]) || at_comma(input) || at_statement(input);
    if input.parse::<Token![:]>().is_err() {
        sink.push(
            Diagnostic::new(input.span(), format!("the domain of `{name}` is expected here"))
                .why(why)
                .help(format!("`{name}: positive`")),
        );
        skip(input, end);
        return None;
    }
    let found = word(input);
    let known = found
        .as_ref()
        .and_then(|word| DOMAINS.into_iter().find(|d| *word == d.keyword()));
    let (Some(word), Some(domain)) = (&found, known) else {
        let what = match &found {
            Some(word) => format!("`{word}` is not a domain"),
            None => format!("the domain of `{name}` is expected here"),
        };
        let wrong = found.map_or(String::new(), |word| word.to_string());
        sink.push(Diagnostic::new(input.span(), what).why(why).help(instead(
            &wrong,
            &words,
            format!("{name}: positive"),
        )));
        skip(input, end);
        return None;
    };
    let span = word.span();
    // It was looked at.
    let _ = input.call(Ident::parse_any);
    Some((domain, span))
}

pub(super) fn tilde(input: ParseStream, why: &str, form: &str) -> Result<()> {
    let expected = |e: syn::Error| wrong(e.span(), "`~` expected here", why, format!("`{form}`"));
    input.parse::<Token![~]>().map(|_| ()).map_err(expected)
}

/// One or more, with commas between them; each mistake is reported, and what has one is left out.
fn list<T>(
    input: ParseStream,
    keyword: &str,
    sink: &mut Sink,
    nameless: &mut bool,
    mut one: impl FnMut(ParseStream, &mut Sink) -> Result<T>,
) -> Vec<T> {
    let mut all = Vec::new();
    loop {
        match one(input, sink) {
            Ok(found) => all.push(found),
            Err(error) => {
                report(error, keyword, sink);
                *nameless = true;
                skip(input, |input| at_comma(input) || at_statement(input));
            }
        }
        // A statement behind a comma is reported where statements are told apart.
        if !at_comma(input) || comma_for_end(input) {
            return all;
        }
        let _ = input.parse::<Token![,]>();
        if input.is_empty() {
            return all;
        }
    }
}

fn merged(outer: &[Attribute], inner: Vec<Attribute>) -> Vec<Attribute> {
    outer.iter().cloned().chain(inner).collect()
}
