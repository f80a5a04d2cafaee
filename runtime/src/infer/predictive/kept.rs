//! Replicas of the draws that a fit has kept.

use crate::diagnose::{PredictiveCheck, Statistics, Tally};
use crate::error::Error;
use crate::model::{Latent, Model, Root};

use super::super::draws::LatentStore;
use super::super::gibbs_fit::GibbsFit;
use super::super::gibbs_run::LatentDraws;
use super::Predictive;
use super::cells::Chosen;
use crate::model::Target;
use crate::streams::{Purpose, Streams};

/// Predictive checks of every count by the draws of `fit`, a fit of `model`.
///
/// # Errors
/// [`Error::NotKept`] if the draws of a latent were not kept; a fit of other sizes; values that are known by their sums alone;
/// settings of zero.
pub fn from_draws(
    model: &dyn Model,
    fit: &GibbsFit,
    targets: &[Target<'_>],
    settings: &Predictive,
) -> Result<Vec<PredictiveCheck>, Error> {
    settings.check()?;
    let views = model.views();
    let mut parts = Vec::with_capacity(views.len());
    for (view, (count, sets, data)) in views.iter().zip(targets) {
        let (chosen, all) = Chosen::observed(view, *data, settings);
        let values = data.values(&chosen.cells)?;
        let tally = Tally::new(count, sets, data.shape(), &chosen.cells, &values, all);
        parts.push((chosen, tally));
    }
    let (mut rates, mut replica) = (Vec::new(), Vec::new());
    each_draw(model, fit, settings.num_replicas, |[chain, draw], roots| {
        let streams = Streams::new(settings.seed, chain as u64).at_sweep(draw as u64);
        for (unit, ((chosen, tally), (_, _, data))) in parts.iter_mut().zip(targets).enumerate() {
            chosen.rates(views[unit], &roots[unit], &mut rates);
            let mut rng = streams.open(Purpose::Replicas, unit, 0);
            data.replicate(&chosen.cells, &rates, &mut rng, &mut replica);
            tally.add(&Statistics::new(data.shape(), &chosen.cells, &replica));
        }
    })?;
    Ok(parts.into_iter().map(|(_, tally)| tally.finish()).collect())
}

/// Draws of what might be observed at some cells of a count, (draw, cell): one for each draw of `fit`, chain by chain.
///
/// # Errors
/// [`Error::UnknownCount`], [`Error::NoSuchCell`]; those of [`from_draws`].
pub fn draws_at(
    model: &dyn Model,
    fit: &GibbsFit,
    targets: &[Target<'_>],
    count: &str,
    cells: &[impl AsRef<[usize]>],
    seed: u64,
) -> Result<Vec<Vec<f64>>, Error> {
    let views = model.views();
    let Some(unit) = targets.iter().position(|(name, ..)| *name == count) else {
        return Err(Error::UnknownCount {
            given: count.to_owned(),
            known: targets.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", "),
        });
    };
    let chosen = Chosen::named(views[unit], cells)?;
    let (mut rates, mut all) = (Vec::new(), Vec::new());
    each_draw(model, fit, usize::MAX, |[chain, draw], roots| {
        chosen.rates(views[unit], &roots[unit], &mut rates);
        let streams = Streams::new(seed, chain as u64).at_sweep(draw as u64);
        let mut replica = Vec::new();
        let mut rng = streams.open(Purpose::Replicas, unit, 0);
        targets[unit].2.replicate(&chosen.cells, &rates, &mut rng, &mut replica);
        all.push(replica);
    })?;
    Ok(all)
}

/// Calls `visit` with chain and draw, and with the roots at that draw, at most so often and at equal distances.
fn each_draw(
    model: &dyn Model,
    fit: &GibbsFit,
    most: usize,
    mut visit: impl FnMut([usize; 2], &[Root]),
) -> Result<(), Error> {
    let (chains, draws) = (fit.num_chains(), fit.num_draws());
    let kept = fit.latent_draws(model.latents())?;
    let mut x = model.factors();
    let mut roots: Vec<Root> = model.views().into_iter().map(Root::new).collect();
    let all = chains * draws;
    let number = all.min(most);
    for i in 0..number {
        let at = (i as u128 * all as u128 / number as u128) as usize;
        for (array, kept) in x.iter_mut().zip(&kept) {
            let size = array.len();
            array.copy_from_slice(&kept[at * size..][..size]);
        }
        model.forward(&x, &mut roots);
        visit([at / draws, at % draws], &roots);
    }
    Ok(())
}

impl GibbsFit {
    /// All draws of every latent, in the order of declaration.
    fn latent_draws(&self, latents: &[Latent]) -> Result<Vec<&[f64]>, Error> {
        self.stores()
            .iter()
            .zip(latents)
            .map(|(store, latent)| all_draws(store, latent))
            .collect()
    }
}

fn all_draws<'a>(store: &'a LatentStore, latent: &Latent) -> Result<&'a [f64], Error> {
    if store.latent.shape != latent.shape {
        return Err(Error::ArrayShape {
            name: latent.name,
            expected: latent.shape.clone(),
            given: store.latent.shape.clone(),
        });
    }
    match &store.kept {
        LatentDraws::Draws(all) => Ok(all),
        _ => Err(Error::NotKept {
            what: format!("the draws of `{}`", latent.name),
            instead: format!(
                "fit with `keep: Keep::default().latent(\"{}\", Kept::Draws)`, or check while the chains run \
                 (`gibbs_with_checks`)",
                latent.name
            ),
        }),
    }
}
