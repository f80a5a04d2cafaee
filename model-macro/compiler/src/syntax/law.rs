//! The law of a count: its rate, a rate on each side of a difference, or a rate and a total.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::{Ident, Token, parenthesized};

use super::ast::{Bind, CountLaw, Rate};
use super::bind::name;
use super::foreign;
use super::rate;
use super::shown::between;
use super::statement::tilde;
use super::total::{MULTINOMIAL, multinomial};
use super::wrong::{at_comma, instead, listed, opened, skip, wrong};
use crate::diagnostics::{Diagnostic, Sink, nearest};

/// The laws of counts.
const LAWS: [&str; 3] = ["Poisson", "Skellam", "Multinomial"];
/// The sides of a difference, in the order of the law.
const SIDES: [&str; 2] = ["plus", "minus"];
const SKELLAM: &str = "Skellam(plus = rate, minus = rate)";

/// `~ Poisson(rate)`, `~ Skellam(plus = rate, minus = rate)` or `~ Multinomial(total, rate, along = v)`
pub(super) fn law(input: ParseStream, count: &Ident, binds: &[Bind], sink: &mut Sink) -> Result<CountLaw> {
    tilde(input, "a count is followed by its law", "~ Poisson(rate)")?;
    let law = name(input, "the law of a count")?;
    let word = law.to_string();
    if !LAWS.contains(&&*word) {
        let known = foreign::of_count(&word, count, binds, input);
        let is_known = known.is_some();
        let [why, help] = known.unwrap_or_else(|| {
            let why = "every rule of this compiler rests on Poisson counts, whose sums and splits are Poisson again";
            let help = instead(&word, &LAWS, format!("Poisson(rate)`, `{SKELLAM}` or `{MULTINOMIAL}"));
            [why.to_owned(), help]
        });
        let error = wrong(law.span(), format!("a count cannot be `{word}`"), why, help);
        if is_known || nearest(&word, LAWS).is_none() {
            return Err(error);
        }
        sink.push(error.into());
    }
    match nearest(&word, LAWS) {
        Some("Skellam") => skellam(input, &law, sink),
        Some("Multinomial") => multinomial(input, &law, sink),
        _ => poisson(input, &law, sink).map(CountLaw::Poisson),
    }
}

fn poisson(input: ParseStream, law: &Ident, sink: &mut Sink) -> Result<Rate> {
    opened(input, law, "Poisson(rate)")?;
    let inside;
    parenthesized!(inside in input);
    if inside.peek(Ident) && inside.peek2(Token![=]) && !inside.peek2(Token![==]) {
        let key: Ident = inside.parse()?;
        inside.parse::<Token![=]>()?;
        sink.push(
            Diagnostic::new(key.span(), format!("`{key} =` is not written in `Poisson`"))
                .why("a Poisson has one parameter, its rate, which needs no name")
                .help("`Poisson(sum(k in topics) theta[d, k] * phi[k, v])`"),
        );
    }
    let start = inside.fork();
    let rate = rate::rate(&inside, sink)?;
    if at_comma(&inside) {
        let one = between(&start, &inside);
        sink.push(
            Diagnostic::new(inside.span(), "a Poisson has one parameter, its rate")
                .why("the mean and the variance of a Poisson count are both its rate; it has no other parameter")
                .help(format!("`Poisson({one})`")),
        );
        skip(&inside, |_| false);
    }
    rate::end(&inside, &start)?;
    Ok(rate)
}

/// `(plus = rate, minus = rate)`, in either order.
fn skellam(input: ParseStream, law: &Ident, sink: &mut Sink) -> Result<CountLaw> {
    opened(input, law, SKELLAM)?;
    let inside;
    parenthesized!(inside in input);
    let mut found: [Option<Rate>; 2] = [None, None];
    while !inside.is_empty() {
        let at = side(&inside)?;
        let start = inside.fork();
        let rate = rate::rate(&inside, sink)?;
        if !at_comma(&inside) {
            rate::end(&inside, &start)?;
        }
        let twice = found[at.0].replace(rate).is_some();
        if twice {
            let side = SIDES[at.0];
            sink.push(
                Diagnostic::new(at.1, format!("`{side}` is given twice"))
                    .why("a difference has one rate on each side: add terms within that rate")
                    .help(format!("`{side} = .. + ..`")),
            );
        }
        let _ = inside.parse::<Token![,]>();
    }
    match found {
        [Some(plus), Some(minus)] => Ok(CountLaw::Skellam { plus, minus }),
        [plus, _] => {
            let missing = SIDES[usize::from(plus.is_some())];
            Err(wrong(
                law.span(),
                format!("`Skellam` without its `{missing}`"),
                "a difference of two Poisson counts has a rate on each side; with one side alone the count is Poisson",
                format!("`{SKELLAM}`"),
            ))
        }
    }
}

/// `plus =` or `minus =`: which side it is, and where it stands.
fn side(input: ParseStream) -> Result<(usize, Span)> {
    let why = "the order of two rates does not tell which one is subtracted, so each has its name";
    let span = input.span();
    let unnamed = || wrong(span, "`Skellam` takes its rates by name", why, format!("`{SKELLAM}`"));
    let key = input.call(Ident::parse_any).map_err(|_| unnamed())?;
    if !input.peek(Token![=]) || input.peek(Token![==]) {
        return Err(unnamed());
    }
    input.parse::<Token![=]>()?;
    let word = key.to_string();
    match SIDES.iter().position(|side| *side == word) {
        Some(at) => Ok((at, key.span())),
        None => {
            let what = format!("`{word}` is not a side of `Skellam`");
            let why = format!("it is a difference of two Poisson counts: {}", listed(SIDES));
            Err(wrong(key.span(), what, why, instead(&word, &SIDES, SKELLAM)))
        }
    }
}
