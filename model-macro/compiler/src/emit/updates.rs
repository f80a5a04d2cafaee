//! The conditional of each latent, part by part, and the order in which they are updated.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use super::cells::is_published;
use super::elbo::elbo;
use super::heading::laws;
use super::hygiene::Item;
use super::loops::{self, Loops};
use super::names::{Names, door};
use crate::derive::{Cell, DerivedModel, Engine, Turn, Update};
use crate::resolve::{Channel, Latent, LatentId, Model};
use crate::show;

/// The conditionals, the sweep and the iteration.
pub(super) fn model(derivation: &DerivedModel, names: &Names, loops: &Loops<'_>) -> Item {
    let (model, door, bound) = (&derivation.model, door(), &names.bound);
    // In the order of a sweep.
    let all = |engine: Engine| {
        let counts = (0..model.counts.len()).map(move |count| loops::allocation(loops, count, engine));
        let turns = derivation.schedule.iter().map(move |turn| match *turn {
            Turn::Tables(shape) => loops::tables(loops, shape),
            Turn::Latent(latent) => loops::conditionals(loops, latent, engine),
        });
        counts.chain(turns)
    };
    let draws = all(Engine::Gibbs);
    let in_order = |engine: Engine| {
        let turns = derivation.schedule.iter().map(move |turn| match *turn {
            Turn::Tables(shape) => tables_method(model, shape),
            Turn::Latent(latent) => method(engine, &model.latents[latent.0]),
        });
        let counts = model.counts.iter().map(move |count| allocate(engine, &count.name));
        counts.chain(turns)
    };
    let sweep = in_order(Engine::Gibbs);
    let laws = laws(derivation, loops.weights());
    let mut sweeps = "A sweep of Gibbs sampling: all counts are cleared and drawn, then latents.".to_owned();
    if show::has_joint_moves(derivation) {
        sweeps += " The joint moves of `Gibbs::moves` follow it.";
    }
    for shape in 0..model.shapes.len() {
        let latent = &model.latents[model.shapes[shape].of.0];
        let [from, to] = [tables_method(model, shape), method(Engine::Gibbs, latent)];
        sweeps += &format!(
            " From `{from}` to `{to}`, `{}` is integrated out, and no step reads it.",
            latent.name
        );
    }
    let (ascents, iterate) = match &model.shapes[..] {
        [] => {
            let ascents = all(Engine::Cavi);
            let ascended = in_order(Engine::Cavi);
            let ascends = elbo(derivation, names);
            let iterate = quote! {
                /// An iteration of coordinate ascent.
                fn iterate(s: &mut #door::State<'_>) {
                    #(Self::#ascended(s);)*
                }

                #ascends
            };
            (quote!(#(#ascents)*), iterate)
        }
        _ => {
            let iterate = quote! {
                /// Never run: a shape that is learned has no bound, and `cavi` is refused.
                fn iterate(_: &mut #door::State<'_>) {}

                /// Never called, either.
                fn elbo(_: &#door::ElboParts<'_>) -> f64 {
                    f64::NAN
                }
            };
            (quote!(), iterate)
        }
    };
    let (exposures, emitted) = (loops::exposures(loops), loops::emitted(loops));
    let priors = (0..model.latents.len()).map(|latent| loops::prior(loops, LatentId(latent)));
    Item::Impl(quote! {
        #[doc = #laws]
        impl #bound {
            #(#priors)*

            #exposures

            #(#draws)*

            #ascents

            #[doc = #sweeps]
            fn sweep(s: &mut #door::State<'_>) {
                #(Self::#sweep(s);)*
            }

            #iterate

            #emitted
        }
    })
}

/// `allocate_y` or `expect_y`
pub(super) fn allocate(engine: Engine, count: &Ident) -> Ident {
    match engine {
        Engine::Gibbs => format_ident!("allocate_{count}"),
        Engine::Cavi => format_ident!("expect_{count}"),
    }
}

/// What is said of the division of a count.
pub(super) fn allocated(derivation: &DerivedModel, names: &Names, number: usize, engine: Engine) -> String {
    let model = &derivation.model;
    let lines = show::divided(derivation, number, engine);
    let found = found(derivation, names, number, engine);
    let rates = rates(model, number, engine);
    let is_known = matches!(derivation.cells[number], Cell::Known);
    let their = match model.counts[number].is_difference() {
        true => "their",
        false => "its",
    };
    if lines.is_empty() {
        return format!("{found}.");
    }
    let (parts, source) = match engine {
        Engine::Gibbs => ("parts", "VI18, eq. 1"),
        Engine::Cavi => ("means of the parts", "VI18, eq. 2 and 3"),
    };
    let what = match (is_known, engine) {
        (true, _) => format!("The {parts} of {found}"),
        (false, Engine::Gibbs) => format!("{found}, and {their} parts"),
        (false, Engine::Cavi) => format!("{found}, and the means of {their} parts"),
    };
    format!("{what}; {rates}:\n{}", listed(&lines, source))
}

/// How the count of a cell, or its mean, is found.
fn found(derivation: &DerivedModel, names: &Names, number: usize, engine: Engine) -> String {
    let (model, of) = (&derivation.model, &derivation.cells[number]);
    let (count, own) = (&model.counts[number], show::truth(&model.counts[number]));
    let by = steps(derivation, number, &names.cells[number], engine);
    match (of, engine) {
        (Cell::Known, _) => format!("`{own}`, which is observed"),
        (Cell::OfLine, Engine::Gibbs) => {
            format!("`{own}`, of lines that are drawn together, totals first, when the first count is allocated")
        }
        _ if count.is_difference() => {
            let [plus, minus, _] = show::SideNames::new(model, count).count;
            match engine {
                Engine::Gibbs => format!("`{plus}` and `{minus}`, drawn at their cell{by}"),
                Engine::Cavi => format!("`E[{plus}]` and `E[{minus}]`{by}"),
            }
        }
        (_, Engine::Gibbs) => format!("`{own}`, drawn at its cell{by}"),
        (_, Engine::Cavi) => format!("`E[{own}]`{by}"),
    }
}

/// The letters of the rate of a cell.
fn rates(model: &Model, number: usize, engine: Engine) -> String {
    let names = show::CellNames::new(model, &model.counts[number]);
    let (at, of) = match engine {
        Engine::Gibbs => ("", names.rate),
        Engine::Cavi => (" at geometric means", names.geometric),
    };
    let sides = names.sides.map(|sides| match engine {
        Engine::Gibbs => sides.rate,
        Engine::Cavi => sides.geometric,
    });
    match sides {
        None => format!("`{of}` is the rate{at}"),
        Some([plus, minus, _]) => format!("`{plus}` and `{minus}` are the rates{at}"),
    }
}

/// The steps of a cell, if the file has them.
fn steps(derivation: &DerivedModel, number: usize, cell: &Ident, engine: Engine) -> String {
    let Cell::Of(law) = &derivation.cells[number] else {
        return String::new();
    };
    match (engine, law.noise) {
        (Engine::Gibbs, None) => format!(" by `{cell}::draw`"),
        (Engine::Cavi, None) => format!(" by `{cell}::ascend`"),
        (Engine::Gibbs, Some(_)) => format!(" by `{cell}::draw`, in the augmented form by `draw_noise`"),
        (Engine::Cavi, Some(_)) => match is_published(derivation) {
            true => format!(
                " by `{cell}::ascend`, in the augmented form by `ascend_noise`, in the published one by `publish`"
            ),
            false => format!(" by `{cell}::ascend`, in the augmented form by `ascend_noise`"),
        },
    }
}

/// As a sentence begins.
pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn listed(lines: &[String], source: &str) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("- `{line}`   [{source}]")).collect();
    lines.join("\n")
}

/// `tables_eps`
pub(super) fn tables_method(model: &Model, shape: usize) -> Ident {
    format_ident!("tables_{}", model.latents[model.shapes[shape].of.0].name)
}

/// Of the table counts of a shape their law and their exposure.
pub(super) fn tables_doc(derivation: &DerivedModel, number: usize) -> String {
    let model = &derivation.model;
    let [law, exposure] = show::tables(derivation, number);
    let [out, coins, poisson] = show::remark(model, number, "`");
    let back = show::backwards(model, number).map(|order| format!("\n\n{order}."));
    let divided = show::divided_tables(derivation, number).map(|division| format!("`{division}`\n\n"));
    let [back, divided] = [back, divided].map(Option::unwrap_or_default);
    format!("`{law}`   [Zhou and Carin 2015]\n\n{divided}`{exposure}`\n\n{out}; {coins}; {poisson}.{back}")
}

/// How the runtime finds the line that a cell belongs to, formula by formula; nothing for counts whose cells are independent.
pub(super) fn by_line(model: &Model, number: usize, engine: Engine) -> String {
    let count = &model.counts[number];
    let Some(text) = show::line(model, count) else {
        return String::new();
    };
    let (of, formulas) = match engine {
        Engine::Gibbs => ("A draw", &text.gibbs),
        Engine::Cavi => ("Means", &text.cavi),
    };
    let whose = match &count.total {
        Some(_) => "of a line",
        None => "together with the lines whose total it is",
    };
    let rates = rates(model, number, engine);
    let released = match count.channel {
        Channel::Released(_) => format!(", `{}` what was released", show::CellNames::new(model, count).observed),
        _ => String::new(),
    };
    let formulas: Vec<String> = formulas.iter().map(|line| format!("- `{}`", line.trim())).collect();
    format!(
        "\n\n{of} {whose} (`skellam::private::total`); {rates}{released}:\n{}",
        formulas.join("\n")
    )
}

pub(super) fn method(engine: Engine, latent: &Latent) -> Ident {
    match engine {
        Engine::Gibbs => format_ident!("draw_{}", latent.name),
        Engine::Cavi => format_ident!("ascend_{}", latent.name),
    }
}

/// The formula of an update, and where it is from.
pub(super) fn doc(derivation: &DerivedModel, update: &Update, engine: Engine) -> String {
    let model = &derivation.model;
    let formula = match engine {
        Engine::Gibbs => format!("`{}`{}", show::conditional(model, update), rule(derivation, update)),
        Engine::Cavi => format!("`{}`", show::posterior(model, update)),
    };
    let order = update.in_time.and_then(|_| show::in_sequence(model, update));
    let order = order.map(|order| format!("\n\n{}.", capital(&order)));
    formula + &order.unwrap_or_default()
}

/// By which rule a latent is updated, and where it is from; nothing if the update before it said the same.
fn rule(derivation: &DerivedModel, update: &Update) -> String {
    let said = |update: &Update| {
        let source = update.source(derivation.model.counts.len());
        format!("\n{} ({source}).", capital(update.rule.name()))
    };
    let latents = derivation.schedule.iter().filter_map(|turn| match *turn {
        Turn::Latent(latent) => Some(latent),
        Turn::Tables(_) => None,
    });
    let before = latents.take_while(|latent| *latent != update.latent).last();
    let before = before.map(|latent| said(&derivation.updates[latent.0]));
    let said = said(update);
    if before.as_ref() == Some(&said) {
        String::new()
    } else {
        said
    }
}

/// `&Mine` with the span of the user's token: a value that is not an update is an error there.
pub(super) fn reference(own: &syn::Path) -> TokenStream {
    quote_spanned!(own.span()=> &#own)
}
