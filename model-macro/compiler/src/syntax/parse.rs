//! Statements: split at `;`, then parsed one by one.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser, Result};
use syn::{Attribute, Error, Ident, Path, Token, Visibility, parenthesized};

use super::ast::*;
use super::bind::{binds, name};
use super::rate;
use crate::diagnostics::{Diagnostic, Sink};

/// Parses a declaration. `None` if not even its head can be read.
pub fn parse(input: TokenStream, sink: &mut Sink) -> Option<Declaration> {
    match head.parse2(input) {
        Ok((attrs, vis, name, body)) => {
            let items = statements(body)
                .into_iter()
                .filter_map(|statement| item(statement, sink))
                .collect();
            Some(Declaration {
                attrs,
                vis,
                name,
                items,
            })
        }
        Err(error) => {
            sink.push(error.into());
            None
        }
    }
}

fn head(input: ParseStream) -> Result<(Vec<Attribute>, Visibility, Ident, TokenStream)> {
    let attrs = input.call(Attribute::parse_outer)?;
    let vis = input.parse()?;
    let keyword: Ident = input.call(Ident::parse_any).map_err(|e| model_expected(e.span()))?;
    if keyword != "model" {
        return Err(model_expected(keyword.span()));
    }
    let name = name(input, "the model")?;
    let body;
    syn::braced!(body in input);
    let body = body.parse()?;
    if !input.is_empty() {
        return Err(Error::new(
            input.span(),
            "one `model!` declares one model: put the next in a `model!` of its own",
        ));
    }
    Ok((attrs, vis, name, body))
}

fn model_expected(span: Span) -> Error {
    Error::new(
        span,
        "a declaration begins with `model`\n  help: `pub model Topics { .. }`",
    )
}

/// One statement: its tokens without the `;`, and where the `;` stands or should stand.
struct Statement {
    tokens: TokenStream,
    ended: bool,
    end: Span,
}

fn statements(body: TokenStream) -> Vec<Statement> {
    let (mut all, mut tokens, mut end) = (Vec::new(), TokenStream::new(), Span::call_site());
    for token in body {
        end = token.span();
        match &token {
            TokenTree::Punct(p) if p.as_char() == ';' => {
                all.push(Statement {
                    tokens: std::mem::take(&mut tokens),
                    ended: true,
                    end,
                });
            }
            _ => tokens.extend([token]),
        }
    }
    if !tokens.is_empty() {
        all.push(Statement {
            tokens,
            ended: false,
            end,
        });
    }
    all
}

const KEYWORDS: [&str; 8] = ["index", "hyper", "data", "latent", "count", "let", "release", "update"];

fn item(statement: Statement, sink: &mut Sink) -> Option<Item> {
    if statement.tokens.is_empty() {
        sink.push(Diagnostic::new(statement.end, "empty statement").help("remove this `;`"));
        return None;
    }
    if !statement.ended {
        sink.push(Diagnostic::new(statement.end, "the last statement does not end").help("add `;` after this token"));
    }
    let names = declared(&statement.tokens);
    Some(parse_item.parse2(statement.tokens).unwrap_or_else(|error| {
        sink.push(error.into());
        Item::Broken(names)
    }))
}

/// What a statement seems to declare, whatever else is wrong with it: the name behind its keyword and behind
/// each comma outside brackets.
fn declared(tokens: &TokenStream) -> Vec<Ident> {
    let (mut names, mut expected) = (Vec::new(), false);
    let mut keyword = false;
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(_) if !keyword => (keyword, expected) = (true, true),
            TokenTree::Ident(name) if expected => {
                names.push(name);
                expected = false;
            }
            TokenTree::Punct(p) if p.as_char() == ',' => expected = true,
            _ => {}
        }
    }
    names
}

fn parse_item(input: ParseStream) -> Result<Item> {
    let attrs = input.call(Attribute::parse_outer)?;
    let start = input.span();
    let keyword = input
        .call(Ident::parse_any)
        .map_err(|_| Error::new(start, format!("a statement begins with one of {}", listed(&KEYWORDS))))?;
    let item = match keyword.to_string().as_str() {
        "index" => Item::Index(list(input, |input| {
            Ok(Index {
                attrs: merged(&attrs, input.call(Attribute::parse_outer)?),
                name: name(input, "an index set")?,
            })
        })?),
        "hyper" => Item::Hyper(list(input, |input| hyper(input, &attrs))?),
        "data" => {
            let (name, binds) = (name(input, "a data array")?, binds(input)?);
            Item::Data(Data {
                attrs,
                name,
                binds,
                domain: domain(input)?,
            })
        }
        "latent" => {
            let (name, binds) = (name(input, "a latent")?, binds(input)?);
            tilde(input, "the prior of a latent")?;
            Item::Latent(Latent {
                attrs,
                name,
                binds,
                prior: prior(input)?,
            })
        }
        "count" => count(input, attrs)?,
        "let" => {
            let (name, binds) = (name(input, "a definition")?, binds(input)?);
            input
                .parse::<Token![=]>()
                .map_err(|e| Error::new(e.span(), "`=` expected after the name of a definition"))?;
            Item::Let(Let {
                name,
                binds,
                rate: rate::rate(input)?,
            })
        }
        "release" => {
            let count = name(input, "the count to release")?;
            by(input, &format!("release {count} by TwoSidedGeometric"))?;
            Item::Release(Release {
                count,
                mechanism: input.call(Path::parse_mod_style)?,
            })
        }
        "update" => {
            let latent = name(input, "the latent to update")?;
            by(input, &format!("update {latent} by Mine"))?;
            Item::Update(Update {
                latent,
                step: input.call(Path::parse_mod_style)?,
            })
        }
        other => {
            let mut message = format!(
                "`{other}` is no statement: a statement begins with one of {}",
                listed(&KEYWORDS)
            );
            if let Some(near) = crate::diagnostics::nearest(other, KEYWORDS) {
                message.push_str(&format!("\n  help: did you mean `{near}`?"));
            }
            return Err(Error::new(keyword.span(), message));
        }
    };
    if !input.is_empty() {
        return Err(Error::new(
            input.span(),
            format!("`{keyword}` statement: nothing is expected here\n  help: end the statement with `;`"),
        ));
    }
    Ok(item)
}

/// The word `by`; `form` is what the statement should look like.
fn by(input: ParseStream, form: &str) -> Result<()> {
    let expected = |span| Error::new(span, format!("`by` expected\n  help: `{form}`"));
    let word = input.call(Ident::parse_any).map_err(|e| expected(e.span()))?;
    if word == "by" {
        Ok(())
    } else {
        Err(expected(word.span()))
    }
}

fn count(input: ParseStream, attrs: Vec<Attribute>) -> Result<Item> {
    let (name, binds) = (name(input, "a count")?, binds(input)?);
    let guards = guards(input)?;
    tilde(input, "the law of a count")?;
    let law = input.call(Ident::parse_any)?;
    if law != "Poisson" {
        return Err(Error::new(
            law.span(),
            format!(
                "a count cannot be `{law}`\n  why: every rule of this compiler rests on Poisson counts, whose sums and splits are Poisson again\n  help: `{name}[..] ~ Poisson(rate)`"
            ),
        ));
    }
    let inside;
    parenthesized!(inside in input);
    let rate = rate::rate(&inside)?;
    if !inside.is_empty() {
        return Err(Error::new(
            inside.span(),
            "`)` expected after the rate: a rate is a sum of products, joined by `+` and `*`",
        ));
    }
    Ok(Item::Count(Count {
        attrs,
        name,
        binds,
        guards,
        rate,
    }))
}

/// `where i != j, j < k`, or nothing.
fn guards(input: ParseStream) -> Result<Vec<Guard>> {
    if !input.peek(Token![where]) {
        return Ok(Vec::new());
    }
    input.parse::<Token![where]>()?;
    let mut all = Vec::new();
    while !input.peek(Token![~]) {
        all.push(guard(input)?);
        if !input.peek(Token![,]) {
            break;
        }
        input.parse::<Token![,]>()?;
    }
    if all.is_empty() {
        return Err(Error::new(
            input.span(),
            "`where` without a clause\n  help: `where i != j`",
        ));
    }
    Ok(all)
}

fn guard(input: ParseStream) -> Result<Guard> {
    let left = name(input, "an index")?;
    let less = if input.peek(Token![!=]) {
        input.parse::<Token![!=]>()?;
        false
    } else if input.peek(Token![<]) && !input.peek(Token![<=]) {
        input.parse::<Token![<]>()?;
        true
    } else {
        return Err(Error::new(
            input.span(),
            format!(
                "a clause of `where` compares two indices by `!=` or `<`\n  why: it says which cells there are; these two keep a factor from meeting itself\n  help: `{left} != other` or `{left} < other`"
            ),
        ));
    };
    Ok(Guard {
        left,
        right: name(input, "an index")?,
        less,
    })
}

fn hyper(input: ParseStream, outer: &[Attribute]) -> Result<Hyper> {
    let attrs = merged(outer, input.call(Attribute::parse_outer)?);
    let (name, binds) = (name(input, "a hyperparameter")?, binds(input)?);
    let domain = domain(input)?;
    let default = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        Some(rate::number(input)?)
    } else {
        None
    };
    Ok(Hyper {
        attrs,
        name,
        binds,
        domain,
        default,
    })
}

fn domain(input: ParseStream) -> Result<Domain> {
    let expected = "a domain is expected: `positive`, `nonnegative` or `unit`";
    input
        .parse::<Token![:]>()
        .map_err(|e| Error::new(e.span(), format!("{expected}\n  help: `: positive`")))?;
    let word = input
        .call(Ident::parse_any)
        .map_err(|e| Error::new(e.span(), expected))?;
    match word.to_string().as_str() {
        "positive" => Ok(Domain::Positive),
        "nonnegative" => Ok(Domain::Nonnegative),
        "unit" => Ok(Domain::Unit),
        other => Err(Error::new(word.span(), format!("`{other}` is no domain: {expected}"))),
    }
}

fn prior(input: ParseStream) -> Result<Prior> {
    let law = input.call(Ident::parse_any)?;
    let inside;
    match law.to_string().as_str() {
        "Gamma" => {
            parenthesized!(inside in input);
            let shape = keyed(&inside, "shape", gamma_form)?;
            inside.parse::<Token![,]>().map_err(|e| gamma_form(e.span()))?;
            let rate = keyed(&inside, "rate", gamma_form)?;
            if inside.peek(Token![,]) {
                inside.parse::<Token![,]>()?;
            }
            if !inside.is_empty() {
                return Err(gamma_form(inside.span()));
            }
            Ok(Prior::Gamma { shape, rate })
        }
        "Dirichlet" => {
            parenthesized!(inside in input);
            let concentration = keyed(&inside, "concentration", dirichlet_form)?;
            inside.parse::<Token![,]>().map_err(|e| dirichlet_form(e.span()))?;
            let span = inside.span();
            let word = inside.call(Ident::parse_any).map_err(|_| dirichlet_form(span))?;
            if word != "along" || !inside.peek(Token![=]) {
                return Err(dirichlet_form(word.span()));
            }
            inside.parse::<Token![=]>()?;
            let along = name(&inside, "the index along which entries sum to one")?;
            if inside.peek(Token![,]) {
                inside.parse::<Token![,]>()?;
            }
            if !inside.is_empty() {
                return Err(dirichlet_form(inside.span()));
            }
            Ok(Prior::Dirichlet {
                concentration,
                along,
                span: law.span(),
            })
        }
        other => Err(Error::new(
            law.span(),
            format!(
                "`{other}` is no prior of a factor\n  why: gamma and Dirichlet are conjugate to Poisson counts; with another prior the conditional has no closed form\n  help: `Gamma(shape = .., rate = ..)` or `Dirichlet(concentration = .., along = ..)`"
            ),
        )),
    }
}

fn gamma_form(span: Span) -> Error {
    Error::new(
        span,
        "a gamma prior names both of its parameters\n  why: libraries disagree on whether the second is a rate or a scale\n  help: `Gamma(shape = a, rate = b)`",
    )
}

fn dirichlet_form(span: Span) -> Error {
    Error::new(
        span,
        "a Dirichlet prior names its concentration and the index along which entries sum to one\n  why: a factor with several indices has a simplex along one of them\n  help: `Dirichlet(concentration = 0.1, along = v)`",
    )
}

fn keyed(input: ParseStream, key: &str, form: fn(Span) -> Error) -> Result<Term> {
    let span = input.span();
    let word = input.call(Ident::parse_any).map_err(|_| form(span))?;
    if word != key || !input.peek(Token![=]) {
        return Err(form(word.span()));
    }
    input.parse::<Token![=]>()?;
    rate::term(input)
}

fn tilde(input: ParseStream, what: &str) -> Result<()> {
    input
        .parse::<Token![~]>()
        .map(|_| ())
        .map_err(|e| Error::new(e.span(), format!("`~` expected before {what}")))
}

fn list<T>(input: ParseStream, one: impl Fn(ParseStream) -> Result<T>) -> Result<Vec<T>> {
    let mut all = vec![one(input)?];
    while input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        if input.is_empty() {
            break;
        }
        all.push(one(input)?);
    }
    Ok(all)
}

fn merged(outer: &[Attribute], inner: Vec<Attribute>) -> Vec<Attribute> {
    outer.iter().cloned().chain(inner).collect()
}

fn listed(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}
