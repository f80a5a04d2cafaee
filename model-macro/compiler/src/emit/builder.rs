//! `Topics`: the declaration, on which data, sizes and hyperparameters are set.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{Names, door, set_constant};
use crate::derive::Derivation;
use crate::resolve::{Channel, Index, Model, SetId};

/// The struct, its constructors and its setters.
pub(super) fn builder(derivation: &Derivation, names: &Names) -> TokenStream {
    let model = &derivation.model;
    let (vis, name, door, attrs) = (&model.vis, &names.model, door(), &model.attrs);
    let alias = mechanism(derivation, names);
    let mechanism = &names.mechanism;
    let count = &model.counts[0].name;
    let count_sets = index_names(model, &model.counts[0].vars[..model.counts[0].free]);
    let sets: Vec<_> = model.sets.iter().map(|s| &s.name).collect();
    let hypers: Vec<_> = model.hypers.iter().map(|h| &h.name).collect();
    let data: Vec<_> = model.data.iter().map(|d| &d.name).collect();
    let defaults = model.hypers.iter().map(|h| match h.default {
        Some(number) => {
            let value = number.value;
            quote!(Some(#value))
        }
        None => quote!(None),
    });
    let constructors = constructors(derivation, names);
    let constants = (0..model.sets.len()).map(|i| {
        let (constant, set) = (set_constant(model, SetId(i)), &model.sets[i].name);
        let (doc, word) = (format!("The index set `{set}`, to be labelled."), set.to_string());
        quote! { #[doc = #doc] pub const #constant: #door::Index = #door::Index::new(#word, #i); }
    });
    let size_setters = sets.iter().map(|set| {
        let doc =
            format!("Sets the size of `{set}`. A size that contradicts the data is an error when the model is bound.");
        quote! {
            #[doc = #doc]
            pub fn #set(mut self, size: usize) -> Self {
                self.sizes.set(stringify!(#set), size);
                self
            }
        }
    });
    let hyper_setters = model.hypers.iter().map(|h| {
        let (hyper, attrs, domain) = (&h.name, &h.attrs, h.domain.keyword());
        let doc = format!("Sets the hyperparameter `{hyper}`, which must be {domain}.");
        quote! {
            #(#attrs)*
            #[doc = #doc]
            pub fn #hyper(mut self, value: f64) -> Self {
                self.#hyper = Some(value);
                self
            }
        }
    });
    let data_setters = model.data.iter().map(|d| {
        let (data, attrs) = (&d.name, &d.attrs);
        let doc = format!(
            "Gives the known array `{data}`, ({}).",
            super::names::set_list(model, d.indices.iter().map(|i| i.set))
        );
        quote! {
            #(#attrs)*
            #[doc = #doc]
            pub fn #data(mut self, array: impl Into<#door::Array>) -> Self {
                self.#data = Some(array.into());
                self
            }
        }
    });
    let known = sets.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    quote! {
        #alias

        #(#attrs)*
        #[derive(Clone, Debug)]
        #vis struct #name {
            sizes: #door::SizeTable,
            labels: #door::Labels,
            #(#hypers: Option<f64>,)*
            #(#data: Option<#door::Array>,)*
            #count: #door::Observed<#mechanism>,
        }

        impl #name {
            #(#constants)*

            #constructors

            fn with_data(data: #door::Observed<#mechanism>) -> Result<Self, #door::Error> {
                let sizes = #door::SizeTable::new(&[#(stringify!(#sets)),*]);
                // A shape that contradicts the declaration is an error here, where the data come in.
                sizes.clone().fit(stringify!(#count), #count_sets, data.shape())?;
                Ok(Self {
                    sizes,
                    labels: #door::Labels::default(),
                    #(#hypers: #defaults,)*
                    #(#data: None,)*
                    #count: data,
                })
            }

            #(#size_setters)*
            #(#hyper_setters)*
            #(#data_setters)*

            /// Names the values of an index set; labels travel into fits, pictures and files.
            ///
            /// # Errors
            ///
            /// If `index` is not of this model. Their number is compared with the size when the model is bound.
            pub fn labels(mut self, index: #door::Index, labels: &[String]) -> Result<Self, #door::Error> {
                self.labels.set(index, labels, &[#(stringify!(#sets)),*], #known)?;
                Ok(self)
            }
        }
    }
}

/// ```ignore
/// type TopicsMechanism = TwoSidedGeometric;
/// ```
///
/// The one place where the mechanism is named as the user wrote it: a name that is not in scope is one error.
fn mechanism(derivation: &Derivation, names: &Names) -> TokenStream {
    let (vis, alias, door) = (&derivation.model.vis, &names.mechanism, door());
    let count = &derivation.model.counts[0];
    let path = match &count.channel {
        Channel::Exact => quote!(#door::Exact),
        Channel::Mechanism(path) => quote!(#path),
    };
    let doc = format!("The mechanism that `{}` is observed through.", count.name);
    quote! {
        #[doc = #doc]
        #vis type #alias = #path;
    }
}

fn constructors(derivation: &Derivation, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let mechanism = &names.mechanism;
    let exact_body = quote! {
        Self::with_data(#door::Observed::exact(counts))
    };
    match &model.counts[0].channel {
        Channel::Exact => quote! {
            /// The model of exactly observed counts.
            ///
            /// # Errors
            ///
            /// If the data have another number of indices than the declaration, or two sizes for one index set.
            pub fn new(counts: &#door::Counts) -> Result<Self, #door::Error> {
                #exact_body
            }

            /// The same as `new`: these counts are observed exactly.
            ///
            /// # Errors
            ///
            /// As `new`.
            pub fn exact(counts: &#door::Counts) -> Result<Self, #door::Error> {
                Self::new(counts)
            }
        },
        Channel::Mechanism(_) => quote! {
            /// The model of counts released by the declared mechanism, and by no other.
            ///
            /// # Errors
            ///
            /// If the data have another number of indices than the declaration, or two sizes for one index set.
            pub fn new(released: &#door::Released<#mechanism>) -> Result<Self, #door::Error> {
                Self::with_data(#door::Observed::released(released))
            }

            /// The non-private fit of the same declaration: true counts, observed exactly.
            ///
            /// # Errors
            ///
            /// If the data have another number of indices than the declaration, or two sizes for one index set.
            pub fn exact(counts: &#door::Counts) -> Result<Self, #door::Error> {
                #exact_body
            }

            /// The naive fit of the same declaration: releases are taken for counts, negative ones for
            /// zero. The reference of ICML19, not a model of the data.
            ///
            /// # Errors
            ///
            /// If the data have another number of indices than the declaration, or two sizes for one index set.
            pub fn naive(released: &#door::Released<#mechanism>) -> Result<Self, #door::Error> {
                Self::with_data(#door::Observed::naive(released))
            }
        },
    }
}

/// `sizes.docs`, and so on, checked against data: the body of `bind`.
pub(super) fn bind(derivation: &Derivation, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let (sizes, bound) = (&names.sizes, &names.bound);
    let count = &model.counts[0];
    let count_name = &count.name;
    let count_sets = index_names(model, &count.vars[..count.free]);
    let fields = model.sets.iter().map(|s| {
        let set = &s.name;
        quote!(#set: table.get(stringify!(#set))?)
    });
    let hypers: Vec<_> = model.hypers.iter().map(|h| &h.name).collect();
    let domains = model
        .hypers
        .iter()
        .map(|h| format_ident!("{}", camel(h.domain.keyword())));
    let data: Vec<_> = model.data.iter().map(|d| &d.name).collect();
    let data_sets = model.data.iter().map(|d| index_names(model, &d.indices));
    let data_ranks = model.data.iter().map(|d| d.indices.len());
    let data_domains = model
        .data
        .iter()
        .map(|d| format_ident!("{}", camel(d.domain.keyword())));
    let layout = format_ident!("__{}_layout", count_name);
    let cost = format_ident!("{}_costs", count_name);
    let grid = format_ident!("{}_grid", count_name);
    quote! {
        /// Binds the data: settles sizes, checks every value, chooses a layout for each count and sorts its
        /// cells. `gibbs` and `cavi` do this themselves; it is public for those who advance a chain
        /// sweep by sweep.
        ///
        /// # Errors
        ///
        /// Whatever is missing, contradictory or outside its domain, with the offending value.
        pub fn bind(&self, form: #door::FormKind) -> Result<#bound, #door::Error> {
            self.bind_with(form, None)
        }

        /// `bind` with a layout of one's own choice: a way for tests to reach every layout at any size.
        ///
        /// # Errors
        ///
        /// Those of `bind`.
        #[doc(hidden)]
        pub fn bind_with(&self, form: #door::FormKind, layout: Option<usize>) -> Result<#bound, #door::Error> {
            let mut table = self.sizes.clone();
            table.fit(stringify!(#count_name), #count_sets, self.#count_name.shape())?;
            #(if let Some(array) = &self.#data {
                table.fit(stringify!(#data), #data_sets, array.shape())?;
            })*
            self.labels.fit(&table)?;
            let sizes = #sizes { #(#fields),* };
            let costs = #bound::#cost(&sizes);
            let layout = layout.unwrap_or_else(|| #door::cheapest(&costs, self.#count_name.density()));
            #door::affordable(stringify!(#count_name), &costs[layout.min(costs.len() - 1)])?;
            Ok(#bound {
                #(#hypers: #door::hyper(stringify!(#hypers), self.#hypers, #door::Domain::#domains)?,)*
                #(#data: #door::data(stringify!(#data), self.#data.as_ref(), #data_ranks, #door::Domain::#data_domains)?,)*
                #count_name: self.#count_name.bind(stringify!(#count_name), #bound::#grid(&sizes, layout), form)?,
                #layout: layout,
                sizes,
            })
        }
    }
}

/// `&["docs", "words"]`
fn index_names(model: &Model, all: &[Index]) -> TokenStream {
    let sets = all.iter().map(|i| model.set(i.set).to_string());
    quote!(&[#(#sets),*])
}

fn camel(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
