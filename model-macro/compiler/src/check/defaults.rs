//! Defaults of hyperparameters lie in their domains.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::Model;

pub(super) fn check(model: &Model, sink: &mut Sink) {
    let scalars = model.hypers.iter().map(|h| (&h.name, h.domain, h.default));
    let arrays = model.data.iter().map(|d| (&d.name, d.domain, d.default));
    for (name, domain, default) in scalars.chain(arrays) {
        if let Some(default) = default
            && !domain.contains(default.value)
        {
            let domain = domain.keyword();
            sink.push(
                Diagnostic::new(
                    default.span,
                    format!("the default {} of `{name}` is not {domain}", default.value),
                )
                .help(format!("give a default that is {domain}, or none")),
            );
        }
    }
}
