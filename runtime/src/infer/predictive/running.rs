//! Replicas of the chains while they run: nothing of a draw is kept but the statistics of its replica.

use crate::diagnose::PredictiveCheck;
use crate::error::{Error, SettingError};
use crate::model::Model;

use super::super::chains::gibbs;
use super::super::gibbs::Chain;
use super::super::gibbs_run::GibbsRun;
use super::super::settings::Gibbs;
use super::{Checks, Predictive};
use crate::model::Target;

/// A check in progress.
pub struct RunningCheck<'a> {
    checks: Checks<'a>,
    /// Sweeps from one replica of a chain to the next.
    apart: usize,
    seed: u64,
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
        let checks = Checks::new(model, targets, settings)?;
        let chains = run.num_chains.unwrap_or(Gibbs::CHAINS);
        let draws = run.num_draws.saturating_mul(chains);
        Ok(Self {
            checks,
            apart: run
                .thin_of(model)
                .saturating_mul(draws.div_ceil(settings.num_replicas).clamp(1, run.num_draws.max(1))),
            seed: settings.seed,
        })
    }

    /// Makes a replica of every count if it is the turn of the chain's last sweep.
    pub fn watch(&mut self, model: &dyn Model, chain: &Chain<'_>) {
        let drawn = chain.drawn();
        if drawn > 0 && drawn.is_multiple_of(self.apart) {
            self.checks
                .replicate(model, chain.count_rates(), &chain.streams_of(self.seed));
        }
    }

    /// What was found.
    pub fn finish(self) -> Vec<PredictiveCheck> {
        self.checks.finish()
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
