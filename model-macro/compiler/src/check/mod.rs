//! Rules that a resolved model must keep, one file for each. All run, and all report.
//!
//! After this phase: there is one count; every term has a latent, and no latent twice; no factor repeats
//! an index; every latent, data array, definition and index set is used; defaults lie in their domains.

mod counts;
mod defaults;
mod reuse;
mod terms;
mod unused;

use crate::diagnostics::Sink;
use crate::resolve::Model;

/// Runs every rule.
pub fn check(model: &Model, sink: &mut Sink) {
    counts::check(model, sink);
    terms::check(model, sink);
    reuse::check(model, sink);
    unused::check(model, sink);
    defaults::check(model, sink);
}
