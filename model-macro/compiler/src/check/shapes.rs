//! Shapes that are learned: their table counts are drawn with the latent integrated out, which must be possible.

use super::dynamics;
use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Indices, LatentId, Model, SetId, Shape, Source, Turn, meets, schedule};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for shape in &model.shapes {
        integrated(model, shape, sink);
        dynamics::check(model, shape, sink);
        for term in &shape.tables.terms {
            for (at, factor) in term.factors.iter().enumerate() {
                let Source::Latent(id) = factor.of else { continue };
                let (name, of) = (&model.latents[id.0].name, &model.latents[shape.of.0].name);
                if dynamics::checks(model, shape, term, id) {
                    // What stands beside the latent in its own shape has rules of its own.
                } else if model.latents[id.0].prior.family.is_simplex() {
                    sink.push(
                        Diagnostic::new(
                            factor.span,
                            format!("`{name}` is a Dirichlet factor: it cannot be in the shape of a gamma"),
                        )
                        .why("its conditional is a Dirichlet only if all entries have the same exposure, and table counts give them different ones")
                        .help(format!("`latent {name}[..] ~ Gamma(shape = .., rate = ..);`")),
                    );
                } else if term.factors[..at].iter().any(|other| other.of == factor.of) {
                    sink.push(
                        Diagnostic::new(
                            factor.span,
                            format!("`{name}` stands twice in one term of the shape of `{of}`"),
                        )
                        .why("the shape is then not linear in these entries, and their conditional is not a gamma")
                        .help(format!("`latent {name}2[..] ~ ..;` for the second place of `{name}`")),
                    );
                }
            }
        }
    }
    in_order(model, sink);
}

/// The latent of a shape can be integrated out: its counts are whole, and its entries independent.
fn integrated(model: &Model, shape: &Shape, sink: &mut Sink) {
    let latent = &model.latents[shape.of.0];
    let name = &latent.name;
    let mistake = |what: String| Diagnostic::new(shape.span, what);
    if latent.own.is_some() {
        sink.push(
            mistake(format!(
                "the shape of `{name}` is learned, and `{name}` has an update of its own"
            ))
            .why("table counts are drawn with the latent integrated out, and only the derived conditional allows that")
            .help(format!(
                "leave `update {name} by ..;` out, or make the shape a hyperparameter"
            )),
        );
    }
    if let Some((child, _)) = model.children(shape.of).first() {
        let child = &model.latents[child.0].name;
        sink.push(
            mistake(format!("the shape of `{name}` is learned, and `{name}` is the rate of `{child}`"))
                .why(format!(
                    "`{child}` adds its shape to the counts of `{name}`; a shape is not a whole number, and table counts are drawn for whole numbers only"
                ))
                .help(format!("a latent of its own for the rate of `{child}`, or a hyperparameter for the shape of `{name}`")),
        );
    }
    let mut terms = model.all_counts().flat_map(|(_, count)| &count.terms);
    let uses = |term: &crate::resolve::Term| term.factors.iter().filter(|f| f.of == Source::Latent(shape.of)).count();
    if terms.any(|term| uses(term) > 1) {
        sink.push(
            mistake(format!(
                "the shape of `{name}` is learned, and `{name}` stands more than once in a term"
            ))
            .why("its entries are then updated one after another, and cannot be integrated out together")
            .help(format!("`hyper {name}_shape: positive = 1.0;` for its shape")),
        );
    }
}

/// Nothing is drawn that depends on a latent while that is integrated out.
fn in_order(model: &Model, sink: &mut Sink) {
    let mut out: Vec<&Shape> = Vec::new();
    for turn in schedule(model) {
        let drawn = match turn {
            Turn::Tables(shape) => model.shapes[shape].of,
            Turn::Latent(latent) => latent,
        };
        out.retain(|shape| turn != Turn::Latent(shape.of));
        for shape in &out {
            if shape.of != drawn && meets(model, drawn, shape.of) {
                sink.push(met(model, shape, drawn));
            }
        }
        if let Turn::Tables(shape) = turn {
            out.push(&model.shapes[shape]);
        }
    }
}

fn met(model: &Model, shape: &Shape, drawn: LatentId) -> Diagnostic {
    let [of, drawn_name] = [shape.of, drawn].map(|id| &model.latents[id.0].name);
    if model.shape_of(drawn).is_some() {
        return Diagnostic::new(
            shape.span,
            format!("the shapes of `{of}` and `{drawn_name}` are tied, and the two meet in a term"),
        )
        .why("table counts of both are drawn with both integrated out, which is possible only if neither depends on the other")
        .help(format!("`latent {drawn_name}_shape ~ Gamma(..);` for the shape of `{drawn_name}`"));
    }
    let in_rate = model.latents[shape.of.0].parents().find(|(id, _)| *id == drawn);
    let drawn = &model.latents[drawn.0];
    let over = drawn.indices.iter().map(|index| match index.set {
        SetId::UNKNOWN => format!("{} in ..", index.name),
        set => format!("{} in {}", index.name, model.set(set)),
    });
    let over: Vec<String> = over.collect();
    let over = if over.is_empty() {
        String::new()
    } else {
        format!("[{}]", over.join(", "))
    };
    let another = format!("`latent {drawn_name}2{over} ~ Gamma(shape = 1.0, rate = 1.0);`");
    let span = in_rate.map_or(shape.span, |(_, access)| access.span);
    let mistake = Diagnostic::new(
        span,
        format!("`{drawn_name}` is tied to the shape of `{of}`, and depends on `{of}` in another way, too"),
    )
    .why(format!(
        "it is drawn with `{of}` integrated out, and its conditional is then a gamma only if `{of}` is not in it"
    ));
    match in_rate {
        Some((_, access)) => {
            let vars = &model.latents[shape.of.0].prior.vars;
            let at: Vec<String> = access.vars.iter().map(|var| vars.shown(*var)).collect();
            let at = if at.is_empty() {
                String::new()
            } else {
                format!("[{}]", at.join(", "))
            };
            let factors: Vec<String> = shape
                .latents()
                .map(|(id, _)| model.latents[id.0].name.to_string())
                .collect();
            let mean = match shape.tables.terms.len() {
                1 => factors.join(" * "),
                _ => format!("({})", factors.join(" + ")),
            };
            mistake.help(format!(
                "a latent of its own in the rate of `{of}`: {another} and `{drawn_name}2{at}` here; the mean is then `{mean} / {drawn_name}2`"
            ))
        }
        None => mistake.help(format!(
            "a second latent where `{drawn_name}` and `{of}` meet: {another}"
        )),
    }
}
