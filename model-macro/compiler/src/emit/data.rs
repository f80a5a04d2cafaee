//! How data come in: one argument for a model of one count, a struct with named fields for several.

use proc_macro2::TokenStream;
use quote::quote;

use super::cells;
use super::names::{Names, door};
use crate::derive::Derivation;
use crate::resolve::{Channel, Count};

/// ```ignore
/// pub struct GroupsData<'a> { pub mail: &'a Released<GroupsMailMechanism>, pub meetings: &'a Counts }
/// pub struct GroupsCounts<'a> { pub mail: &'a Counts, pub meetings: &'a Counts }
/// ```
///
/// Nothing for a model of one count.
pub(super) fn structs(derivation: &Derivation, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    if model.counts.len() == 1 {
        return quote!();
    }
    let (vis, data, truth) = (&model.vis, &names.data, &names.counts);
    let field = |count: &Count, kind: TokenStream| {
        let (name, attrs) = (&count.name, &count.attrs);
        let sets: Vec<String> = count.vars[..count.free]
            .iter()
            .map(|i| model.set(i.set).to_string())
            .collect();
        let doc = format!("`{name}`, ({}).", sets.join(", "));
        quote! { #(#attrs)* #[doc = #doc] pub #name: &'a #kind }
    };
    let given = model.counts.iter().zip(&names.mechanisms).map(|(count, mechanism)| {
        field(
            count,
            match count.channel {
                Channel::Exact => quote!(#door::Counts),
                Channel::Mechanism(_) => quote!(#door::Released<#mechanism>),
            },
        )
    });
    let counted = model.counts.iter().map(|count| field(count, quote!(#door::Counts)));
    let data_doc = format!(
        "The data of [`{}`]: for each count what was observed of it.",
        model.name
    );
    let truth_doc = format!("True counts for [`{}`], for its non-private fit.", model.name);
    let all_exact = model.counts.iter().all(|c| matches!(c.channel, Channel::Exact));
    let truth = (!all_exact).then(|| {
        quote! {
            #[doc = #truth_doc]
            #[derive(::core::clone::Clone, ::core::marker::Copy)]
            #vis struct #truth<'a> { #(#counted),* }
        }
    });
    quote! {
        #[doc = #data_doc]
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        #vis struct #data<'a> { #(#given),* }

        #truth
    }
}

/// `new`, `exact` and, where something is released, `naive`.
pub(super) fn constructors(derivation: &Derivation, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let released = |c: &&Count| matches!(c.channel, Channel::Mechanism(_));
    let any_released = model.counts.iter().any(|c| released(&c));
    let single = model.counts.len() == 1;
    let (data, truth) = (&names.data, &names.counts);
    let mechanism = &names.mechanisms[0];
    let [given, counted] = if single {
        let given = if any_released {
            quote!(&#door::Released<#mechanism>)
        } else {
            quote!(&#door::Counts)
        };
        [given, quote!(&#door::Counts)]
    } else {
        let counted = if any_released {
            quote!(#truth<'_>)
        } else {
            quote!(#data<'_>)
        };
        [quote!(#data<'_>), counted]
    };
    // How each count is seen, from `released` or `counts` or a field of either.
    let seen = |how: &str| {
        let counts = model.counts.iter().zip(&names.mechanisms).zip(&names.cells);
        let each = counts.map(|((count, mechanism), cell)| {
            let argument = if how == "exact" { quote!(counts) } else { quote!(data) };
            let name = &count.name;
            let value = if single { argument } else { quote!(#argument.#name) };
            match (&count.channel, how) {
                (Channel::Exact, _) | (_, "exact") => quote!(#door::Observed::<#mechanism>::exact(#value)?.shared()),
                (_, "naive") => quote!(#door::Observed::<#mechanism>::naive(#value)?.shared()),
                _ if cells::noise(&count.channel).is_some() => quote!(#value.seen_by(#cell)),
                _ => quote!(#door::Observed::<#mechanism>::released(#value).shared()),
            }
        });
        let known = model.counts.iter().any(|count| cells::noise(&count.channel).is_some());
        let used = (known && how == "new").then(|| quote!(use #door::SeenBy as _;));
        quote!(#used Self::with_data([#(#each),*]))
    };
    let (new, exact, naive) = (seen("new"), seen("exact"), seen("naive"));
    // A bound in the place of a type says what to do with what is no release.
    let (into_new, taken) = match single {
        true => (
            quote!(impl #door::ReleasedBy<#mechanism>),
            quote!(let data = data.released();),
        ),
        false => (given.clone(), quote!()),
    };
    if !any_released {
        return quote! {
            /// The model of exactly observed counts.
            ///
            /// # Errors
            ///
            /// If the data have another number of indices than the declaration, or two sizes for one index set.
            pub fn new(data: #given) -> Result<Self, #door::Error> {
                #new
            }

            /// The same as `new`: these counts are observed exactly.
            ///
            /// # Errors
            ///
            /// As `new`.
            pub fn exact(counts: #counted) -> Result<Self, #door::Error> {
                Self::new(counts)
            }
        };
    }
    quote! {
        /// The model of counts released by the declared mechanism, and by no other.
        ///
        /// # Errors
        ///
        /// If the data have another number of indices than the declaration, or two sizes for one index set.
        pub fn new(data: #into_new) -> Result<Self, #door::Error> {
            #taken
            #new
        }

        /// The non-private fit of the same declaration: true counts, observed exactly.
        ///
        /// # Errors
        ///
        /// If the data have another number of indices than the declaration, or two sizes for one index set.
        pub fn exact(counts: #counted) -> Result<Self, #door::Error> {
            #exact
        }

        /// The naive fit of the same declaration: releases are taken for counts, negative ones for
        /// zero. The reference of ICML19, not a model of the data.
        ///
        /// # Errors
        ///
        /// If the data have another number of indices than the declaration, or two sizes for one index set.
        pub fn naive(data: #given) -> Result<Self, #door::Error> {
            #naive
        }
    }
}
