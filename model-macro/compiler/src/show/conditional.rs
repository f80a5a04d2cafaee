//! A conditional in writing: its law with its parameters, leaf by leaf.

use super::product::Product;
use super::product::{Entry, Factor, Name, Place, Stated};

use super::formula::{allocated, declared, scalar};
use super::names::weight_of;
use crate::derive::{Conditional, DerivedModel, Leaf, Origin, Sum, Summand};
use crate::resolve::{LatentId, Model, Side};

/// `theta[d,k] | − ~ Gamma(..)`, or `q(theta[d,k]) = Gamma(..)` if it is a variational posterior.
pub(super) fn statement(model: &Model, conditional: &Conditional, is_posterior: bool) -> String {
    let name = declared(&model.latents[conditional.of.0]);
    let law = stated(model, conditional, |_| true).write_law();
    match is_posterior {
        false => format!("{name} | − ~ {law}"),
        true => format!("q({name}) = {law}"),
    }
}

/// What the conditional of a latent begins with, in a line: `theta[d,k] ~ Gamma(a, b)`.
pub fn begins(model: &Model, conditional: &Conditional) -> String {
    stated(model, conditional, |part| part.from == Origin::Prior).write()
}

/// The law of a conditional, of whose parameters the summands are left that `is_kept`.
fn stated(model: &Model, conditional: &Conditional, is_kept: impl Fn(&Summand) -> bool) -> Stated {
    let latent = &model.latents[conditional.of.0];
    let law = &conditional.law;
    let letter = |at: usize| latent.indices[at].name.to_string();
    let parameters = law.parameters.iter().map(|of| {
        let kept = of.iter().filter(|part| is_kept(part));
        kept.map(|part| value(model, part)).collect()
    });
    Stated {
        of: Entry {
            of: Name::plain(latent.name.to_string()),
            at: (0..latent.indices.len()).map(|at| Place::of(&letter(at))).collect(),
        },
        family: law.family.name.clone(),
        along: law.along.map(letter),
        parameters: parameters.collect(),
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
    stated(&derivation.model, &derivation.updates[latent.0].conditional, |_| false).write_family()
}

/// One summand in a line: `Σ_v w[d,v] φ[k,v]`.
pub fn summand(model: &Model, of: &Summand) -> String {
    value(model, of).write()
}

/// Several in a line.
pub fn summands<'a>(model: &Model, of: impl IntoIterator<Item = &'a Summand>) -> String {
    parts(model, of)
}

/// Summands in one line.
pub(super) fn parts<'a>(model: &Model, of: impl IntoIterator<Item = &'a Summand>) -> String {
    let all: Vec<Product> = of.into_iter().map(|part| value(model, part)).collect();
    Product::write_sum(&all)
}

/// Whether a sum is a single factor, or nothing, and needs no parentheses in a product.
pub(super) fn is_factor(model: &Model, of: &[&Summand]) -> bool {
    match of {
        [] => true,
        [one] => {
            let Product { over, factors } = value(model, one);
            over.is_empty() && factors.len() <= 1
        }
        _ => false,
    }
}

/// The factors of a summand.
pub(super) fn factors(model: &Model, of: &Summand) -> String {
    value(model, of).write_each()
}

/// A summand in the names of the model.
fn value(model: &Model, of: &Summand) -> Product {
    Product {
        over: of.over().iter().map(|letter| letter.name.clone()).collect(),
        factors: leaves(model, of, &of.factors),
    }
}

fn leaves(model: &Model, of: &Summand, factors: &[Leaf]) -> Vec<Factor> {
    factors.iter().flat_map(|factor| leaf(model, of, factor)).collect()
}

fn leaf(model: &Model, of: &Summand, leaf: &Leaf) -> Vec<Factor> {
    let place = |at: usize| Place::of(&of.indices[at].name);
    let entry = |name: Name, at: &[usize]| Entry {
        of: name,
        at: at.iter().map(|&at| place(at)).collect(),
    };
    let plain = |name: String, at: &[usize]| Factor::Of(entry(Name::plain(name), at));
    let inside = |factors: &[Leaf]| leaves(model, of, factors);
    let one = match leaf {
        Leaf::Scalar(number) => return scalar(model, number),
        Leaf::OnlyAtFirst { of: factor, at, until } => {
            let first = Factor::First {
                at: place(*at),
                until: *until,
            };
            return [vec![first], self::leaf(model, of, factor)].concat();
        }
        Leaf::Data(id, at) => plain(model.data[id.0].name.to_string(), at),
        Leaf::Latent(id, at) => plain(model.latents[id.0].name.to_string(), at),
        Leaf::Allocation { count, term, at } => Factor::Of(entry(allocated(model.count(*count), *term), at)),
        Leaf::Weight { count, at } => plain(weight_of(model, *count), at),
        Leaf::Found { of: array, at, is } => Factor::Found {
            of: entry(Name::plain(model.data[array.0].name.to_string()), at),
            is: of.indices[*is].name.clone(),
        },
        Leaf::First { at, until } => Factor::First {
            at: place(*at),
            until: *until,
        },
        Leaf::AtFirst { of: factor, at, until } => {
            // Times are those of one factor.
            return self::leaf(model, of, factor)
                .into_iter()
                .map(|factor| Factor::AtFirst {
                    of: Box::new(factor),
                    at: place(*at),
                    until: *until,
                })
                .collect();
        }
        Leaf::Mean(factors) => Factor::Mean(inside(factors)),
        Leaf::Geometric(factors) => Factor::Geometric(inside(factors)),
        Leaf::Square(factors) => Factor::Square(inside(factors)),
        Leaf::Minus(one, other) => Factor::Less([one, other].map(|of| inside(of))),
    };
    vec![one]
}

/// An entry of a latent as it is declared: `θ[d,k]`.
pub fn entry(model: &Model, of: LatentId) -> String {
    declared(&model.latents[of.0])
}
