//! Defaults of hyperparameters lie in their domains.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::Model;

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for hyper in &model.hypers {
        if let Some(default) = hyper.default
            && !hyper.domain.contains(default.value)
        {
            let (name, domain) = (&hyper.name, hyper.domain.keyword());
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
