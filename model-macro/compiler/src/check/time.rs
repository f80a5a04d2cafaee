//! References back in time: what is left at the first times, and what can be drawn time after time.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Access, Count, Index, Indices, LatentId, Model, Term, VarId};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for (_, count) in model.all_counts() {
        diagonals(&count.vars, &count.terms, sink);
    }
    for latent in &model.latents {
        diagonals(&latent.prior.vars, &latent.prior.terms, sink);
    }
    for count in model.counts.iter().filter(|count| !count.terms.is_empty()) {
        left(
            count,
            &format!("the rate of `{}`", count.name),
            "a count of rate zero is always zero",
            sink,
        );
    }
    for shape in &model.shapes {
        let name = &model.latents[shape.of.0].name;
        let why = "a gamma of shape zero is not a distribution";
        left(&shape.tables, &format!("the shape of `{name}`"), why, sink);
    }
    for latent in (0..model.latents.len()).map(LatentId) {
        by_turns(model, latent, sink);
    }
}

/// One index at two times in one factor.
fn diagonals(vars: &[Index], terms: &[Term], sink: &mut Sink) {
    for factor in terms.iter().flat_map(|term| &term.factors) {
        let shifts = vars.shifts(factor);
        let again = shifts.iter().enumerate().find(|(i, (_, base, _))| {
            factor.vars.contains(base) || shifts[..*i].iter().any(|(_, other, _)| other == base)
        });
        if let Some((_, (_, base, _))) = again {
            sink.push(
                Diagnostic::new(
                    factor.span,
                    format!("index `{}` is used twice in one factor", vars.shown(*base)),
                )
                .why("a diagonal of an array is not supported: its other entries would never be used")
                .help("give each place an index of its own, or declare an array with one index: `diagonal[..]`"),
            );
        }
    }
}

/// Whether nothing of a sum is left at the first times.
fn left(count: &Count, what: &str, why: &str, sink: &mut Sink) {
    let factors = || count.terms.iter().flat_map(|term| &term.factors);
    let shifts = |factor: &Access| {
        count
            .vars
            .shifts(factor)
            .into_iter()
            .map(|(_, base, back)| (base, back))
    };
    let Some(longest) = factors().flat_map(shifts).map(|(_, back)| back).max() else {
        return;
    };
    let is_there = |term: &Term, var: VarId, time: usize| {
        term.factors.iter().all(|factor| {
            let before = shifts(factor).any(|(base, back)| base == var && back > time);
            let after = factor
                .start
                .is_some_and(|start| start.var == var && start.until <= time);
            !before && !after
        })
    };
    let nothing = |var: VarId, time: usize| !count.terms.iter().any(|term| is_there(term, var, time));
    let first = factors().find(|factor| shifts(factor).any(|(base, _)| (0..longest).any(|time| nothing(base, time))));
    let Some(first) = first else { return };
    sink.push(
        Diagnostic::new(first.span, format!("{what} has no term at the first times"))
            .why(format!(
                "each of its terms reads an earlier time, and is left out where there is none; {why}"
            ))
            .help("`theta[t - 1, k] or first[k]`, or a term of its own for all times"),
    );
}

/// A latent that is in the rate of its own prior is updated in turns, which nothing else may ask for too.
fn by_turns(model: &Model, latent: LatentId, sink: &mut Sink) {
    if model.own_lags(latent).is_none() {
        return;
    }
    let of = &model.latents[latent.0];
    if model.uses(latent) > 1 {
        let own = of.parents().find(|(id, _)| *id == latent);
        let span = own.map_or(of.name.span(), |(_, access)| access.span);
        sink.push(
            Diagnostic::new(span, format!("`{0}` is in its own prior, and stands more than once in a term", of.name))
                .why("each of the two needs an update that goes through the entries one after another, and no update does both")
                .help(format!(
                    "put a latent between two times: `latent {0}2[..] ~ Gamma(shape = a, rate = a * {0}[t - 1, ..]);` and `rate = a * {0}2[t, ..]`",
                    of.name
                )),
        );
    }
}
