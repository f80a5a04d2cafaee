//! A model has a count, and counts have indices.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::Model;

pub(super) fn check(model: &Model, sink: &mut Sink) {
    // A count with a mistake in it is missing here.
    if model.counts.is_empty() && sink.is_clean() {
        sink.push(
            Diagnostic::new(model.name.span(), format!("model `{}` has no count", model.name))
                .why("inference learns from counts")
                .help("`count y[d in docs, v in words] ~ Poisson(..);`"),
        );
    }
    for count in &model.counts {
        if count.free == 0 {
            sink.push(
                Diagnostic::new(count.name.span(), format!("count `{}` has no index", count.name))
                    .why("data are arrays of counts")
                    .help(format!("`count {}[d in docs] ~ Poisson(..);`", count.name)),
            );
        }
    }
}
