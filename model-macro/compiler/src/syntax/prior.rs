//! Priors: a law with its parameters by name, in any order.

use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::{Error, Ident, Path, Token, parenthesized};

use super::arithmetic;
use super::ast::{Bind, Factor, Prior, Term};
use super::bind::name;
use super::foreign::of_latent;
use super::rate;
use super::shown::until;
use super::wrong::{at_comma, instead, listed, opened, skip, wrong};
use crate::diagnostics::{Sink, nearest};
use crate::family::Family;

/// Laws of positive numbers that are not a family: they are refused where they stand, whatever their parameters are called.
const NOT_CONJUGATE: [&str; 13] = [
    "Cauchy",
    "ChiSquared",
    "HalfCauchy",
    "HalfNormal",
    "InvGamma",
    "InverseGamma",
    "Laplace",
    "LogNormal",
    "Normal",
    "Pareto",
    "StudentT",
    "Uniform",
    "Weibull",
];

/// `Gamma(..)`, `Dirichlet(..)`, or a family of the user's own
pub(super) fn prior(input: ParseStream, latent: &Ident, binds: &[Bind], sink: &mut Sink) -> Result<Prior> {
    let (path, law) = named(input)?;
    let word = law.to_string();
    if word == "Exponential" {
        return Err(exponential(input, &law));
    }
    let known = Family::known();
    // A path is the way to a family of the user's own, whatever its last word is.
    let is_path = path.leading_colon.is_some() || path.segments.len() > 1;
    if let (Some([why, help]), false) = (of_latent(&word, latent, binds, input), is_path) {
        let what = format!("`{word}` is not a prior of a latent");
        return Err(wrong(law.span(), what, why, help));
    }
    let family = known.iter().find(|family| !is_path && family.name == word).cloned();
    // A name with a number behind it is another name.
    let is_numbered = known.iter().any(|family| {
        let rest = word.strip_prefix(&*family.name);
        rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
    });
    let near = || nearest(&word, known.iter().map(|family| &*family.name)).filter(|_| !is_numbered);
    let family = match family {
        Some(family) => family,
        None if is_path => Family::own(path),
        None if near().is_none() && !NOT_CONJUGATE.contains(&&*word) && names_shape_or_rate(input) => Family::own(path),
        None => {
            let mut forms: Vec<String> = known.iter().map(|family| format!("`{}`", family.form)).collect();
            if !NOT_CONJUGATE.contains(&&*word) {
                forms.push(format!(
                    "`{word}(shape = a, rate = b)` if `{word}` is your own `Family`"
                ));
            }
            let error = wrong(
                law.span(),
                format!("`{word}` is not a prior of a latent"),
                "gamma and Dirichlet are conjugate to Poisson counts; with another prior the conditional has no closed form",
                near().map_or(listed_or(&forms), |near| format!("did you mean `{near}`?")),
            );
            let Some(near) = near() else {
                return Err(error);
            };
            sink.push(error.into());
            let meant = known.iter().find(|family| family.name == near);
            meant.cloned().unwrap_or_else(Family::gamma)
        }
    };
    opened(input, &law, &family.form)?;
    let inside;
    parenthesized!(inside in input);
    let Some([first, second]) = parameters(&inside, &law, &family, sink)? else {
        return Ok(Prior::Broken);
    };
    let (terms, along) = match family.is_simplex() {
        true => (vec![first], Some(along(second)?)),
        false => (vec![first, second], None),
    };
    Ok(Prior::Of {
        family: Box::new(family),
        terms,
        along,
        span: law.span(),
    })
}

/// `Gamma`, `Mine`, `some::Mine`: all of it, and its last word.
fn named(input: ParseStream) -> Result<(Path, Ident)> {
    if input.peek(Token![::]) || input.peek2(Token![::]) {
        let path = input.call(Path::parse_mod_style)?;
        if let Some(last) = path.segments.last() {
            let law = last.ident.clone();
            return Ok((path, law));
        }
    }
    let law = name(input, "a prior")?;
    Ok((law.clone().into(), law))
}

/// `a or b`, `a, b or c`
fn listed_or(forms: &[String]) -> String {
    match forms {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => forms.concat(),
    }
}

/// Whether `(shape = ..` or `(rate = ..` follows, as behind a family of the user's own.
fn names_shape_or_rate(input: ParseStream) -> bool {
    let ahead = input.fork();
    let Ok(TokenTree::Group(group)) = ahead.parse::<TokenTree>() else {
        return false;
    };
    let first = group.stream().into_iter().next();
    first.is_some_and(|first| ["shape", "rate"].contains(&&*first.to_string()))
}

/// The message for an exponential prior, which a gamma is as well; its parameters come next.
fn exponential(input: ParseStream, law: &Ident) -> Error {
    let written = until(input, |_| false);
    let inside = written
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'))
        .map_or("", |(inside, _)| inside);
    // What has another name may be its inverse.
    let rate = match inside.split_once('=') {
        Some((key, value)) if key.trim() == "rate" => value.trim(),
        None if !inside.is_empty() => inside,
        _ => "b",
    };
    wrong(
        law.span(),
        "`Exponential` is written as a gamma",
        "an exponential is a gamma of shape 1 with the same rate",
        format!("`Gamma(shape = 1.0, rate = {rate})`"),
    )
}

/// The parameters of a law in the order of its keys; none if one of them was reported.
fn parameters(input: ParseStream, law: &Ident, known: &Family, sink: &mut Sink) -> Result<Option<[Term; 2]>> {
    let [one, two] = known.keys;
    let mut found: [Option<Term>; 2] = [None, None];
    let mut mistaken = false;
    while !input.is_empty() {
        match parameter(input, known, &found, sink) {
            Ok((at, term)) => found[at] = Some(term),
            // Parameters without names are one mistake.
            Err((error, last)) => {
                sink.push(error.into());
                mistaken = true;
                if last {
                    skip(input, |_| false);
                }
                skip(input, at_comma);
            }
        }
        if input.is_empty() {
            break;
        }
        if input.parse::<Token![,]>().is_err() {
            let what = format!("`,` or `)` expected in the parameters of `{}`", known.name);
            return Err(wrong(
                input.span(),
                what,
                "a parameter of a prior is a product of numbers, hyperparameters and, in a rate, latents",
                format!("`{}`", known.form),
            ));
        }
    }
    match found {
        [Some(first), Some(second)] if !mistaken => Ok(Some([first, second])),
        [first, _] if !mistaken => {
            let missing = if first.is_none() { one } else { two };
            Err(wrong(
                law.span(),
                format!("`{}` without its `{missing}`", known.name),
                format!("a {} has two parameters: {}", known.noun, listed(known.keys)),
                format!("`{}`", known.form),
            ))
        }
        _ => Ok(None),
    }
}

/// `shape = a`: which parameter it is, and its value. The flag of a mistake: nothing behind it can be read.
fn parameter(
    input: ParseStream,
    known: &Family,
    found: &[Option<Term>; 2],
    sink: &mut Sink,
) -> std::result::Result<(usize, Term), (Error, bool)> {
    let positional = |span: Span| {
        let what = format!("`{}` takes its parameters by name", known.name);
        (wrong(span, what, known.why, format!("`{}`", known.form)), true)
    };
    let span = input.span();
    let Ok(key) = input.call(Ident::parse_any) else {
        return Err(positional(span));
    };
    if !input.peek(Token![=]) {
        return Err(positional(key.span()));
    }
    // It was peeked.
    let _ = input.parse::<Token![=]>();
    let word = key.to_string();
    let at = known.keys.iter().position(|k| *k == word);
    let at = match at {
        Some(at) => at,
        None if word == "scale" && known.is_gamma() => {
            let what = "a gamma has a rate here, not a scale";
            return Err((
                wrong(key.span(), what, known.why, "`rate = b`, where b is 1 / scale"),
                false,
            ));
        }
        None => {
            let what = format!("`{word}` is not a parameter of `{}`", known.name);
            let why = format!("a {} has two parameters: {}", known.noun, listed(known.keys));
            let error = wrong(key.span(), what, why, instead(&word, &known.keys, &known.form));
            // Another parametrisation is one mistake.
            return Err((error, nearest(&word, known.keys).is_none()));
        }
    };
    if found[at].is_some() {
        let what = format!("`{word}` is given twice");
        return Err((
            wrong(
                key.span(),
                what,
                "a prior has each of its parameters once",
                format!("`{}`", known.form),
            ),
            false,
        ));
    }
    if input.peek(Token![-]) || input.peek(Token![+]) {
        return Err((sign(input, &word), false));
    }
    let start = input.fork();
    match rate::term(input, sink) {
        Ok(first) if at_sum(input) && word == "shape" && known.is_gamma() && !is_number(&start) => {
            // A shape that is learned may be whatever a rate may be.
            let rest = rate::rest(input, first, sink);
            rest.map(|whole| (at, whole)).map_err(|error| (error, false))
        }
        Ok(_) if input.peek(Token![+]) || input.peek(Token![-]) => Err((sum(input, &start, &word), false)),
        Ok(term) => Ok((at, term)),
        Err(error) => Err((error, false)),
    }
}

fn at_sum(input: ParseStream) -> bool {
    input.peek(Token![+])
}

/// Whether a parameter is arithmetic alone.
fn is_number(start: ParseStream) -> bool {
    arithmetic::value(&until(start, at_comma)).is_some()
}

/// The message for a parameter that goes on behind a product.
fn sum(input: ParseStream, start: ParseStream, key: &str) -> Error {
    let whole = until(start, at_comma);
    let product = |whole: &str| whole.replace(" + ", " * ").replace(" - ", " * ");
    let help = match arithmetic::value(&whole) {
        Some(value) if value > 0.0 => format!("`{key} = {value:?}`"),
        _ => format!("`{key} = {}`, or a hyperparameter instead of the sum", product(&whole)),
    };
    wrong(
        input.span(),
        "a parameter of a prior is a product, not a sum",
        "a sum of latents in a prior has no conjugate update; a product has",
        help,
    )
}

/// The message for a parameter that begins with `-` or `+`.
fn sign(input: ParseStream, key: &str) -> Error {
    let (minus, ahead) = (input.peek(Token![-]), input.fork());
    let _ = ahead.parse::<TokenTree>();
    let rest = until(&ahead, at_comma);
    let what = if minus {
        format!("a {key} is above zero, and has no `-`")
    } else {
        "a number has no `+` before it".to_string()
    };
    let why = "the parameters of priors are positive";
    wrong(input.span(), what, why, format!("`{key} = {rest}`"))
}

/// The index of `along = v`.
fn along(term: Term) -> Result<Ident> {
    match <[Factor; 1]>::try_from(term.factors) {
        Ok([Factor::Access { name, indices }]) if indices.is_empty() => Ok(name),
        Err(_) | Ok(_) => Err(wrong(
            term.span,
            "`along` takes one index",
            "a Dirichlet factor sums to one along one of its own indices",
            "`along = v`",
        )),
    }
}
