//! Tokens as a person would have typed them: numbers without suffixes, doc comments in lines.

use proc_macro2::{Delimiter, Group, Literal, Punct, Spacing, TokenStream, TokenTree};
use quote::quote;

use super::hygiene::beginning;
use super::lines::WIDTH;

/// Strips suffixes that `quote` puts on numbers and cuts doc strings into lines. Changes no meaning:
/// every number stands where its type is known.
pub(super) fn tidy(tokens: TokenStream) -> TokenStream {
    tidied(tokens, 0)
}

/// The same inside of so many braces.
fn tidied(tokens: TokenStream, depth: usize) -> TokenStream {
    let mut out = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Literal(literal) => out.extend([TokenTree::Literal(unsuffixed(literal))]),
            TokenTree::Group(group) => match doc(&group, depth) {
                // `#` is out already: the lines after the first bring their own.
                Some(lines) => {
                    for (i, line) in lines.iter().enumerate() {
                        if i > 0 {
                            out.extend([TokenTree::Punct(Punct::new('#', Spacing::Alone))]);
                        }
                        out.extend(quote!([doc = #line]));
                    }
                }
                None => {
                    let within = depth + usize::from(group.delimiter() == Delimiter::Brace);
                    let mut inner = Group::new(group.delimiter(), tidied(group.stream(), within));
                    inner.set_span(group.span());
                    out.extend([TokenTree::Group(inner)]);
                }
            },
            other => out.extend([other]),
        }
    }
    out
}

fn unsuffixed(literal: Literal) -> Literal {
    let span = literal.span();
    let bare = match syn::Lit::new(literal.clone()) {
        syn::Lit::Int(number) if number.suffix() == "usize" => number.base10_parse().map(Literal::usize_unsuffixed),
        syn::Lit::Float(number) if number.suffix() == "f64" => number.base10_parse().map(Literal::f64_unsuffixed),
        // A whole number that is a double.
        syn::Lit::Int(number) if number.suffix() == "f64" => number.base10_parse().map(Literal::f64_unsuffixed),
        _ => return literal,
    };
    let mut bare = bare.unwrap_or(literal);
    bare.set_span(span);
    bare
}

/// The lines of `[doc = "text"]` inside of so many braces, each with the space that a typed comment has; `None` if they have it.
fn doc(group: &Group, depth: usize) -> Option<Vec<String>> {
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let attribute: syn::MetaNameValue = syn::parse2(group.stream()).ok()?;
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(text),
        ..
    }) = &attribute.value
    else {
        return None;
    };
    let text = text.value();
    if !attribute.path.is_ident("doc") || text.is_empty() || text.starts_with(' ') {
        return None;
    }
    let spaced = |line: String| if line.is_empty() { line } else { format!(" {line}") };
    Some(
        text.lines()
            .flat_map(|line| wrapped(line, WIDTH - MARK - INDENT * depth))
            .map(spaced)
            .collect(),
    )
}

/// Characters of `/// `.
const MARK: usize = 4;
/// Characters by which a line is indented for each brace that it is in.
const INDENT: usize = 4;

/// A line of documentation as lines that are not too long. A formula goes on in the next line, as code in Markdown may, with its
/// second parameter if that is possible.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let inset = if line.starts_with("- ") { "  " } else { "" };
    let (mut lines, mut rest) = (Vec::new(), line.to_owned());
    while rest.chars().count() > width {
        let room = rest.char_indices().nth(width + 1).map_or(rest.len(), |(at, _)| at);
        let breaks: Vec<usize> = (rest.match_indices(' ').map(|(at, _)| at))
            .filter(|&at| !rest[..at].trim().is_empty() && !begins_a_list(&rest[at + 1..]))
            .collect();
        let within: Vec<usize> = breaks.iter().copied().filter(|&at| at < room).collect();
        let is_parameter = |at: &&usize| line.starts_with('`') && rest[..**at].ends_with(',');
        let parameter = within.iter().rfind(is_parameter);
        let Some(&at) = parameter.or(within.last()).or(breaks.first()) else {
            break;
        };
        let next = format!("{inset}{}", rest[at..].trim_start());
        rest.truncate(at);
        lines.push(std::mem::replace(&mut rest, next).trim_end().to_owned());
    }
    lines.push(rest);
    lines
}

/// Whether Markdown would take what begins a line for the mark of a list or of something else.
fn begins_a_list(rest: &str) -> bool {
    let word = rest.split(' ').next().unwrap_or("");
    let numbered = word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(['.', ')']);
    numbered || word.starts_with(['+', '-', '*', '>', '#', '='])
}

/// Tokens for a file that imports the runtime as `rt`: `::skellam::private::Root` becomes `rt::Root`.
pub(super) fn abbreviate(tokens: TokenStream) -> TokenStream {
    beginning(tokens, &[":", ":", "skellam", ":", ":", "private"], &quote!(rt))
}
