//! Rates: sums of products.

use syn::ext::IdentExt;
use syn::parse::{ParseStream, Result};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, Lit, Token, bracketed, parenthesized};

use super::ast::{Factor, Number, Rate, Term};
use super::bind::bind;

/// `term ('+' term)*`
pub(super) fn rate(input: ParseStream) -> Result<Rate> {
    let mut terms = vec![term(input)?];
    while input.peek(Token![+]) {
        input.parse::<Token![+]>()?;
        terms.push(term(input)?);
    }
    if input.peek(Token![-]) {
        return Err(Error::new(
            input.span(),
            "a rate cannot subtract\n  why: rates are sums of non-negative products; only then does a count split into Poisson parts",
        ));
    }
    Ok(Rate { terms })
}

/// `factor ('*' factor)*`
pub(super) fn term(input: ParseStream) -> Result<Term> {
    let span = input.span();
    let mut factors = vec![factor(input)?];
    while input.peek(Token![*]) {
        input.parse::<Token![*]>()?;
        factors.push(factor(input)?);
    }
    if input.peek(Token![/]) {
        return Err(Error::new(
            input.span(),
            "a rate cannot divide\n  why: it must be linear in every factor\n  help: declare the reciprocal as `data` and multiply by it",
        ));
    }
    Ok(Term { factors, span })
}

fn factor(input: ParseStream) -> Result<Factor> {
    if input.peek(syn::token::Paren) {
        let inside;
        parenthesized!(inside in input);
        let group = rate(&inside)?;
        if !inside.is_empty() {
            return Err(Error::new(inside.span(), "`+`, `*` or `)` expected"));
        }
        return Ok(Factor::Group(group));
    }
    if input.peek(Lit) {
        return Ok(Factor::Number(number(input)?));
    }
    let name = input.call(Ident::parse_any).map_err(|e| {
        Error::new(
            e.span(),
            "a factor is expected: `name[index, ..]`, a number, `sum(k in set) ..` or `( .. )`",
        )
    })?;
    if name == "sum" && input.peek(syn::token::Paren) {
        let inside;
        parenthesized!(inside in input);
        let binds: Vec<_> = Punctuated::<_, Token![,]>::parse_terminated_with(&inside, bind)?
            .into_iter()
            .collect();
        if binds.is_empty() {
            return Err(Error::new(
                name.span(),
                "`sum()` sums over nothing\n  help: `sum(k in topics) ..`",
            ));
        }
        return Ok(Factor::Sum {
            binds,
            body: term(input)?,
        });
    }
    if input.peek(syn::token::Paren) {
        return Err(Error::new(
            name.span(),
            format!(
                "`{name}(..)` cannot be part of a rate\n  why: a rate is multilinear: sums and products of factors, no functions of them"
            ),
        ));
    }
    let mut indices = Vec::new();
    if input.peek(syn::token::Bracket) {
        let inside;
        bracketed!(inside in input);
        indices = Punctuated::<Ident, Token![,]>::parse_terminated(&inside)?
            .into_iter()
            .collect();
    }
    Ok(Factor::Access { name, indices })
}

/// A literal number.
pub(super) fn number(input: ParseStream) -> Result<Number> {
    let negative = input.peek(Token![-]);
    if negative {
        input.parse::<Token![-]>()?;
    }
    let lit: Lit = input
        .parse()
        .map_err(|e| Error::new(e.span(), "a number is expected"))?;
    let value: f64 = match &lit {
        Lit::Int(i) => i.base10_parse()?,
        Lit::Float(f) => f.base10_parse()?,
        _ => return Err(Error::new(lit.span(), "a number is expected")),
    };
    Ok(Number {
        value: if negative { -value } else { value },
        span: lit.span(),
    })
}
