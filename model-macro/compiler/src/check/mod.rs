//! Rules that a resolved model must keep, one file for each. All run, and all report.
//!
//! After this phase: there is a count; every term has a latent; no cell uses an entry of a latent twice;
//! `where` clauses leave cells; exposures of Dirichlet factors are constant along their simplices; latents
//! stand only in the rates of gamma priors and in no circle; parameters of priors are positive; everything
//! that is declared is used.

mod counts;
mod defaults;
mod domains;
mod guards;
mod parents;
mod reuse;
mod simplex;
mod terms;
mod unused;

use crate::diagnostics::Sink;
use crate::resolve::Model;

/// Runs every rule.
pub fn check(model: &Model, sink: &mut Sink) {
    counts::check(model, sink);
    guards::check(model, sink);
    terms::check(model, sink);
    reuse::check(model, sink);
    parents::check(model, sink);
    domains::check(model, sink);
    simplex::check(model, sink);
    unused::check(model, sink);
    defaults::check(model, sink);
}
