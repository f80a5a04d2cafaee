//! The declaration as a table, from which the runtime's `user_types!` makes what is the same for every model: the types on which
//! data are set and which the engines return.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Ident};

use super::names::{Names, door};
use crate::check::labels;
use crate::derive::DerivedModel;
use crate::resolve::{Channel, Count, Index, Model};
use crate::show;

/// ```ignore
/// user_types! {
///     /// Topics of documents.
///     pub model Topics: TopicsModel, TopicsSizes, TopicsStart, TopicsGibbs, TopicsCavi;
///     index { 0 DOCS docs, 1 WORDS words }
///     ..
/// }
/// ```
pub(super) fn table(derivation: &DerivedModel, names: &Names) -> TokenStream {
    let model = &derivation.model;
    let (door, vis, attrs) = (door(), &model.vis, &model.attrs);
    let (name, bound, sizes) = (&names.model, &names.bound, &names.sizes);
    let (start, gibbs, cavi) = (&names.start, &names.gibbs, &names.cavi);
    let several = several(model, names);
    let (sets, hypers, arrays) = (sets(model), hypers(model), arrays(model, names));
    let (latents, counts) = (latents(derivation, names), counts(derivation, names, false));
    let hidden = match model.counts.iter().any(Count::is_hidden) {
        false => quote!(),
        true => {
            let hidden = self::counts(derivation, names, true);
            quote!(hidden { #hidden })
        }
    };
    quote! {
        #door::user_types! {
            #(#attrs)*
            #vis model #name: #bound, #sizes, #start, #gibbs, #cavi;
            #several
            index { #sets }
            hyper { #hypers }
            array { #arrays }
            latent { #latents }
            count { #counts }
            #hidden
        }
    }
}

/// The structs of a model of several counts, which have a field for each.
fn several(model: &Model, names: &Names) -> TokenStream {
    let (data, counts, rates) = (&names.data, &names.counts, &names.rates);
    let released = |channel: &Channel| matches!(channel, Channel::Released(_));
    let observed: Vec<&Count> = model.observed().map(|(_, count)| count).collect();
    match &observed[..] {
        [_] => quote!(),
        all if all.iter().any(|count| released(&count.channel)) => quote!(several #data, #counts, #rates;),
        _ => quote!(several #data, #rates;),
    }
}

/// `0 DOCS docs, 1 WORDS words`
fn sets(model: &Model) -> TokenStream {
    let rows = model
        .sets
        .iter()
        .zip(labels(model))
        .enumerate()
        .map(|(at, (set, label))| {
            let (name, label, attrs) = (&set.name, Ident::new(&label, set.name.span()), &set.attrs);
            quote!(#(#attrs)* #at #label #name)
        });
    listed(rows)
}

/// `0 a: positive`
fn hypers(model: &Model) -> TokenStream {
    let rows = model.hypers.iter().enumerate().map(|(at, hyper)| {
        let (name, attrs, domain) = (&hyper.name, &hyper.attrs, format_ident!("{}", hyper.domain.keyword()));
        quote!(#(#attrs)* #at #name: #domain)
    });
    listed(rows)
}

/// `0 LENGTH length[docs]: positive "known array"`
fn arrays(model: &Model, names: &Names) -> TokenStream {
    let rows = model.data.iter().enumerate().map(|(at, array)| {
        let number = &names.constants.data[at];
        let (noun, domain) = match (array.positions, array.hyper) {
            (Some(set), _) => (format!("array of positions in `{}`", model.set(set)), "positions"),
            (None, true) => ("hyperparameter".to_owned(), array.domain.keyword()),
            (None, false) => ("known array".to_owned(), array.domain.keyword()),
        };
        let domain = format_ident!("{domain}");
        let named = named(model, &array.attrs, at, number, &array.name, &array.indices);
        quote!(#named: #domain #noun)
    });
    listed(rows)
}

/// Each latent with its conditional and its posterior.
fn latents(derivation: &DerivedModel, names: &Names) -> TokenStream {
    let model = &derivation.model;
    let rows = model.latents.iter().zip(&derivation.updates).enumerate();
    let rows = rows.map(|(at, (latent, update))| {
        let number = &names.constants.latents[at];
        let named = named(model, &latent.attrs, at, number, &latent.name, &latent.indices);
        let ascent = match &model.shapes[..] {
            [] => format!("`{}`.", show::posterior(model, update)),
            _ => "None: a shape that is learned has no bound.".to_owned(),
        };
        let conditional = format!("`{}`.", show::conditional(model, update));
        let freeze = format_ident!("freeze_{}", latent.name);
        let posterior = match latent.along() {
            None => quote!(posterior),
            Some(_) => quote!(simplex),
        };
        quote! {
            #named #freeze {
                #[doc = #conditional]
                draws,
                #[doc = #ascent]
                #posterior
            }
        }
    });
    rows.collect()
}

/// Each observed count, or each hidden one, with its law and its channel.
fn counts(derivation: &DerivedModel, names: &Names, hidden: bool) -> TokenStream {
    let model = &derivation.model;
    let all = model.counts.iter().enumerate();
    let rows = all.filter(|(_, count)| count.is_hidden() == hidden).map(|(at, count)| {
        let number = &names.constants.counts[at];
        let (observed, cell) = (&names.laws[at], &names.cells[at]);
        let named = named(model, &count.attrs, at, number, &count.name, &count.vars[..count.free]);
        let law = format!("`{}`.", show::count(derivation, at));
        let seen = match &count.channel {
            Channel::Exact if count.is_difference() => quote!(signed #observed, cell #cell),
            Channel::Exact => quote!(exact #observed),
            Channel::Hidden => quote!(hidden #observed),
            Channel::Released(path) => {
                let law = derivation.cells[at].law().map(|law| format_ident!("{law}"));
                let cell = law.map(|law| quote!(, #law #cell));
                quote!(released #observed = #path #cell)
            }
        };
        quote! {
            #named {
                #[doc = #law]
                #seen
            }
        }
    });
    rows.collect()
}

/// `0 THETA theta[docs, topics]`
fn named(
    model: &Model,
    attrs: &[Attribute],
    at: usize,
    number: &Ident,
    name: &Ident,
    indices: &[Index],
) -> TokenStream {
    let sets = indices.iter().map(|index| model.set(index.set));
    quote!(#(#attrs)* #at #number #name[#(#sets),*])
}

fn listed(rows: impl Iterator<Item = TokenStream>) -> TokenStream {
    let rows: Vec<_> = rows.collect();
    quote!(#(#rows),*)
}
