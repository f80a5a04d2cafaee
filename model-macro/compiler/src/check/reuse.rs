//! No term uses a latent twice, and no factor an index twice.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Model, Source};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for count in &model.counts {
        for term in &count.terms {
            for (i, factor) in term.factors.iter().enumerate() {
                if let Source::Latent(id) = factor.of
                    && term.factors[..i].iter().any(|earlier| earlier.of == factor.of)
                {
                    let name = &model.latents[id.0].name;
                    sink.push(
                        Diagnostic::new(factor.span, format!("`{name}` is used twice in one term, which is not supported yet"))
                            .why("the rate is then no longer linear in it: its rows must be updated in sequence, and cells that use one entry twice are not conjugate at all")
                            .help(format!("declare a second latent for the second place of `{name}`")),
                    );
                }
                for (j, var) in factor.vars.iter().enumerate() {
                    if factor.vars[..j].contains(var) {
                        let index = &count.vars[var.0].name;
                        sink.push(
                            Diagnostic::new(factor.span, format!("index `{index}` is used twice in one factor"))
                                .why(
                                    "a diagonal of a latent is not supported; the other entries would never be learned",
                                )
                                .help("declare a latent with one index for the diagonal"),
                        );
                    }
                }
            }
        }
    }
}
