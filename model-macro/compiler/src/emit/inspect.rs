//! The methods that print the model: `derivation`, `generated`, `graph`, `plan`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::{Names, door};
use super::tokens::float_product;
use crate::derive::Derivation;
use crate::show;

/// `impl Topics { fn derivation() .. }`. `source` is the rest of the expansion, formatted.
pub(super) fn methods(derivation: &Derivation, source: &str) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let names = Names::new(model);
    let (name, sizes, bound) = (&names.model, &names.sizes, &names.bound);
    let blocks = show::blocks(derivation);
    let title = model.name.to_string();
    let mechanism = &names.mechanism;
    let count = &model.counts[0];
    let (count_name, costs) = (count.name.to_string(), format_ident!("{}_costs", count.name));
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
            truth,
            observed,
            rate,
            truth_latex,
            observed_latex,
            rate_latex,
        } => quote! {
            #door::DerivationBlock::channel(
                &<#mechanism as #door::Channel>::text(),
                [#truth, #observed, #rate],
                [#truth_latex, #observed_latex, #rate_latex],
            )
        },
    });
    let graph = show::graph(derivation);
    let updates = derivation.updates.iter().map(|u| show::conditional(model, u));
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
                let costs = #bound::#costs(&sizes);
                let chosen = #door::cheapest(&costs, 1.0);
                #door::Plan::new(
                    #title,
                    #count_name,
                    &costs,
                    chosen,
                    &[#(#updates),*],
                    [#(#numbers),*].iter().sum(),
                )
            }
        }
    }
}
