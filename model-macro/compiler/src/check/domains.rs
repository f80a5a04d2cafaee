//! The parameters of priors are positive.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{HyperId, Model, Source};
use crate::syntax::Domain;

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for (i, hyper) in model.hypers.iter().enumerate() {
        let used = use_of(model, |term| {
            let behind_or = term.factors.iter().any(|f| f.of == Source::Hyper(HyperId(i)));
            behind_or || term.coefficient.hypers.iter().any(|h| h.0 == i)
        });
        report(&hyper.name, hyper.domain, hyper.domain_span, used, sink);
    }
    for (i, data) in model.data.iter().enumerate() {
        let used = use_of(model, |term| {
            term.factors
                .iter()
                .any(|f| matches!(f.of, Source::Data(id) if id.0 == i))
        });
        report(&data.name, data.domain, data.domain_span, used, sink);
    }
}

/// The first parameter of a prior that `has` something: what it is, and the law.
fn use_of(model: &Model, has: impl Fn(&crate::resolve::Term) -> bool) -> Option<(String, &str)> {
    let in_shape = model.shapes.iter().find_map(|shape| {
        shape.tables.terms.iter().find(|term| has(term))?;
        Some((format!("the shape of `{}`", model.latents[shape.of.0].name), "gamma"))
    });
    let in_prior = model.latents.iter().find_map(|latent| {
        let mut parts = latent.prior.terms.iter().zip(latent.prior.family.parameters);
        let (_, part) = parts.find(|(term, _)| has(term))?;
        Some((
            format!("the {part} of `{}`", latent.name),
            &latent.prior.family.noun[..],
        ))
    });
    in_prior.or(in_shape)
}

/// Once for each name, where its domain stands: all of its uses in priors are one mistake.
fn report(name: &syn::Ident, domain: Domain, span: proc_macro2::Span, used: Option<(String, &str)>, sink: &mut Sink) {
    if let (Some((place, law)), true) = (used, domain != Domain::Positive) {
        sink.push(
            Diagnostic::new(span, format!("`{name}` could be zero, and it is in {place}"))
                .why(format!(
                    "the parameters of a {law} prior are positive, and `{}` includes zero",
                    domain.keyword()
                ))
                .help(format!("`{name}: positive`")),
        );
    }
}
