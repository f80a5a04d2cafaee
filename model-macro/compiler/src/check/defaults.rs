//! Defaults of hyperparameters lie in their domains, and would not be refused when a model is built.

use skellam_formula::is_extreme;

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Model, extreme};
use crate::syntax::Domain;

pub(super) fn check(model: &Model, sink: &mut Sink) {
    let scalars = model.hypers.iter().map(|h| (&h.name, h.domain, h.default));
    let arrays = model.data.iter().map(|d| (&d.name, d.domain, d.default));
    for (name, domain, default) in scalars.chain(arrays) {
        let Some(default) = default else {
            continue;
        };
        if domain.contains(default.value) {
            if is_extreme(default.value) {
                let (span, value) = (default.span, default.value);
                sink.push(extreme(span, &format!("the default {value:?} of `{name}`"), value));
            }
            continue;
        }
        let (values, example) = match domain {
            Domain::Positive => ("above zero", "0.1"),
            Domain::Nonnegative => ("zero or above", "0.0"),
            Domain::Unit => ("between zero and one", "0.5"),
            Domain::Whole => ("a whole number, zero or above", "10"),
        };
        sink.push(
            Diagnostic::new(
                default.span,
                format!("the default {} of `{name}` is not {values}", default.value),
            )
            .why(format!(
                "`{name}` is declared `{}`: finite and {values}",
                domain.keyword()
            ))
            .help(format!("`{name}: {} = {example}`", domain.keyword())),
        );
    }
}
