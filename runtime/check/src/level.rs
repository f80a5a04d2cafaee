//! The level of the rates of an instance: such that every kind of cell says something about them.
//!
//! At high rates hardly any cell is exposure alone, at low ones nothing else is there. Where rates follow from numbers
//! that a declaration leaves open, a level is looked for at which each kind comes closest to its share of the information.
//! Not every declaration has one: where a shape alone is open, low rates have heavy tails, and most of the information is
//! in the few that are high. The report says what came of it.

use skellam::model::{Domain, FactorKind, Spec, TermSpec};

use super::cells::{CellKind, Exercised, exercised};
use super::instance::Instance;

/// The share of the information that is aimed at for a kind, if the channel has such cells at all.
const WANTED: [(CellKind, f64); 3] = [
    (CellKind::Exposure, 0.2),
    (CellKind::AtMostOne, 0.03),
    (CellKind::More, 0.2),
];
/// Levels that are tried, as powers of the square root of two.
const LEVELS: std::ops::RangeInclusive<i32> = -12..=6;
/// Shapes stay between these: below, chains mix badly.
const SHAPES: [f64; 2] = [0.4, 3.0];
/// Other numbers change by at most this factor.
const WIDEST: f64 = 16.0;
/// Seed of the data over which shares are taken: the level does not depend on that of the test.
const SEED: u64 = 1;

/// How rates follow a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follows {
    /// They rise with it: a coefficient.
    Coefficient,
    /// They rise with it: the shape of a gamma.
    Shape,
    /// They fall with it: the rate of a gamma.
    Rate,
}

/// `number`, that of a hyperparameter or an entry of an array, moved so that rates are those of another level, one being the usual.
pub(super) fn at_level(spec: &Spec, open: FactorKind, domain: Domain, number: f64, level: f64) -> f64 {
    if domain == Domain::Unit {
        return number;
    }
    let mut follows = follows(spec, open);
    follows.dedup();
    match follows[..] {
        [Follows::Shape] => {
            let [least, most] = SHAPES;
            (number * level).clamp(least, most)
        }
        [Follows::Coefficient] => number * level.clamp(1.0 / WIDEST, WIDEST),
        [Follows::Rate] => number / level.clamp(1.0 / WIDEST, WIDEST),
        // No use at all, or uses that go against each other.
        _ => number,
    }
}

/// How rates follow a number, one entry for each way, sorted.
fn follows(spec: &Spec, open: FactorKind) -> Vec<Follows> {
    let mut all = Vec::new();
    let mut look = |term: &TermSpec, follows: Follows| {
        let mut hypers = term.hypers.iter().map(|&hyper| FactorKind::Hyper(hyper));
        if hypers.any(|of| of == open) || term.factors.iter().any(|factor| factor.of == open) {
            all.push(follows);
        }
    };
    for count in spec.counts {
        count.terms.iter().for_each(|term| look(term, Follows::Coefficient));
    }
    for latent in spec.latents {
        if latent.prior.along.is_none() {
            let [shape, rate] = &latent.prior.parameters;
            look(shape, Follows::Shape);
            let learned = latent.prior.shape.map_or(&[][..], |shape| shape.terms);
            learned.iter().for_each(|term| look(term, Follows::Shape));
            look(rate, Follows::Rate);
        }
    }
    all.sort_unstable_by_key(|follows| *follows as u8);
    all
}

/// The instance at the level, among those that `at` makes, where the kind of cell that is worst off has most of its share.
pub(super) fn best(at: impl Fn(f64) -> Instance) -> Instance {
    let tried: Vec<(i32, Instance, Vec<Exercised>)> = LEVELS
        .map(|power| {
            let instance = at(2f64.powf(f64::from(power) / 2.0));
            let cells = exercised(&instance, SEED);
            (power, instance, cells)
        })
        .collect();
    // What no level has is not to be had.
    let possible: Vec<bool> = (0..tried[0].2.len())
        .map(|i| tried.iter().any(|(_, _, cells)| cells[i].cells > 0.0))
        .collect();
    let score = |cells: &[Exercised]| {
        let shares = cells.iter().zip(&possible).filter(|(_, possible)| **possible);
        let reached = shares.filter_map(|(cell, _)| {
            let (_, wanted) = WANTED.iter().find(|(kind, _)| *kind == cell.kind)?;
            Some((cell.information / wanted).min(1.0))
        });
        reached.fold(1.0f64, f64::min)
    };
    let best = tried.into_iter().max_by(|(p, _, a), (q, _, b)| {
        // The usual level where several do.
        score(a).total_cmp(&score(b)).then(q.abs().cmp(&p.abs()))
    });
    match best {
        Some((_, instance, _)) => instance,
        None => unreachable!("there are levels to be tried"),
    }
}
