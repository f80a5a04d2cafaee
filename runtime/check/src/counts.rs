//! Counts handed down to the factors: each is a whole number, factors of one term agree, and none is lost.

use rand::SeedableRng;

use skellam::Error;
use skellam::infer::Chain;
use skellam::model::{CountSpec, FactorKind, FormKind, TermSpec, WAYS};
use skellam_math::streams::Stream;

use super::conditional::BOTH_WAYS;
use super::held_out::HeldOut;
use super::instance::Instance;
use super::report::{Check, Row};
use super::{SelfTest, load, values_of};

/// The row of all counts, for exact data in every way.
pub(super) fn counts(instance: &Instance, options: &SelfTest) -> Vec<Row> {
    vec![match run(instance, options.seed) {
        Ok((0, _)) => Row::skipped(Check::Counts, "exact data", "no latent occurs in one term alone, once"),
        Ok((checks, missing)) => {
            let note = format!("{checks} totals over {BOTH_WAYS}");
            Row::tried(Check::Counts, "exact data", missing, 0.0, note)
        }
        Err(error) => Row::error(Check::Counts, "exact data", &error),
    }]
}

fn run(instance: &Instance, seed: u64) -> Result<(usize, f64), Error> {
    let twin = &instance.twin;
    let (mut checks, mut missing) = (0, 0.0f64);
    for way in 0..WAYS {
        let mut rng = Stream::seed_from_u64(seed ^ (way as u64) << 16);
        let x = twin.draw(&mut rng);
        let y = twin.draw_counts(&x, &mut rng);
        let values = instance.exactly(&y);
        let setting = instance.setting(values, true, HeldOut::Some);
        let model = instance.assemble(&setting, FormKind::Collapsed, Some(way))?;
        let mut start = model.factors();
        load(&mut start, &x);
        let mut chain = Chain::starting_at(&*model, start, seed, way as u64);
        chain.settle(1);
        let counts = values_of(chain.counts());
        let whole = counts.iter().flatten().all(|n| *n >= 0.0 && n.fract() == 0.0);
        if !whole {
            missing = f64::NAN;
        }
        let mut differ = |a: f64, b: f64| {
            checks += 1;
            missing = if missing.is_nan() {
                missing
            } else {
                missing.max((a - b).abs())
            };
        };
        for (number, count) in twin.spec.counts.iter().enumerate() {
            let mask = instance.mask(number, HeldOut::Some);
            let cells = y[number]
                .iter()
                .enumerate()
                .filter(|(cell, _)| !mask.is_held_out(*cell));
            let observed: u64 = cells.map(|(_, y)| y[0]).sum();
            // Of a difference both counts are drawn: what is on either side is not known.
            if count.is_difference() {
                continue;
            }
            // The total of each term, as far as a latent tells it.
            let of_terms: Vec<Option<f64>> = count
                .terms
                .iter()
                .map(|term| {
                    let mut totals = alone(twin.spec.counts, term).map(|l| counts[l].iter().sum::<f64>());
                    let first = totals.next()?;
                    totals.for_each(|other| differ(first, other));
                    Some(first)
                })
                .collect();
            if let Some(all) = of_terms.into_iter().sum::<Option<f64>>() {
                differ(all, observed as f64);
            }
        }
    }
    Ok((checks, missing))
}

/// The latents that occur in `term` once and in no other.
fn alone<'a>(counts: &'a [CountSpec], term: &'a TermSpec) -> impl Iterator<Item = usize> {
    let occurs = |latent: usize, terms: &[TermSpec]| {
        let factors = terms.iter().flat_map(|t| t.factors);
        factors.filter(|f| f.of == FactorKind::Latent(latent)).count()
    };
    let latents = term.factors.iter().filter_map(|factor| match factor.of {
        FactorKind::Latent(l) => Some(l),
        FactorKind::Array(_) | FactorKind::Hyper(_) => None,
    });
    latents.filter(move |&l| counts.iter().map(|c| occurs(l, c.terms)).sum::<usize>() == 1)
}
