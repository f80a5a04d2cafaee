//! Latents in priors: only in the rate of a gamma, each once, and never in a circle.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Access, Indices, Knot, Latent, LatentId, Model, SetId, Source};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    // Members of circles that were reported: the others would say the same.
    let mut circles: Vec<LatentId> = Vec::new();
    for shape in &model.shapes {
        for (id, factor) in shape.latents() {
            circle(model, id, shape.of, factor, &mut circles, sink);
        }
    }
    for (child, latent) in model.latents.iter().enumerate() {
        for (term, part) in latent.prior.terms.iter().zip(latent.prior.family.parameters) {
            for (at, factor) in term.factors.iter().enumerate() {
                let Source::Latent(id) = factor.of else { continue };
                let name = &model.latents[id.0].name;
                let earlier = || term.factors[..at].iter().any(|f| f.of == factor.of);
                if *part != "rate" {
                    sink.push(learned(latent, part, &shown(model, latent, factor), factor));
                } else if !latent.prior.family.is_gamma() {
                    sink.push(
                        Diagnostic::new(
                            factor.span,
                            format!("`{name}` cannot be learned in the rate of a {}", latent.prior.family.noun),
                        )
                        .why("to learn a rate the compiler must know how the density depends on it: it does for a gamma, not for a custom family")
                        .help(format!("`hyper {name}: positive = 1.0;`, or `Gamma(shape = .., rate = {name})`")),
                    );
                } else if model.latents[id.0].prior.family.is_simplex() {
                    sink.push(
                        Diagnostic::new(
                            factor.span,
                            format!("`{name}` is a Dirichlet factor: it cannot be the rate of a gamma"),
                        )
                        .why("a Dirichlet is not conjugate to the rate of a gamma; a gamma is")
                        .help(format!("`latent {name}[..] ~ Gamma(shape = .., rate = ..);`")),
                    );
                } else if earlier() {
                    sink.push(
                        Diagnostic::new(factor.span, format!("`{name}` stands twice in one rate"))
                            .why("a gamma prior is conjugate only where the rate is linear in each entry")
                            .help(format!("use `{name}` once, and a second latent in this place")),
                    );
                } else {
                    circle(model, id, LatentId(child), factor, &mut circles, sink);
                }
            }
        }
    }
}

/// A latent in the prior of `child` whose own prior leads back to that, and not to an earlier time.
fn circle(model: &Model, id: LatentId, child: LatentId, factor: &Access, circles: &mut Vec<LatentId>, sink: &mut Sink) {
    let Some(path) = path(model, id, child) else {
        return;
    };
    let knot = match model.chain(child) {
        None | Some(Ok(_)) => return,
        Some(Err(knot)) => knot,
    };
    if path.iter().any(|member| circles.contains(member)) {
        return;
    }
    circles.extend(&path);
    let [name, latent] = [id, child].map(|id| &model.latents[id.0].name);
    let names: Vec<String> = path.iter().map(|l| format!("`{}`", model.latents[l.0].name)).collect();
    let way = format!("{} -> `{latent}`", names.join(" -> "));
    if let Knot::Elsewhere(access) = knot {
        sink.push(
            Diagnostic::new(access.span, format!("`{}` is read at another time index than the rest of the circle", model.name_of(access.of)))
                .why(format!("latents whose priors form a circle ({way}) are drawn one time after another, so each reference in the circle is at the time that is drawn, or at an earlier one"))
                .help("`theta[t, k] ~ Gamma(shape = a, rate = b * theta[t - 1, k])`, with `t` in one place"),
        );
        return;
    }
    let mistake = Diagnostic::new(factor.span, format!("the prior of `{latent}` depends on itself")).why(format!(
        "priors are drawn one after another, and a circle has no such order: {way}"
    ));
    let ordered = model.latents[child.0]
        .indices
        .iter()
        .find(|index| index.set != SetId::UNKNOWN && model.sets[index.set.0].ordered);
    sink.push(match ordered {
        Some(index) => mistake.help(format!("refer to an earlier time: `{name}[{} - 1, ..]`", index.name)),
        None => mistake.help(format!(
            "break the circle with a hyperparameter instead of `{name}`: `hyper b: positive = 1.0;`"
        )),
    });
}

/// A latent where only known numbers can stand.
fn learned(latent: &Latent, part: &str, shown: &str, factor: &Access) -> Diagnostic {
    let mistake = Diagnostic::new(
        factor.span,
        format!("a {part} that is learned (`{shown}`) is not supported yet"),
    );
    if part == "shape" {
        mistake
            .why("a gamma is conjugate in its rate; its shape needs a further augmentation")
            .help(format!("learn the rate instead: `Gamma(shape = 1.0, rate = {shown})`"))
    } else {
        mistake
            .why(format!(
                "nothing is conjugate to the {part} of a Dirichlet; it needs a further augmentation"
            ))
            .help(format!(
                "`hyper {0}_{part}: positive = 0.1;` and `{part} = {0}_{part}`",
                latent.name
            ))
    }
}

/// A latent as it stands in the prior of another.
fn shown(model: &Model, latent: &Latent, factor: &Access) -> String {
    let Source::Latent(id) = factor.of else {
        unreachable!("only latents are asked for")
    };
    let name = &model.latents[id.0].name;
    let vars: Vec<String> = factor.vars.iter().map(|v| latent.prior.vars.shown(*v)).collect();
    match &vars[..] {
        [] => name.to_string(),
        vars => format!("{name}[{}]", vars.join(", ")),
    }
}

/// A chain of priors from `from` to `to`, with `to` before it.
fn path(model: &Model, from: LatentId, to: LatentId) -> Option<Vec<LatentId>> {
    fn search(model: &Model, at: LatentId, to: LatentId, seen: &mut Vec<LatentId>) -> Option<Vec<LatentId>> {
        if at == to {
            return Some(Vec::new());
        }
        if seen.contains(&at) {
            return None;
        }
        seen.push(at);
        model.above(at).into_iter().find_map(|parent| {
            let mut path = search(model, parent, to, seen)?;
            path.insert(0, at);
            Some(path)
        })
    }
    let found = search(model, from, to, &mut Vec::new())?;
    Some(std::iter::once(to).chain(found).collect())
}
