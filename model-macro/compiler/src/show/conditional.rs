//! A conditional in writing: its law with its parameters, leaf by leaf.

use super::formula::{Style, allocated, at_first_times, declared, first_times, index, indexed, product, scalar, sum};
use super::names::weight_of;
use crate::derive::{Conditional, DerivedModel, Leaf, Origin, Sum, Summand};
use crate::resolve::{Latent, LatentId, Model, Side};

/// `theta[d,k] | − ~ Gamma(..)`, or `q(theta[d,k]) = Gamma(..)` if it is a variational posterior.
pub(super) fn statement(model: &Model, conditional: &Conditional, is_posterior: bool, style: Style) -> String {
    let name = declared(&model.latents[conditional.of.0], style);
    let law = law(model, conditional, style);
    match (is_posterior, style) {
        (false, Style::Unicode) => format!("{name} | − ~ {law}"),
        (false, Style::Latex) => format!("{name} \\mid - \\sim {law}"),
        (true, _) => format!("q({name}) = {law}"),
    }
}

fn law(model: &Model, conditional: &Conditional, style: Style) -> String {
    let latent = &model.latents[conditional.of.0];
    let name = family(latent, style);
    let parameters = conditional.law.parameters.iter().map(|of| parts(model, of, style));
    let parameters: Vec<String> = parameters.collect();
    match style {
        Style::Unicode => format!("{name}({})", parameters.join(", ")),
        Style::Latex => format!("{name}\\left({}\\right)", parameters.join(",\\ ")),
    }
}

/// The parameters of the prior of a latent. A shape that is learned is the rate of its table counts.
pub(super) fn parameters(derivation: &DerivedModel, latent: LatentId, style: Style) -> Vec<String> {
    let model = &derivation.model;
    let shape = model.shapes.iter().position(|shape| shape.of == latent);
    let parameters = derivation.updates[latent.0].conditional.law.parameters.iter();
    let written = |(at, of): (usize, &Sum)| match shape {
        Some(shape) if at == 0 => {
            let tables = derivation.division(model.counts.len() + shape, Side::Plus);
            parts(model, &tables.rate, style)
        }
        _ => parts(model, of.iter().filter(|part| part.from == Origin::Prior), style),
    };
    parameters.enumerate().map(written).collect()
}

/// The law of a latent by its name: `Gamma`, `Dirichlet_v`.
pub(super) fn family(latent: &Latent, style: Style) -> String {
    let along = latent
        .along()
        .map(|along| index(&latent.indices[along].name.to_string(), style));
    let family = &latent.prior.family;
    match (along, style) {
        (None, Style::Unicode) => family.name.clone(),
        (None, Style::Latex) => family.latex.clone(),
        (Some(along), Style::Unicode) => format!("{}_{along}", family.name),
        (Some(along), Style::Latex) => format!("{}_{{{along}}}", family.latex),
    }
}

/// One summand in a line of Unicode: `Σ_v w[d,v] φ[k,v]`.
pub fn summand(model: &Model, of: &Summand) -> String {
    written(model, of, Style::Unicode)
}

/// Several in a line.
pub fn summands<'a>(model: &Model, of: impl IntoIterator<Item = &'a Summand>) -> String {
    parts(model, of, Style::Unicode)
}

/// Summands in one line.
pub(super) fn parts<'a>(model: &Model, of: impl IntoIterator<Item = &'a Summand>, style: Style) -> String {
    let all: Vec<String> = of.into_iter().map(|part| written(model, part, style)).collect();
    all.join(" + ")
}

fn written(model: &Model, of: &Summand, style: Style) -> String {
    let over: Vec<String> = of.over().iter().map(|letter| letter.name.clone()).collect();
    sum(&over, &factors(model, of, style), style)
}

/// The factors of a summand.
pub(super) fn factors(model: &Model, of: &Summand, style: Style) -> String {
    leaves(model, of, &of.factors, style)
}

fn leaves(model: &Model, of: &Summand, factors: &[Leaf], style: Style) -> String {
    let all: Vec<String> = factors.iter().map(|factor| leaf(model, of, factor, style)).collect();
    product(&all, style)
}

fn leaf(model: &Model, of: &Summand, leaf: &Leaf, style: Style) -> String {
    let names = |at: &[usize]| -> Vec<String> { at.iter().map(|&i| of.indices[i].name.clone()).collect() };
    let inside = |factors: &[Leaf]| leaves(model, of, factors, style);
    match leaf {
        Leaf::Scalar(number) => scalar(model, number, style),
        Leaf::Data(id, at) => indexed(&model.data[id.0].name.to_string(), &names(at), style),
        Leaf::Latent(id, at) => indexed(&model.latents[id.0].name.to_string(), &names(at), style),
        Leaf::Allocation { count, term, at } => allocated(model.count(*count), *term, &names(at), style),
        Leaf::Weight { count, at } => indexed(&weight_of(model, *count), &names(at), style),
        Leaf::Found { of: array, at, is } => {
            let entry = indexed(&model.data[array.0].name.to_string(), &names(at), style);
            let index = index(&of.indices[*is].name, style);
            format!("[{entry}={index}]")
        }
        Leaf::First { at, until } => first_times(&of.indices[*at].name, *until, style),
        Leaf::OnlyAtFirst { of: factor, at, until } => format!(
            "{} {}",
            first_times(&of.indices[*at].name, *until, style),
            self::leaf(model, of, factor, style)
        ),
        Leaf::AtFirst { of: factor, at, until } => at_first_times(
            &self::leaf(model, of, factor, style),
            &of.indices[*at].name,
            *until,
            style,
        ),
        Leaf::Mean(factors) => moment('E', &inside(factors), style),
        Leaf::Geometric(factors) => moment('G', &inside(factors), style),
        Leaf::Square(factors) => square(factors, &inside(factors), style),
        Leaf::Minus(one, other) => {
            let minus = if style == Style::Unicode { "−" } else { "-" };
            format!("({} {minus} {})", inside(one), inside(other))
        }
    }
}

/// `E[x]` or `G[x]`
pub(super) fn moment(letter: char, of: &str, style: Style) -> String {
    match style {
        Style::Unicode => format!("{letter}[{of}]"),
        Style::Latex => format!("\\mathbb{{{letter}}}[{of}]"),
    }
}

/// `exposure[d]²`, `(0.5 boost)²`
fn square(factors: &[Leaf], written: &str, style: Style) -> String {
    let base = match factors {
        [Leaf::Mean(_)] => written.to_owned(),
        _ if written.contains(' ') => format!("({written})"),
        _ => written.to_owned(),
    };
    match style {
        Style::Unicode => format!("{base}²"),
        Style::Latex => format!("{base}^2"),
    }
}
