//! For each latent: its prior at given values of its parents, and its update.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use super::names::{Names, door};
use super::tokens::{monomial, scalar_tokens, shape_tokens, strides};
use crate::derive::{Derivation, Update};
use crate::resolve::{Latent, Model, Prior, Source, Term};
use crate::show;

/// ```ignore
/// fn prior_theta(&self, x: &TopicsFactors) -> GammaPrior
/// ```
pub(super) fn prior(derivation: &Derivation, names: &Names, update: &Update) -> TokenStream {
    let (model, door, factors) = (&derivation.model, door(), &names.factors);
    let latent = &model.latents[update.latent.0];
    let method = prior_name(latent);
    let doc = format!("The prior of `{}` at values `x` of the latents in it.", latent.name);
    let values = |term: &Term| {
        if term.factors.is_empty() {
            let scalar = scalar_tokens(model, &term.coefficient);
            quote!(#door::Values::Same(#scalar))
        } else {
            let monomial = monomial(model, latent, term, None);
            quote!(#monomial.values())
        }
    };
    let has_parents = latent.parents().next().is_some();
    let unused = (!has_parents).then(|| quote!(let _ = x;));
    let (kind, body, sizes) = match &latent.prior {
        Prior::Gamma { shape, rate } => {
            let sizes = !shape.factors.is_empty() || !rate.factors.is_empty();
            let (shape, rate) = (values(shape), values(rate));
            (
                quote!(GammaPrior),
                quote!(#door::GammaPrior { shape: #shape, rate: #rate }),
                sizes,
            )
        }
        Prior::Dirichlet {
            concentration, along, ..
        } => {
            let shape = shape_tokens(model, latent);
            let concentration = values(concentration);
            let body = quote! {
                #door::DirichletPrior { concentration: #concentration, lines: #door::Lines::new(#shape, #along) }
            };
            (quote!(DirichletPrior), body, true)
        }
    };
    let sizes = sizes.then(|| quote!(let s = &self.sizes;));
    quote! {
        #[doc = #doc]
        fn #method(&self, x: &#factors) -> #door::#kind {
            #unused
            #sizes
            #body
        }
    }
}

pub(super) fn prior_name(latent: &Latent) -> Ident {
    format_ident!("prior_{}", latent.name)
}

/// ```ignore
/// /// Rule: gamma prior, Poisson allocations.
/// fn update_theta(&self, x: &mut TopicsFactors, counts: &TopicsFactors, roots: &mut [Root], ..) {
///     let mut exposure = vec![0.0; x.theta.len()];
///     self.y_exposure_theta(x, &mut roots[0], buffers, &mut exposure);
///     let prior = self.prior_theta(x);
///     step.gamma(Part::all(0), &prior, &counts.theta, &exposure, &mut x.theta);
///     self.y_changed_theta(x, &mut roots[0], buffers);
/// }
/// ```
pub(super) fn update(derivation: &Derivation, names: &Names, update: &Update) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let (factors, buffers) = (&names.factors, &names.buffers);
    let latent = &model.latents[update.latent.0];
    let (name, number) = (&latent.name, update.latent.0);
    let helper = update_name(latent);
    let prior = prior_name(latent);
    let doc = format!(
        "Rule: {} ({}).\n\n`{}`",
        update.rule.name(),
        update.rule.source(),
        show::conditional(model, update)
    );
    let body = match (&latent.prior, update.sequence.is_empty()) {
        (Prior::Dirichlet { .. }, _) => simplex(model, update),
        (Prior::Gamma { .. }, true) => at_once(model, update),
        (Prior::Gamma { .. }, false) => in_sequence(model, update),
    };
    let unused = update.occurrences.is_empty().then(|| quote!(let _ = (roots, buffers);));
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
            #unused
            if !step.wants(#number) {
                return;
            }
            let prior = self.#prior(x);
            let counts = &counts.#name;
            #body
        }
    }
}

pub(super) fn update_name(latent: &Latent) -> Ident {
    format_ident!("update_{}", latent.name)
}

/// `y_changed_theta`, and so on.
fn method(model: &Model, count: usize, what: &str, latent: &Latent, suffix: &str) -> Ident {
    format_ident!("{}_{}_{}{}", model.counts[count].name, what, latent.name, suffix)
}

/// Counts in which the latent occurs in a term that uses it once, or more than once.
fn touched(update: &Update, repeated: bool) -> Vec<usize> {
    let mut counts: Vec<usize> = update
        .occurrences
        .iter()
        .filter(|o| update.repeats(o.count, o.term) == repeated)
        .map(|o| o.count)
        .collect();
    counts.dedup();
    counts
}

fn changes(model: &Model, update: &Update) -> TokenStream {
    let latent = &model.latents[update.latent.0];
    let calls = touched(update, false).into_iter().map(|c| {
        let method = method(model, c, "changed", latent, "");
        quote!(self.#method(x, &mut roots[#c], buffers);)
    });
    quote! { #(#calls)* }
}

/// Counts and exposures from everything but the terms that use the latent more than once.
fn gathered(model: &Model, update: &Update) -> TokenStream {
    let latent = &model.latents[update.latent.0];
    let name = &latent.name;
    let exposures = touched(update, false).into_iter().map(|c| {
        let method = method(model, c, "exposure", latent, "");
        quote!(self.#method(x, &mut roots[#c], buffers, &mut exposure);)
    });
    let children = children(model, update);
    quote! {
        let mut exposure = vec![0.0; x.#name.len()];
        #(#exposures)*
        #children
    }
}

/// What the latents whose prior rate this one is say of it: their shapes are counts, their values exposure.
fn children(model: &Model, update: &Update) -> TokenStream {
    if update.children.is_empty() {
        return quote!();
    }
    let each = update.children.iter().map(|child| {
        let latent = &model.latents[child.latent.0];
        let Prior::Gamma { shape, rate } = &latent.prior else {
            unreachable!("only gamma priors have parents")
        };
        let without = rate.factors.iter().position(|f| f.of == Source::Latent(update.latent));
        let (name, places) = (&latent.name, strides(model, latent, &child.access.vars));
        let shape = monomial(model, latent, shape, None);
        let rate = monomial(model, latent, rate, without);
        quote! {
            #shape.add_to(&mut counts, #places);
            #rate.add_weighed(&x.#name, &mut exposure, #places);
        }
    });
    quote! {
        let s = &self.sizes;
        let mut counts = counts.clone();
        #(#each)*
        let counts = &counts;
    }
}

fn at_once(model: &Model, update: &Update) -> TokenStream {
    let (latent, number, door) = (&model.latents[update.latent.0], update.latent.0, door());
    let name = &latent.name;
    let (gathered, changes) = (gathered(model, update), changes(model, update));
    let part = quote!(#door::Part::all(#number));
    let step = match latent.own.as_ref().map(reference) {
        None => quote!(step.gamma(#part, &prior, counts, &exposure, &mut x.#name);),
        Some(own) => quote!(step.own_gamma(#own, #part, &prior, counts, &exposure, &mut x.#name);),
    };
    quote! {
        #gathered
        #step
        #changes
    }
}

/// One value of some indices after another, with current exposures.
fn in_sequence(model: &Model, update: &Update) -> TokenStream {
    let (latent, number, door) = (&model.latents[update.latent.0], update.latent.0, door());
    let name = &latent.name;
    let (gathered, changes) = (gathered(model, update), changes(model, update));
    let repeated = touched(update, true);
    let calls = |what: &'static str| {
        let calls = repeated.iter().map(|&c| {
            let method = method(model, c, what, latent, "_at");
            match what {
                "exposure" => quote!(self.#method(&slice.at, x, &mut roots[#c], buffers, &mut nodes, &mut exposure);),
                _ => quote!(self.#method(&slice.at, x, &mut roots[#c], buffers);),
            }
        });
        quote! { #(#calls)* }
    };
    let (exposures, changed) = (calls("exposure"), calls("changed"));
    let positions = &update.sequence;
    let sizes = latent.indices.iter().map(|i| model.set(i.set));
    let step = match latent.own.as_ref().map(reference) {
        None => quote!(slice.gamma(step, #number, &prior, counts, &exposure, &mut x.#name);),
        Some(own) => quote!(slice.own_gamma(step, #own, #number, &prior, counts, &exposure, &mut x.#name);),
    };
    quote! {
        #gathered
        let constant = exposure.clone();
        let mut nodes = ::core::default::Default::default();
        for slice in #door::Slices::new(&[#(self.sizes.#sizes),*], &[#(#positions),*]).iter() {
            for &entry in &slice.entries {
                exposure[entry] = constant[entry];
            }
            #exposures
            #step
            #changed
        }
        #changes
    }
}

fn simplex(model: &Model, update: &Update) -> TokenStream {
    let (latent, number) = (&model.latents[update.latent.0], update.latent.0);
    let name = &latent.name;
    let changes = changes(model, update);
    let step = match latent.own.as_ref().map(reference) {
        None => quote!(step.dirichlet(#number, &prior, counts, &mut x.#name);),
        Some(own) => quote!(step.own_dirichlet(#own, #number, &prior, counts, &mut x.#name);),
    };
    quote! {
        #step
        #changes
    }
}

/// `&Mine`, all of it at the user's token: what is no update is an error there.
fn reference(own: &syn::Path) -> TokenStream {
    quote_spanned!(own.span()=> &#own)
}
