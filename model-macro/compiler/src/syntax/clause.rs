//! The clauses of `where`.

use proc_macro2::Span;
use syn::parse::{ParseStream, Result};
use syn::{Ident, Lit, Token};

use super::ast::{Bind, Guard};
use super::bind::name;
use super::foreign::brackets;
use super::shown::between;
use super::wrong::{at_comma, at_statement, skip, word, wrong};
use crate::diagnostics::{Diagnostic, Sink};

const HOLD_OUT: &str = "`where i != j`; hold single cells out of the data by `counts.hold_out(&mask)`";
const WHY: &str = "`where` says which cells there are; `!=` and `<` keep a factor from meeting itself";

/// `where i != j, j < k` of a count with these indices, or nothing; and whether a clause was left out, which was reported.
pub(super) fn guards(input: ParseStream, binds: &[Bind], sink: &mut Sink) -> Result<(Vec<Guard>, bool)> {
    let (mut all, mut partial) = (Vec::new(), false);
    if !input.peek(Token![where]) {
        return Ok((all, partial));
    }
    let span = input.parse::<Token![where]>()?.span;
    while !input.is_empty() && !input.peek(Token![~]) && !at_statement(input) {
        match clause(input, binds) {
            Ok(guard) => all.push(guard),
            Err(error) => {
                sink.push(error.into());
                partial = true;
                skip(input, |input| input.peek(Token![,]) || input.peek(Token![~]));
            }
        }
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
        } else if !input.is_empty() && !input.peek(Token![~]) && !at_statement(input) {
            partial = true;
            if input.peek(Token![+]) || input.peek(Token![-]) {
                sink.push(
                    Diagnostic::new(input.span(), "`where` compares indices, without arithmetic")
                        .why(WHY)
                        .help(HOLD_OUT),
                );
                skip(input, |input| at_comma(input) || input.peek(Token![~]));
                let _ = input.parse::<Token![,]>();
                continue;
            }
            sink.push(
                Diagnostic::new(input.span(), "a clause of `where` ends here")
                    .why("a clause compares two indices once; a comma between clauses means `and`")
                    .help("`where i < j, j < k`"),
            );
            skip(input, |input| input.peek(Token![~]));
        }
    }
    if all.is_empty() && !partial {
        sink.push(
            Diagnostic::new(span, "`where` without a clause")
                .why(WHY)
                .help("`where i != j`"),
        );
        partial = true;
    }
    Ok((all, partial))
}

/// A clause of something that is not a count.
pub(super) fn no_where(span: Span) -> Diagnostic {
    Diagnostic::new(span, "only counts have `where`")
        .why("it says which cells of a count there are, and nothing else has cells")
        .help("leave it out; on a count it stands before the law: `where i != j ~ Poisson(..)`")
}

fn clause(input: ParseStream, binds: &[Bind]) -> Result<Guard> {
    if input.peek(Token![!]) && input.peek2(syn::token::Paren) {
        return Err(negation(input));
    }
    if input.peek(Ident) && input.peek2(syn::token::Bracket) {
        return Err(known(input, binds));
    }
    let left = index(input)?;
    let at = input.span();
    if input.peek(Token![<]) && input.peek2(Token![>]) {
        return Err(comparison(input, at, &left));
    }
    let less = if input.peek(Token![!=]) {
        input.parse::<Token![!=]>()?;
        false
    } else if input.peek(Token![<]) && !input.peek(Token![<=]) && !input.peek(Token![<<]) {
        input.parse::<Token![<]>()?;
        true
    } else {
        return Err(comparison(input, at, &left));
    };
    Ok(Guard {
        left,
        right: index(input)?,
        less,
    })
}

/// One side of a clause.
fn index(input: ParseStream) -> Result<Ident> {
    if input.peek(Lit) {
        let lit: Lit = input.parse()?;
        return Err(wrong(
            lit.span(),
            "`where` compares indices, not numbers",
            WHY,
            HOLD_OUT,
        ));
    }
    name(input, "an index")
}

/// The message for `g[i] != g[j]` and `x[i] > 0`, which compare what is known of the cells and not their indices.
fn known(input: ParseStream, binds: &[Bind]) -> syn::Error {
    let ahead = input.fork();
    skip(&ahead, |ahead| ahead.peek(syn::token::Bracket));
    let _ = ahead.parse::<proc_macro2::TokenTree>();
    let array = between(input, &ahead);
    skip(&ahead, |ahead| {
        ahead.peek(Ident) || at_comma(ahead) || ahead.peek(Token![~])
    });
    let is_pair = ahead.peek(Ident) && ahead.peek2(syn::token::Bracket);
    let help = match (is_pair, binds) {
        (true, [_, _, ..]) => {
            let at: Vec<String> = binds.iter().map(|bind| bind.var.to_string()).collect();
            let [declared, at] = [brackets(binds, None), at.join(", ")];
            format!(
                "known factors in the rate: `data same{declared}: nonnegative;` and `same[{at}] * ..`, 1 where the two are in one group \
                 and 0 elsewhere, and an array of its own for cells between groups"
            )
        }
        _ => HOLD_OUT.to_owned(),
    };
    let what = format!("`where` compares indices, and `{array}` is an entry of an array");
    wrong(input.span(), what, WHY, help)
}

/// The message for `!(i == j)`.
fn negation(input: ParseStream) -> syn::Error {
    let why = "a clause compares two indices by `!=` or `<`, and is not part of a larger one";
    let ahead = input.fork();
    let names = || -> Result<[Ident; 2]> {
        ahead.parse::<Token![!]>()?;
        let inside;
        syn::parenthesized!(inside in ahead);
        let left = inside.parse()?;
        inside.parse::<Token![==]>()?;
        Ok([left, inside.parse()?])
    };
    let help = names().map_or("i != j".to_string(), |[left, right]| format!("{left} != {right}"));
    wrong(
        input.span(),
        "a clause of `where` has no `!` before it",
        why,
        format!("`{help}`"),
    )
}

/// The message for any other sign than `!=` and `<`.
fn comparison(input: ParseStream, at: Span, left: &Ident) -> syn::Error {
    let compared = |sign: &str| format!("a clause of `where` cannot compare by `{sign}`");
    // The index behind a sign of `length` tokens.
    let right = || {
        let ahead = input.fork();
        skip(&ahead, |ahead| ahead.peek(Ident) || ahead.peek(Token![,]));
        word(&ahead).map_or("j".to_string(), |word| word.to_string())
    };
    let right = right();
    if input.peek(Token![<]) && input.peek2(Token![>]) {
        wrong(at, compared("<>"), WHY, format!("`{left} != {right}`"))
    } else if input.peek(Token![>=]) || input.peek(Token![<=]) {
        let (sign, form) = if input.peek(Token![>=]) {
            (">=", format!("{right} < {left}"))
        } else {
            ("<=", format!("{left} < {right}"))
        };
        wrong(at, compared(sign), WHY, format!("`{form}`"))
    } else if input.peek(Token![>]) {
        wrong(at, compared(">"), WHY, format!("`{right} < {left}`"))
    } else if input.peek(Token![==]) || input.peek(Token![=]) {
        let sign = if input.peek(Token![==]) { "==" } else { "=" };
        wrong(
            at,
            compared(sign),
            "it would keep the diagonal alone, which one index expresses",
            format!("leave out `{right} in ..` and write `{left}` in its place"),
        )
    } else {
        wrong(
            at,
            "a clause of `where` compares two indices by `!=` or `<`",
            WHY,
            format!("`{left} != j` or `{left} < j`"),
        )
    }
}
