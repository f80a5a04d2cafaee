//! Numbers for everything that a formula may have in it, and two evaluations with them: of a contraction that was derived, and of a term as
//! it is declared.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::derive::{Leaf, Summand};
use crate::resolve::{Count, DataId, Model, Positions, Scalar, SetId, Source, Term, VarId};

/// What is read for a latent: itself, or a moment of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Moment {
    Itself,
    Geometric,
    Mean,
    Second,
}

/// How many values an index has: another number for each set.
fn size(set: SetId) -> usize {
    2 + set.0
}

/// Every value of some indices.
pub(super) fn values(sets: impl IntoIterator<Item = SetId>) -> Vec<Vec<usize>> {
    sets.into_iter().fold(vec![Vec::new()], |all, set| {
        let longer = |at: Vec<usize>| (0..size(set)).map(move |value| [&at[..], &[value]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

/// A number that nothing but what it is of decides.
fn hashed(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The same between 1/2 and 3/2.
fn positive(of: impl Hash) -> f64 {
    0.5 + (hashed(of) >> 11) as f64 / (1u64 << 53) as f64
}

fn latent(id: usize, at: &[usize], of: Moment) -> f64 {
    positive(("latent", id, at, of))
}

fn data(id: usize, at: &[usize]) -> f64 {
    positive(("data", id, at))
}

fn scalar(of: &Scalar) -> f64 {
    let hypers = of.hypers.iter().map(|hyper| positive(("hyper", hyper.0)));
    let per = of.per.iter().map(|set| 1.0 / size(*set) as f64);
    of.number * hypers.chain(per).product::<f64>()
}

/// An entry of an array of positions.
fn position(model: &Model, of: DataId, at: &[usize]) -> usize {
    let set = model.data[of.0].positions.expect("an array of positions");
    hashed(("position", of.0, at)) as usize % size(set)
}

/// A contraction at values of its own indices.
pub(super) fn derived(model: &Model, of: &Summand, own: &[usize]) -> f64 {
    let over = of.over().iter().map(|letter| letter.set);
    let each = values(over).into_iter().map(|summed| {
        let mut at: Vec<Option<usize>> = own.iter().chain(&summed).map(|value| Some(*value)).collect();
        for letter in &of.indices[of.own + of.summed..] {
            at.push(looked_up(model, of, &at, &letter.name));
        }
        product(model, &of.factors, &at, Moment::Itself)
    });
    each.sum()
}

/// `author[d]`; none where the formula has no `d`.
fn looked_up(model: &Model, of: &Summand, at: &[Option<usize>], letter: &str) -> Option<usize> {
    let (array, letters) = letter.strip_suffix(']')?.split_once('[')?;
    let array = model.data.iter().position(|data| data.name == array)?;
    let place = |letter: &str| at[of.indices.iter().position(|other| other.name == letter)?];
    let places: Option<Vec<usize>> = letters.split(',').map(place).collect();
    Some(position(model, DataId(array), &places?))
}

fn product(model: &Model, factors: &[Leaf], at: &[Option<usize>], of: Moment) -> f64 {
    factors.iter().map(|factor| leaf(model, factor, at, of)).product()
}

fn leaf(model: &Model, leaf: &Leaf, at: &[Option<usize>], of: Moment) -> f64 {
    let values = |places: &[usize]| -> Vec<usize> {
        let value = |place: &usize| at[*place].expect("an index with a value");
        places.iter().map(value).collect()
    };
    match leaf {
        Leaf::Scalar(number) => scalar(number),
        Leaf::Data(id, at) => data(id.0, &values(at)),
        Leaf::Latent(id, at) => latent(id.0, &values(at), of),
        Leaf::Allocation { count, term, at } => positive(("part", count, term, values(at))),
        Leaf::Weight { count, at } => positive(("weight", count, values(at))),
        Leaf::Found { of, at, is } => f64::from(position(model, *of, &values(at)) == values(&[*is])[0]),
        Leaf::Mean(factors) => product(model, factors, at, Moment::Mean),
        Leaf::Geometric(factors) => product(model, factors, at, Moment::Geometric),
        Leaf::Square(factors) if of == Moment::Mean => product(model, factors, at, Moment::Second),
        Leaf::Square(factors) => product(model, factors, at, of).powi(2),
        Leaf::Minus(one, other) => product(model, one, at, of) - product(model, other, at, of),
        Leaf::First { .. } | Leaf::OnlyAtFirst { .. } | Leaf::AtFirst { .. } => unreachable!("no model has times"),
    }
}

/// A term of a count as it is declared, at a cell, the sum over its own indices written out: what is known, and the product of a moment of
/// its latents, for each of their values.
pub(super) fn declared(model: &Model, count: &Count, term: &Term, cell: &[usize], of: Moment) -> Vec<[f64; 2]> {
    let sets = term.summed.iter().map(|var| count.vars[var.0].set);
    let each = values(sets).into_iter().map(|summed| {
        let value = |var: &VarId| match &count.vars[var.0].lookup {
            None if var.0 < count.free => cell[var.0],
            None => {
                summed[term
                    .summed
                    .iter()
                    .position(|other| other == var)
                    .expect("an index of the term")]
            }
            Some(lookup) => {
                let Positions::In(array) = lookup.of else {
                    unreachable!("no model has times")
                };
                let at: Vec<usize> = lookup.at.iter().map(|var| cell[var.0]).collect();
                position(model, array, &at)
            }
        };
        let (mut known, mut random) = (scalar(&term.coefficient), 1.0);
        for factor in &term.factors {
            let at: Vec<usize> = factor.vars.iter().map(value).collect();
            match factor.of {
                Source::Latent(id) => random *= latent(id.0, &at, of),
                Source::Data(id) => known *= data(id.0, &at),
                Source::Hyper(id) => known *= positive(("hyper", id.0)),
            }
        }
        [known, random]
    });
    each.collect()
}
