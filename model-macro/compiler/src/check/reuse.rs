//! No cell uses one entry of a latent twice, and no factor an index twice.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Access, Count, Indices, LatentId, Model, Source, Term, VarId};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for (_, count) in model.all_counts() {
        for factor in count.terms.iter().flat_map(|term| &term.factors) {
            diagonal(factor, |var| count.vars.shown(VarId(var)), sink);
        }
    }
    for count in &model.counts {
        for term in &count.terms {
            // Where a clause is missing, what it keeps apart is not known.
            let latents = if count.partial { 0 } else { model.latents.len() };
            for latent in 0..latents {
                meetings(model, count, term, LatentId(latent), sink);
            }
        }
    }
    for latent in &model.latents {
        for factor in latent.prior.terms.iter().flat_map(|t| &t.factors) {
            diagonal(factor, |var| latent.prior.vars.shown(VarId(var)), sink);
        }
    }
}

/// An index that stands twice in one factor.
fn diagonal(factor: &Access, name: impl Fn(usize) -> String, sink: &mut Sink) {
    for (j, var) in factor.vars.iter().enumerate() {
        if factor.vars[..j].contains(var) {
            sink.push(
                Diagnostic::new(
                    factor.span,
                    format!("index `{}` is used twice in one factor", name(var.0)),
                )
                .why("a diagonal of an array is not supported: its other entries would never be used")
                .help(format!(
                    "give each place an index of its own, or declare an array with one index: `diagonal[{}]`",
                    name(var.0)
                )),
            );
        }
    }
}

/// Two occurrences of a latent in one term that can be the same entry.
fn meetings(model: &Model, count: &Count, term: &Term, latent: LatentId, sink: &mut Sink) {
    let places: Vec<&Access> = term.factors.iter().filter(|f| f.of == Source::Latent(latent)).collect();
    let mut clauses: Vec<String> = Vec::new();
    let (mut at, mut hopeless) = (None, false);
    for (j, second) in places.iter().enumerate() {
        for first in &places[..j] {
            let pairs = || first.vars.iter().copied().zip(second.vars.iter().copied());
            if pairs().any(|(a, b)| count.separates(a, b)) {
                continue;
            }
            at = at.or(Some(second.apart_from(first)));
            let mendable = |(a, b): &(_, _)| a != b && count.is_free(*a) && count.is_free(*b);
            match pairs().find(mendable) {
                Some((a, b)) => {
                    let clause = format!("{} != {}", count.vars[a.0].name, count.vars[b.0].name);
                    if !clauses.contains(&clause) {
                        clauses.push(clause);
                    }
                }
                None => hopeless = true,
            }
        }
    }
    let name = &model.latents[latent.0].name;
    if let Some(looked_up) = places
        .iter()
        .find(|place| places.len() > 1 && count.vars.looks_up(place))
    {
        let shifted = !count.vars.shifts(looked_up).is_empty();
        let (what, why) = match shifted {
            true => (
                "is read at another time",
                "one cell would then contain entries of two times, and the update of one time would need the rates of both",
            ),
            false => (
                "an index of it is looked up",
                "two positions may be equal: the rate is then quadratic in that entry, and its conditional is not a gamma",
            ),
        };
        sink.push(
            Diagnostic::new(looked_up.span, format!("`{name}` stands twice in one term, and {what}"))
                .why(why)
                .help(format!("`latent {name}2[..] ~ ..;` for the second place of `{name}`")),
        );
        return;
    }
    let Some(span) = at else { return };
    let mistake = if hopeless {
        Diagnostic::new(span, format!("a cell of `{}` uses one entry of `{name}` twice", count.name))
            .why("the rate is then quadratic in that entry, and its conditional is not a gamma; no `where` on the count's indices keeps the two apart")
            .help(format!("`latent {name}2[..] ~ ..;` for the second place of `{name}`"))
    } else {
        let kept = count.guards.iter().map(|g| {
            let [a, b] = [g.left, g.right].map(|v| &count.vars[v.0].name);
            format!("{a} {} {b}", if g.less { "<" } else { "!=" })
        });
        let all: Vec<String> = kept.chain(clauses).collect();
        let indices: Vec<String> = count
            .free_vars()
            .map(|v| &count.vars[v.0])
            .map(|i| format!("{} in {}", i.name, model.set(i.set)))
            .collect();
        Diagnostic::new(span, format!("some cells of `{}` use one entry of `{name}` twice", count.name))
            .why("where the two entries are the same, the rate is quadratic in that entry, and its conditional is not a gamma")
            .help(format!(
                "`count {}[{}] where {} ~ Poisson(..)`, with `<` instead of `!=` if each pair is counted once",
                count.name,
                indices.join(", "),
                all.join(", ")
            ))
    };
    sink.push(mistake);
}
