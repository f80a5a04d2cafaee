//! A latent in its own shape, at an earlier time: its table counts are drawn backwards in time, with all of it integrated out.

use super::simplex::varies;
use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Access, Indices, LatentId, Model, Shape, Source, Term, VarId, constant_along, same_exposure};

/// Whether a factor of a term of a shape is checked here: what multiplies earlier values, and every simplex beside such a term.
pub(super) fn checks(model: &Model, shape: &Shape, term: &Term, id: LatentId) -> bool {
    let is_simplex = model.latents[id.0].prior.family.is_simplex();
    moves(shape, term) || (is_simplex && shape.tables.terms.iter().any(|term| moves(shape, term)))
}

/// Whether a term of a shape has the latent of that in it.
fn moves(shape: &Shape, term: &Term) -> bool {
    term.factors.iter().any(|factor| factor.of == Source::Latent(shape.of))
}

pub(super) fn check(model: &Model, shape: &Shape, sink: &mut Sink) {
    let name = &model.latents[shape.of.0].name;
    if let Some(Ok(chain)) = model.chain(shape.of)
        && let Some((other, _)) = chain.members.iter().find(|(id, _)| *id != shape.of)
    {
        // One circle is one mistake.
        if chain.members.iter().any(|(id, _)| id.0 < shape.of.0) {
            return;
        }
        let other = &model.latents[other.0].name;
        sink.push(
            Diagnostic::new(shape.span, format!("the shapes of `{name}` and `{other}` depend on each other through time"))
                .why("table counts are drawn backwards in time with one latent integrated out; here both would have to be integrated out at once")
                .help(format!("`{name}` at an earlier time instead of `{other}`")),
        );
        return;
    }
    for term in &shape.tables.terms {
        let mut own = term
            .factors
            .iter()
            .filter(|factor| factor.of == Source::Latent(shape.of));
        if let Some(second) = own.nth(1) {
            sink.push(
                Diagnostic::new(second.span, format!("`{name}` stands twice in one term of its shape"))
                    .why("the shape is then not linear in these entries, and their conditional is not a gamma")
                    .help(format!("a term for each: `{name}[..] + {name}[..]`")),
            );
        }
        for (at, factor) in term.factors.iter().enumerate() {
            match factor.of {
                Source::Latent(id) if id != shape.of && checks(model, shape, term, id) => {
                    beside(model, shape, term, at, id, sink)
                }
                _ => {}
            }
        }
    }
}

/// A latent that multiplies the earlier values: only with these integrated out may it be drawn, which leaves a closed form only for a
/// simplex whose table counts all have one exposure, the same whatever it is.
fn beside(model: &Model, shape: &Shape, term: &Term, at: usize, id: LatentId, sink: &mut Sink) {
    let (factor, of) = (&term.factors[at], &model.latents[shape.of.0]);
    let (name, latent) = (&of.name, &model.latents[id.0]);
    let simplex = latent.along().map(|along| factor.vars[along]);
    let Some(along) = simplex.filter(|along| along.0 < of.indices.len()) else {
        sink.push(
            Diagnostic::new(factor.span, format!("`{}` multiplies earlier values of `{name}` in the shape of `{name}`", latent.name))
                .why(format!(
                    "`{0}` is drawn with `{name}` integrated out at all times, and the exposures of the table counts of `{name}` then depend on `{0}`, unless `{0}` is a Dirichlet whose entries sum to one along an index of `{name}`",
                    latent.name
                ))
                .help(helped(model, shape, factor, latent.name.to_string())),
        );
        return;
    };
    let mut report = |why: String| {
        sink.push(
            Diagnostic::new(factor.span, format!("the exposure of the table counts of `{name}` varies along `{}`", of.indices[along.0].name))
                .why(format!(
                    "the conditional of `{}` is a Dirichlet only if its exposure is the same all along the simplex, and {why}",
                    latent.name
                ))
                .help("give every other latent with this index in a rate a `Dirichlet(..)` prior, or use known numbers here: `data pi[..]: positive;`"),
        );
    };
    if let Err(obstacle) = constant_along(model, &shape.tables, term, at) {
        return report(varies(model, &shape.tables, &obstacle));
    }
    let vars = &of.prior.vars;
    let rate = of.prior.terms[1]
        .factors
        .iter()
        .find(|factor| vars.depends(factor, along));
    if let Some(carried) = rate {
        return report(format!(
            "`{}` in the rate of `{name}` makes it vary",
            model.name_of(carried.of)
        ));
    }
    match same_exposure(model, shape.of, along.0) {
        Err((number, obstacle)) => report(varies(model, model.count(number), &obstacle)),
        Ok(constant) => {
            let is_own = |number: usize| std::ptr::eq(model.count(number), &shape.tables);
            let is_varying =
                |(number, var): &&(usize, VarId)| *number >= model.counts.len() && !(is_own(*number) && *var == along);
            if let Some((number, _)) = constant.iter().find(is_varying) {
                report(format!(
                    "the exposures of the table counts `{}` make it vary",
                    model.count(*number).name
                ));
            }
        }
    }
}

fn helped(model: &Model, shape: &Shape, factor: &Access, name: String) -> String {
    let (of, vars) = (&model.latents[shape.of.0], &shape.tables.vars);
    let binds: Vec<String> = factor
        .vars
        .iter()
        .map(|var| format!("{} in {}", vars[var.0].name, model.set(vars[var.0].set)))
        .collect();
    let own = factor
        .vars
        .iter()
        .find(|var| var.0 < of.indices.len() && model.in_turn_along(shape.of) != Some(var.0));
    match own {
        Some(along) => format!(
            "`latent {name}[{}] ~ Dirichlet(concentration = .., along = {});`",
            binds.join(", "),
            vars[along.0].name
        ),
        None => format!("a number instead of `{name}`: `hyper {name}: positive = 1.0;`"),
    }
}
