//! The bound of CAVI: once annealing has ended it never falls, and where it ends it is flat.

use skellam::infer::{Ascent, CaviForm, CaviStart};
use skellam::model::WAYS;

use super::held_out::HeldOut;
use super::law::Check;
use super::trial::{BOTH_WAYS, Found, Stopped, Trial, name_of_way};
use super::worst::Worst;

/// Iterations from arithmetic to geometric means, as a fit makes them.
const ANNEAL: usize = 20;
/// Iterations in which the bound is watched.
const WATCHED: usize = 200;
/// A fall of more than this fraction of the bound, or of one, is more than rounding.
const FALL: f64 = 1e-11;
/// Most iterations until the bound is to be flat.
const MOST: usize = 20_000;
/// Parameters that move less than this fraction between two iterations have come to rest.
const AT_REST: f64 = 1e-12;
/// The derivative with respect to the logarithm of a parameter: differences of fourth order err by the fourth power of
/// their step, 1e-12, and by rounding of the bound over the step, 1e-11 for a bound of ordinary size.
const SLOPE: f64 = 1e-7;
const STEP: f64 = 1e-3;
/// Derivative of the bound, per relative movement of a parameter, that is granted to a start that has not come to rest.
const CURVATURE: f64 = 1e5;

/// The rows of one form.
pub(super) fn bound(trial: &Trial<'_>, form: CaviForm, of: &str) -> Found {
    let instance = trial.instance;
    let mut rng = trial.rng(0x0062_6f75);
    let values = instance.observe(&instance.twin.draw(&mut rng), false, &mut rng);
    let (mut falls, mut slopes, mut limit) = (Worst::default(), Worst::default(), 0.0);
    for way in 0..WAYS {
        let model = instance.bind(&values, (false, HeldOut::Some), form.into(), Some(way))?;
        let mut ascent = Ascent::new(&*model, form, CaviStart::Dispersed, trial.seed, 0);
        for i in 0..ANNEAL {
            ascent.iterate((1.0 - i as f64 / ANNEAL as f64).sqrt(), false);
        }
        ascent.iterate(0.0, false);
        let mut last = f64::NEG_INFINITY;
        for iteration in 1..=WATCHED {
            let bound = ascent.iterate(0.0, true).unwrap_or(f64::NAN);
            let place = || format!("iteration {iteration}, {}", name_of_way(way));
            falls.add(((last - bound) / bound.abs().max(1.0)).max(0.0), place);
            // `max` drops what is not a number.
            if bound.is_nan() {
                falls.add(f64::NAN, place);
                break;
            }
            last = bound;
        }
        ascent.check()?;
        let moved = settle(trial, &mut ascent)?;
        ascent.check()?;
        // Short of its end the bound has a slope: its curvature, at most the counts, times what is left to go. A direction
        // in which parameters creep to a limit may take longer than anybody waits.
        let creeps = if moved > AT_REST { CURVATURE * moved } else { 0.0 };
        limit = f64::max(limit, SLOPE * last.abs().max(1.0) + creeps);
        let names = instance.twin.spec.latents.iter().map(|latent| latent.name);
        slope(&mut ascent, |slope, latent, entry| {
            let name = names.clone().nth(latent).unwrap_or_default();
            slopes.add(slope, || format!("entry {entry} of {name}, {}", name_of_way(way)));
        });
    }
    let rises = format!("{WATCHED} iterations over {BOTH_WAYS}");
    let flat = format!("{} derivatives, where parameters rest, over {BOTH_WAYS}", slopes.tried);
    Ok(vec![
        falls.row(Check::Ascent, of, FALL, &rises),
        slopes.row(Check::Flat, of, limit, &flat),
    ])
}

/// Iterates until parameters rest. Returns the last relative movement.
fn settle(trial: &Trial<'_>, ascent: &mut Ascent<'_>) -> Result<f64, Stopped> {
    let parameters = |ascent: &Ascent<'_>| -> Vec<f64> {
        let all = ascent.shapes().iter().chain(ascent.rates()).flatten();
        all.copied().collect()
    };
    let mut moved = f64::INFINITY;
    let mut before = parameters(ascent);
    for _ in 0..MOST {
        trial.on_time()?;
        ascent.iterate(0.0, false);
        let after = parameters(ascent);
        let pairs = after.iter().zip(&before);
        moved = pairs
            .map(|(after, before)| (after / before - 1.0).abs())
            .fold(0.0, f64::max);
        if moved <= AT_REST {
            break;
        }
        before = after;
    }
    Ok(moved)
}

/// The derivatives of the bound with respect to the logarithms of all parameters of the posterior, each with its latent and entry.
fn slope(ascent: &mut Ascent<'_>, mut visit: impl FnMut(f64, usize, usize)) {
    let parameters = [ascent.shapes().to_vec(), ascent.rates().to_vec()];
    for latent in 0..parameters[0].len() {
        for entry in 0..parameters[0][latent].len() {
            for which in 0..2 {
                let mut at = |t: f64| {
                    let mut moved = parameters.clone();
                    moved[which][latent][entry] *= t.exp();
                    ascent.bound_at(&moved[0], &moved[1]).unwrap_or(f64::NAN)
                };
                let difference = 8.0 * (at(STEP) - at(-STEP)) - (at(2.0 * STEP) - at(-2.0 * STEP));
                visit((difference / (12.0 * STEP)).abs(), latent, entry);
            }
        }
    }
}
