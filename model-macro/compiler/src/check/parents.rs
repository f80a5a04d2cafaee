//! Latents in priors: only in the rate of a gamma, each once, and never in a circle.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{LatentId, Model, Prior, Source};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for (child, latent) in model.latents.iter().enumerate() {
        for (term, part) in latent.prior.terms().into_iter().zip(latent.prior.parts()) {
            for (at, factor) in term.factors.iter().enumerate() {
                let Source::Latent(id) = factor.of else { continue };
                let name = &model.latents[id.0].name;
                let earlier = || term.factors[..at].iter().any(|f| f.of == factor.of);
                if *part != "rate" {
                    sink.push(
                        Diagnostic::new(factor.span, format!("a {part} that is learned (`{name}`) is not supported yet"))
                            .why("a gamma is conjugate in its rate; its shape, like the concentration of a Dirichlet, needs a further augmentation")
                            .help(format!(
                                "learn the rate instead: `Gamma(shape = 1.0, rate = {name})`, or declare `hyper {name}_{part}: positive = 1.0;` and use it here"
                            )),
                    );
                } else if matches!(model.latents[id.0].prior, Prior::Dirichlet { .. }) {
                    sink.push(
                        Diagnostic::new(
                            factor.span,
                            format!("`{name}` is a Dirichlet factor: it cannot be the rate of a gamma"),
                        )
                        .why("a Dirichlet is not conjugate to the rate of a gamma; a gamma is")
                        .help(format!("`latent {name}[..] ~ Gamma(shape = .., rate = ..);`")),
                    );
                } else if earlier() {
                    sink.push(
                        Diagnostic::new(factor.span, format!("`{name}` stands twice in one rate"))
                            .why("the prior is then no gamma in any of its entries that meet")
                            .help(format!("use `{name}` once, or declare a second latent")),
                    );
                } else if let Some(path) = path(model, id, LatentId(child)) {
                    let names: Vec<String> = path.iter().map(|l| format!("`{}`", model.latents[l.0].name)).collect();
                    sink.push(
                        Diagnostic::new(factor.span, format!("the prior of `{}` depends on itself", latent.name))
                            .why(format!("{} -> `{}`", names.join(" -> "), latent.name))
                            .help("break the circle with a hyperparameter"),
                    );
                    // Once for each circle: its other members would say the same.
                    return;
                }
            }
        }
    }
}

/// A chain of priors from `from` to `to`, the latter left out.
fn path(model: &Model, from: LatentId, to: LatentId) -> Option<Vec<LatentId>> {
    fn search(model: &Model, at: LatentId, to: LatentId, seen: &mut Vec<LatentId>) -> Option<Vec<LatentId>> {
        if at == to {
            return Some(Vec::new());
        }
        if seen.contains(&at) {
            return None;
        }
        seen.push(at);
        model.latents[at.0].parents().find_map(|(parent, _)| {
            let mut path = search(model, parent, to, seen)?;
            path.insert(0, at);
            Some(path)
        })
    }
    let found = search(model, from, to, &mut Vec::new())?;
    // `to` itself begins the circle.
    Some(std::iter::once(to).chain(found).collect())
}
