//! Counts with a total: their rate sums to one, and all cells of a line and all totals are there.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Count, Indices, Model, Remainder, Total, TotalOf, sums_to_one};

pub(super) fn check(model: &Model, whole: bool, sink: &mut Sink) {
    for (number, count) in model.counts.iter().enumerate() {
        if let Some(total) = &count.total {
            rate(model, count, total, sink);
            cells(count, total, sink);
            known(model, total, sink);
        }
        if count.is_hidden() && whole && model.totalled_by(number).next().is_none() {
            sink.push(
                Diagnostic::new(
                    count.name.span(),
                    format!("hidden count `{}` is never used", count.name),
                )
                .why("nobody observed it, and it is the total of no other count: no data inform it")
                .help(format!(
                    "`count .. ~ Multinomial({}[..], .., along = ..);`, or leave it out",
                    count.name
                )),
            );
        }
    }
}

/// The rate sums to one along the index.
fn rate(model: &Model, count: &Count, total: &Total, sink: &mut Sink) {
    // A rate with a mistake has no terms, or is partial.
    if count.terms.is_empty() || count.partial {
        return;
    }
    let Err(remainder) = sums_to_one(model, count, total.along) else {
        return;
    };
    let along = count.vars.shown(total.along);
    let span = count.terms[0].span;
    let simplex =
        |along: &str| format!("`latent phi[.., {along} in ..] ~ Dirichlet(concentration = .., along = {along});`");
    let (left, help) = match remainder {
        Remainder::Terms => (
            "it is a sum of several products".to_owned(),
            "one product with a simplex that shares it out: `sum(k in parts) share[k] * ..`".to_owned(),
        ),
        Remainder::Coefficient => (
            "numbers or hyperparameters stand before it".to_owned(),
            format!("leave them out, as the total already scales the rate: `Multinomial(.., .., along = {along})`"),
        ),
        Remainder::Factor(access) => {
            let name = model.name_of(access.of);
            let vars: Vec<String> = access.vars.iter().map(|var| count.vars.shown(*var)).collect();
            (
                format!("`{name}[{}]` is left", vars.join(", ")),
                simplex(&along.to_string()),
            )
        }
        Remainder::Sum(var) => {
            let var = count.vars.shown(var);
            (
                format!("no factor sums to one along `{var}`"),
                simplex(&var.to_string()),
            )
        }
    };
    sink.push(
        Diagnostic::new(
            span,
            format!("the rate of `{}` does not sum to one along `{along}`", count.name),
        )
        .why(format!(
            "given the total, the rates are the probabilities of the cells, which sum to one; here, {left}"
        ))
        .help(help),
    );
}

/// No cell of a line is left out.
fn cells(count: &Count, total: &Total, sink: &mut Sink) {
    if let Some(guard) = count.guards.first() {
        let along = guard.left == total.along || guard.right == total.along;
        let what = match along {
            true => format!(
                "`where` leaves out cells along `{}`, which add up to the total",
                count.vars.shown(total.along)
            ),
            false => format!("`{}` has a total, and cells that `where` leaves out", count.name),
        };
        sink.push(
            Diagnostic::new(guard.span, what)
                .why("a total is the sum of a whole line; for a part of its cells it is only an upper bound")
                .help("leave `where` out, or `Poisson(..)` instead of `Multinomial(..)`"),
        );
    }
}

/// A total that is a count is a number of counts, of which every cell is there.
fn known(model: &Model, total: &Total, sink: &mut Sink) {
    let TotalOf::Count(of) = total.of else { return };
    let above = &model.counts[of];
    let name = &above.name;
    let mistake = |what: String| Diagnostic::new(total.span, what);
    if above.is_difference() {
        sink.push(
            mistake(format!("`{name}` is a difference, not a total"))
                .why("a difference may be negative, and a total is not")
                .help("a Poisson or Multinomial count, a `total` or `data` for the total"),
        );
    } else if above.total.is_none() && !above.guards.is_empty() {
        sink.push(
            mistake(format!(
                "`{name}` leaves out cells by `where`: the lines of those cells would have no total"
            ))
            .why("every line of a `Multinomial` has a total")
            .help(format!("`{name}` without `where`, or `data` for the total")),
        );
    }
}
