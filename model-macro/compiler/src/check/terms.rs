//! Every term of the rate of a count has a latent. In a difference one term has: the others may be known, as noise of a known level is.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Model, Source, Term};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    let is_known = |term: &&Term| !term.factors.iter().any(|f| matches!(f.of, Source::Latent(_)));
    for count in &model.counts {
        let known: Vec<&Term> = count.terms.iter().filter(is_known).collect();
        if !count.is_difference() {
            for term in known {
                sink.push(
                    Diagnostic::new(term.span, "this term of the rate has no latent")
                        .why("every term needs a latent: a constant term has no parameter to infer")
                        .help("multiply it by a latent, such as `base[v]`, or leave it out"),
                );
            }
        } else if let Some(first) = known.first().filter(|_| known.len() == count.terms.len()) {
            sink.push(
                Diagnostic::new(first.span, format!("neither rate of `{}` has a latent", count.name))
                    .why("at least one of the two rates needs a latent: constant terms have no parameter to infer")
                    .help("add a term with a latent to either rate, such as `base[v]`"),
            );
        }
    }
}
