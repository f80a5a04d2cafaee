//! Everything that is declared is used.

use syn::Ident;

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{DataId, HyperId, LatentId, Lookup, Model, SetId, Source, TotalOf};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    let factors = || model.all_counts().flat_map(|(_, c)| &c.terms).flat_map(|t| &t.factors);
    let in_priors = || model.latents.iter().flat_map(|l| &l.prior.terms);
    let all = || factors().chain(in_priors().flat_map(|t| &t.factors));
    let mut report = |name: &Ident, kind: &str, why: &str| {
        sink.push(
            Diagnostic::new(name.span(), format!("{kind} `{name}` is never used"))
                .why(why)
                .help(format!("remove `{name}`, or {}", usage(kind, name))),
        );
    };
    for (i, latent) in model.latents.iter().enumerate() {
        if !all().any(|f| f.of == Source::Latent(LatentId(i))) {
            report(
                &latent.name,
                "latent",
                "no rate and no prior has it, so no data inform it",
            );
        }
    }
    let is_total = |of: TotalOf| {
        let mut totals = model.counts.iter().filter_map(|count| count.total.as_ref());
        totals.any(|total| total.of == of)
    };
    for (i, data) in model.data.iter().enumerate() {
        let is_it = |lookup: &Lookup| lookup.array() == Some(DataId(i));
        if is_total(TotalOf::Data(DataId(i))) {
            continue;
        }
        if data.positions.is_some() {
            if !model.vars().any(|var| var.lookup.as_ref().is_some_and(is_it)) {
                report(&data.name, "array of positions", "no index is looked up in it");
            }
        } else if !all().any(|f| f.of == Source::Data(DataId(i))) {
            report(&data.name, data.noun(), "no rate and no prior has it");
        }
    }
    for (i, hyper) in model.hypers.iter().enumerate() {
        let terms = model.all_counts().flat_map(|(_, c)| &c.terms);
        let mut terms = terms.chain(in_priors());
        let is_multiplied = terms.any(|term| term.coefficient.hypers.contains(&HyperId(i)));
        let behind_or = all().any(|f| f.of == Source::Hyper(HyperId(i)));
        if !is_multiplied && !behind_or && !is_total(TotalOf::Hyper(HyperId(i))) {
            report(&hyper.name, "hyperparameter", "no prior and no rate has it");
        }
    }
    for name in &model.unused {
        report(name, "definition", "no rate and no prior uses it");
    }
    for (i, set) in model.sets.iter().enumerate() {
        let of_latents = model.latents.iter().flat_map(|l| &l.indices);
        let mut indices = of_latents
            .chain(model.data.iter().flat_map(|d| &d.indices))
            .chain(model.vars());
        if !indices.any(|index| index.set == SetId(i)) {
            report(
                &set.name,
                "index set",
                "no index of a latent, of a count or of data runs over it",
            );
        }
    }
}

/// How to use something of a kind.
fn usage(kind: &str, name: &Ident) -> String {
    match kind {
        "index set" => format!("let an index run over it: `k in {name}`"),
        "hyperparameter" => format!("use it in a prior: `Gamma(shape = {name}, rate = 1.0)`"),
        "array of positions" => format!("look an index up in it: `theta[{name}[..]]`"),
        _ => "use it in a rate".into(),
    }
}
