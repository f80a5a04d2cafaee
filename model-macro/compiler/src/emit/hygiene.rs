//! An expansion that means the same wherever it stands.
//!
//! The names of the standard prelude may be shadowed or missing where a declaration stands, and the crate may
//! be known by another name. Types are declared with full paths; implementations go into a constant of
//! their own that brings its own prelude; paths to the runtime begin where the declaration's macro says.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::names::door;

/// A generated item.
pub(super) enum Item {
    /// A type that users see, declared with full paths.
    Type(TokenStream),
    /// Implementations.
    Impl(TokenStream),
}

/// The items one after another, as a file of their own has them.
pub(super) fn in_order(items: &[Item]) -> TokenStream {
    let tokens = |item: &Item| match item {
        Item::Type(tokens) | Item::Impl(tokens) => tokens.clone(),
    };
    items.iter().map(tokens).collect()
}

/// The types of an expansion as they are, its implementations in a scope with a prelude of their own:
///
/// ```ignore
/// #[allow(non_snake_case, ..)]
/// pub struct TopicsCell;
/// #[allow(non_snake_case, ..)]
/// const _: () = {
///     use ::skellam::private::preamble::*;
///     impl TopicsModel { .. }
/// };
/// ```
///
/// Generated names are made of declared ones, which may be in capitals as those of papers are.
pub(super) fn enclose(items: &[Item]) -> TokenStream {
    let (mut types, mut impls) = (TokenStream::new(), TokenStream::new());
    for item in items {
        match item {
            Item::Type(tokens) => {
                types.extend(allowed(&quote!(non_snake_case, non_camel_case_types)));
                types.extend(tokens.clone());
            }
            Item::Impl(tokens) => impls.extend(tokens.clone()),
        }
    }
    let door = door();
    let allowed = allowed(&quote!(non_snake_case, non_upper_case_globals));
    quote! {
        #types
        #[doc(hidden)]
        #allowed
        const _: () = {
            use #door::preamble::*;
            #impls
        };
    }
}

fn allowed(lints: &TokenStream) -> TokenStream {
    quote!(#[allow(#lints, reason = "the declaration says how its names are written")])
}

/// Paths to the runtime from `root` (`$crate` of the macro that was called) instead of `::skellam`.
pub fn rooted(tokens: TokenStream, root: &TokenStream) -> TokenStream {
    beginning(tokens, &[":", ":", "skellam"], root)
}

/// Paths that begin with `start` from `root` instead.
pub(super) fn beginning(tokens: TokenStream, start: &[&str], root: &TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |(tree, word): (&TokenTree, &&str)| !matches!(tree, TokenTree::Group(_)) && tree.to_string() == **word;
    let (mut out, mut at) = (TokenStream::new(), 0);
    while at < trees.len() {
        let rest = &trees[at..];
        if rest.len() >= start.len() && rest.iter().zip(start).all(is) && !continues_path(&trees[..at]) {
            out.extend(root.clone());
            at += start.len();
            continue;
        }
        match &trees[at] {
            TokenTree::Group(group) => {
                let mut changed = Group::new(group.delimiter(), beginning(group.stream(), start, root));
                changed.set_span(group.span());
                out.extend([TokenTree::Group(changed)]);
            }
            other => out.extend([other.clone()]),
        }
        at += 1;
    }
    out
}

/// Whether `::` after these tokens continues a path, as in `facade::skellam`, which is the user's own.
fn continues_path(before: &[TokenTree]) -> bool {
    match before.last() {
        // `impl ::skellam::..` begins one: keywords are not names, except those that stand in paths.
        Some(TokenTree::Ident(word)) => {
            let is_name = syn::parse2::<syn::Ident>(word.to_token_stream()).is_ok();
            is_name || ["crate", "self", "super", "Self"].iter().any(|segment| word == segment)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of the user's own may have the name of the crate in it: `release y by facade::skellam::Mine`.
    #[test]
    fn only_paths_that_begin_at_the_runtime_are_rooted() {
        let root = quote!($crate);
        let at_crate = |tokens| rooted(tokens, &root).to_string();
        assert_eq!(
            at_crate(quote!(impl ::skellam::A for ::skellam::B { fn f() -> ::skellam::C; })),
            quote!(impl $crate::A for $crate::B { fn f() -> $crate::C; }).to_string()
        );
        for own in [
            quote!(facade::skellam::Mine),
            quote!(::facade::skellam::Mine),
            quote!(crate::skellam::Mine),
            quote!([self::skellam::Mine]),
        ] {
            assert_eq!(at_crate(own.clone()), own.to_string());
        }
    }
}
