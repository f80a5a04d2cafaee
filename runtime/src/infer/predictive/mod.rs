//! Posterior predictive draws, and checks by them.
//!
//! ```text
//! factors of a draw --forward--> rates of some cells --Poisson--> counts --channel--> replica --> statistics
//! ```
//!
//! Replicas are made of the draws of a fit ([`from_draws`]), or of the chains while they run ([`RunningCheck`]), where
//! draws are too large to be kept.

mod cells;
mod kept;
mod likelihood;
mod running;

pub(super) use kept::unit;
pub use kept::{draws_at, from_draws, rates_at};
pub use likelihood::{log_likelihood, waic};
pub use running::{RunningCheck, checked};

use cells::Chosen;

use crate::diagnose::{PredictiveCheck, Statistics, Tally};
use crate::error::{Error, SettingError, TotalError};
use crate::model::{CountRate, Model, Target};
use crate::streams::{Purpose, Streams};
use crate::view::View;

/// Settings of a predictive check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictive {
    /// Replicas, at most: they are made of as many draws, at equal distances over all chains.
    pub num_replicas: usize,
    /// Cells that take part, at most. From a larger table whole rows (slices of the first mode) at equal distances are taken,
    /// and cells at equal distances where one row is too large. Beside the fit, a check holds about 50 bytes for each, and one after a run
    /// the data once more as the model is bound again.
    pub most_cells: usize,
    /// Seed of the replicas.
    pub seed: u64,
}

impl Default for Predictive {
    fn default() -> Self {
        Self {
            num_replicas: 200,
            most_cells: 1 << 22,
            seed: 1,
        }
    }
}

impl Predictive {
    /// Bytes that a check holds for each of its cells: where it is (24), its value and its rates, and its replica.
    const BYTES: f64 = 48.0;

    /// Refuses checks of counts with so many cells that do not fit in memory.
    fn afford(&self, cells: impl Iterator<Item = usize>) -> Result<(), Error> {
        let bytes = cells.map(|cells| Self::BYTES * cells.min(self.most_cells) as f64).sum();
        let instead = "lower `most_cells` of `Predictive`";
        Ok(crate::memory::fits("the predictive checks", bytes, instead)?)
    }

    fn check(&self) -> Result<(), Error> {
        for (setting, value) in [("num_replicas", self.num_replicas), ("most_cells", self.most_cells)] {
            if value == 0 {
                return Err(Error::Setting(SettingError::Zero { setting }));
            }
        }
        Ok(())
    }
}

/// Refuses counts of which replicas would be drawn cell by cell, although their cells add up to a known total.
fn can_be_replicated(views: &[&View]) -> Result<(), Error> {
    match views.iter().find(|view| view.has_total()) {
        Some(view) => Err(Error::Total(TotalError::NoReplicas { count: view.name() })),
        None => Ok(()),
    }
}

/// Checks of every count, with the replicas so far.
struct Checks<'a> {
    targets: &'a [Target<'a>],
    parts: Vec<(Chosen, Tally)>,
    rates: [Vec<f64>; 2],
    replica: Vec<f64>,
}

impl<'a> Checks<'a> {
    /// No replica so far.
    ///
    /// # Errors
    /// Values that are known by their sums alone; settings of zero.
    fn new(model: &dyn Model, targets: &'a [Target<'a>], settings: &Predictive) -> Result<Self, Error> {
        settings.check()?;
        let views = model.views();
        can_be_replicated(&views)?;
        settings.afford(views.iter().map(|view| view.grid().cells()))?;
        let mut parts = Vec::with_capacity(targets.len());
        for (view, (count, sets, data)) in views.iter().zip(targets) {
            let (chosen, all) = Chosen::observed(view, *data, settings);
            let values = data.values(&chosen.cells)?;
            let tally = Tally::new(count, sets, data.shape(), &chosen.cells, &values, all);
            parts.push((chosen, tally));
        }
        Ok(Self {
            targets,
            parts,
            rates: [Vec::new(), Vec::new()],
            replica: Vec::new(),
        })
    }

    /// Makes a replica of every count at these rates.
    fn replicate(&mut self, model: &dyn Model, count_rates: &[CountRate], streams: &Streams) {
        let (views, rates, replica) = (model.views(), &mut self.rates, &mut self.replica);
        for (unit, ((chosen, tally), (_, _, data))) in self.parts.iter_mut().zip(self.targets).enumerate() {
            chosen.rates(views[unit], &count_rates[unit], rates);
            let mut rng = streams.open(Purpose::Replicas, unit, 0);
            data.replicate(&chosen.cells, [&rates[0], &rates[1]], &mut rng, replica);
            tally.add(&Statistics::new(data.shape(), &chosen.cells, replica));
        }
    }

    /// What was found.
    fn finish(self) -> Vec<PredictiveCheck> {
        self.parts.into_iter().map(|(_, tally)| tally.finish()).collect()
    }
}
