//! `#[skellam::shown]`: keeps the text of an implementation, so that `generated()` can print it.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// The implementation with its own text as `SOURCE`: as it is written, comments included, where the compiler still has that; else formatted.
pub fn shown(item: TokenStream) -> TokenStream {
    let mut parsed: syn::ItemImpl = match syn::parse2(item.clone()) {
        Ok(parsed) => parsed,
        Err(_) => return refused(&item),
    };
    if parsed.trait_.is_none() {
        return refused(&item);
    }
    let text = written(&item, &parsed);
    parsed
        .items
        .push(syn::parse_quote!(const SOURCE: &'static str = #text;));
    parsed.into_token_stream()
}

/// The compiler's message, and the item as it is.
fn refused(item: &TokenStream) -> TokenStream {
    let message = "`#[shown]` stands above `impl Channel for ..`: it keeps its source for `generated()`";
    quote!(::core::compile_error! { #message } #item)
}

fn written(item: &TokenStream, parsed: &syn::ItemImpl) -> String {
    let body = item.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => group.span().source_text(),
        _ => None,
    });
    let Some(body) = body else { return printed(parsed) };
    let empty = syn::ItemImpl {
        attrs: Vec::new(),
        items: Vec::new(),
        ..parsed.clone()
    };
    format!(
        "{} {}",
        printed(&empty).trim_end().trim_end_matches("{}").trim_end(),
        unindented(&body)
    )
}

fn printed(item: &syn::ItemImpl) -> String {
    prettyplease::unparse(&syn::parse_quote!(#item))
}

/// Without what all lines but the first are indented by at the end: an implementation may stand in a module.
fn unindented(body: &str) -> String {
    let last = body.lines().last().unwrap_or("");
    let inset = &last[..last.len() - last.trim_start().len()];
    let lines: Vec<&str> = body
        .lines()
        .map(|line| line.strip_prefix(inset).unwrap_or(line))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_goes_along() {
        let item: TokenStream = "impl Channel for Mine {\n    // Why.\n    fn a() -> u8 { 1 }\n}"
            .parse()
            .unwrap();
        let shown: syn::ItemImpl = syn::parse2(shown(item)).unwrap();
        let Some(syn::ImplItem::Const(source)) = shown.items.last() else {
            panic!("no source")
        };
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) = &source.expr
        else {
            panic!("no text")
        };
        assert!(text.value().starts_with("impl Channel for Mine {"), "{}", text.value());
        assert!(text.value().contains("fn a() -> u8"), "{}", text.value());
    }

    #[test]
    fn other_items_are_refused() {
        for item in ["struct Mine;", "impl Mine { fn a() {} }"] {
            let said = shown(item.parse().unwrap()).to_string();
            assert!(
                said.contains("compile_error") && said.contains("impl Channel for"),
                "{said}"
            );
        }
    }

    #[test]
    fn insets_are_taken_off() {
        assert_eq!(unindented("{\n        a\n    }"), "{\n    a\n}");
    }
}
