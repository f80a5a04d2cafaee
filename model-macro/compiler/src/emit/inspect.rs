//! The methods that print the model: `derivation`, `explain`, `generated`, `graph`, `plan`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{Names, door};
use super::tokens::float_product;
use crate::derive::{Derivation, Update};
use crate::show;

/// `impl Topics { fn derivation() .. }`. `source` is the rest of the expansion, formatted.
pub(super) fn methods(derivation: &Derivation, source: &str) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let names = Names::new(model);
    let (name, sizes, bound) = (&names.model, &names.sizes, &names.bound);
    let blocks = show::blocks(derivation);
    let title = model.name.to_string();
    let counts: Vec<String> = model.counts.iter().map(|c| c.name.to_string()).collect();
    let costs: Vec<_> = model.counts.iter().map(|c| format_ident!("{}_costs", c.name)).collect();
    let blocks = blocks.iter().map(|block| match block {
        show::Block::Text {
            heading,
            rule,
            unicode,
            latex,
        } => {
            quote!(#door::DerivationBlock::text(#heading, #rule, &[#(#unicode),*], &[#(#latex),*]))
        }
        show::Block::Channel {
            count,
            truth,
            observed,
            rate,
            truth_latex,
            observed_latex,
            rate_latex,
            drawn,
        } => {
            let mechanism = &names.mechanisms[*count];
            quote! {
                #door::DerivationBlock::channel(
                    &<#mechanism as #door::Channel>::text(),
                    [#truth, #observed, #rate],
                    [#truth_latex, #observed_latex, #rate_latex],
                #drawn,
                )
            }
        }
    });
    let graph = show::graph(derivation);
    let updates = derivation.updates.iter().map(|u| show::conditional(model, u));
    let numbered = 0..counts.len();
    let explanations = derivation.updates.iter().map(|u| explanation(derivation, u));
    let numbers = model
        .latents
        .iter()
        .map(|l| float_product(l.indices.iter().map(|i| model.set(i.set)).map(|set| quote!(sizes.#set))));
    quote! {
        impl #name {
            /// Every conditional and update that was derived, each with the rule that was used.
            pub fn derivation() -> #door::Derivation {
                #door::Derivation::new(#title, vec![#(#blocks),*])
            }

            /// How a latent is updated: its rule, sufficient statistic, exposure and cost.
            ///
            /// # Errors
            ///
            /// If there is no latent of that name.
            pub fn explain(latent: &str) -> Result<#door::Explanation, #door::Error> {
                #door::Explanation::find(&[#(#explanations),*], latent)
            }

            /// The source that is running, formatted. Written to a file it compiles against `skellam` alone.
            pub fn generated() -> &'static str {
                #source
            }

            /// The model as a factor graph in DOT.
            pub fn graph() -> &'static str {
                #graph
            }

            /// What would run at these sizes, were all data dense: the layout chosen, the updates in order,
            /// their cost, and the bytes held.
            pub fn plan(sizes: #sizes) -> #door::Plan {
                let costs = [#(#bound::#costs(&sizes)),*];
                let chosen = costs.each_ref().map(|costs| #door::cheapest(costs, 1.0));
                #door::Plan::new(
                    #title,
                    &[#((#counts, &costs[#numbered][..], chosen[#numbered])),*],
                    &[#(#updates),*],
                    [#(#numbers),*].iter().sum(),
                )
            }
        }
    }
}

/// What `explain` says of one latent.
fn explanation(derivation: &Derivation, update: &Update) -> TokenStream {
    let door = door();
    let name = derivation.model.latents[update.latent.0].name.to_string();
    let (rule, source) = (update.rule.name(), update.rule.source());
    let show::Parts {
        conditional,
        ascent,
        statistic,
        exposure,
        remarks,
    } = show::parts(&derivation.model, update);
    let cost = show::cost(derivation, update);
    quote! {
        #door::Explanation {
            latent: #name,
            rule: #rule,
            source: #source,
            conditional: #conditional,
            ascent: #ascent,
            statistic: #statistic,
            exposure: #exposure,
            cost: #cost,
            remarks: &[#(#remarks),*],
        }
    }
}
