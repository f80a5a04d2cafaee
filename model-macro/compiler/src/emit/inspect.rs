//! The methods that print the model: `derivation`, `explain`, `generated`, `graph`, `plan`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::hygiene::Item;
use super::names::{Names, door};
use crate::derive::{DerivedModel, Update};
use crate::resolve::Model;
use crate::show;

/// `impl Topics { fn derivation() .. }`. `source` is the rest of the expansion, formatted.
pub(super) fn methods(derivation: &DerivedModel, source: &str) -> Item {
    let (model, door) = (&derivation.model, door());
    let names = Names::new(model);
    let (name, sizes, bound) = (&names.model, &names.sizes, &names.bound);
    let written = written(&show::printed(derivation), &names, model);
    let sets = model.sets.iter().map(|set| &set.name);
    let graph = show::graph(derivation);
    let updates = show::in_order(derivation);
    let laws = &names.laws;
    let explanations = derivation.updates.iter().map(|u| explanation(derivation, u));
    Item::Impl(quote! {
        impl #name {
            /// Every conditional and update that was derived, in each form of inference, with the rules that were used.
            pub fn derivation() -> #door::Derivation {
                Self::__written().derivation(&#door::EngineForm::ALL)
            }

            /// The same for one form of inference.
            pub fn derivation_of(form: #door::EngineForm) -> #door::Derivation {
                Self::__written().derivation(&[form])
            }

            fn __written() -> #door::WrittenModel {
                #written
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
                let sizes = [#(sizes.#sets),*];
                #door::Plan::of(
                    <Self as #door::Testable>::SPEC,
                    (&<#bound as #door::Declaration>::DERIVED, <#bound as #door::Declaration>::EMITTED),
                    &sizes,
                    &[#(#updates),*],
                    &[#(#door::channel_load::<#laws>()),*],
                )
            }
        }
    })
}

/// The derivation in its parts.
fn written(printed: &show::Printed, names: &Names, model: &Model) -> TokenStream {
    let door = door();
    let title = model.name.to_string();
    let [before, after] = [&printed.before, &printed.after].map(|blocks| {
        let blocks = blocks.iter().map(|block| {
            let show::Block {
                heading,
                rule,
                unicode,
                latex,
            } = block;
            quote!(#door::DerivationBlock::text(#heading, #rule, &[#(#unicode),*], &[#(#latex),*]))
        });
        quote!(::std::vec![#(#blocks),*])
    });
    let counts = printed.counts.iter().enumerate().map(|(count, cells)| {
        let (law, is_drawn) = (&names.laws[count], cells.is_drawn);
        let [unicode, latex] = [0, 1].map(|style| cell_names(&cells.names, style));
        let (name, is_difference) = (
            model.counts[count].name.to_string(),
            model.counts[count].is_difference(),
        );
        if let Some(line) = &cells.line {
            let show::LineText { gibbs, cavi, bound } = line;
            let texts = [gibbs, cavi, bound].map(|[unicode, latex]| quote!([&[#(#unicode),*], &[#(#latex),*]]));
            let hidden = model.counts[count].is_hidden();
            return quote!(#door::WrittenCount::totalled::<#law>(#name, [#unicode, #latex], #hidden, [#(#texts),*]));
        }
        match is_difference {
            true => quote!(#door::WrittenCount::difference(#name, [#unicode, #latex])),
            false => quote!(#door::WrittenCount::new::<#law>(#name, [#unicode, #latex], #is_drawn)),
        }
    });
    let forms = printed.forms.iter().map(|form| {
        let parts = [&form.definitions, &form.allocation, &form.latents, &form.bound];
        let [unicode, latex] = [
            parts.map(|part| part.unicode.join("\n")),
            parts.map(|part| part.latex.join("\n")),
        ];
        let form = format_ident!("{}", form.form.name());
        quote!(#door::WrittenForm { form: #door::EngineForm::#form, unicode: [#(#unicode),*], latex: [#(#latex),*] })
    });
    let [simplex, learned] = [&printed.simplex, &printed.learned].map(|latent| match latent {
        Some(latent) => quote!(::core::option::Option::Some(#latent)),
        None => quote!(::core::option::Option::None),
    });
    quote! {
        #door::WrittenModel {
            title: #title,
            before: #before,
            counts: ::std::vec![#(#counts),*],
            forms: [#(#forms),*],
            after: #after,
            simplex: #simplex,
            learned: #learned,
        }
    }
}

/// `CellNames { truth: "y[d,v]", .. }` in one of the two notations.
fn cell_names(names: &show::CellNames, style: usize) -> TokenStream {
    let door = door();
    let show::CellNames {
        truth,
        observed,
        rate,
        mean_rate,
        geometric,
        minimum,
        noise,
        level,
        total,
        argument,
        bound,
        sides,
    } = names;
    let (truth, observed, rate, mean_rate) = (&truth[style], &observed[style], &rate[style], &mean_rate[style]);
    let (geometric, minimum, total) = (&geometric[style], &minimum[style], &total[style]);
    let (argument, bound) = (&argument[style], &bound[style]);
    let [noise, level] = [noise, level].map(|parts| {
        let parts = parts.iter().map(|part| &part[style]);
        quote!([#(#parts),*])
    });
    let sides = match sides {
        None => quote!(::core::option::Option::None),
        Some(show::SideNames { count, rate, geometric }) => {
            let [count, rate, geometric] = [count, rate, geometric].map(|parts| {
                let parts = parts.iter().map(|part| &part[style]);
                quote!([#(#parts),*])
            });
            quote!(::core::option::Option::Some(#door::SideNames { count: #count, rate: #rate, geometric: #geometric }))
        }
    };
    quote! {
        #door::CellNames {
            truth: #truth,
            observed: #observed,
            rate: #rate,
            mean_rate: #mean_rate,
            geometric: #geometric,
            minimum: #minimum,
            noise: #noise,
            level: #level,
            total: #total,
            argument: #argument,
            bound: #bound,
            sides: #sides,
        }
    }
}

/// What `explain` says of one latent.
fn explanation(derivation: &DerivedModel, update: &Update) -> TokenStream {
    let door = door();
    let name = derivation.model.latents[update.latent.0].name.to_string();
    let (rule, source) = (update.rule.name(), update.source(derivation.model.counts.len()));
    let show::Parts {
        conditional,
        ascent,
        statistic,
        exposure,
        remarks,
    } = show::parts(derivation, update);
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
