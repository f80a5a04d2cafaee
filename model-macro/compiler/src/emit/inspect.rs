//! The methods that print the model: `derivation`, `generated`, `graph`, `plan`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::hygiene::Item;
use super::names::{Names, door};
use crate::derive::{Cell, DerivedModel};
use crate::show;

/// `impl Topics { fn derivation() .. }`. `source` is the rest of the expansion, formatted.
pub(super) fn methods(derivation: &DerivedModel, source: &str) -> Item {
    let (model, door) = (&derivation.model, door());
    let names = Names::new(model);
    let (name, sizes, bound) = (&names.model, &names.sizes, &names.bound);
    let written = written(derivation, &names);
    let generated = generated(derivation, &names, source);
    let sets = model.sets.iter().map(|set| &set.name);
    let graph = show::graph(derivation);
    let updates = show::in_order(derivation);
    let laws = &names.laws;
    Item::Impl(quote! {
        impl #name {
            /// Every conditional and update that was derived, in each form of inference, with the rules that were used.
            pub fn derivation() -> #door::Derivation {
                Self::__explained().derivation(&#door::EngineForm::ALL)
            }

            /// The same for one form of inference.
            pub fn derivation_of(form: #door::EngineForm) -> #door::Derivation {
                Self::__explained().derivation(&[form])
            }

            fn __explained() -> #door::WrittenModel {
                #written
            }

            fn __written() -> ::core::option::Option<#door::WrittenModel> {
                ::core::option::Option::Some(Self::__explained())
            }

            /// The source that is running, formatted. Written to a file it compiles against `skellam` alone.
            pub fn generated() -> &'static str {
                #generated
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
                    <#bound as #door::Declaration>::SPEC,
                    (&<#bound as #door::Declaration>::DERIVED, <#bound as #door::Declaration>::EMITTED),
                    &sizes,
                    &[#(#updates),*],
                    &[#(#door::channel_load::<#laws>()),*],
                )
            }
        }
    })
}

/// The source; where channels are not written out in it, with what they show of themselves.
fn generated(derivation: &DerivedModel, names: &Names, source: &str) -> TokenStream {
    let door = door();
    let cells = derivation.cells.iter().zip(&names.laws);
    let own = cells
        .filter(|(cell, _)| matches!(cell, Cell::Released))
        .map(|(_, law)| law);
    let sources: Vec<TokenStream> = own.map(|law| quote!(<#law as #door::Channel>::SOURCE)).collect();
    if sources.is_empty() {
        return quote!(#source);
    }
    quote! {
        static WITH_SOURCES: ::std::sync::OnceLock<::std::string::String> = ::std::sync::OnceLock::new();
        WITH_SOURCES.get_or_init(|| #door::with_sources(#source, &[#(#sources),*]))
    }
}

/// The derivation in its parts.
fn written(derivation: &DerivedModel, names: &Names) -> TokenStream {
    let (door, model, printed) = (door(), &derivation.model, show::printed(derivation));
    let title = model.name.to_string();
    let [before, after] = [&printed.before, &printed.after].map(|blocks| {
        let blocks = blocks.iter().map(|block| {
            let show::Block { heading, rule, lines } = block;
            quote!(#door::DerivationBlock::text(#heading, #rule, &[#(#lines),*]))
        });
        quote!(::std::vec![#(#blocks),*])
    });
    let counts = printed.counts.iter().enumerate().map(|(count, of)| {
        let (law, is_drawn, cell_names) = (&names.laws[count], of.is_drawn, cell_names(&of.names));
        let name = model.counts[count].name.to_string();
        if let Some(show::LineText { gibbs, cavi, bound }) = &of.line {
            let hidden = model.counts[count].is_hidden();
            let texts = [gibbs, cavi, bound].map(|lines| quote!(&[#(#lines),*]));
            return quote!(#door::WrittenCount::totalled::<#law>(#name, #cell_names, #hidden, [#(#texts),*]));
        }
        let Some(show::CellLines { declared, steps, bound }) = &of.cell else {
            return quote!(#door::WrittenCount::new::<#law>(#name, #cell_names, #is_drawn));
        };
        let steps = steps.iter().map(|lines| quote!(&[#(#lines),*]));
        let bound = bound.iter().map(|lines| quote!(&[#(#lines),*]));
        let cell = quote! {
            #door::WrittenCell { declared: &[#(#declared),*], steps: [#(#steps),*], bound: [#(#bound),*] }
        };
        match derivation.cells[count].law() {
            None => quote!(#door::WrittenCount::difference(#name, #cell_names, #cell)),
            Some(known) => {
                let known = format_ident!("{known}");
                quote!(#door::WrittenCount::of::<#law, #door::#known>(#name, #cell_names, #is_drawn, #cell))
            }
        }
    });
    let forms = printed.forms.iter().map(|form| {
        let parts = [&form.definitions, &form.allocation, &form.latents, &form.bound];
        let parts = parts.map(|part| part.lines.join("\n"));
        let form = format_ident!("{}", format!("{:?}", form.form));
        quote!(#door::WrittenForm { form: #door::EngineForm::#form, parts: [#(#parts),*] })
    });
    let [simplex, learned, no_tokens] =
        [&printed.simplex, &printed.learned, &printed.no_tokens].map(|latent| match latent {
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
            no_tokens: #no_tokens,
        }
    }
}

/// `CellNames { truth: "y[d,v]", .. }`
fn cell_names(names: &show::CellNames) -> TokenStream {
    let door = door();
    let show::CellNames {
        truth,
        observed,
        rate,
        mean_rate,
        geometric,
        bound,
        ..
    } = names;
    quote! {
        #door::CellNames {
            truth: #truth,
            observed: #observed,
            rate: #rate,
            mean_rate: #mean_rate,
            geometric: #geometric,
            bound: #bound,
        }
    }
}
