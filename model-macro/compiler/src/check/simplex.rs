//! A Dirichlet factor has a Dirichlet conditional: its exposure is the same along its simplex.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Access, Count, Indices, Model, Obstacle, Source, constant_along};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for (id, latent) in model.latents.iter().enumerate() {
        let Some(index) = latent.along().map(|along| &latent.indices[along]) else {
            continue;
        };
        // Where a clause is missing, what it leaves out is not known. A rate that sums to one, as one with a total must, has no exposure.
        let whole = model.counts.iter().filter(|c| !c.partial && c.total.is_none());
        let occurrences = whole.flat_map(|count| {
            count.terms.iter().flat_map(move |term| {
                let places = term
                    .factors
                    .iter()
                    .enumerate()
                    .filter(move |(_, f)| matches!(f.of, Source::Latent(l) if l.0 == id));
                places.map(move |(factor, _)| (count, constant_along(model, count, term, factor)))
            })
        });
        let obstacle = occurrences
            .filter_map(|(count, found)| found.err().map(|o| (count, o)))
            .next();
        let Some((count, obstacle)) = obstacle else { continue };
        let why = match obstacle {
            Obstacle::Carried(other) => format!(
                "the conditional of a Dirichlet factor is a Dirichlet only if its exposure is the same all along the simplex, and `{}` in the rate of `{}` makes it vary",
                shown(model, count, &other),
                count.name
            ),
            Obstacle::Guarded(var) => format!(
                "the conditional of a Dirichlet factor is a Dirichlet only if its exposure is the same all along the simplex, and the `where` clause of `{}` leaves out cells along `{}`",
                count.name, count.vars[var.0].name
            ),
            Obstacle::LookedUp(var) => format!(
                "the conditional of a Dirichlet factor is a Dirichlet only if its exposure is the same all along the simplex, and `{}` takes some of its entries more often than others",
                count.vars.shown(var)
            ),
        };
        sink.push(
            Diagnostic::new(
                latent.prior.span,
                format!("`{}` cannot be a Dirichlet along `{}` here", latent.name, index.name),
            )
            .why(why)
            .help("`Gamma(shape = .., rate = ..)`: normalised draws of gamma factors are Dirichlet"),
        );
    }
}

/// A factor as it stands in the rate.
fn shown(model: &Model, count: &Count, access: &Access) -> String {
    let name = match access.of {
        Source::Latent(id) => &model.latents[id.0].name,
        Source::Data(id) => &model.data[id.0].name,
    };
    let vars: Vec<String> = access.vars.iter().map(|v| count.vars.shown(*v)).collect();
    format!("{name}[{}]", vars.join(", "))
}
