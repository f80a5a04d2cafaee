//! A conditional in writing: its law with its parameters, leaf by leaf.

use super::formula::{allocated, declared, first_times, indexed, moment, product, scalar, sum};
use super::names::weight_of;
use crate::derive::{Conditional, DerivedModel, Leaf, Origin, Sum, Summand};
use crate::resolve::{LatentId, Model, Side};

/// `theta[d,k] | − ~ Gamma(..)`, or `q(theta[d,k]) = Gamma(..)` if it is a variational posterior.
pub(super) fn statement(model: &Model, conditional: &Conditional, is_posterior: bool) -> String {
    let (name, law) = (entry(model, conditional.of), law(model, conditional, |_| true));
    match is_posterior {
        false => format!("{name} | − ~ {law}"),
        true => format!("q({name}) = {law}"),
    }
}

/// What the conditional of a latent begins with, in a line: `theta[d,k] ~ Gamma(a, b)`.
pub fn begins(model: &Model, conditional: &Conditional) -> String {
    let law = law(model, conditional, |part| part.from == Origin::Prior);
    format!("{} ~ {law}", entry(model, conditional.of))
}

/// The law of a conditional, of whose parameters the summands are left that `is_kept`.
fn law(model: &Model, conditional: &Conditional, is_kept: fn(&&Summand) -> bool) -> String {
    let parameters = conditional.law.parameters.iter();
    let parameters: Vec<String> = parameters.map(|of| parts(model, of.iter().filter(is_kept))).collect();
    format!("{}({})", named(model, conditional), parameters.join(", "))
}

/// `Gamma`, `Dirichlet_v`
fn named(model: &Model, Conditional { of, law }: &Conditional) -> String {
    match law.along {
        None => law.family.name.clone(),
        Some(along) => format!("{}_{}", law.family.name, model.latents[of.0].indices[along].name),
    }
}

/// The parameters of the prior of a latent. A shape that is learned is the rate of its table counts.
pub(super) fn parameters(derivation: &DerivedModel, latent: LatentId) -> Vec<String> {
    let model = &derivation.model;
    let shape = model.shapes.iter().position(|shape| shape.of == latent);
    let parameters = derivation.updates[latent.0].conditional.law.parameters.iter();
    let written = |(at, of): (usize, &Sum)| match shape {
        Some(shape) if at == 0 => {
            let tables = derivation.division(model.counts.len() + shape, Side::Plus);
            parts(model, &tables.rate)
        }
        _ => parts(model, of.iter().filter(|part| part.from == Origin::Prior)),
    };
    parameters.enumerate().map(written).collect()
}

/// The law of a latent by its name: `Gamma`, `Dirichlet_v`.
pub(super) fn family(derivation: &DerivedModel, latent: LatentId) -> String {
    named(&derivation.model, &derivation.updates[latent.0].conditional)
}

/// One summand in a line: `Σ_v w[d,v] φ[k,v]`.
pub fn summand(model: &Model, of: &Summand) -> String {
    let over: Vec<String> = of.over().iter().map(|letter| letter.name.clone()).collect();
    sum(&over, &factors(model, of))
}

/// Summands in one line.
pub fn parts<'a>(model: &Model, of: impl IntoIterator<Item = &'a Summand>) -> String {
    let all: Vec<String> = of.into_iter().map(|part| summand(model, part)).collect();
    all.join(" + ")
}

/// Whether a sum is a single factor, or nothing, and needs no parentheses in a product.
pub(super) fn is_factor(model: &Model, of: &[&Summand]) -> bool {
    match of {
        [] => true,
        [one] => one.over().is_empty() && leaves(model, one, &one.factors).len() <= 1,
        _ => false,
    }
}

/// The factors of a summand.
pub(super) fn factors(model: &Model, of: &Summand) -> String {
    product(&leaves(model, of, &of.factors))
}

/// Factors in the names of the model.
fn leaves(model: &Model, of: &Summand, factors: &[Leaf]) -> Vec<String> {
    factors.iter().flat_map(|factor| leaf(model, of, factor)).collect()
}

fn leaf(model: &Model, of: &Summand, leaf: &Leaf) -> Vec<String> {
    let letter = |at: usize| &of.indices[at].name[..];
    let entry = |name: &str, at: &[usize]| {
        let at: Vec<String> = at.iter().map(|&at| letter(at).to_owned()).collect();
        indexed(name, &at)
    };
    let inside = |factors: &[Leaf]| product(&leaves(model, of, factors));
    let one = match leaf {
        Leaf::Scalar(number) => return scalar(model, number),
        Leaf::OnlyAtFirst { of: factor, at, until } => {
            let first = first_times(letter(*at), *until);
            return [vec![first], self::leaf(model, of, factor)].concat();
        }
        Leaf::Data(id, at) => entry(&model.data[id.0].name.to_string(), at),
        Leaf::Latent(id, at) => entry(&model.latents[id.0].name.to_string(), at),
        Leaf::Allocation { count, term, at } => entry(&allocated(model.count(*count), *term), at),
        Leaf::Weight { count, at } => entry(&weight_of(model, *count), at),
        Leaf::Found { of: array, at, is } => {
            format!("[{}={}]", entry(&model.data[array.0].name.to_string(), at), letter(*is))
        }
        Leaf::First { at, until } => first_times(letter(*at), *until),
        Leaf::AtFirst { of: factor, at, until } => {
            // Times are those of one factor.
            let factors = self::leaf(model, of, factor).into_iter();
            let times = first_times(letter(*at), *until);
            return factors.map(|factor| format!("{factor}^{times}")).collect();
        }
        Leaf::Mean(factors) => moment('E', &inside(factors)),
        Leaf::Geometric(factors) => moment('G', &inside(factors)),
        Leaf::Square(factors) => match (&factors[..], inside(factors)) {
            ([Leaf::Mean(_)], mean) => format!("{mean}²"),
            (_, several) if several.contains(' ') => format!("({several})²"),
            (_, one) => format!("{one}²"),
        },
        Leaf::Minus(one, other) => format!("({} − {})", inside(one), inside(other)),
    };
    vec![one]
}

/// An entry of a latent as it is declared: `θ[d,k]`.
pub fn entry(model: &Model, of: LatentId) -> String {
    declared(&model.latents[of.0])
}
