//! What stands for an index in the brackets of a name: an index, an earlier one, or an entry of an array of positions.

use syn::parse::{ParseStream, Result};
use syn::{Ident, Token, bracketed};

use super::ast::Place;
use super::shown::until;
use super::wrong::{at_comma, nothing, skip};
use crate::diagnostics::{Diagnostic, Sink};

/// `d, author[d]`: names, and entries of arrays of positions. Whatever else is reported, and stands for an index that nothing is
/// known of.
pub(super) fn index_list(input: ParseStream, name: &Ident, sink: &mut Sink) -> Vec<Place> {
    let (mut all, whole) = (Vec::new(), until(input, |_| false));
    while !input.is_empty() {
        all.push(place(input, name, &whole, sink));
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            skip(input, |_| false);
        }
    }
    all
}

/// What is written for one index of `name`, whose brackets hold `whole`.
fn place(input: ParseStream, name: &Ident, whole: &str, sink: &mut Sink) -> Place {
    let ahead = input.fork();
    let simple = ahead.parse::<Ident>().is_ok() && (ahead.is_empty() || at_comma(&ahead));
    match input.parse::<Ident>() {
        Ok(index) if simple => Place::Index(index),
        Ok(array) if input.peek(syn::token::Bracket) => looked_up(input, name, array, sink),
        Ok(index) if shifted(input).is_some() => shift(input, name, whole, index, sink),
        index => {
            let span = input.span();
            let help = match &index {
                Err(_) if input.peek(syn::token::Paren) => {
                    let written = until(input, at_comma);
                    let plain = written.trim_start_matches('(').trim_end_matches(')');
                    format!("`{name}[{}]`", whole.replace(&written, plain))
                }
                Ok(index) if !at_comma(input) => format!("`{name}[.., {index}, ..]`"),
                _ => format!("`sum(k in topics) {name}[.., k, ..]`"),
            };
            sink.push(
                Diagnostic::new(span, format!("an index of `{name}` is a name without arithmetic"))
                    .why("the values of an index set have no arithmetic; only in an `ordered` set is `t - 1` the value before `t`")
                    .help(help),
            );
            skip(input, at_comma);
            Place::Index(nothing(span))
        }
    }
}

/// `- 1` or `+ 1` behind an index, if that and nothing more comes next: whether it is back, and by how much.
fn shifted(input: ParseStream) -> Option<(bool, usize)> {
    let ahead = input.fork();
    let back = ahead.peek(Token![-]);
    match back {
        true => ahead.parse::<Token![-]>().map(|_| ()).ok()?,
        false => ahead.parse::<Token![+]>().map(|_| ()).ok()?,
    }
    let by = ahead.parse::<syn::LitInt>().ok()?.base10_parse().ok()?;
    (ahead.is_empty() || at_comma(&ahead)).then_some((back, by))
}

/// `- 1` behind `t`.
fn shift(input: ParseStream, name: &Ident, whole: &str, index: Ident, sink: &mut Sink) -> Place {
    let (found, span) = (shifted(input), input.span());
    skip(input, at_comma);
    match found {
        Some((true, back @ 1..)) => return Place::Shift { index, back },
        Some((false, by @ 1..)) => sink.push(
            Diagnostic::new(span, format!("`{index} + {by}` refers to a later time"))
                .why("references point backwards: entries of earlier and later times would depend on each other in a circle")
                .help({
                    let later = format!("{index} + {by}");
                    let [earlier, now] = [format!("{index} - {by}"), index.to_string()].map(|at| whole.replace(&later, &at));
                    format!("`{name}[{earlier}]`, or `{name}[{now}]` here and `{index} - {by}` in the other places of `{index}`")
                }),
        ),
        _ => sink.push(
            Diagnostic::new(span, format!("`{index}` is shifted by zero"))
                .why("a shift goes back by one or more values of an ordered set")
                .help(format!("`{name}[.., {index}, ..]`, or `{index} - 1`")),
        ),
    }
    Place::Index(nothing(index.span()))
}

/// The brackets of `mu[group[d]]` behind `group`.
fn looked_up(input: ParseStream, name: &Ident, array: Ident, sink: &mut Sink) -> Place {
    let (ahead, mut through) = (input.fork(), Vec::new());
    let indices = lookup(&ahead, &mut through).unwrap_or_default();
    let ends = ahead.is_empty() || at_comma(&ahead);
    if !indices.is_empty() && ends {
        skip(input, at_comma);
        return Place::Lookup {
            array,
            through,
            indices,
        };
    }
    sink.push(
        Diagnostic::new(
            array.span(),
            format!("`{array}[..]` cannot be read as an index of `{name}`"),
        )
        .why("a lookup reads one entry of an array of positions, at indices that are names")
        .help(format!("`{name}[{array}[d]]` with `data {array}[d in docs]: groups;`")),
    );
    skip(input, at_comma);
    Place::Index(nothing(array.span()))
}

/// `[d]`, or `[city[d]]` through another array: the indices in the innermost brackets.
fn lookup(input: ParseStream, through: &mut Vec<Ident>) -> Result<Vec<Ident>> {
    let inside;
    bracketed!(inside in input);
    if inside.peek(Ident) && inside.peek2(syn::token::Bracket) {
        through.push(inside.parse()?);
        let indices = lookup(&inside, through)?;
        return match inside.is_empty() {
            true => Ok(indices),
            false => Err(inside.error("one array in another")),
        };
    }
    let all = inside.parse_terminated(|one: ParseStream| one.parse::<Ident>(), Token![,])?;
    Ok(all.into_iter().collect())
}
