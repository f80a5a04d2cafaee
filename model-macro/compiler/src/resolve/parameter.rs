//! Parameters of priors, which are read as rates are: a shape with a latent in it is the rate of its table counts, and any other parameter is a product.

use syn::Ident;

use super::count::*;
use super::definitions::Definitions;
use super::model::*;
use super::names::Names;
use super::rate::{Walk, scope};
use crate::diagnostics::{Diagnostic, Sink};
use crate::syntax;

/// The shape of a gamma as the rate of its table counts, if there is a latent in it.
pub(super) fn shape(
    term: &syntax::Term,
    latent: &Ident,
    own: usize,
    vars: &mut Vec<Index>,
    names: &Names,
    lets: &Definitions,
    sink: &mut Sink,
) -> Option<Count> {
    // Read apart from the sink: what has no latent is read again as a parameter, which reports.
    let mut apart = Sink::default();
    let (before, scope) = (vars.len(), scope(&vars[..own]));
    let place = "the shape of a gamma prior";
    let mut walk = Walk::new(names, lets, vars, place, &mut apart);
    let terms = walk.term(term, &scope);
    let terms = walk.there(terms);
    let is_latent = |factor: &Access| matches!(factor.of, Source::Latent(_));
    if !terms.iter().flat_map(|term| &term.factors).any(is_latent) {
        vars.truncate(before);
        return None;
    }
    sink.append(apart);
    Some(Count {
        attrs: Vec::new(),
        name: latent.clone(),
        free: own,
        vars: vars.clone(),
        guards: Vec::new(),
        partial: false,
        terms,
        law: CountLaw::Poisson,
        total: None,
        channel: Channel::Exact,
    })
}

/// A parameter of a prior: a product over the indices of the latent, the first `own` of `vars`; those that are looked up come
/// behind them.
pub(super) fn parameter(
    term: &syntax::Term,
    place: &str,
    own: usize,
    vars: &mut Vec<Index>,
    names: &Names,
    lets: &Definitions,
    sink: &mut Sink,
) -> Term {
    let scope = scope(&vars[..own]);
    let mut walk = Walk::new(names, lets, vars, place, sink);
    walk.is_product = true;
    let terms = walk.term(term, &scope);
    let sums = terms.iter().any(|t| !t.summed.is_empty());
    match &terms[..] {
        [one] if !sums => one.clone(),
        [] => Term::one(term.span),
        _ => {
            sink.push(
                Diagnostic::new(term.span, format!("{place} is a product, not a sum"))
                    .why("a sum in a prior has no conjugate update; a product of numbers, hyperparameters and latents has")
                    .help("one factor instead of the sum: `hyper b: positive = 1.0;`, or a latent of its own"),
            );
            Term::one(term.span)
        }
    }
}
