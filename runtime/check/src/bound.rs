//! The bound of CAVI: once annealing has ended it never falls, and where it ends it is flat.

use rand::SeedableRng;

use skellam::infer::{Ascent, CaviForm, CaviStart};
use skellam::{Error, FormError};
use skellam_math::streams::Stream;

use super::SelfTest;
use skellam::model::WAYS;

use super::conditional::BOTH_WAYS;
use super::held_out::HeldOut;
use super::instance::Instance;
use super::report::{Check, Row};

/// Iterations from arithmetic to geometric means, as a fit makes them.
const ANNEAL: usize = 20;
/// Iterations in which the bound is watched.
const WATCHED: usize = 200;
/// A fall of more than this fraction of the bound, or of one, is more than rounding.
const FALL: f64 = 1e-11;
/// Most iterations until the bound is to be flat, and how many lie between two looks.
const MOST: usize = 20_000;
const LOOK: usize = 100;
/// Parameters that move less than this fraction between two iterations have come to rest.
const AT_REST: f64 = 1e-12;
/// The derivative with respect to the logarithm of a parameter: differences of fourth order err by the fourth power of
/// their step, 1e-12, and by rounding of the bound over the step, 1e-11 for a bound of ordinary size.
const SLOPE: f64 = 1e-7;
const STEP: f64 = 1e-3;

/// The rows of one form. `instance` may have other hyperparameters than `data`, whose rates the counts are drawn from.
pub(super) fn bound(instance: &Instance, data: &Instance, form: CaviForm, of: &str, options: &SelfTest) -> Vec<Row> {
    // Every way at settings that mix well; the one that a fit would choose at others.
    let ways: Vec<Option<usize>> = match std::ptr::eq(instance, data) {
        true => (0..WAYS).map(Some).collect(),
        false => vec![None],
    };
    let found: Result<Vec<[Row; 2]>, Error> = ways
        .into_iter()
        .map(|way| run(instance, data, form, way, of, options.seed))
        .collect();
    found.map(worst_of).unwrap_or_else(|error| match error {
        error @ Error::Form(FormError::Missing { .. }) => vec![Row::skipped(Check::Ascent, of, error.to_string())],
        error => vec![Row::error(Check::Ascent, of, &error)],
    })
}

/// For every law its worst row, by how much of its limit it takes.
fn worst_of(found: Vec<[Row; 2]>) -> Vec<Row> {
    let tried = found.len();
    let mut worst: Vec<Row> = Vec::new();
    for rows in found {
        for (i, row) in rows.into_iter().enumerate() {
            let share = |row: &Row| row.statistic / row.limit;
            match worst.get_mut(i) {
                None => worst.push(row),
                Some(known) if known.passed && (!row.passed || share(&row) > share(known)) => *known = row,
                Some(_) => {}
            }
        }
    }
    if tried > 1 {
        worst
            .iter_mut()
            .for_each(|row| row.note += &format!("; the worse of {BOTH_WAYS}"));
    }
    worst
}

fn run(
    instance: &Instance,
    data: &Instance,
    form: CaviForm,
    way: Option<usize>,
    of: &str,
    seed: u64,
) -> Result<[Row; 2], Error> {
    let mut rng = Stream::seed_from_u64(seed ^ 0x0062_6f75);
    let values = data.observe(&data.twin.draw(&mut rng), false, &mut rng);
    let setting = instance.setting(values, false, HeldOut::Some);
    let model = instance.assemble(&setting, form.into(), way)?;
    let mut ascent = Ascent::new(&*model, form, CaviStart::Dispersed, seed, 0);
    for i in 0..ANNEAL {
        ascent.iterate((1.0 - i as f64 / ANNEAL as f64).sqrt(), false);
    }
    ascent.iterate(0.0, false);
    let (mut worst, mut at, mut last) = (0.0f64, 0, f64::NEG_INFINITY);
    for iteration in 1..=WATCHED {
        let bound = ascent.iterate(0.0, true).unwrap_or(f64::NAN);
        let fall = (last - bound) / bound.abs().max(1.0);
        if fall > worst || bound.is_nan() {
            (worst, at) = (fall, iteration);
        }
        if bound.is_nan() {
            worst = f64::NAN;
            break;
        }
        last = bound;
    }
    ascent.check()?;
    let mut note = format!("{WATCHED} iterations");
    if worst != 0.0 {
        note += &format!(", worst in iteration {at}");
    }
    let rises = Row::tried(Check::Ascent, of, worst, FALL, note);
    let (iterations, moved) = settle(&mut ascent);
    ascent.check()?;
    let (slope, place) = slope(&mut ascent, instance);
    // Short of its end the bound has a slope: its curvature, at most the counts, times what is left to go. A direction
    // in which parameters creep to a limit may take longer than anybody waits.
    let limit = SLOPE * last.abs().max(1.0) + if moved > AT_REST { CURVATURE * moved } else { 0.0 };
    let rest = if moved > AT_REST {
        format!(", where parameters still move by {moved:.0e}")
    } else {
        String::new()
    };
    let note = format!("after {iterations} iterations{rest}; largest at {place}");
    Ok([rises, Row::tried(Check::Flat, of, slope, limit, note)])
}

/// Derivative of the bound, per relative movement of a parameter, that is granted to a start that has not come to rest.
const CURVATURE: f64 = 1e5;

/// Iterates until parameters rest. Returns the number of iterations and the last relative movement.
fn settle(ascent: &mut Ascent<'_>) -> (usize, f64) {
    let parameters = |ascent: &Ascent<'_>| -> Vec<f64> {
        let all = ascent.shapes().iter().chain(ascent.rates()).flatten();
        all.copied().collect()
    };
    let mut moved = f64::INFINITY;
    for iteration in (LOOK..=MOST).step_by(LOOK) {
        for _ in 1..LOOK {
            ascent.iterate(0.0, false);
        }
        let before = parameters(ascent);
        ascent.iterate(0.0, false);
        let pairs = parameters(ascent).into_iter().zip(before);
        moved = pairs
            .map(|(after, before)| (after / before - 1.0).abs())
            .fold(0.0, f64::max);
        if moved <= AT_REST {
            return (iteration, moved);
        }
    }
    (MOST, moved)
}

/// Largest derivative of the bound with respect to the logarithm of a parameter of the posterior, and where.
fn slope(ascent: &mut Ascent<'_>, instance: &Instance) -> (f64, String) {
    let (shapes, rates) = (ascent.shapes().to_vec(), ascent.rates().to_vec());
    let (mut largest, mut place) = (0.0f64, String::new());
    for latent in 0..shapes.len() {
        for entry in 0..shapes[latent].len() {
            for of_shape in [true, false] {
                let mut at = |t: f64| {
                    let (mut s, mut r) = (shapes.clone(), rates.clone());
                    let moved = if of_shape { &mut s } else { &mut r };
                    moved[latent][entry] *= t.exp();
                    ascent.bound_at(&s, &r).unwrap_or(f64::NAN)
                };
                let difference = 8.0 * (at(STEP) - at(-STEP)) - (at(2.0 * STEP) - at(-2.0 * STEP));
                let slope = (difference / (12.0 * STEP)).abs();
                if slope > largest || slope.is_nan() {
                    let name = instance.twin.spec.latents[latent].name;
                    (largest, place) = (slope, format!("entry {entry} of {name}"));
                }
                if slope.is_nan() {
                    return (largest, place);
                }
            }
        }
    }
    (largest, place)
}
