//! The declaration with every name looked up and every rate in normal form.
//!
//! After this phase: index sets, hyperparameters, data arrays, latents and counts have ids; a rate is a
//! sum of terms, each a coefficient times factors, summed over its contracted indices; definitions are
//! gone. Mistakes are in the sink, and what depends on them is left out.

mod model;
mod names;
mod rate;

pub use model::*;

use crate::diagnostics::{Diagnostic, Sink};
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
        counts: Vec::new(),
    };
    let mut lets = Vec::new();
    let mut counts = Vec::new();
    let mut latents = Vec::new();
    let mut releases = Vec::new();
    for item in declaration.items {
        match item {
            Item::Index(sets) => {
                model.sets.extend(sets.into_iter().map(|s| IndexSet {
                    attrs: s.attrs,
                    name: s.name,
                }));
            }
            Item::Hyper(hypers) => {
                for hyper in hypers {
                    if let Some(bind) = hyper.binds.first() {
                        sink.push(
                            Diagnostic::new(
                                bind.var.span(),
                                format!(
                                    "hyperparameter `{}` has indices, which is not supported yet",
                                    hyper.name
                                ),
                            )
                            .why("hyperparameters are single numbers so far")
                            .help(format!(
                                "`hyper {}: {}`",
                                hyper.name,
                                hyper.domain.keyword()
                            )),
                        );
                    }
                    model.hypers.push(Hyper {
                        attrs: hyper.attrs,
                        name: hyper.name,
                        domain: hyper.domain,
                        default: hyper.default,
                    });
                }
            }
            Item::Data(data) => {
                let indices = names.binds(&data.binds, sink);
                model.data.push(Data {
                    attrs: data.attrs,
                    name: data.name,
                    indices,
                    domain: data.domain,
                });
            }
            Item::Latent(latent) => latents.push(latent),
            Item::Count(count) => counts.push(count),
            Item::Let(definition) => lets.push(definition),
            Item::Release(release) => releases.push(release),
            Item::Broken(_) => {}
        }
    }
    for latent in latents {
        let indices = names.binds(&latent.binds, sink);
        let prior = match &latent.prior {
            syntax::Prior::Gamma { shape, rate } => {
                let [shape, rate] = [(shape, "shape"), (rate, "rate")].map(|(e, part)| names.scalar(e, part, sink));
                Prior::Gamma { shape, rate }
            }
            syntax::Prior::Dirichlet { span } => {
                sink.push(
                    Diagnostic::new(*span, "a Dirichlet prior is not supported yet")
                        .why("only gamma priors have their conditional derived so far; normalising gamma factors afterwards gives Dirichlet ones")
                        .help("`Gamma(shape = .., rate = ..)`"),
                );
                Prior::Gamma {
                    shape: Scalar::one(),
                    rate: Scalar::one(),
                }
            }
        };
        model.latents.push(Latent {
            attrs: latent.attrs,
            name: latent.name,
            indices,
            prior,
        });
    }
    let lets = rate::Definitions::new(lets, &names, sink);
    for count in counts {
        if let Some(span) = count.guard {
            sink.push(
                Diagnostic::new(span, "a `where` clause is not supported yet")
                    .why("it is there for factors used twice in one term, whose rows must be updated in sequence")
                    .help("remove the clause; hold cells out of the data to leave them out of inference"),
            );
        }
        model.counts.push(rate::count(count, &names, &lets, sink));
    }
    for release in releases {
        match model.counts.iter_mut().find(|c| c.name == release.count) {
            None => {
                if let Some(mistake) = names.not_a_count(&release.count) {
                    sink.push(mistake);
                }
            }
            Some(Count {
                channel: Channel::Mechanism(_),
                ..
            }) => sink.push(
                Diagnostic::new(release.count.span(), format!("`{}` is released twice", release.count))
                    .why("a count is observed through one channel")
                    .help("remove one of the two statements"),
            ),
            Some(count) => count.channel = Channel::Mechanism(release.mechanism),
        }
    }
    model
}
