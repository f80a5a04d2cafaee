//! Everything that is declared is used.

use proc_macro2::Span;

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{DataId, HyperId, Model, Scalar, SetId, Source, TotalOf};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    let factors = || model.all_counts().flat_map(|(_, c)| &c.terms).flat_map(|t| &t.factors);
    let in_priors = || model.latents.iter().flat_map(|l| l.prior.terms());
    let of_priors = || in_priors().flat_map(|t| &t.factors);
    for (i, latent) in model.latents.iter().enumerate() {
        if of_priors().any(|f| matches!(f.of, Source::Latent(id) if id.0 == i)) {
            continue;
        }
        if !factors().any(|f| matches!(f.of, Source::Latent(id) if id.0 == i)) {
            report(
                sink,
                latent.name.span(),
                "latent",
                &latent.name.to_string(),
                "no rate and no prior has it, so no data inform it",
            );
        }
    }
    let is_total = |of: TotalOf| {
        let mut totals = model.counts.iter().filter_map(|count| count.total.as_ref());
        totals.any(|total| total.of == of)
    };
    for (i, data) in model.data.iter().enumerate() {
        if is_total(TotalOf::Data(DataId(i))) {
            continue;
        }
        if data.positions.is_some() {
            let looked_up = model.vars().any(|x| {
                x.lookup
                    .as_ref()
                    .is_some_and(|lookup| lookup.array() == Some(DataId(i)))
            });
            if !looked_up {
                let why = "no index is looked up in it";
                report(
                    sink,
                    data.name.span(),
                    "array of positions",
                    &data.name.to_string(),
                    why,
                );
            }
            continue;
        }
        if !factors()
            .chain(of_priors())
            .any(|f| matches!(f.of, Source::Data(id) if id.0 == i))
        {
            report(
                sink,
                data.name.span(),
                data.noun(),
                &data.name.to_string(),
                "no rate and no prior has it",
            );
        }
    }
    for (i, hyper) in model.hypers.iter().enumerate() {
        let has = |scalar: &Scalar| scalar.hypers.iter().any(|h| h.0 == i);
        let in_prior = in_priors().any(|t| has(&t.coefficient));
        let in_rate = model
            .all_counts()
            .flat_map(|(_, c)| &c.terms)
            .any(|t| has(&t.coefficient));
        let behind_or = factors().chain(of_priors()).any(|f| f.of == Source::Hyper(HyperId(i)));
        if !in_prior && !in_rate && !behind_or && !is_total(TotalOf::Hyper(HyperId(i))) {
            let (span, name) = (hyper.name.span(), hyper.name.to_string());
            report(sink, span, "hyperparameter", &name, "no prior and no rate has it");
        }
    }
    for name in &model.unused {
        let why = "no rate and no prior uses it";
        report(sink, name.span(), "definition", &name.to_string(), why);
    }
    for (i, set) in model.sets.iter().enumerate() {
        let is = |id: SetId| id == SetId(i);
        let used = model.latents.iter().flat_map(|l| &l.indices).any(|x| is(x.set))
            || model.data.iter().flat_map(|d| &d.indices).any(|x| is(x.set))
            || model.vars().any(|x| is(x.set));
        if !used {
            report(
                sink,
                set.name.span(),
                "index set",
                &set.name.to_string(),
                "no index of a latent, of a count or of data runs over it",
            );
        }
    }
}

/// How to use something of a kind.
fn usage(kind: &str, name: &str) -> String {
    match kind {
        "index set" => format!("let an index run over it: `k in {name}`"),
        "hyperparameter" => format!("use it in a prior: `Gamma(shape = {name}, rate = 1.0)`"),
        "array of positions" => format!("look an index up in it: `theta[{name}[..]]`"),
        _ => "use it in a rate".into(),
    }
}

fn report(sink: &mut Sink, span: Span, kind: &str, name: &str, why: &str) {
    sink.push(
        Diagnostic::new(span, format!("{kind} `{name}` is never used"))
            .why(why)
            .help(format!("remove `{name}`, or {}", usage(kind, name))),
    );
}
