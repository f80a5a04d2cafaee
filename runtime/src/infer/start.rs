//! Dispersed starting values, scaled to the data.

use rand_distr::{Distribution, Exp1};

use crate::counts::index_at;
use crate::error::{Error, RunError};
use crate::model::{CountRate, Factors, Lines, Model, Prior};

use super::rates::Rates;
use super::starting_values::StartsAt;
use crate::streams::{Purpose, Stream, Streams};

/// Entries of a dispersed start are exponential plus this: unequal enough to break the symmetry between
/// components, and none so small that its component starts dead. At 1000 x 1000, K = 50, alpha = 1/e an
/// error of 0.283 became 0.273 when this went from 0.1 to 1; at 5 it was 0.277.
const FLOOR: f64 = 1.0;

/// Fills `x` with dispersed values such that the mean rate of every count equals its mean observation
/// as nearly as one common factor can make it; for a difference, the sum of both rates is the mean absolute value. Frozen latents
/// and those of `starts_at` have the values that they were given, and simplexes are dispersed on their lines; these, and latents that are in no rate, are
/// not scaled.
///
/// Without the scaling, a start near zero lets the noise explain every release and stays there.
pub(super) fn dispersed(
    model: &dyn Model,
    starts_at: &StartsAt,
    x: &mut Factors,
    count_rates: &mut [CountRate],
    streams: &Streams,
) {
    let latents = model.latents();
    for ((unit, array), latent) in x.iter_mut().enumerate().zip(latents) {
        let mut rng = streams.open(Purpose::Start, unit, 1);
        for value in array.iter_mut() {
            let draw: f64 = Exp1.sample(&mut rng);
            *value = draw + FLOOR;
        }
        if let Some(along) = latent.along {
            normalise(Lines::new(&latent.shape, along), array);
        }
    }
    let bounded = latents
        .iter()
        .enumerate()
        .filter(|(_, latent)| !latent.family.has_scale() && !latent.family.has_lines());
    for (i, _) in bounded {
        let prior = model.prior(i, x);
        redraw_invalid(&prior, &mut x[i], &mut streams.open(Purpose::Start, i, 3));
    }
    freeze(model, x);
    starts_at.put(x);
    let is_given = |latent: usize| model.frozen(latent).is_some() || starts_at.get(latent).is_some();
    let scaled: Vec<bool> = latents
        .iter()
        .enumerate()
        .map(|(i, latent)| latent.uses > 0 && latent.family.has_scale() && !is_given(i))
        .collect();
    scale(model, &scaled, x, count_rates);
    model.set_rates(x, count_rates);
}

/// Draws a value from the prior where it is outside the support of its custom family.
fn redraw_invalid(prior: &Prior, x: &mut [f64], rng: &mut Stream) {
    for (entry, x) in x.iter_mut().enumerate() {
        if prior.family.invalid(&[*x]).is_some() {
            let [a, b] = prior.parameters.each_ref().map(|of| of[entry]);
            prior.family.draw([&mut [a], &mut [b]], 1, std::slice::from_mut(x), rng);
        }
    }
}

/// Multiplies the latents that are `scaled` by the factor that brings the mean rates to the mean observations.
fn scale(model: &dyn Model, scaled: &[bool], x: &mut Factors, count_rates: &mut [CountRate]) {
    let uses = model.latents().iter().map(|latent| latent.uses);
    let degree: usize = uses
        .zip(scaled)
        .filter(|(_, scaled)| **scaled)
        .map(|(uses, _)| uses)
        .sum();
    if degree == 0 {
        return;
    }
    let views = model.views();
    let mut mean_at = |x: &Factors| -> f64 {
        model.set_rates(x, count_rates);
        // Where totals are known, rates are shares of them, whatever the data.
        let scaled = views.iter().zip(&*count_rates).filter(|(view, _)| view.has_level());
        let means = scaled.map(|(v, count_rate)| count_rate.mean_total_rate(v));
        means.sum()
    };
    // What terms without a scaled latent contribute, if there can be such a term.
    let constant = if model
        .latents()
        .iter()
        .zip(scaled)
        .all(|(l, scaled)| *scaled || l.uses == 0)
    {
        0.0
    } else {
        let mut rest = x.clone();
        for (array, _) in rest.iter_mut().zip(scaled).filter(|(_, scaled)| **scaled) {
            array.fill(0.0);
        }
        mean_at(&rest)
    };
    let scaled_views = views.iter().filter(|view| view.has_level());
    let target: f64 = scaled_views.map(|v| v.mean_size().max(LEAST_MEAN)).sum();
    // Where the constant explains the data alone, the other terms start small, but not near zero.
    let target = (target - constant).max(LEAST_SHARE * target);
    // The rest of the total rate is a polynomial in the common factor without a constant and of at most this
    // degree, so damped steps on the log scale converge whatever the degrees of its terms.
    for _ in 0..MOST_STEPS {
        let mean = mean_at(x) - constant;
        if mean <= 0.0 {
            // Known arrays of zeros: factors of any size leave every rate at zero, and would grow without end.
            break;
        }
        let step = (target / mean.max(1e-300)).powf(1.0 / degree as f64);
        for (array, _) in x.iter_mut().zip(scaled).filter(|(_, scaled)| **scaled) {
            array.iter_mut().for_each(|value| *value *= step);
        }
        if (step - 1.0).abs() < 1e-6 {
            break;
        }
    }
}

/// Most steps of the scaling. One is enough where every term has every scaled latent once.
const MOST_STEPS: usize = 60;
/// The scaled terms make at least this fraction of the mean rate.
const LEAST_SHARE: f64 = 0.1;

/// Divides every line by its sum.
fn normalise(lines: Lines, array: &mut [f64]) {
    for line in 0..lines.number() {
        let sum: f64 = lines.entries(line).map(|e| array[e]).sum();
        lines.entries(line).for_each(|e| array[e] /= sum);
    }
}

/// Gives the frozen latents their values.
pub(super) fn freeze(model: &dyn Model, x: &mut Factors) {
    for (latent, array) in x.iter_mut().enumerate() {
        if let Some(values) = model.frozen(latent) {
            array.copy_from_slice(values);
        }
    }
}

/// A smaller factor of a start was scaled against numbers whose products leave the range of doubles.
const LEAST_START: f64 = 1e-150;

/// Refuses data that no values of the factors can explain, and a start out of the range of doubles. The operands are those of
/// `start`, a dispersed one whose factors are positive unless they are frozen: a rate that is zero there is always zero.
pub(super) fn check(model: &dyn Model, start: &Factors, count_rates: &[CountRate]) -> Result<(), Error> {
    start_with(model, start, |value| !value.is_normal())?;
    for (view, count_rate) in model.views().into_iter().zip(count_rates) {
        if let Some((cell, value)) = count_rate.impossible(view) {
            // Products of small factors vanish although no factor does.
            start_with(model, start, |value| value < LEAST_START)?;
            let index = index_at(&view.grid().shape(), cell);
            return Err(Error::Run(RunError::ImpossibleCell {
                count: view.name(),
                cell: index,
                value,
            }));
        }
    }
    Ok(())
}

/// Refuses a start in which a factor is `bad`.
fn start_with(model: &dyn Model, start: &Factors, bad: impl Fn(f64) -> bool) -> Result<(), Error> {
    for (latent, (spec, values)) in model.latents().iter().zip(start.iter()).enumerate() {
        let found = values.iter().position(|value| bad(*value));
        if let (Some(entry), None) = (found, model.frozen(latent)) {
            return Err(Error::Run(RunError::Overflow {
                what: format!(
                    "`{}` at the start, scaled so that rates are like the counts,",
                    spec.name
                ),
                value: values[entry],
                cell: Some(index_at(&spec.shape, entry)),
            }));
        }
    }
    Ok(())
}

/// Refuses a fit that has left the range of doubles: its numbers would all be passed on as if they meant something. `means`
/// are mean rates over all cells of each count, `rates` what else is known of them.
pub(super) fn finite(model: &dyn Model, means: &[Vec<f64>], rates: &[Rates], elbo: Option<f64>) -> Result<(), Error> {
    for ((view, means), rates) in model.views().into_iter().zip(means).zip(rates) {
        let overflow = |value: f64, index: Option<Vec<usize>>| {
            Error::Run(RunError::Overflow {
                what: format!("the mean rate of `{}`", view.name()),
                value,
                cell: index,
            })
        };
        // Only where the rates were kept: a cell is a better place than none.
        let kept = rates.all().unwrap_or_default();
        if let Some(cell) = kept.iter().position(|rate| !rate.is_finite()) {
            return Err(overflow(kept[cell], Some(index_at(&view.grid().shape(), cell))));
        }
        if let Some(&mean) = means.iter().find(|mean| !mean.is_finite()) {
            return Err(overflow(mean, None));
        }
    }
    match elbo {
        Some(value) if !value.is_finite() => Err(Error::Run(RunError::Overflow {
            what: "the bound".to_owned(),
            value,
            cell: None,
        })),
        _ => Ok(()),
    }
}

/// A mean observation below this (noise can make it negative) is taken to be this.
const LEAST_MEAN: f64 = 1e-3;
