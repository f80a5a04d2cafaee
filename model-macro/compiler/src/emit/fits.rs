//! `TopicsGibbs` and `TopicsCavi`: what the engines return, with one field per latent.

use proc_macro2::TokenStream;
use quote::quote;

use super::builder::bind;
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

/// Both structs, and the methods of the declaration that make them.
pub(super) fn fits(derivation: &Derivation, names: &Names) -> TokenStream {
    let model = &derivation.model;
    let (vis, name, gibbs, cavi, door) = (&model.vis, &names.model, &names.gibbs, &names.cavi, door());
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
    let bind = bind(names);
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

        impl #name {
            #bind

            /// Samples the posterior.
            ///
            /// # Errors
            ///
            /// Those of `bind`; settings that make no sense; a run that does not fit in memory.
            pub fn gibbs(&self, settings: &#door::Gibbs) -> Result<#gibbs, #door::Error> {
                let model = self.bind(settings.form.into())?;
                let run = #door::gibbs(&model, settings, |_, _| {})?;
                Ok(#gibbs::new(&model, run, self.__given.labels().clone()))
            }

            /// Samples the posterior, and makes the checks of [`Self::predictive_check`] while the chains run: nothing of a draw need be kept.
            ///
            /// # Errors
            ///
            /// Those of `gibbs` and of `predictive_check`.
            pub fn gibbs_with_checks(&self, settings: &#door::Gibbs, predictive: &#door::Predictive) -> Result<(#gibbs, ::std::vec::Vec<#door::PredictiveCheck>), #door::Error> {
                let model = self.bind(settings.form.into())?;
                let (run, checks) = #door::checked(&model, settings, &self.__given.targets(), predictive)?;
                Ok((#gibbs::new(&model, run, self.__given.labels().clone()), checks))
            }

            /// Compares each count with replicas of it, data drawn at the kept draws of `fit` through the count's channel.
            ///
            /// # Errors
            ///
            /// Those of `bind`; draws that were not kept; a fit of other sizes; releases that are known by their sums alone.
            pub fn predictive_check(&self, fit: &#gibbs, predictive: &#door::Predictive) -> Result<::std::vec::Vec<#door::PredictiveCheck>, #door::Error> {
                let model = self.bind(::core::default::Default::default())?;
                #door::from_draws(&model, fit, &self.__given.targets(), predictive)
            }

            /// Draws of what might be observed at some cells of a count, through its channel: (draw, cell), chain by chain.
            ///
            /// # Errors
            ///
            /// Those of `predictive_check`; an unknown count; a cell that it does not have.
            pub fn predictive_draws(&self, fit: &#gibbs, count: &str, cells: &[impl ::core::convert::AsRef<[usize]>], seed: u64) -> Result<::std::vec::Vec<::std::vec::Vec<f64>>, #door::Error> {
                let model = self.bind(::core::default::Default::default())?;
                #door::draws_at(&model, fit, &self.__given.targets(), count, cells, seed)
            }

            /// Approximates the posterior by independent gammas (and Dirichlets, for simplex factors).
            ///
            /// # Errors
            ///
            /// Those of `bind`; settings that make no sense; a run that does not fit in memory.
            pub fn cavi(&self, settings: &#door::Cavi) -> Result<#cavi, #door::Error> {
                let model = self.bind(settings.form.into())?;
                let run = #door::cavi(&model, settings, |_, _| {})?;
                Ok(#cavi::new(&model, run, self.__given.labels().clone()))
            }
        }

        #[doc = #gibbs_doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #gibbs {
            #(#(#attrs)* #[doc = #draw_docs] pub #latents: #door::Draws<#kinds>,)*
            __fit: #door::GibbsFit,
        }

        impl #gibbs {
            /// Names what a run left behind.
            pub fn new(model: &dyn #door::Model, run: #door::GibbsRun, labels: #door::Labels) -> Self {
                let __fit = #door::GibbsFit::new(model, run, labels);
                Self { #(#latents: __fit.draws(#numbers),)* __fit }
            }

            /// The same fit with the components, which the index set `components` numbers, of all chains and draws in one
            /// order: means of components over several chains are means of this one.
            ///
            /// # Errors
            ///
            /// An index set that no latent has; a latent of which neither draws nor moments were kept.
            pub fn aligned(&self, components: &str) -> Result<Self, #door::Error> {
                let __fit = self.__fit.aligned(components)?;
                Ok(Self { #(#latents: __fit.draws(#numbers),)* __fit })
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
            pub fn rate(&self) -> Result<#rate, #door::Error> {
                #mean_rate
            }
        }

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

        impl #cavi {
            /// Names what a run left behind.
            pub fn new(model: &dyn #door::Model, run: #door::CaviRun, labels: #door::Labels) -> Self {
                let __fit = #door::CaviFit::new(model, run, labels);
                Self { #(#latents: __fit.#hand_out(#numbers),)* __fit }
            }

            #[doc = #rate_doc]
            pub fn rate(&self) -> Result<#rate, #door::Error> {
                #mean_rate
            }
        }

        impl ::core::ops::Deref for #cavi {
            type Target = #door::CaviFit;

            fn deref(&self) -> &#door::CaviFit {
                &self.__fit
            }
        }
    }
}
