//! Replicas of the chains while they run: nothing of a draw is kept but the statistics of its replica.

use crate::diagnose::{PredictiveCheck, Statistics, Tally};
use crate::error::{Error, SettingError};
use crate::model::Model;

use super::super::chains::gibbs;
use super::super::gibbs::Chain;
use super::super::gibbs_run::GibbsRun;
use super::super::settings::Gibbs;
use super::cells::Chosen;
use super::{Predictive, can_be_replicated};
use crate::model::Target;
use crate::streams::Purpose;

/// A check in progress.
pub struct RunningCheck<'a> {
    targets: &'a [Target<'a>],
    parts: Vec<(Chosen, Tally)>,
    /// Sweeps from one replica of a chain to the next.
    apart: usize,
    seed: u64,
    rates: [Vec<f64>; 2],
    replica: Vec<f64>,
}

impl<'a> RunningCheck<'a> {
    /// A check without replicas so far, of a run of `model` with these settings.
    ///
    /// # Errors
    /// Values that are known by their sums alone; settings of zero.
    pub fn new(
        model: &dyn Model,
        targets: &'a [Target<'a>],
        run: &Gibbs,
        settings: &Predictive,
    ) -> Result<Self, Error> {
        settings.check()?;
        can_be_replicated(&model.views())?;
        settings.afford(model.views().iter().map(|view| view.grid().cells()))?;
        let mut parts = Vec::with_capacity(targets.len());
        for (view, (count, sets, data)) in model.views().iter().zip(targets) {
            let (chosen, all) = Chosen::observed(view, *data, settings);
            let values = data.values(&chosen.cells)?;
            let tally = Tally::new(count, sets, data.shape(), &chosen.cells, &values, all);
            parts.push((chosen, tally));
        }
        let chains = run.num_chains.unwrap_or(Gibbs::CHAINS);
        let draws = run.num_draws.saturating_mul(chains);
        Ok(Self {
            targets,
            parts,
            apart: run
                .thin_of(model)
                .saturating_mul(draws.div_ceil(settings.num_replicas).clamp(1, run.num_draws)),
            seed: settings.seed,
            rates: [Vec::new(), Vec::new()],
            replica: Vec::new(),
        })
    }

    /// Makes a replica of every count if it is the turn of the chain's last sweep.
    pub fn watch(&mut self, model: &dyn Model, chain: &Chain<'_>) {
        let drawn = chain.drawn();
        if drawn == 0 || !drawn.is_multiple_of(self.apart) {
            return;
        }
        let views = model.views();
        for (unit, ((chosen, tally), (_, _, data))) in self.parts.iter_mut().zip(self.targets).enumerate() {
            chosen.rates(views[unit], &chain.count_rates()[unit], &mut self.rates);
            let mut rng = chain.streams_of(self.seed).open(Purpose::Replicas, unit, 0);
            data.replicate(
                &chosen.cells,
                [&self.rates[0], &self.rates[1]],
                &mut rng,
                &mut self.replica,
            );
            tally.add(&Statistics::new(data.shape(), &chosen.cells, &self.replica));
        }
    }

    /// What was found.
    pub fn finish(self) -> Vec<PredictiveCheck> {
        self.parts.into_iter().map(|(_, tally)| tally.finish()).collect()
    }
}

/// A Gibbs run with a check of every count. Replicas depend on neither the number of threads nor what is kept.
///
/// # Errors
/// Those of [`gibbs`] and of [`RunningCheck::new`]; [`SettingError::ReplicasNotInCheckpoint`].
pub fn checked(
    model: &dyn Model,
    run: &Gibbs,
    targets: &[Target<'_>],
    settings: &Predictive,
) -> Result<(GibbsRun, Vec<PredictiveCheck>), Error> {
    if run.checkpoint.is_some() {
        return Err(Error::Setting(SettingError::ReplicasNotInCheckpoint));
    }
    let mut running = RunningCheck::new(model, targets, run, settings)?;
    let run = gibbs(model, run, |chain, _| running.watch(model, chain))?;
    Ok((run, running.finish()))
}
