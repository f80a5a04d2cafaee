//! Every complete conditional against the joint density, and users' own draws against the conditional.
//!
//! Given the counts that fell on every monomial of every visited cell, the ratio of the conditional of an entry at two
//! values is the ratio of the joint densities. Counts may be any, so they are drawn here by plain loops; what a cell
//! weighs is asked of its channel.

use skellam::model::{CountRate, Factors, FormKind, Model, WAYS};
use skellam::{Error, FormError};

use super::held_out::HeldOut;
use super::judge::{Judge, OfLatent, TOLERANCE};
use super::law::Check;
use super::point::{LEVELS, some_point};
use super::report::Row;
use super::statistics::KOLMOGOROV_LIMIT;
use super::trial::{BOTH_WAYS, Found, Stopped, Trial, factors_at, name_of_way, values_of};
use super::weighed::{Weighed, weighed_axes};
use super::worst::{Worst, larger};

/// Rates that are kept agree with those made anew to this fraction of the largest.
pub(super) const RATES: f64 = 1e-12;
/// How often a user's own draw is tried.
const TRIALS: f64 = 20_000.0;

/// What was found: of each latent, and of all updates the rates that they leave.
struct Conditionals {
    latents: Vec<OfLatent>,
    rates: Worst,
}

/// The rows of every latent.
pub(super) fn conditional(trial: &Trial<'_>) -> Found {
    let spec = trial.instance.twin.spec;
    let mut found = Conditionals {
        latents: vec![OfLatent::default(); spec.latents.len()],
        rates: Worst::default(),
    };
    let mut forms = Vec::new();
    for (name, form, exact) in [
        ("collapsed", FormKind::Collapsed, false),
        ("augmented", FormKind::Augmented, false),
        ("exact data", FormKind::Collapsed, true),
    ] {
        if exact && trial.instance.all_exact() {
            continue;
        }
        match ratios(trial, form, exact, name, &mut found) {
            Ok(()) => forms.push(name),
            Err(Stopped::Error(Error::Form(FormError::Missing { .. }))) => {}
            Err(stopped) => return Err(stopped),
        }
    }
    let tried = format!("over {BOTH_WAYS}: {}", forms.join(", "));
    let mut rows = Vec::new();
    for (number, (latent, OfLatent { ratios, .. })) in spec.latents.iter().zip(&found.latents).enumerate() {
        rows.push(match spec.in_shape(number) {
            Some(of) => {
                let why = format!(
                    "drawn with `{of}` integrated out, from table counts: the sampler is held to the posterior"
                );
                Row::skipped(Check::JointRatio, latent.name, why)
            }
            None if ratios.tried == 0 => Row::untried(Check::JointRatio, latent.name, "no update asked for it"),
            None => {
                let what = format!("{} ratios {tried}", ratios.tried);
                ratios.row(Check::JointRatio, latent.name, TOLERANCE, &what)
            }
        });
    }
    let what = format!("{} updates {tried}", found.rates.tried);
    rows.push(found.rates.row(Check::JointRatio, "rates of cells", RATES, &what));
    for (latent, OfLatent { own, .. }) in spec.latents.iter().zip(found.latents) {
        let note = format!(
            "{} exact draws, updated; false alarms 3e-7",
            trial.times(TRIALS, 1000.0)
        );
        rows.extend(own.map(|own| Row::tried(Check::CustomUpdate, latent.name, own, KOLMOGOROV_LIMIT, note)));
    }
    Ok(rows)
}

fn ratios(trial: &Trial<'_>, form: FormKind, exact: bool, name: &str, found: &mut Conditionals) -> Result<(), Stopped> {
    let instance = trial.instance;
    // Means that are values are those of coordinate ascent, too, and its conditionals the same.
    let engines = match instance.twin.spec.learns_shape_of() {
        Some(_) => &[false][..],
        None => &[false, true],
    };
    for (round, held_out) in [HeldOut::Some, HeldOut::None].into_iter().enumerate() {
        let mut rng = trial.rng((round as u64 + 1) << 32);
        let x = some_point(&instance.twin, LEVELS[round], &mut rng);
        let values = instance.observe(&x, exact, &mut rng);
        for way in 0..WAYS + weighed_axes(instance) {
            let model = instance.bind(&values, (exact, held_out), form, Some(way))?;
            let along = way.checked_sub(WAYS);
            let weighed = &Weighed::new(instance, &values, (form, exact), (held_out, along), &x, &mut rng);
            for &is_ascent in engines {
                trial.on_time()?;
                let is_first = !is_ascent && found.latents.iter().all(|latent| latent.ratios.tried == 0);
                let trials = if is_first { trial.times(TRIALS, 1000.0) } else { 0 };
                let mut factors = factors_at(&*model, &x);
                let mut counts = factors_at(&*model, &weighed.on_entries());
                let mut count_rates = model.count_rates();
                model.set_rates(&factors, &mut count_rates);
                let engine = if is_ascent { "coordinate ascent" } else { "a sweep" };
                let mut judge = Judge {
                    weighed,
                    is_ascent,
                    trials,
                    at: x.clone(),
                    found: &mut found.latents,
                    place: format!("{name}, {}, {engine}", name_of_way(way)),
                    rng: trial.rng((way as u64 + 1) << 16),
                };
                model.update(&mut factors, &mut counts, &mut count_rates, &mut judge);
                let Judge { at, place, .. } = judge;
                // An update must leave the values that the step gave, and rates that belong to them.
                let off = match values_of(&factors) == at {
                    true => rates_off(&*model, &factors, &count_rates),
                    false => f64::INFINITY,
                };
                found.rates.add(off, || place);
            }
        }
    }
    Ok(())
}

/// How far rates that an update or a move has left are from those made anew at the factors, relative to the largest of each count.
pub(super) fn rates_off(model: &dyn Model, x: &Factors, kept: &[CountRate]) -> f64 {
    let mut anew = model.count_rates();
    model.set_rates(x, &mut anew);
    kept.iter()
        .zip(&anew)
        .map(|(kept, anew)| kept.off(anew))
        .fold(0.0, larger)
}
