//! A model has a count, and counts have indices.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::Model;

pub(super) fn check(model: &Model, whole: bool, sink: &mut Sink) {
    if model.counts.is_empty() && whole {
        sink.push(
            Diagnostic::new(model.name.span(), format!("model `{}` has no count", model.name))
                .why("inference learns from counts; a model without them has no observations")
                .help("`count y[d in docs, v in words] ~ Poisson(..);`"),
        );
    }
    for count in &model.counts {
        if count.free == 0 {
            let set = model
                .sets
                .first()
                .map_or("docs".to_string(), |set| set.name.to_string());
            sink.push(
                Diagnostic::new(count.name.span(), format!("count `{}` has no index", count.name))
                    .why("a count is an array of data; a single number holds almost no information")
                    .help(format!("`count {}[i in {set}] ~ Poisson(..);`", count.name)),
            );
        }
    }
}
