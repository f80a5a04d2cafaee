//! The implementation of the runtime's `Model`: walks of every count, updates of every latent.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{Names, door};
use super::priors;
use crate::derive::Derivation;
use crate::resolve::LatentId;

/// `impl Model for TopicsModel`.
pub(super) fn implementation(derivation: &Derivation, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let (bound, constants) = (&names.bound, &names.constants);
    let numbers: Vec<_> = (0..model.counts.len()).map(|count| constants.count(count)).collect();
    let walk = |what: &str| -> Vec<_> {
        model
            .counts
            .iter()
            .map(|c| format_ident!("{}_{what}", c.name))
            .collect()
    };
    let (forward, adjoint, thin) = (walk("forward"), walk("adjoint"), walk("thin"));
    let bodies = derivation.updates.iter().map(|update| {
        let (prior, update) = (
            priors::prior(derivation, names, update),
            priors::update(derivation, names, update),
        );
        quote! { #prior #update }
    });
    let updates = model.latents.iter().map(priors::update_name);
    let prior = prior(derivation, names);
    quote! {
        impl #bound {
            #(#bodies)*
        }

        impl #door::Model for #bound {
            fn bound(&self) -> &#door::Bound {
                &self.__bound
            }

            fn prior(&self, latent: usize, x: &#door::Factors) -> #door::Prior {
                #prior
            }

            fn forward(&self, x: &#door::Factors, roots: &mut [#door::Root]) {
                #(self.#forward(x, &mut roots[#numbers]);)*
            }

            fn adjoint(&self, x: &#door::Factors, roots: &[#door::Root], into: &mut #door::Factors) {
                #(self.#adjoint(x, &roots[#numbers], into);)*
            }

            fn thin(
                &self,
                x: &#door::Factors,
                roots: &[#door::Root],
                into: &mut #door::Factors,
                streams: &#door::Streams,
            ) {
                #(self.#thin(x, &roots[#numbers], into, streams, #numbers);)*
            }

            fn update(
                &self,
                x: &mut #door::Factors,
                counts: &#door::Factors,
                roots: &mut [#door::Root],
                step: &mut dyn #door::Step,
            ) {
                roots.iter_mut().for_each(#door::Root::forget_exposures);
                #(self.#updates(x, counts, roots, step);)*
            }
        }
    }
}

/// ```ignore
/// match latent {
///     Self::THETA => Prior::Gamma(self.prior_theta(x)),
///     _ => Prior::Dirichlet(self.prior_phi(x)),
/// }
/// ```
fn prior(derivation: &Derivation, names: &Names) -> TokenStream {
    let (latents, door) = (&derivation.model.latents, door());
    let priors = latents.iter().map(|latent| {
        let method = priors::prior_name(latent);
        match latent.along() {
            None => quote!(#door::Prior::Gamma(self.#method(x))),
            Some(_) => quote!(#door::Prior::Dirichlet(self.#method(x))),
        }
    });
    let priors: Vec<TokenStream> = priors.collect();
    let [first @ .., last] = &priors[..] else {
        unreachable!("every model has a latent")
    };
    // A match with one arm is one too many.
    if first.is_empty() {
        return quote!(let _ = latent; #last);
    }
    let numbers = (0..first.len()).map(|latent| names.constants.latent(LatentId(latent)));
    quote!(match latent { #(#numbers => #first,)* _ => #last })
}
