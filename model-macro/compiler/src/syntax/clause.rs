//! The clauses of `where`.

use proc_macro2::Span;
use syn::parse::{ParseStream, Result};
use syn::{Ident, Lit, Token};

use super::ast::Guard;
use super::bind::name;
use super::wrong::{at_statement, skip, word, wrong};
use crate::diagnostics::{Diagnostic, Sink};

const WHY: &str = "`where` says which cells there are; `!=` and `<` keep a factor from meeting itself";

/// `where i != j, j < k`, or nothing; and whether a clause was left out, which was reported.
pub(super) fn guards(input: ParseStream, sink: &mut Sink) -> Result<(Vec<Guard>, bool)> {
    let (mut all, mut partial) = (Vec::new(), false);
    if !input.peek(Token![where]) {
        return Ok((all, partial));
    }
    let span = input.parse::<Token![where]>()?.span;
    while !input.is_empty() && !input.peek(Token![~]) && !at_statement(input) {
        match clause(input) {
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

fn clause(input: ParseStream) -> Result<Guard> {
    if input.peek(Token![!]) && input.peek2(syn::token::Paren) {
        return Err(negation(input));
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
            "`where i != j`; hold single cells out of the data by `counts.hold_out(&mask)`",
        ));
    }
    name(input, "an index")
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
