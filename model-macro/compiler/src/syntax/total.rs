//! `Multinomial(total, rate, along = v)`: counts whose total along an index is known.

use syn::parse::{ParseStream, Result};
use syn::punctuated::Punctuated;
use syn::{Ident, Token, bracketed, parenthesized};

use super::ast::{CountLaw, Total};
use super::bind::name;
use super::rate;
use super::wrong::{at_comma, opened, wrong};
use crate::diagnostics::Sink;

pub(super) const MULTINOMIAL: &str = "Multinomial(total, rate, along = v)";
const WHY: &str = "the counts along an index add up to a known total: `Multinomial` takes the total, then the rate, which sums to one along that index";

pub(super) fn multinomial(input: ParseStream, law: &Ident, sink: &mut Sink) -> Result<CountLaw> {
    opened(input, law, MULTINOMIAL)?;
    let inside;
    parenthesized!(inside in input);
    let total = total(&inside)?;
    let start = inside.fork();
    let rate = rate::rate(&inside, sink)?;
    if !at_comma(&inside) {
        rate::end(&inside, &start)?;
    }
    let along = along(&inside, law)?;
    Ok(CountLaw::Multinomial { total, rate, along })
}

/// `length[d],`
fn total(input: ParseStream) -> Result<Total> {
    let expected = |e: syn::Error| {
        wrong(
            e.span(),
            "the total of a `Multinomial` is the name of a number, an array or a count",
            WHY,
            format!(
                "`{MULTINOMIAL}`, with `total people;`, `data length[d in docs]: whole;` or another count for the total"
            ),
        )
    };
    let name = name(input, "the total of a `Multinomial`").map_err(expected)?;
    let indices = match input.peek(syn::token::Bracket) {
        false => Vec::new(),
        true => {
            let inside;
            bracketed!(inside in input);
            let all = Punctuated::<Ident, Token![,]>::parse_terminated(&inside).map_err(expected)?;
            all.into_iter().collect()
        }
    };
    input.parse::<Token![,]>().map_err(expected)?;
    Ok(Total { name, indices })
}

/// `, along = v`
fn along(input: ParseStream, law: &Ident) -> Result<Ident> {
    let missing = |_: syn::Error| {
        wrong(
            law.span(),
            "`Multinomial` without its `along`",
            WHY,
            format!("`{MULTINOMIAL}`"),
        )
    };
    input.parse::<Token![,]>().map_err(missing)?;
    let key = input.parse::<Ident>().map_err(missing)?;
    if key != "along" {
        let what = format!("`{key}` is not part of `Multinomial`");
        return Err(wrong(key.span(), what, WHY, format!("`{MULTINOMIAL}`")));
    }
    input.parse::<Token![=]>().map_err(missing)?;
    let index = input.parse::<Ident>().map_err(missing)?;
    let _ = input.parse::<Token![,]>();
    match input.is_empty() {
        true => Ok(index),
        false => Err(wrong(
            input.span(),
            "`Multinomial` ends with its `along`",
            WHY,
            format!("`{MULTINOMIAL}`"),
        )),
    }
}
