//! The parameters of priors are positive.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Model, Source};
use crate::syntax::Domain;

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for latent in &model.latents {
        for (term, part) in latent.prior.terms().into_iter().zip(latent.prior.parts()) {
            let hypers = term.coefficient.hypers.iter().map(|h| &model.hypers[h.0]);
            let hypers = hypers.map(|h| (term.span, &h.name, h.domain, "hyperparameter"));
            let arrays = term.factors.iter().filter_map(|f| match f.of {
                Source::Data(id) => Some((f.span, &model.data[id.0])),
                Source::Latent(_) => None,
            });
            let arrays = arrays.map(|(span, d)| (span, &d.name, d.domain, d.noun()));
            for (span, name, domain, noun) in hypers.chain(arrays) {
                if domain != Domain::Positive {
                    sink.push(
                        Diagnostic::new(span, format!("the {part} of `{}` could be zero", latent.name))
                            .why(format!(
                                "parameters of a {} prior are positive, and {noun} `{name}` is declared {}",
                                latent.prior.law(),
                                domain.keyword()
                            ))
                            .help(format!("`{name}: positive`")),
                    );
                }
            }
        }
    }
}
