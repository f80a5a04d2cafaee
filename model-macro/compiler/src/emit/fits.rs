//! `TopicsGibbs` and `TopicsCavi`: what the engines return, with one field per latent.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Names, array_type, door, set_list};
use crate::derive::Derivation;
use crate::show;

/// The type of `fit.rate()`, and its declaration where there are several counts.
fn rates(derivation: &Derivation, names: &Names) -> (TokenStream, TokenStream) {
    let model = &derivation.model;
    if let [only] = &model.counts[..] {
        return (array_type(only.free), quote!());
    }
    let (vis, rates) = (&model.vis, &names.rates);
    let doc = format!("Mean rates of every count of [`{}`].", model.name);
    let fields = model.counts.iter().map(|count| {
        let (name, kind) = (&count.name, array_type(count.free));
        let sets: Vec<String> = count.vars[..count.free]
            .iter()
            .map(|i| model.set(i.set).to_string())
            .collect();
        let doc = format!("Of `{name}`, ({}).", sets.join(", "));
        quote! { #[doc = #doc] pub #name: #kind }
    });
    let structure = quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #rates { #(#fields),* }
    };
    (quote!(#rates), structure)
}

/// Both structs.
pub(super) fn fits(derivation: &Derivation, names: &Names) -> TokenStream {
    let model = &derivation.model;
    let (vis, name, bound, gibbs, cavi, door) = (
        &model.vis,
        &names.model,
        &names.bound,
        &names.gibbs,
        &names.cavi,
        door(),
    );
    let (rate, rates) = rates(derivation, names);
    let latents: Vec<_> = model.latents.iter().map(|l| &l.name).collect();
    let kinds: Vec<_> = model.latents.iter().map(|l| array_type(l.indices.len())).collect();
    let attrs: Vec<_> = model.latents.iter().map(|l| &l.attrs).collect();
    let shapes = model
        .latents
        .iter()
        .map(|l| set_list(model, l.indices.iter().map(|i| i.set)));
    let (draw_docs, posterior_docs): (Vec<_>, Vec<_>) = derivation
        .updates
        .iter()
        .zip(shapes)
        .map(|(update, shape)| {
            let name = &model.latents[update.latent.0].name;
            let show::Parts {
                conditional, ascent, ..
            } = show::parts(model, update);
            (
                format!("Kept draws of `{name}`, ({shape}), each from its complete conditional\n`{conditional}`."),
                format!("Posterior of `{name}`, ({shape}), independent entry by entry:\n`{ascent}`."),
            )
        })
        .unzip();
    let rate_doc = match &model.counts[..] {
        [count] => format!(
            "Posterior mean of the rate of every cell of `{}`, ({}): the mean of the rate, not the rate of the means.\n\n# Errors\n\nIf the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.",
            count.name,
            set_list(model, count.vars[..count.free].iter().map(|i| i.set))
        ),
        _ => "Posterior mean of the rate of every cell of each count: the mean of the rate, not the rate of the means.\n\n# Errors\n\nIf the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead."
            .to_string(),
    };
    let gibbs_doc = format!("A Gibbs fit of [`{name}`].");
    let cavi_doc = format!("A variational fit of [`{name}`].");
    let posteriors = model.latents.iter().zip(&kinds).map(|(l, kind)| match l.along() {
        None => quote!(#door::Posterior<#kind>),
        Some(_) => quote!(#door::Simplex<#kind>),
    });
    let hand_out = model.latents.iter().map(|l| match l.along() {
        None => quote!(posterior),
        Some(_) => quote!(simplex),
    });
    let mean_rate = match &model.counts[..] {
        [_] => quote!(self.__fit.rate_array(0)),
        several => {
            let (rates, fields) = (&names.rates, several.iter().map(|c| &c.name));
            let numbers = 0..several.len();
            quote!(Ok(#rates { #(#fields: self.__fit.rate_array(#numbers)?),* }))
        }
    };
    let numbers: Vec<usize> = (0..latents.len()).collect();
    quote! {
        #rates

        #[doc = #gibbs_doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #gibbs {
            #(#(#attrs)* #[doc = #draw_docs] pub #latents: #door::Draws<#kinds>,)*
            __fit: #door::GibbsFit,
        }

        impl From<#door::GibbsFit> for #gibbs {
            fn from(__fit: #door::GibbsFit) -> Self {
                Self { #(#latents: __fit.draws(#numbers),)* __fit }
            }
        }

        impl #gibbs {

            /// The same fit with the components, which the index set `components` numbers, of all chains and draws in one
            /// order: means of components over several chains are means of this one.
            ///
            /// # Errors
            ///
            /// An index set that no latent has; a latent of which neither draws nor moments were kept.
            pub fn aligned(&self, components: &str) -> Result<Self, #door::Error> {
                self.__fit.aligned(components).map(Self::from)
            }

            /// The same fit with the latents of one chain, such as that of `most_probable`: what to read where chains have found
            /// different modes. Rates, diagnostics and files stay those of all chains.
            ///
            /// # Errors
            ///
            /// A chain that there is not.
            pub fn of_chain(&self, chain: usize) -> Result<Self, #door::Error> {
                Ok(Self { #(#latents: self.#latents.of_chain(chain)?,)* __fit: self.__fit.clone() })
            }

            #[doc = #rate_doc]
            ///
            /// It is the mean over all chains. Where `doubts()` says that chains are in different modes, read those of one:
            /// `rates(count)?.of_chain(chain)?`.
            pub fn rate(&self) -> Result<#rate, #door::Error> {
                #mean_rate
            }
        }

        impl #door::FitOf<#bound> for #gibbs {}

        impl ::core::ops::Deref for #gibbs {
            type Target = #door::GibbsFit;

            fn deref(&self) -> &#door::GibbsFit {
                &self.__fit
            }
        }

        #[doc = #cavi_doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #cavi {
            #(#(#attrs)* #[doc = #posterior_docs] pub #latents: #posteriors,)*
            __fit: #door::CaviFit,
        }

        impl From<#door::CaviFit> for #cavi {
            fn from(__fit: #door::CaviFit) -> Self {
                Self { #(#latents: __fit.#hand_out(#numbers),)* __fit }
            }
        }

        impl #cavi {
            #[doc = #rate_doc]
            pub fn rate(&self) -> Result<#rate, #door::Error> {
                #mean_rate
            }
        }

        impl #door::FitOf<#bound> for #cavi {}

        impl ::core::ops::Deref for #cavi {
            type Target = #door::CaviFit;

            fn deref(&self) -> &#door::CaviFit {
                &self.__fit
            }
        }
    }
}
