//! Every term of a rate has a latent.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Model, Source};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for term in model.counts.iter().flat_map(|c| &c.terms) {
        if !term.factors.iter().any(|f| matches!(f.of, Source::Latent(_))) {
            sink.push(
                Diagnostic::new(term.span, "this term of the rate has no latent")
                    .why("every term explains a part of the counts, and with nothing to infer there the part would be fixed")
                    .help("multiply it by a latent, such as `base[v]`, or leave it out"),
            );
        }
    }
}
