//! The declaration with every name looked up and every rate in normal form.
//!
//! After this phase: index sets, hyperparameters, data arrays, latents and counts have ids; a rate is a
//! sum of terms, each a coefficient times factors, summed over its contracted indices; definitions are
//! gone. Mistakes are in the sink, and what depends on them is left out.

mod count;
mod definitions;
mod exposure;
mod indices;
mod limits;
mod model;
mod names;
mod parameter;
mod quotient;
mod rate;
mod schedule;
mod started;
mod time;
mod totals;

pub use count::*;
pub use exposure::{Obstacle, constant_along, same_exposure};
pub(crate) use limits::extreme;
pub use model::*;
pub use schedule::Turn;
pub(crate) use schedule::{meets, schedule};
pub use time::{Chain, Knot};
pub use totals::{Remainder, sums_to_one};

use syn::Ident;

use crate::diagnostics::{Diagnostic, Sink};
use crate::family::Family;
use crate::syntax::{self, Declaration, Item};

use names::Names;

/// Resolves a declaration. Nothing is missing from the result unless the sink says why.
pub fn resolve(declaration: Declaration, sink: &mut Sink) -> Model {
    let names = Names::collect(&declaration, sink);
    let mut model = Model {
        attrs: declaration.attrs,
        vis: declaration.vis,
        name: declaration.name,
        sets: Vec::new(),
        hypers: Vec::new(),
        data: Vec::new(),
        latents: Vec::new(),
        shapes: Vec::new(),
        counts: Vec::new(),
        unused: Vec::new(),
    };
    let mut lets = Vec::new();
    let mut counts = Vec::new();
    let mut latents = Vec::new();
    let mut releases = Vec::new();
    let mut updates = Vec::new();
    for item in declaration.items {
        match item {
            Item::Index(sets) => model.sets.extend(sets),
            Item::Hyper(hypers) => {
                for hyper in hypers {
                    if hyper.binds.is_empty() {
                        model.hypers.push(hyper);
                        continue;
                    }
                    model.data.push(Data {
                        indices: names.binds(&hyper.binds, sink),
                        attrs: hyper.attrs,
                        name: hyper.name,
                        domain: hyper.domain,
                        domain_span: hyper.domain_span,
                        hyper: true,
                        default: hyper.default,
                        positions: None,
                    });
                }
            }
            Item::Data(data) => {
                let indices = names.binds(&data.binds, sink);
                let positions = data
                    .positions
                    .as_ref()
                    .map(|set| names.positions(&data.name, set, sink));
                model.data.push(Data {
                    attrs: data.attrs,
                    name: data.name,
                    indices,
                    domain: data.domain,
                    domain_span: data.domain_span,
                    hyper: false,
                    default: None,
                    positions,
                });
            }
            Item::Latent(latent) => latents.push(latent),
            Item::Count(count) => counts.push(count),
            Item::Let(definition) => lets.push(definition),
            Item::Release(release) => releases.push(release),
            Item::Update(update) => updates.push(update),
            Item::Broken { .. } => {}
        }
    }
    let lets = definitions::Definitions::new(lets, &names, sink);
    for latent in latents {
        let indices = names.binds(&latent.binds, sink);

        let prior = match &latent.prior {
            syntax::Prior::Of {
                family,
                terms,
                along,
                span,
            } => {
                let named = terms.iter().zip(family.parameters);
                let mut vars = indices.clone();
                let terms = named.map(|(term, name)| {
                    let place = format!("the {name} of a {} prior", family.noun);
                    if *name == "shape" && family.is_gamma() {
                        let shape = parameter::shape(term, &latent.name, indices.len(), &mut vars, &names, &lets, sink);
                        if let Some(tables) = shape {
                            model.shapes.push(Shape {
                                of: LatentId(model.latents.len()),
                                tables,
                                span: term.span,
                            });
                            return Term::one(term.span);
                        }
                    }
                    parameter::parameter(term, &place, indices.len(), &mut vars, &names, &lets, sink)
                });
                let terms = terms.collect();
                Prior {
                    terms,
                    vars,
                    along: along
                        .as_ref()
                        .map(|along| names.along(along, &latent.name, &indices, sink)),
                    family: Family::clone(family),
                    span: *span,
                }
            }
            syntax::Prior::Broken => Prior {
                family: Family::gamma(),
                terms: vec![Term::one(latent.name.span()); 2],
                vars: indices.clone(),
                along: None,
                span: latent.name.span(),
            },
        };
        model.latents.push(Latent {
            attrs: latent.attrs,
            name: latent.name,
            indices,
            prior,
            own: None,
        });
    }
    for count in counts {
        model.counts.push(rate::count(count, &names, &lets, sink));
    }
    name_tables(&mut model, &names);
    model.unused = lets.unused();
    for release in releases {
        match model.counts.iter_mut().find(|c| c.name == release.count) {
            None => {
                if let Some(mistake) = names.not_a_count(&release.count) {
                    sink.push(mistake);
                }
            }
            Some(Count {
                channel: Channel::Released(_),
                ..
            }) => sink.push(
                Diagnostic::new(release.count.span(), format!("`{}` is released twice", release.count))
                    .why("a count is observed through one channel")
                    .help(format!(
                        "one `release {} by ..;`; declare a second count for a second release",
                        release.count
                    )),
            ),
            Some(count) if count.is_hidden() => sink.push(
                Diagnostic::new(release.count.span(), format!("`{}` is hidden, and nothing of it was released", release.count))
                    .why("a hidden count is never observed: it is the total of other counts, and is inferred from observations of them")
                    .help(format!("`count {}[..] ~ ..;` if it was released, or leave this statement out", release.count)),
            ),
            Some(count) if count.is_difference() => sink.push(
                Diagnostic::new(release.count.span(), format!("`{}` is a difference: no mechanism releases it", release.count))
                    .why("a mechanism releases counts, which are not negative; a Skellam count is signed and observed as it is")
                    .help(format!(
                        "leave the statement out; for a private table `count y[..] ~ Poisson(..);` and `release y by ..;` instead of `{}`",
                        release.count
                    )),
            ),
            Some(count) => count.channel = Channel::Released(release.mechanism),
        }
    }
    for update in updates {
        match model.latents.iter_mut().find(|l| l.name == update.latent) {
            None => {
                if let Some(mistake) = names.not_a_latent(&update.latent) {
                    sink.push(mistake);
                }
            }
            Some(Latent { own: Some(_), .. }) => sink.push(
                Diagnostic::new(update.latent.span(), format!("`{}` has two updates", update.latent))
                    .why("a latent is updated once in a sweep")
                    .help(format!("one `update {} by ..;`", update.latent)),
            ),
            Some(latent) if latent.prior.family.own.is_some() => {
                let family = &latent.prior.family.name;
                sink.push(
                    Diagnostic::new(
                        update.latent.span(),
                        format!("`{}` is updated by its own family", update.latent),
                    )
                    .why(format!(
                        "`{family}` gives its own draws and moments; an update replaces derived ones"
                    ))
                    .help(format!("leave the statement out, and change `draw` of `{family}`")),
                );
            }
            Some(latent) => latent.own = Some(update.step),
        }
    }
    model
}

/// Table counts are called `l`, with the name of their latent where there are several, unless something else is.
fn name_tables(model: &mut Model, names: &Names) {
    let is_letter = |word: &str| model.vars().any(|index| index.name == word);
    let is_free = |word: &String| !names.begins(word) && !is_letter(word);
    let words = ["l", "tables"].map(str::to_owned).into_iter();
    let Some(word) = words.chain((1..).map(|n| format!("tables{n}"))).find(is_free) else {
        unreachable!("a declaration has finitely many names")
    };
    let several = model.shapes.len() > 1;
    for shape in &mut model.shapes {
        let of = &model.latents[shape.of.0].name;
        let name = if several { format!("{word}_{of}") } else { word.clone() };
        shape.tables.name = Ident::new(&name, of.span());
    }
}
