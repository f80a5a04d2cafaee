//! The implementation of the runtime's `Model`: walks of every count, updates of every latent.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{Names, door};
use super::priors;
use super::tokens::product;
use crate::derive::Derivation;
use crate::resolve::LatentId;

/// `impl Model for TopicsModel`.
pub(super) fn implementation(derivation: &Derivation, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let (bound, factors, buffers) = (&names.bound, &names.factors, &names.buffers);
    let latents: Vec<_> = model.latents.iter().map(|l| &l.name).collect();
    let descriptions = model.latents.iter().enumerate().map(|(id, l)| {
        let name = l.name.to_string();
        let along = match l.along() {
            None => quote!(None),
            Some(at) => quote!(Some(#at)),
        };
        let uses = model.uses(LatentId(id));
        let has_parents = l.parents().next().is_some();
        let is_parent = !model.children(LatentId(id)).is_empty();
        let own_update = l.own.is_some();
        let mut components: Vec<String> = Vec::new();
        for index in &l.indices {
            let word = model.set(index.set).to_string();
            if derivation.components.contains(&index.set) && !components.contains(&word) {
                components.push(word);
            }
        }
        let sets: Vec<_> = l.indices.iter().map(|i| model.set(i.set)).collect();
        let words = sets.iter().map(ToString::to_string);
        quote! {
            #door::Latent {
                name: #name,
                indices: &[#(#words),*],
                shape: vec![#(self.sizes.#sets),*],
                along: #along,
                uses: #uses,
                has_parents: #has_parents,
                is_parent: #is_parent,
                own_update: #own_update,
                components: &[#(#components),*],
            }
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
    let (name, hypers) = (&names.model, model.hypers.iter().map(|h| &h.name));
    let data = model.data.iter().map(|d| &d.name);
    let walk = |what: &str| -> Vec<_> { counts.iter().map(|c| format_ident!("{c}_{what}")).collect() };
    let (forward, adjoint, thin) = (walk("forward"), walk("adjoint"), walk("thin"));
    let numbers: Vec<usize> = (0..counts.len()).collect();
    let (costs, layouts) = (walk("costs"), counts.iter().map(|c| format_ident!("__{c}_layout")));
    let bodies = derivation.updates.iter().map(|update| {
        let (prior, update) = (
            priors::prior(derivation, names, update),
            priors::update(derivation, names, update),
        );
        quote! { #prior #update }
    });
    let helpers = model.latents.iter().map(priors::update_name);
    let priors = model.latents.iter().enumerate().map(|(i, latent)| {
        let method = priors::prior_name(latent);
        let kind = match latent.along() {
            None => quote!(Gamma),
            Some(_) => quote!(Dirichlet),
        };
        let pattern = if i + 1 == model.latents.len() {
            quote!(_)
        } else {
            quote!(#i)
        };
        quote!(#pattern => #door::Prior::#kind(self.#method(x)))
    });
    let priors = match model.latents.len() {
        // A match with one arm is one too many.
        1 => {
            let (method, along) = (priors::prior_name(&model.latents[0]), model.latents[0].along());
            let kind = if along.is_some() {
                quote!(Dirichlet)
            } else {
                quote!(Gamma)
            };
            quote!(let _ = latent; #door::Prior::#kind(self.#method(x)))
        }
        _ => quote!(match latent { #(#priors),* }),
    };
    let symmetries = symmetries(derivation);
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

            fn frozen(&self, latent: usize) -> Option<&[f64]> {
                self.__frozen[latent].as_deref()
            }

            fn prior(&self, latent: usize, x: &#factors) -> #door::Prior {
                #priors
            }

            fn factors(&self) -> #factors {
                #factors { #(#latents: vec![0.0; #lengths]),* }
            }

            fn buffers(&self) -> #buffers {
                #buffers::default()
            }

            fn views(&self) -> Vec<&#door::View> {
                Vec::from([#(&self.#counts),*])
            }

            #symmetries

            fn numbers(&self) -> f64 {
                [#(Self::#costs(&self.sizes)[self.#layouts].memory),*].iter().sum()
            }

            fn declared(&self) -> Option<#door::Declared<'_>> {
                Some(#door::Declared {
                    spec: <#name as #door::Testable>::SPEC,
                    hypers: Vec::from([#(self.#hypers),*]),
                    arrays: Vec::from([#(&self.#data),*]),
                })
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

/// ```ignore
/// fn symmetries(&self) -> &'static [Symmetry] {
///     &[Symmetry { scaled: &[Scaled { latent: 0, axis: 1, power: 1 }, Scaled { latent: 1, axis: 0, power: -1 }], by_index: true }]
/// }
/// ```
fn symmetries(derivation: &Derivation) -> Option<TokenStream> {
    let door = door();
    let all = derivation.symmetries.iter().map(|symmetry| {
        let by_index = symmetry.set.is_some();
        let scaled = symmetry.scaled.iter().map(|scaled| {
            let (latent, axis, power) = (
                scaled.latent.0,
                scaled.axis,
                proc_macro2::Literal::i64_unsuffixed(scaled.power),
            );
            quote!(#door::Scaled { latent: #latent, axis: #axis, power: #power })
        });
        quote!(#door::Symmetry { scaled: &[#(#scaled),*], by_index: #by_index })
    });
    let all: Vec<TokenStream> = all.collect();
    (!all.is_empty()).then(|| {
        quote! {
            fn symmetries(&self) -> &'static [#door::Symmetry] {
                &[#(#all),*]
            }
        }
    })
}
