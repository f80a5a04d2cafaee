//! Replicas of the draws of a fit: those that it has kept, or those of a variational posterior.

use crate::diagnose::PredictiveCheck;
use crate::error::{Error, QueryError};
use crate::model::Model;

use super::super::fitted::Fitted;
use super::cells::Chosen;
use super::{Checks, Predictive, can_be_replicated};
use crate::model::Target;
use crate::streams::{Purpose, Streams};

/// Predictive checks of every count by the draws of `fit`, a fit of `model`.
///
/// # Errors
/// [`QueryError::NotKept`] if the draws of a latent were not kept by a Gibbs fit; a fit of other sizes; values that are known by their sums alone;
/// settings of zero.
pub fn from_draws(
    model: &dyn Model,
    fit: &dyn Fitted,
    targets: &[Target<'_>],
    settings: &Predictive,
) -> Result<Vec<PredictiveCheck>, Error> {
    let mut checks = Checks::new(model, targets, settings)?;
    let draws = fit.posterior(model.latents())?;
    draws.each(model, settings.num_replicas, |[chain, draw], count_rates| {
        let streams = Streams::new(settings.seed, chain as u64).at_sweep(draw as u64);
        checks.replicate(model, count_rates, &streams);
    })?;
    Ok(checks.finish())
}

/// Draws of what might be observed at some cells of a count, (draw, cell): one for each draw of `fit`, chain by chain, and
/// [`CaviFit::DRAWS`](crate::infer::CaviFit::DRAWS) where it is a variational one.
///
/// # Errors
/// [`QueryError::UnknownCount`], [`QueryError::NoSuchCell`]; those of [`from_draws`].
pub fn draws_at(
    model: &dyn Model,
    fit: &dyn Fitted,
    targets: &[Target<'_>],
    count: &str,
    cells: &[impl AsRef<[usize]>],
    seed: u64,
) -> Result<Vec<Vec<f64>>, Error> {
    let (views, unit) = (model.views(), unit(targets, count)?);
    can_be_replicated(&views[unit..=unit])?;
    let chosen = Chosen::named(views[unit], cells)?;
    let (mut rates, mut all) = ([Vec::new(), Vec::new()], Vec::new());
    let draws = fit.posterior(model.latents())?;
    draws.each(model, usize::MAX, |[chain, draw], count_rates| {
        chosen.rates(views[unit], &count_rates[unit], &mut rates);
        let streams = Streams::new(seed, chain as u64).at_sweep(draw as u64);
        let mut replica = Vec::new();
        let mut rng = streams.open(Purpose::Replicas, unit, 0);
        targets[unit]
            .2
            .replicate(&chosen.cells, [&rates[0], &rates[1]], &mut rng, &mut replica);
        all.push(replica);
    })?;
    Ok(all)
}

/// Draws of the rates of some cells of a count, (draw, cell): the rate of the plus side and that of the minus side, which is zero where a
/// count is not a difference.
///
/// # Errors
/// Those of [`draws_at`].
pub fn rates_at(
    model: &dyn Model,
    fit: &dyn Fitted,
    targets: &[Target<'_>],
    count: &str,
    cells: &[impl AsRef<[usize]>],
) -> Result<Vec<Vec<[f64; 2]>>, Error> {
    let (views, unit) = (model.views(), unit(targets, count)?);
    let chosen = Chosen::named(views[unit], cells)?;
    let (mut rates, mut all) = ([Vec::new(), Vec::new()], Vec::new());
    let draws = fit.posterior(model.latents())?;
    draws.each(model, usize::MAX, |_, count_rates| {
        chosen.rates(views[unit], &count_rates[unit], &mut rates);
        let [plus, minus] = &rates;
        let minus = minus.iter().copied().chain(std::iter::repeat(0.0));
        all.push(
            plus.iter()
                .copied()
                .zip(minus)
                .map(|(plus, minus)| [plus, minus])
                .collect(),
        );
    })?;
    Ok(all)
}

/// The number of a count.
pub(in crate::infer) fn unit(targets: &[Target<'_>], count: &str) -> Result<usize, Error> {
    Ok(QueryError::count_at(count, targets.iter().map(|(name, ..)| *name))?)
}
