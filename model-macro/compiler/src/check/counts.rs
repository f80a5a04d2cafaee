//! A model has a count, and counts have indices, though not too many.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::Model;

/// Most indices of a cell: a cell is told by an array of so many.
const MOST_INDICES: usize = 8;

pub(super) fn check(model: &Model, whole: bool, sink: &mut Sink) {
    if model.counts.is_empty() && whole {
        sink.push(
            Diagnostic::new(model.name.span(), format!("model `{}` has no count", model.name))
                .why("inference learns from counts; a model without them has no observations")
                .help("`count y[d in docs, v in words] ~ Poisson(..);`"),
        );
    }
    for latent in model.shapes.iter().map(|shape| &model.latents[shape.of.0]) {
        if latent.indices.len() > MOST_INDICES {
            let what = format!(
                "`{}`, whose shape is learned, has {} indices",
                latent.name,
                latent.indices.len()
            );
            sink.push(too_many(latent.name.span(), what));
        }
    }
    for count in &model.counts {
        if count.free > MOST_INDICES {
            let what = format!("count `{}` has {} indices", count.name, count.free);
            sink.push(too_many(count.name.span(), what));
        }
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

fn too_many(span: proc_macro2::Span, what: String) -> Diagnostic {
    Diagnostic::new(span, what)
        .why(format!("a cell has at most {MOST_INDICES} indices"))
        .help("one index for several that are crossed: `index day_hours;` for days and hours")
}
