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
            "Posterior mean of the rate of every cell of `{}`, ({}): the mean of the rate, not the rate of the means.",
            count.name,
            set_list(model, count.vars[..count.free].iter().map(|i| i.set))
        ),
        _ => "Posterior mean of the rate of every cell of each count: the mean of the rate, not the rate of the means."
            .to_string(),
    };
    let gibbs_doc = format!("A Gibbs fit of [`{name}`].");
    let cavi_doc = format!("A variational fit of [`{name}`].");
    let bind = bind(derivation, names);
    let posteriors = model.latents.iter().zip(&kinds).map(|(l, kind)| match l.along() {
        None => quote!(#door::Posterior<#kind>),
        Some(_) => quote!(#door::Simplex<#kind>),
    });
    let hand_out = model.latents.iter().map(|l| match l.along() {
        None => quote!(posterior),
        Some(_) => quote!(simplex),
    });
    let mean_rate = match &model.counts[..] {
        [_] => quote!(parts.rate(0)),
        several => {
            let (rates, fields) = (&names.rates, several.iter().map(|c| &c.name));
            let numbers = 0..several.len();
            quote!(#rates { #(#fields: parts.rate(#numbers)),* })
        }
    };
    quote! {
        #rates

        impl #name {
            #bind

            /// Samples the posterior.
            ///
            /// # Errors
            ///
            /// Those of `bind`, and settings that make no sense.
            pub fn gibbs(&self, settings: &#door::Gibbs) -> Result<#gibbs, #door::Error> {
                let model = self.bind(settings.form.into())?;
                let run = #door::gibbs(&model, settings, |_, _| {})?;
                Ok(#gibbs::new(&model, run, self.labels.clone()))
            }

            /// Approximates the posterior by independent gammas (and Dirichlets, for simplex factors).
            ///
            /// # Errors
            ///
            /// Those of `bind`, and settings that make no sense.
            pub fn cavi(&self, settings: &#door::Cavi) -> Result<#cavi, #door::Error> {
                let model = self.bind(settings.form.into())?;
                let run = #door::cavi(&model, settings, |_, _| {})?;
                Ok(#cavi::new(&model, run, self.labels.clone()))
            }
        }

        #[doc = #gibbs_doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #gibbs {
            #(#(#attrs)* #[doc = #draw_docs] pub #latents: #door::Draws<#kinds>,)*
            rate: #rate,
            sweeps: usize,
            collapse: ::core::option::Option<#door::Collapse>,
            labels: #door::Labels,
        }

        impl #gibbs {
            /// Names what a run left behind.
            pub fn new(model: &impl #door::Model, run: #door::GibbsRun, labels: #door::Labels) -> Self {
                let mut parts = #door::GibbsParts::new(model, run);
                Self {
                    #(#latents: parts.draws(),)*
                    rate: #mean_rate,
                    sweeps: parts.sweeps(),
                    collapse: parts.collapse(),
                    labels,
                }
            }

            #[doc = #rate_doc]
            pub fn rate(&self) -> &#rate {
                &self.rate
            }

            /// Sweeps run, tuning included.
            pub fn sweeps(&self) -> usize {
                self.sweeps
            }

            /// Whether the noise has explained the releases; its `Display` says what to try.
            pub fn collapse(&self) -> Option<#door::Collapse> {
                self.collapse
            }

            /// The labels of an index set, if it was given any.
            pub fn labels(&self, index: #door::Index) -> Option<&[String]> {
                self.labels.get(index)
            }
        }

        #[doc = #cavi_doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #cavi {
            #(#(#attrs)* #[doc = #posterior_docs] pub #latents: #posteriors,)*
            /// The bound that was reached, constants kept; `None` for the published algorithm, which has
            /// none. Bounds of different forms are not comparable.
            pub elbo: ::core::option::Option<f64>,
            /// (iteration, bound), from the end of annealing on.
            pub trace: ::std::vec::Vec<(usize, f64)>,
            /// The final bound of every start.
            pub restarts: ::std::vec::Vec<::core::option::Option<f64>>,
            /// Iterations of the start that is returned.
            pub iterations: usize,
            /// Whether that start met the tolerance.
            pub converged: bool,
            rate: #rate,
            collapse: ::core::option::Option<#door::Collapse>,
            labels: #door::Labels,
        }

        impl #cavi {
            /// Names what a run left behind.
            pub fn new(model: &impl #door::Model, run: #door::CaviRun, labels: #door::Labels) -> Self {
                let mut parts = #door::CaviParts::new(model, run);
                Self {
                    #(#latents: parts.#hand_out(),)*
                    rate: #mean_rate,
                    elbo: parts.run.elbo,
                    trace: ::std::mem::take(&mut parts.run.trace),
                    restarts: ::std::mem::take(&mut parts.run.restarts),
                    iterations: parts.run.iterations,
                    converged: parts.run.converged,
                    collapse: parts.collapse(),
                    labels,
                }
            }

            #[doc = #rate_doc]
            pub fn rate(&self) -> &#rate {
                &self.rate
            }

            /// Whether the noise has explained the releases; its `Display` says what to try.
            pub fn collapse(&self) -> Option<#door::Collapse> {
                self.collapse
            }

            /// The labels of an index set, if it was given any.
            pub fn labels(&self, index: #door::Index) -> Option<&[String]> {
                self.labels.get(index)
            }
        }
    }
}
