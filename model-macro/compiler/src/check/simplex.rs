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
        let why = format!(
            "the conditional of a Dirichlet factor is a Dirichlet only if its exposure is the same all along the simplex, and {}",
            varies(model, count, &obstacle)
        );
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

/// What makes an exposure vary.
pub(super) fn varies(model: &Model, count: &Count, obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Carried(other) => {
            let other = shown(model, count, other);
            format!("`{other}` in the rate of `{}` makes it vary", count.name)
        }
        Obstacle::Guarded(var) => {
            let index = &count.vars[var.0].name;
            format!(
                "the `where` clause of `{}` leaves out cells along `{index}`",
                count.name
            )
        }
        Obstacle::LookedUp(var) => {
            format!(
                "`{}` takes some of its entries more often than others",
                count.vars.shown(*var)
            )
        }
    }
}

/// A factor as it stands in the rate.
fn shown(model: &Model, count: &Count, access: &Access) -> String {
    let name = model.name_of(access.of);
    let vars: Vec<String> = access.vars.iter().map(|v| count.vars.shown(*v)).collect();
    format!("{name}[{}]", vars.join(", "))
}
