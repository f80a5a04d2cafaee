//! `Topics`: the declaration, on which data, sizes and hyperparameters are set.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::names::{Names, door};
use super::{data, setters};
use crate::check::labels;
use crate::derive::Derivation;
use crate::resolve::{Channel, Index, LatentId, Model};
use crate::syntax::Domain;

/// The struct, its constructors and its setters.
pub(super) fn builder(derivation: &Derivation, names: &Names) -> TokenStream {
    let model = &derivation.model;
    let (vis, name, door, attrs) = (&model.vis, &names.model, door(), &model.attrs);
    let mechanisms = &names.mechanisms;
    let counts: Vec<_> = model.counts.iter().map(|c| &c.name).collect();
    let count_sets: Vec<_> = model
        .counts
        .iter()
        .map(|c| index_names(model, &c.vars[..c.free]))
        .collect();
    let sets: Vec<_> = model.sets.iter().map(|s| &s.name).collect();
    let hypers: Vec<_> = model.hypers.iter().map(|h| &h.name).collect();
    let data: Vec<_> = model.data.iter().map(|d| &d.name).collect();
    let defaults = model.hypers.iter().map(|h| default(h.default.map(|n| n.value)));
    let aliases = aliases(derivation, names);
    let given = data::structs(derivation, names);
    let constructors = data::constructors(derivation, names);
    let constants: Vec<Ident> = (labels(model).iter().zip(&model.sets))
        .map(|(label, set)| Ident::new(label, set.name.span()))
        .collect();
    // The path, line and column tell the model from every other.
    let path = quote!(::core::concat!(::core::module_path!(), "::", ::core::stringify!(#name)));
    let indices = constants.iter().zip(&sets).enumerate().map(|(i, (constant, set))| {
        let (doc, word) = (format!("The index set `{set}`, to be labelled."), set.to_string());
        quote! {
            #[doc = #doc]
            pub const #constant: #door::Index = #door::Index::new(Self::__DECLARED, #word, #i);
        }
    });
    let setters = setters::setters(model);
    let latents = model.latents.len();
    // What data cannot be is an error where they come in.
    let checks = (0..counts.len())
        .filter(|&c| !model.counts[c].guards.is_empty())
        .map(|c| {
            let guards = guards(derivation, c);
            let (count, rules) = (counts[c], quote!(#door::Rules { guards: #guards, constant: &[] }));
            quote!(#count.check(stringify!(#count), &#rules)?;)
        });
    quote! {
        #aliases

        #(#attrs)*
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #name {
            sizes: #door::SizeTable,
            labels: #door::Labels,
            #(#hypers: ::core::option::Option<f64>,)*
            #(#data: ::core::option::Option<#door::Array>,)*
            #(#counts: #door::Observed<#mechanisms>,)*
            __frozen: ::std::vec::Vec<::core::option::Option<#door::Array>>,
        }

        #given

        impl #name {
            const __DECLARED: #door::Origin = #door::Origin::new(#path, ::core::line!(), ::core::column!());
            #(#indices)*

            #constructors

            fn with_data(#(#counts: #door::Observed<#mechanisms>),*) -> Result<Self, #door::Error> {
                let sizes = #door::SizeTable::new(&[#(stringify!(#sets)),*]);
                // Shapes that contradict the declaration or each other are errors here, where the data come in.
                let mut __table = sizes.clone();
                #(__table.fit(stringify!(#counts), #count_sets, #counts.shape())?;)*
                #(#checks)*
                Ok(Self {
                    sizes,
                    labels: #door::Labels::default(),
                    #(#hypers: #defaults,)*
                    #(#data: None,)*
                    #(#counts,)*
                    __frozen: vec![None; #latents],
                })
            }

            #setters

            /// Names the values of an index set. Fits hand the labels on, and what draws or saves a fit can write them.
            ///
            /// # Errors
            ///
            /// If `index` is a constant of another model, whatever its name. Their number is compared with the size when the model
            /// is bound.
            pub fn labels(mut self, index: #door::Index, labels: &[impl ::core::convert::AsRef<str>]) -> Result<Self, #door::Error> {
                self.labels.set(index, labels, &[#(Self::#constants),*])?;
                Ok(self)
            }
        }
    }
}

fn default(value: Option<f64>) -> TokenStream {
    match value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    }
}

/// ```ignore
/// type TopicsMechanism = TwoSidedGeometric;
/// ```
///
/// The one place where a mechanism is named as the user wrote it: a name that is not in scope is one error.
fn aliases(derivation: &Derivation, names: &Names) -> TokenStream {
    let (vis, door) = (&derivation.model.vis, door());
    let each = derivation
        .model
        .counts
        .iter()
        .zip(&names.mechanisms)
        .map(|(count, alias)| {
            let path = match &count.channel {
                Channel::Exact => quote!(#door::Exact),
                Channel::Mechanism(path) => quote!(#path),
            };
            let doc = format!("The mechanism that `{}` is observed through.", count.name);
            quote! {
                #[doc = #doc]
                #vis type #alias = #path;
            }
        });
    each.collect()
}

/// `sizes.docs`, and so on, checked against data: the body of `bind`.
pub(super) fn bind(derivation: &Derivation, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let (sizes, bound) = (&names.sizes, &names.bound);
    let counts: Vec<_> = model.counts.iter().map(|c| &c.name).collect();
    let count_sets: Vec<_> = model
        .counts
        .iter()
        .map(|c| index_names(model, &c.vars[..c.free]))
        .collect();
    let fields = model.sets.iter().map(|s| {
        let set = &s.name;
        quote!(#set: table.get(stringify!(#set))?)
    });
    let hypers: Vec<_> = model.hypers.iter().map(|h| &h.name).collect();
    let domains = model.hypers.iter().map(|h| domain(h.domain));
    let data: Vec<_> = model.data.iter().map(|d| &d.name).collect();
    let data_sets = model.data.iter().map(|d| index_names(model, &d.indices));
    let arrays = model.data.iter().map(|d| {
        let (name, rank, domain) = (&d.name, d.indices.len(), domain(d.domain));
        if d.hyper {
            let (default, sets) = (
                default(d.default.map(|n| n.value)),
                d.indices.iter().map(|i| model.set(i.set)),
            );
            quote! {
                #name: #door::array_hyper(
                    stringify!(#name),
                    self.#name.as_ref(),
                    #default,
                    &[#(sizes.#sets),*],
                    #door::Domain::#domain,
                )?
            }
        } else {
            quote!(#name: #door::data(stringify!(#name), self.#name.as_ref(), #rank, #door::Domain::#domain)?)
        }
    });
    let with = |what: &str| -> Vec<_> { counts.iter().map(|c| format_ident!("{c}_{what}")).collect() };
    let (costs, grids) = (with("costs"), with("grid"));
    let layouts: Vec<_> = counts.iter().map(|c| format_ident!("__{c}_layout")).collect();
    let rules = (0..counts.len()).map(|c| rules(derivation, c));
    let frozen = model.latents.iter().enumerate().map(|(at, latent)| {
        let (name, sets) = (latent.name.to_string(), index_names(model, &latent.indices));
        let sizes = latent.indices.iter().map(|i| model.set(i.set));
        let along = match latent.along() {
            Some(along) => quote!(Some(#along)),
            None => quote!(None),
        };
        // A rate of a gamma, and a factor whose density is part of the bound, cannot be zero.
        let positive = !model.children(LatentId(at)).is_empty() || latent.parents().next().is_some();
        quote! {
            match &self.__frozen[#at] {
                Some(array) => Some(#door::frozen(#name, array, &[#(sizes.#sizes),*], #sets, #along, #positive)?),
                None => None,
            }
        }
    });
    let frozen_sets = model.latents.iter().enumerate().map(|(at, latent)| {
        let (name, sets) = (latent.name.to_string(), index_names(model, &latent.indices));
        quote! {
            if let Some(array) = &self.__frozen[#at] {
                table.fit(#name, #sets, array.shape())?;
            }
        }
    });
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

        /// `bind` with a layout of one's own choice (the last one of a count that has fewer): a way for tests
        /// to reach every layout at any size.
        ///
        /// # Errors
        ///
        /// Those of `bind`.
        #[doc(hidden)]
        pub fn bind_with(&self, form: #door::FormKind, layout: Option<usize>) -> Result<#bound, #door::Error> {
            let mut table = self.sizes.clone();
            #(table.fit(stringify!(#counts), #count_sets, self.#counts.shape())?;)*
            #(if let Some(array) = &self.#data {
                table.fit(stringify!(#data), #data_sets, array.shape())?;
            })*
            #(#frozen_sets)*
            self.labels.fit(&table)?;
            #door::seen(&[#((stringify!(#counts), &self.#counts as &dyn #door::Replicated)),*])?;
            let sizes = #sizes { #(#fields),* };
            #door::supported(form, &[#((self.#counts.channel(), self.#counts.supports(form))),*])?;
            #(
                let #costs = #bound::#costs(&sizes);
                let #layouts = match layout {
                    Some(layout) => layout.min(#costs.len() - 1),
                    None => #door::cheapest(&#costs, self.#counts.density()),
                };
            )*
            #door::affordable(&[#((stringify!(#counts), &#costs[#layouts])),*])?;
            Ok(#bound {
                #(#hypers: #door::hyper(stringify!(#hypers), self.#hypers, #door::Domain::#domains)?,)*
                #(#arrays,)*
                #(#counts: self.#counts.bind(stringify!(#counts), #bound::#grids(&sizes, #layouts), form, &#rules)?,)*
                #(#layouts,)*
                __frozen: Vec::from([#(#frozen),*]),
                sizes,
            })
        }
    }
}

/// What binding must know of a count besides its grid: which cells there are, and along which indices the
/// weights of cells must be constant for the Dirichlet latents that are learned.
fn rules(derivation: &Derivation, count: usize) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let guards = guards(derivation, count);
    let constant = derivation.constant[count].iter().map(|(var, latent)| {
        let index = model.set(model.counts[count].vars[var.0].set).to_string();
        let (axis, position, latent) = (var.0, latent.0, model.latents[latent.0].name.to_string());
        quote!(#door::Constant { index: #index, axis: #axis, latent: #latent, position: #position })
    });
    let constant = match derivation.constant[count].is_empty() {
        true => quote!(&[]),
        false => quote!(&#door::learned(&[#(#constant),*], &self.__frozen)),
    };
    quote!(#door::Rules { guards: #guards, constant: #constant })
}

/// The clauses of `where` of one count.
fn guards(derivation: &Derivation, count: usize) -> TokenStream {
    let guards = derivation.model.counts[count]
        .guards
        .iter()
        .map(|g| guard(g.left.0, g.right.0, g.less));
    quote!(&[#(#guards),*])
}

/// A clause of `where`, between two axes of the data.
pub(super) fn guard(left: usize, right: usize, less: bool) -> TokenStream {
    let door = door();
    quote!(#door::Guard { left: #left, right: #right, less: #less })
}

/// `&["docs", "words"]`
pub(super) fn index_names(model: &Model, all: &[Index]) -> TokenStream {
    let sets = all.iter().map(|i| model.set(i.set).to_string());
    quote!(&[#(#sets),*])
}

/// `Positive`
pub(super) fn domain(domain: Domain) -> Ident {
    format_ident!("{}", super::names::camel(domain.keyword()))
}
