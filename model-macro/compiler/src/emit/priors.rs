//! For each latent: its prior at given values of its parents, and its update.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use super::lower::{constant, monomial, read_at, strides};
use super::names::{Names, door};
use super::tokens::{scalar_tokens, shape_tokens};
use crate::derive::{Contraction, Derivation, Law, Leaf, Origin, Sum, Update};
use crate::resolve::{Latent, LatentId, Model, Source};
use crate::show;

/// ```ignore
/// fn prior_theta(&self, x: &Factors) -> GammaPrior
/// ```
pub(super) fn prior(derivation: &Derivation, names: &Names, update: &Update) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let latent = &model.latents[update.latent.0];
    let method = prior_name(latent);
    let doc = format!("The prior of `{}` at values `x` of the latents in it.", latent.name);
    let values = |sum: &Sum| {
        let Some(own) = sum.iter().find(|part| part.from == Origin::Prior) else {
            unreachable!("every parameter begins with that of the prior")
        };
        match constant(own) {
            Some(scalar) => {
                let scalar = scalar_tokens(model, &scalar);
                (quote!(#door::Values::Same(#scalar)), false)
            }
            None => {
                let order: Vec<usize> = (0..own.own).collect();
                let monomial = monomial(model, &names.constants, own, &order, &own.factors);
                (quote!(#monomial.values()), true)
            }
        }
    };
    let has_parents = latent.parents().next().is_some();
    let unused = (!has_parents).then(|| quote!(let _ = x;));
    let (kind, body, sizes) = match &update.conditional.law {
        Law::Gamma { shape, rate } => {
            let [(shape, shape_sized), (rate, rate_sized)] = [shape, rate].map(values);
            (
                quote!(GammaPrior),
                quote!(#door::GammaPrior { shape: #shape, rate: #rate }),
                shape_sized || rate_sized,
            )
        }
        Law::Dirichlet { along, concentration } => {
            let shape = shape_tokens(model, latent);
            let (concentration, _) = values(concentration);
            let body = quote! {
                #door::DirichletPrior { concentration: #concentration, lines: #door::Lines::new(#shape, #along) }
            };
            (quote!(DirichletPrior), body, true)
        }
    };
    let sizes = sizes.then(|| quote!(let s = &self.sizes;));
    quote! {
        #[doc = #doc]
        fn #method(&self, x: &#door::Factors) -> #door::#kind {
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
/// fn update_theta(&self, x: &mut Factors, counts: &Factors, roots: &mut [Root], step: &mut dyn Step) {
///     if !step.wants(Self::THETA) {
///         return;
///     }
///     let prior = self.prior_theta(x);
///     let counts = &counts[Self::THETA];
///     let mut exposure = vec![0.0; counts.len()];
///     self.y_exposure_theta(x, &mut roots[Self::Y], &mut exposure);
///     step.gamma(Part::all(Self::THETA), &prior, counts, &exposure, &mut x[Self::THETA]);
///     self.y_changed_theta(x, &mut roots[Self::Y]);
/// }
/// ```
pub(super) fn update(derivation: &Derivation, names: &Names, update: &Update) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let latent = &model.latents[update.latent.0];
    let number = names.constants.latent(update.latent);
    let helper = update_name(latent);
    let prior = prior_name(latent);
    let doc = format!(
        "Rule: {} ({}).\n\n`{}`",
        update.rule.name(),
        update.rule.source(),
        show::conditional(model, update)
    );
    let body = match (&update.conditional.law, update.sequence.is_empty()) {
        (Law::Dirichlet { .. }, _) => simplex(names, model, update),
        (Law::Gamma { .. }, true) => at_once(names, model, update),
        (Law::Gamma { .. }, false) => in_sequence(names, model, update),
    };
    let unused = (update.occurrences().next().is_none()).then(|| quote!(let _ = roots;));
    quote! {
        #[doc = #doc]
        fn #helper(
            &self,
            x: &mut #door::Factors,
            counts: &#door::Factors,
            roots: &mut [#door::Root],
            step: &mut dyn #door::Step,
        ) {
            #unused
            if !step.wants(#number) {
                return;
            }
            let prior = self.#prior(x);
            let counts = &counts[#number];
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
        .occurrences()
        .filter(|o| update.repeats(o.count, o.term) == repeated)
        .map(|o| o.count)
        .collect();
    counts.dedup();
    counts
}

fn changes(names: &Names, model: &Model, update: &Update) -> TokenStream {
    let latent = &model.latents[update.latent.0];
    let calls = touched(update, false).into_iter().map(|c| {
        let method = method(model, c, "changed", latent, "");
        let count = names.constants.count(c);
        quote!(self.#method(x, &mut roots[#count]);)
    });
    quote! { #(#calls)* }
}

/// Counts and exposures from everything but the terms that use the latent more than once.
fn gathered(names: &Names, model: &Model, update: &Update) -> TokenStream {
    let latent = &model.latents[update.latent.0];
    let handed = model.counts.iter().flat_map(|c| &c.terms).flat_map(|t| &t.factors);
    let handed = handed.filter(|f| f.of == Source::Latent(update.latent)).count();
    assert_eq!(
        update.occurrences().count(),
        handed,
        "the counts of every term are handed down to {latent:?}"
    );
    let exposures = touched(update, false).into_iter().map(|c| {
        let method = method(model, c, "exposure", latent, "");
        let count = names.constants.count(c);
        quote!(self.#method(x, &mut roots[#count], &mut exposure);)
    });
    let children = children(names, model, update);
    quote! {
        let mut exposure = vec![0.0; counts.len()];
        #(#exposures)*
        #children
    }
}

/// What the latents whose prior rate this one is say of it: their shapes are counts, their values exposure.
fn children(names: &Names, model: &Model, update: &Update) -> TokenStream {
    let of_children = |sum: &[Contraction]| -> Vec<(LatentId, Contraction)> {
        let parts = sum.iter().filter_map(|part| match part.from {
            Origin::Child(child) => Some((child, part.clone())),
            Origin::Prior | Origin::Rate(_) => None,
        });
        parts.collect()
    };
    let (shapes, rates) = (
        of_children(update.conditional.statistic()),
        of_children(update.conditional.rate()),
    );
    if shapes.is_empty() && rates.is_empty() {
        return quote!();
    }
    // Entries are visited in the order in which the child holds them, where its values are read.
    let order = |child: LatentId, part: &Contraction| -> Vec<usize> {
        let read = rates
            .iter()
            .filter(|(of, _)| *of == child)
            .find_map(|(_, rate)| read_at(rate, child));
        read.map_or_else(|| (0..part.indices.len()).collect(), <[usize]>::to_vec)
    };
    let places = |child: LatentId, part: &Contraction| {
        let own: Vec<usize> = (0..part.own).collect();
        strides(model, part, &order(child, part), &own)
    };
    let added = shapes.iter().map(|(child, part)| {
        let (value, places) = (
            monomial(model, &names.constants, part, &order(*child, part), &part.factors),
            places(*child, part),
        );
        quote!(#value.add_to(&mut counts, #places);)
    });
    let weighed = rates.iter().map(|(child, part)| {
        let others = part
            .factors
            .iter()
            .filter(|leaf| !matches!(leaf, Leaf::Latent(id, _) if id == child));
        let (value, places) = (
            monomial(model, &names.constants, part, &order(*child, part), others),
            places(*child, part),
        );
        let child = names.constants.latent(*child);
        quote!(#value.add_weighed(&x[#child], &mut exposure, #places);)
    });
    quote! {
        let s = &self.sizes;
        let mut counts = counts.to_vec();
        #(#added)*
        #(#weighed)*
        let counts = &counts;
    }
}

fn at_once(names: &Names, model: &Model, update: &Update) -> TokenStream {
    let (latent, door) = (&model.latents[update.latent.0], door());
    let number = names.constants.latent(update.latent);
    let (gathered, changes) = (gathered(names, model, update), changes(names, model, update));
    let part = quote!(#door::Part::all(#number));
    let step = match latent.own.as_ref().map(reference) {
        None => quote!(step.gamma(#part, &prior, counts, &exposure, &mut x[#number]);),
        Some(own) => quote!(step.own_gamma(#own, #part, &prior, counts, &exposure, &mut x[#number]);),
    };
    quote! {
        #gathered
        #step
        #changes
    }
}

/// One value of some indices after another, with current exposures.
fn in_sequence(names: &Names, model: &Model, update: &Update) -> TokenStream {
    let (latent, door) = (&model.latents[update.latent.0], door());
    let number = names.constants.latent(update.latent);
    let (gathered, changes) = (gathered(names, model, update), changes(names, model, update));
    let repeated = touched(update, true);
    let calls = |what: &'static str| {
        let calls = repeated.iter().map(|&c| {
            let (method, count) = (method(model, c, what, latent, "_at"), names.constants.count(c));
            match what {
                "exposure" => {
                    let nodes = nodes_of(model, c);
                    quote!(self.#method(&slice.at, x, &mut roots[#count], &mut #nodes, &mut exposure);)
                }
                _ => quote!(self.#method(&slice.at, x, &mut roots[#count]);),
            }
        });
        quote! { #(#calls)* }
    };
    let (exposures, changed) = (calls("exposure"), calls("changed"));
    let nodes = repeated.iter().map(|&c| {
        let (nodes, count) = (nodes_of(model, c), names.constants.count(c));
        quote!(let mut #nodes = roots[#count].nodes.clone();)
    });
    let positions = &update.sequence;
    let sizes = latent.indices.iter().map(|i| model.set(i.set));
    let step = match latent.own.as_ref().map(reference) {
        None => quote!(slice.gamma(step, #number, &prior, counts, &exposure, &mut x[#number]);),
        Some(own) => quote!(slice.own_gamma(step, #own, #number, &prior, counts, &exposure, &mut x[#number]);),
    };
    quote! {
        #gathered
        let constant = exposure.clone();
        #(#nodes)*
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

/// Room for the seeds of a count's inner nodes: `y_nodes`.
fn nodes_of(model: &Model, count: usize) -> Ident {
    format_ident!("{}_nodes", model.counts[count].name)
}

fn simplex(names: &Names, model: &Model, update: &Update) -> TokenStream {
    let latent = &model.latents[update.latent.0];
    let number = names.constants.latent(update.latent);
    let changes = changes(names, model, update);
    let step = match latent.own.as_ref().map(reference) {
        None => quote!(step.dirichlet(#number, &prior, counts, &mut x[#number]);),
        Some(own) => quote!(step.own_dirichlet(#own, #number, &prior, counts, &mut x[#number]);),
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
