//! Rules that a resolved model must keep, one file for each. All run, and all report.
//!
//! After this phase: there is a count; releases are by laws; every term has a latent; no cell uses an entry of a
//! latent twice; `where` clauses leave cells; exposures of Dirichlet factors are constant along their simplices;
//! latents stand only in the rates and shapes of gamma priors and in no circle; what has a learned shape can be integrated out; parameters of priors are positive; numbers are not so large or small that nothing can be computed with them;
//! generated names are distinct, and hide nothing that generated code uses; everything that is declared is used.

mod channels;
mod counts;
mod defaults;
mod domains;
mod dynamics;
mod generated;
mod guards;
mod numbers;
mod parents;
mod prelude;
mod reuse;
mod shapes;
mod simplex;
mod terms;
mod time;
mod totals;
mod unused;

use crate::diagnostics::Sink;
use crate::resolve::Model;

pub(crate) use generated::camel;
pub use generated::{label, labels, numbers};
pub use prelude::PREAMBLE;

/// Runs every rule.
pub fn check(model: &Model, sink: &mut Sink) {
    // What could not be resolved is missing from the model: only in a whole one is something unused.
    let whole = sink.is_clean();
    channels::check(model, sink);
    counts::check(model, whole, sink);
    guards::check(model, sink);
    terms::check(model, sink);
    reuse::check(model, sink);
    totals::check(model, whole, sink);
    parents::check(model, sink);
    shapes::check(model, sink);
    time::check(model, sink);
    domains::check(model, sink);
    numbers::check(model, sink);
    simplex::check(model, sink);
    defaults::check(model, sink);
    generated::check(model, sink);
    prelude::check(model, sink);
    let with_cells = !model.counts.is_empty() && model.counts.iter().all(|count| count.free > 0);
    if whole && with_cells {
        unused::check(model, sink);
    }
}
