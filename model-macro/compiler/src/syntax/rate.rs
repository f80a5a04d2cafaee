//! Rates: sums of products.
//!
//! What no rate can have is reported and poisoned, and parsing goes on behind it: one rate can have several
//! mistakes.

use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::{Ident, Lit, Token, bracketed, parenthesized};

use super::arithmetic;
use super::ast::{Bind, Factor, Number, Place, Rate, Term};
use super::bind::{bind_list_until, sum_binds};
use super::place::index_list;
use super::shown::{between, until};
use super::wrong::{at_comma, nothing, skip, wrong};
use crate::diagnostics::{Diagnostic, Sink, nearest};

const LINEAR: &str =
    "a rate is linear in every latent: a sum of products; only then does a count split into Poisson parts";

/// `term ('+' term)*`
pub(super) fn rate(input: ParseStream, sink: &mut Sink) -> Result<Rate> {
    let mut terms = vec![term(input, sink)?];
    loop {
        if input.peek(Token![+]) {
            input.parse::<Token![+]>()?;
            terms.push(term(input, sink)?);
        } else if input.peek(Token![-]) {
            subtraction(input.span(), sink);
            input.parse::<Token![-]>()?;
            let rest = term(input, sink)?;
            terms.push(poisoned(rest));
        } else {
            return Ok(Rate { terms });
        }
    }
}

/// `('+' term)*` behind a term that was read, as one product: the sum in brackets.
pub(super) fn rest(input: ParseStream, first: Term, sink: &mut Sink) -> Result<Term> {
    let (span, mut terms) = (first.span, vec![first]);
    while input.peek(Token![+]) {
        input.parse::<Token![+]>()?;
        terms.push(term(input, sink)?);
    }
    let factors = vec![Factor::Group(Rate { terms })];
    Ok(Term { factors, span })
}

/// `factor ('*' factor)*`
pub(super) fn term(input: ParseStream, sink: &mut Sink) -> Result<Term> {
    let (span, start) = (input.span(), input.fork());
    let mut factors = vec![factor(input, sink)?];
    loop {
        if input.peek(Token![*]) {
            let first = input.parse::<Token![*]>()?.span;
            if input.peek(Token![*]) {
                power(first, "**", sink);
                input.parse::<Token![*]>()?;
                factors.push(poison(factor(input, sink)?, span));
            } else {
                factors.push(factor(input, sink)?);
            }
        } else if let Some(set) = per_size(input) {
            factors.push(Factor::PerSize(set));
        } else if input.peek(Token![/]) {
            let (before, sign) = (between(&start, input), input.parse::<Token![/]>()?.span);
            let otherwise = reciprocal(&before, input);
            let by = Box::new(factor(input, sink)?);
            factors.push(Factor::Divided { by, sign, otherwise });
        } else if input.peek(Token![^]) {
            power(input.span(), "^", sink);
            input.parse::<Token![^]>()?;
            factors.push(poison(factor(input, sink)?, span));
        } else if input.peek(Token![.]) {
            let dot = input.parse::<Token![.]>()?.span;
            sink.push(
                Diagnostic::new(dot, "a factor has no methods")
                    .why(LINEAR)
                    .help("`theta[d, k]`"),
            );
            skip(input, |input| input.peek(Token![+]) || at_comma(input));
            factors.push(poison(Factor::Group(Rate { terms: Vec::new() }), span));
        } else {
            return Ok(Term { factors, span });
        }
    }
}

/// `/ size(topics)`, read if it is there.
fn per_size(input: ParseStream) -> Option<Ident> {
    let read = |input: ParseStream| -> Result<Option<Ident>> {
        input.parse::<Token![/]>()?;
        if input.call(Ident::parse_any)? != "size" {
            return Ok(None);
        }
        let inside;
        parenthesized!(inside in input);
        let set = inside.parse::<Ident>()?;
        Ok(inside.is_empty().then_some(set))
    };
    let found = read(&input.fork()).ok().flatten()?;
    let _ = read(input);
    Some(found)
}

/// What to type for a division by what comes next.
fn reciprocal(before: &str, input: ParseStream) -> String {
    let divisor = until(input, |input| {
        [input.peek(Token![*]), input.peek(Token![+]), input.peek(Token![-])].contains(&true)
            || input.peek(Token![/])
            || at_comma(input)
    });
    if let Some(value) = arithmetic::value(&format!("{before} / {divisor}")) {
        return format!("`{value:?}`");
    }
    if let Some(value) = arithmetic::value(&format!("1 / {divisor}")) {
        return format!("`* {value:?}`");
    }
    let name = input
        .fork()
        .parse::<Ident>()
        .ok()
        .filter(|_| !divisor.contains(['(', ' ']));
    match (name, divisor.split_once('[')) {
        (Some(name), None) if name == divisor => {
            format!("declare the reciprocal, `hyper inverse_{name}: positive;`, and multiply by `inverse_{name}`")
        }
        _ => "declare the reciprocal, `data w[..]: positive;`, and multiply by `w[..]`".to_string(),
    }
}

fn subtraction(span: Span, sink: &mut Sink) {
    sink.push(
        Diagnostic::new(span, "a rate cannot subtract")
            .why("a rate is a sum of non-negative products; only then does a count split into Poisson parts")
            .help("`+`, or `data w[..]: positive;` to scale by `w[..]`"),
    );
}

fn power(span: Span, sign: &str, sink: &mut Sink) {
    sink.push(
        Diagnostic::new(span, format!("`{sign}` cannot be part of a rate"))
            .why("a power is not linear in its factor, and the conditional of a latent is then not a gamma")
            .help("declare a second latent for the second place: `theta[d, k] * psi[d, k]`"),
    );
}

fn poison(factor: Factor, span: Span) -> Factor {
    Factor::Poisoned(Rate {
        terms: vec![Term {
            factors: vec![factor],
            span,
        }],
    })
}

fn poisoned(term: Term) -> Term {
    let span = term.span;
    Term {
        factors: vec![Factor::Poisoned(Rate { terms: vec![term] })],
        span,
    }
}

fn factor(input: ParseStream, sink: &mut Sink) -> Result<Factor> {
    let span = input.span();
    if input.peek(Token![-]) || input.peek(Token![+]) {
        let sign = if input.peek(Token![-]) { '-' } else { '+' };
        sink.push(
            Diagnostic::new(span, format!("a factor has no `{sign}` before it"))
                .why("a rate is a sum of non-negative products, so no factor needs a sign")
                .help(format!("leave the `{sign}` out")),
        );
        input.parse::<TokenTree>()?;
        return Ok(poison(factor(input, sink)?, span));
    }
    if input.peek(syn::token::Paren) {
        let inside;
        parenthesized!(inside in input);
        let start = inside.fork();
        let group = rate(&inside, sink)?;
        end(&inside, &start)?;
        return Ok(Factor::Group(group));
    }
    if input.peek(Lit) {
        return Ok(Factor::Number(number(input, "a product is made of names and numbers")?));
    }
    let name = input.call(Ident::parse_any).map_err(|e| {
        wrong(
            e.span(),
            "a factor is expected here",
            "a product is made of latents, known arrays, hyperparameters, numbers and sums",
            "`theta[d, k]`, `2.0`, `sum(k in topics) ..` or `( .. )`",
        )
    })?;
    if input.peek(syn::token::Paren) {
        return call(input, name, sink);
    }
    if name == "sum" && input.peek(syn::token::Bracket) {
        return sum_in_brackets(input, name.span(), sink);
    }
    let mut indices = Vec::new();
    if input.peek(syn::token::Bracket) {
        let bracket = input.span();
        let inside;
        bracketed!(inside in input);
        if inside.is_empty() {
            sink.push(
                Diagnostic::new(bracket, format!("brackets without an index after `{name}`"))
                    .why("brackets select entries by indices; a name without indices is one number and has no brackets")
                    .help(format!("`{name}`, or `{name}[..]` with its indices")),
            );
            indices.push(Place::Index(nothing(bracket)));
        }
        indices.extend(index_list(&inside, &name, sink));
    }
    while input.peek(syn::token::Bracket) {
        sink.push(
            Diagnostic::new(input.span(), format!("a second bracket after `{name}`"))
                .why("all indices of a factor stand in one bracket")
                .help(format!("`{name}[d, k]`")),
        );
        let inside;
        bracketed!(inside in input);
        indices.extend(index_list(&inside, &name, sink));
        indices.push(Place::Index(nothing(name.span())));
    }
    started(input, Factor::Access { name, indices }, sink)
}

/// `or first[k]` behind what is read at an earlier time.
fn started(input: ParseStream, access: Factor, sink: &mut Sink) -> Result<Factor> {
    let ahead = input.fork();
    if !ahead.call(Ident::parse_any).is_ok_and(|word| word == "or") {
        return Ok(access);
    }
    let span = input.call(Ident::parse_any)?.span();
    let start = Box::new(factor(input, sink)?);
    let access = Box::new(access);
    Ok(Factor::Started { access, start, span })
}

/// Nothing more of what began at `start`, or what is expected here.
pub(super) fn end(input: ParseStream, start: ParseStream) -> Result<()> {
    if input.is_empty() {
        return Ok(());
    }
    if input.peek(Token![where]) {
        let clause = until(input, |_| false);
        let why = "it says which cells of a count there are";
        let help = format!("`{clause} ~ Poisson(..)`");
        return Err(wrong(input.span(), "`where` stands before `~`", why, help));
    }
    let before = between(start, input);
    let help = if input.peek(Ident) || input.peek(Lit) || input.peek(syn::token::Paren) {
        let next = until(input, |input| {
            input.peek(Token![+]) || input.peek(Token![-]) || at_comma(input)
        });
        format!("`{before} * {next}`")
    } else {
        format!("`{before}`, and nothing after it")
    };
    Err(wrong(
        input.span(),
        "`+`, `*` or `)` expected here",
        "a rate is a sum of products",
        help,
    ))
}

/// `sum[k in topics] term`, reported and read as what is meant.
fn sum_in_brackets(input: ParseStream, sum: Span, sink: &mut Sink) -> Result<Factor> {
    let bracket = input.span();
    let inside;
    bracketed!(inside in input);
    let indices = until(&inside, |_| false);
    let binds = sum_binds(&inside, sink);
    let indices = if binds.is_empty() { "k in topics" } else { &indices };
    sink.push(
        Diagnostic::new(bracket, "the indices of `sum` stand in parentheses")
            .why("brackets select entries of an array, and a sum is not an array")
            .help(format!("`sum({indices}) ..`")),
    );
    body(input, binds, sum, sink)
}

/// The term of a sum over `binds`, which comes next.
fn body(input: ParseStream, binds: Vec<Bind>, sum: Span, sink: &mut Sink) -> Result<Factor> {
    if input.is_empty() || input.peek(Token![+]) {
        return Err(wrong(
            input.span(),
            "the body of the sum is missing",
            "`sum(k in topics)` is followed by the term that is summed",
            "`sum(k in topics) theta[d, k] * phi[k, v]`",
        ));
    }
    let body = term(input, sink)?;
    if binds.is_empty() {
        // Its indices have no sets.
        return Ok(poison(Factor::Group(Rate { terms: Vec::new() }), sum));
    }
    Ok(Factor::Sum { binds, body })
}

/// `sum(k in topics) term`; anything else with parentheses is a mistake.
fn call(input: ParseStream, name: Ident, sink: &mut Sink) -> Result<Factor> {
    let inside;
    parenthesized!(inside in input);
    let ahead = inside.fork();
    let binds = ahead.call(Ident::parse_any).is_ok() && ahead.peek(Token![in]);
    let word = name.to_string();
    if word == "sum" || binds {
        if word != "sum" {
            let near = nearest(&word, ["sum"]).is_some();
            sink.push(
                Diagnostic::new(name.span(), format!("`{word}` cannot contract indices"))
                    .why("indices are summed over; a product or a maximum over them is not linear")
                    .help(if near {
                        "did you mean `sum`?"
                    } else {
                        "`sum(k in topics) ..`"
                    }),
            );
        }
        let span = name.span();
        if let Some(factor) = inner_body(&inside, input, sink)? {
            return Ok(factor);
        }
        let binds = sum_binds(&inside, sink);
        if binds.is_empty() {
            sink.push(
                Diagnostic::new(name.span(), "`sum()` sums over nothing")
                    .why("a sum runs over the indices in its parentheses")
                    .help("`sum(k in topics) ..`"),
            );
        }
        return body(input, binds, span, sink);
    }
    let entries = inside.fork();
    let names = entries.call(names).unwrap_or_default();
    let functions = ["exp", "log", "ln", "sqrt", "abs", "min", "max", "pow"];
    let mistake = Diagnostic::new(name.span(), format!("`{word}(..)` cannot be part of a rate"));
    sink.push(if !names.is_empty() && !functions.contains(&word.as_str()) {
        mistake
            .why("entries are selected by indices in brackets; parentheses would call a function")
            .help(format!("`{word}[{}]`", names.join(", ")))
    } else if word == "exp" {
        mistake
            .why(LINEAR)
            .help("leave `exp` out: a gamma factor is positive already")
    } else {
        mistake
            .why(LINEAR)
            .help("compute it beforehand and declare it: `data x[..]: positive;`")
    });
    let argument = match names.is_empty() {
        true => rate(&inside, sink).ok(),
        false => None,
    };
    skip(&inside, |_| false);
    Ok(Factor::Poisoned(argument.unwrap_or(Rate { terms: Vec::new() })))
}

/// A sum whose term stands in its parentheses, reported: behind its indices, or in their place. None if it does not.
fn inner_body(inside: ParseStream, outer: ParseStream, sink: &mut Sink) -> Result<Option<Factor>> {
    let follows = outer.peek(Ident) || outer.peek(Lit) || outer.peek(syn::token::Paren);
    let is_body = |input: ParseStream| {
        let ahead = input.fork();
        let word = ahead.call(Ident::parse_any).is_ok() || ahead.parse::<Lit>().is_ok();
        let goes_on = [
            ahead.peek(syn::token::Bracket),
            ahead.peek(syn::token::Paren),
            ahead.peek(Token![*]),
        ];
        word && !follows && (ahead.is_empty() || goes_on.contains(&true))
    };
    let why = "the parentheses of `sum` hold its indices, and the term that is summed follows them";
    if is_body(inside) {
        let body = until(inside, |_| false);
        sink.push(
            Diagnostic::new(inside.span(), "which indices does the sum run over?")
                .why(why)
                .help(format!("`sum(.. in ..) {body}`")),
        );
        skip(inside, |_| false);
        // Which of its indices are those of the sum is not known.
        return Ok(Some(Factor::Poisoned(Rate { terms: Vec::new() })));
    }
    let at_body = |input: ParseStream| {
        let ahead = input.fork();
        ahead.parse::<Token![,]>().is_ok() && is_body(&ahead)
    };
    let ahead = inside.fork();
    skip(&ahead, at_body);
    if ahead.is_empty() {
        return Ok(None);
    }
    let indices = between(inside, &ahead);
    let binds = bind_list_until(inside, sink, at_body);
    let comma = inside.parse::<Token![,]>()?.span;
    let body = until(inside, |_| false);
    sink.push(
        Diagnostic::new(comma, "`,` where the indices of a sum end")
            .why(why)
            .help(format!("`sum({indices}) {body}`")),
    );
    let body = term(inside, sink)?;
    skip(inside, |_| false);
    Ok(Some(Factor::Sum { binds, body }))
}

/// Bare names with commas between them.
fn names(input: ParseStream) -> Result<Vec<String>> {
    let all = syn::punctuated::Punctuated::<Ident, Token![,]>::parse_terminated(input)?;
    Ok(all.iter().map(ToString::to_string).collect())
}

/// A literal number.
pub(super) fn number(input: ParseStream, why: &str) -> Result<Number> {
    let start = input.span();
    let negative = input.peek(Token![-]);
    if negative {
        input.parse::<Token![-]>()?;
    }
    let expected = |span| wrong(span, "a number is expected here", why, "`0.1`");
    let lit: Lit = input.parse().map_err(|e| expected(e.span()))?;
    let value: f64 = match &lit {
        Lit::Int(i) => i.base10_parse().map_err(|_| expected(lit.span()))?,
        Lit::Float(f) => f.base10_parse().map_err(|_| expected(lit.span()))?,
        _ => return Err(expected(lit.span())),
    };
    Ok(Number {
        value: if negative { -value } else { value },
        span: if negative { start } else { lit.span() },
    })
}
