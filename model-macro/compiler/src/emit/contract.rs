//! The implementation of the runtime's `Model`: walks of every count, updates of every latent.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{Names, door};
use super::tokens::{product, scalar_tokens};
use crate::derive::Derivation;
use crate::show;

/// `impl Model for TopicsModel`.
pub(super) fn implementation(derivation: &Derivation, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let (bound, factors, buffers) = (&names.bound, &names.factors, &names.buffers);
    let latents: Vec<_> = model.latents.iter().map(|l| &l.name).collect();
    let descriptions = model.latents.iter().map(|l| {
        let name = l.name.to_string();
        let sets: Vec<_> = l.indices.iter().map(|i| model.set(i.set)).collect();
        let words = sets.iter().map(ToString::to_string);
        quote! {
            #door::Latent { name: #name, indices: &[#(#words),*], shape: vec![#(self.sizes.#sets),*] }
        }
    });
    let lengths = model.latents.iter().map(|l| {
        product(
            l.indices
                .iter()
                .map(|i| model.set(i.set))
                .map(|set| quote!(self.sizes.#set))
                .collect(),
        )
    });
    let counts: Vec<_> = model.counts.iter().map(|c| &c.name).collect();
    let walk = |what: &str| -> Vec<_> { counts.iter().map(|c| format_ident!("{c}_{what}")).collect() };
    let (forward, adjoint, thin) = (walk("forward"), walk("adjoint"), walk("thin"));
    let numbers: Vec<usize> = (0..counts.len()).collect();
    let updates = derivation.updates.iter().map(|update| {
        let latent = &model.latents[update.latent.0].name;
        let (shape, rate) = (scalar_tokens(model, &update.shape), scalar_tokens(model, &update.rate));
        let index = update.latent.0;
        let mut touched: Vec<usize> = update.occurrences.iter().map(|o| o.count).collect();
        touched.dedup();
        let method = |what: &str, count: usize| format_ident!("{}_{}_{}", counts[count], what, latent);
        let exposures = touched.iter().map(|&c| {
            let method = method("exposure", c);
            quote!(self.#method(x, &mut roots[#c], buffers, &mut exposure);)
        });
        let changes = touched.iter().map(|&c| {
            let method = method("changed", c);
            quote!(self.#method(x, &mut roots[#c], buffers);)
        });
        let helper = format_ident!("update_{latent}");
        (helper.clone(), {
            let doc = format!(
                "Rule: {}.\n\n`{}`",
                update.rule.name(),
                show::conditional(model, update)
            );
            quote! {
                #[doc = #doc]
                fn #helper(
                    &self,
                    x: &mut #factors,
                    counts: &#factors,
                    roots: &mut [#door::Root],
                    buffers: &mut #buffers,
                    step: &mut dyn #door::Step,
                ) {
                    let mut exposure = vec![0.0; x.#latent.len()];
                    #(#exposures)*
                    let prior = #door::GammaPrior { shape: #shape, rate: #rate };
                    step.gamma(#index, prior, &counts.#latent, &exposure, &mut x.#latent);
                    #(#changes)*
                }
            }
        })
    });
    let (helpers, bodies): (Vec<_>, Vec<_>) = updates.unzip();
    quote! {
        impl #bound {
            #(#bodies)*
        }

        impl #door::Model for #bound {
            type Factors = #factors;
            type Buffers = #buffers;

            fn latents(&self) -> Vec<#door::Latent> {
                Vec::from([#(#descriptions),*])
            }

            fn factors(&self) -> #factors {
                #factors { #(#latents: vec![0.0; #lengths]),* }
            }

            fn buffers(&self) -> #buffers {
                #buffers::default()
            }

            fn views(&self) -> Vec<&dyn #door::View> {
                Vec::from([#(&*self.#counts),*])
            }

            fn forward(&self, x: &#factors, roots: &mut [#door::Root], buffers: &mut #buffers) {
                #(self.#forward(x, &mut roots[#numbers], buffers);)*
            }

            fn adjoint(&self, x: &#factors, roots: &[#door::Root], buffers: &#buffers, into: &mut #factors) {
                #(self.#adjoint(x, &roots[#numbers], buffers, into);)*
            }

            fn thin(
                &self,
                x: &#factors,
                roots: &[#door::Root],
                buffers: &#buffers,
                into: &mut #factors,
                streams: &#door::Streams,
            ) {
                #(self.#thin(x, &roots[#numbers], buffers, into, streams, #numbers);)*
            }

            fn update(
                &self,
                x: &mut #factors,
                counts: &#factors,
                roots: &mut [#door::Root],
                buffers: &mut #buffers,
                step: &mut dyn #door::Step,
            ) {
                roots.iter_mut().for_each(#door::Root::forget_exposures);
                #(self.#helpers(x, counts, roots, buffers, step);)*
            }
        }
    }
}
