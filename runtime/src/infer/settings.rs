//! Settings of the engines: plain structs with defaults.

use crate::error::Error;

use super::Progress;

/// Which form of the channel a Gibbs chain runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GibbsForm {
    /// Noise integrated out exactly; only positive releases are visited.
    #[default]
    Collapsed,
    /// The channel's own augmentation (Skellam–Bessel for the geometric mechanism, ICML19): state per
    /// cell, every cell visited.
    Augmented,
}

/// Settings of a Gibbs run.
#[derive(Clone, Debug)]
pub struct Gibbs {
    /// Sweeps before draws are kept.
    pub num_tune: usize,
    /// Sweeps after that.
    pub num_draws: usize,
    /// Every `thin`-th of these is kept.
    pub thin: usize,
    /// Independent chains, run one after another.
    pub num_chains: usize,
    /// Seed of every random stream of the run.
    pub seed: u64,
    /// Collapsed or augmented.
    pub form: GibbsForm,
    /// Threads; all processors if `None`. Draws do not depend on it.
    pub num_threads: Option<usize>,
    /// What is shown while the run lasts.
    pub progress: Progress,
}

impl Default for Gibbs {
    fn default() -> Self {
        Self {
            num_tune: 500,
            num_draws: 500,
            thin: 5,
            num_chains: 1,
            seed: 1,
            form: GibbsForm::default(),
            num_threads: None,
            progress: Progress::default(),
        }
    }
}

impl Gibbs {
    pub(crate) fn check(&self) -> Result<(), Error> {
        positive("num_draws", self.num_draws)?;
        positive("num_chains", self.num_chains)?;
        positive("thin", self.thin)?;
        threads(self.num_threads)?;
        if self.thin > self.num_draws {
            return Err(Error::NothingKept {
                num_draws: self.num_draws,
                thin: self.thin,
            });
        }
        Ok(())
    }
}

/// Which bound a variational run ascends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CaviForm {
    /// Noise integrated out exactly (the default).
    #[default]
    Collapsed,
    /// The channel's augmentation with the Bessel mean: a looser bound of its own.
    Augmented,
    /// As in VI18: point mass at the Bessel mode, delta method. Ascends no bound; kept for comparison.
    Published,
}

/// Settings of a variational run.
#[derive(Clone, Debug)]
pub struct Cavi {
    /// Most iterations of one start, those of annealing included: the bound is ascended in what is left
    /// of them after `anneal_iters`. A fit says whether it converged.
    pub max_iters: usize,
    /// A start has converged when the bound gains less than this fraction of itself in an iteration.
    pub tol: f64,
    /// Starts; the one with the best bound is returned. The published form has no bound to choose by and
    /// makes one start.
    pub num_restarts: usize,
    /// Iterations over which expected allocations move from arithmetic to geometric means. The bound
    /// is monotone after them. The published form does not anneal.
    pub anneal_iters: usize,
    /// The bound is evaluated every so many iterations.
    pub check_every: usize,
    /// How starts are made.
    pub start: CaviStart,
    /// Seed of the starts.
    pub seed: u64,
    /// Collapsed, augmented or as published.
    pub form: CaviForm,
    /// Threads; all processors if `None`. Results do not depend on it.
    pub num_threads: Option<usize>,
    /// What is shown while the run lasts.
    pub progress: Progress,
}

/// Where a variational run starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CaviStart {
    /// Dispersed entries, scaled so that the mean rate is the mean observation.
    #[default]
    Dispersed,
    /// Every entry near its prior mean, not scaled. With small shapes this is close to zero, from where
    /// noise can explain everything: there to show why it is not the default.
    PriorMean,
}

impl Default for Cavi {
    fn default() -> Self {
        Self {
            max_iters: 200,
            tol: 1e-7,
            num_restarts: 3,
            anneal_iters: 150,
            check_every: 10,
            start: CaviStart::default(),
            seed: 1,
            form: CaviForm::default(),
            num_threads: None,
            progress: Progress::default(),
        }
    }
}

impl Cavi {
    pub(crate) fn check(&self) -> Result<(), Error> {
        positive("max_iters", self.max_iters)?;
        positive("num_restarts", self.num_restarts)?;
        positive("check_every", self.check_every)?;
        threads(self.num_threads)?;
        if self.tol.is_nan() || self.tol < 0.0 {
            return Err(Error::Tolerance { value: self.tol });
        }
        Ok(())
    }
}

/// More threads than this are a slip of the pen; starting them would take minutes.
const MOST_THREADS: usize = 1024;

fn threads(threads: Option<usize>) -> Result<(), Error> {
    let threads = threads.unwrap_or(1);
    positive("num_threads", threads)?;
    if threads > MOST_THREADS {
        return Err(Error::TooManyThreads {
            threads,
            most: MOST_THREADS,
        });
    }
    Ok(())
}

fn positive(setting: &'static str, value: usize) -> Result<(), Error> {
    if value == 0 {
        Err(Error::ZeroSetting { setting })
    } else {
        Ok(())
    }
}
