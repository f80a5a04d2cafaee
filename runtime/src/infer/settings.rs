//! Settings of the engines: plain structs with defaults.

use crate::error::{Error, SettingError};
use crate::model::{EngineForm, FormKind, Model};

use super::moves::work;
use serde::{Deserialize, Serialize};

use super::{Callback, Checkpoint, Interrupt, Keep, Progress, StartingValues};
use std::path::PathBuf;
use std::time::Duration;

/// Multiplications and entries of the sweeps after tuning that a chain of a small model makes by default, besides its trajectories: less than a second.
const WORK: f64 = 524_288.0;
/// Sweeps between kept draws at the least, unless others are asked for.
const LEAST_THIN: usize = 2;

/// Which form of the channel a Gibbs chain runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GibbsForm {
    /// Noise integrated out exactly; only positive releases are visited.
    #[default]
    Collapsed,
    /// The channel's own augmentation (Skellam–Bessel for the geometric mechanism, ICML19): state per
    /// cell, every cell visited.
    Augmented,
    /// Token by token, with the latents of the rates integrated out (Griffiths and Steyvers 2004): for models whose exposures have no gamma latents in them,
    /// such as latent Dirichlet allocation; `derivation()` says why another model is refused. A token is a unit of a count, so that the cost grows with
    /// the counts. No joint moves are made.
    ///
    /// Where counts are known and no other latent is drawn, latents are drawn for kept draws alone, `ln_joint` is that of the tokens, and moments
    /// ([`Kept::Moments`](crate::infer::Kept::Moments)) are means over draws of the posterior mean given the tokens.
    Tokens,
}

/// Joint moves of the factors between the sweeps of a chain, the true counts summed out.
///
/// They change what a draw costs and how much it is worth, never the posterior. A chain in the augmented form makes none
/// but those along scale symmetries: its auxiliary variables hold the rates where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moves {
    /// By the size of the model. With `w` the number of visited cells (all cells where they are multiplied as blocks) times
    /// the length of the inner index: up to `w` = 100 000 a Hamiltonian trajectory follows every sweep, up to
    /// 3 200 000 one of every `w / 100 000` sweeps. It has 32 steps on average, each a tenth of the time of a sweep, where blocks are
    /// multiplied, the inner index is no longer than 16 and every cell has one law; elsewhere 16, each a third to a half of a
    /// sweep. Beyond that, one of the moves of [`Moves::Levels`] follows every eighth sweep, which takes about a tenth of the time of
    /// the sweeps, and every second one where noise leaves less than a twentieth of a count (`1 - alpha` of a two-sided
    /// geometric, if a quarter of the cells or more are exposure alone), which takes about a third. Scales that the rates
    /// do not see are drawn in any case.
    #[default]
    Auto,
    /// None: sweeps alone.
    Nothing,
    /// A Hamiltonian trajectory of `steps` steps on average after every `every`th sweep, and scales that the rates do not see.
    Trajectories {
        /// Sweeps from one to the next.
        every: usize,
        /// Steps, on average.
        steps: usize,
    },
    /// After every `every`th sweep one of these for one latent, in turn: the scale of the latent as a whole; the scale of one of
    /// its components, along an index over which a rate sums; the scales of all of its rows at once, along an index that keeps
    /// their cells apart, each accepted on its own. And scales that the rates do not see.
    Levels {
        /// Sweeps from one to the next.
        every: usize,
    },
}

/// Settings of a Gibbs run.
///
/// They can be read from a file by serde: what it leaves out has its default, times are in seconds, and a name that no setting has is an error. The interrupt
/// and the callback are not written.
///
/// ```
/// use skellam::prelude::*;
/// let settings: Gibbs = serde_json::from_str(r#"{ "num_draws": 1000, "time_limit": 3600, "form": "augmented" }"#)?;
/// assert_eq!((settings.num_draws, settings.num_tune), (1000, 500));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gibbs {
    /// Sweeps of tuning: moves adapt, and no draw is kept.
    pub num_tune: usize,
    /// The tuning of a chain is repeated, at most so many times, while its log joint density still moves: while its means over
    /// the last two quarters of the sweeps differ by more than its standard deviation within them. Tuning of fewer than 32
    /// sweeps is not judged.
    pub max_retunes: usize,
    /// Draws of each chain that are kept.
    pub num_draws: usize,
    /// Sweeps from one of them to the next; if `None`, what follows from the size of the model, [`Gibbs::thin_of`]: two, and up to
    /// eight where they cost little.
    pub thin: Option<usize>,
    /// Independent chains, run side by side; four, or as many as memory allows, if `None`.
    pub num_chains: Option<usize>,
    /// Seed of every random stream of the run.
    pub seed: u64,
    /// Collapsed, augmented or token by token.
    pub form: GibbsForm,
    /// Joint moves between the sweeps.
    pub moves: Moves,
    /// Where chains start, for the latents that it names.
    pub starting_values: StartingValues,
    /// What is kept of the draws.
    pub keep: Keep,
    /// The run ends after the sweep in which this time is reached.
    #[serde(with = "super::seconds")]
    pub time_limit: Option<Duration>,
    /// Ends the run after the present sweep when somebody asks for it.
    #[serde(skip)]
    pub interrupt: Interrupt,
    /// Where the run is kept while it lasts, and gone on with if it was stopped.
    pub checkpoint: Option<Checkpoint>,
    /// A folder to which draws are written as they are made, so that memory does not grow with their number, and a run that dies has left
    /// those that it made; in memory if `None`. It is a Zarr store of the layout that [`GibbsFit::save_zarr`](crate::infer::GibbsFit::save_zarr) writes, and
    /// `xarray` and ArviZ open it while the run lasts. The folder must not exist, unless a checkpoint goes on with the run that made it.
    /// Draws of all latents are kept in it, but those of one with an entry for every cell of a difference, unless `keep` says otherwise.
    ///
    /// ```no_run
    /// use skellam::prelude::*;
    ///
    /// let settings = Gibbs { draws_in: Some("fit.zarr".into()), num_draws: 10_000, ..Default::default() };
    /// ```
    pub draws_in: Option<PathBuf>,
    /// Called with what there is after every draw that is kept.
    #[serde(skip)]
    pub callback: Option<Callback>,
    /// Threads; all processors if `None`. Draws do not depend on it.
    pub num_threads: Option<usize>,
    /// What is shown while the run lasts.
    pub progress: Progress,
}

impl Default for Gibbs {
    fn default() -> Self {
        Self {
            num_tune: 500,
            max_retunes: 3,
            num_draws: 250,
            thin: None,
            num_chains: None,
            seed: 1,
            form: GibbsForm::default(),
            moves: Moves::default(),
            starting_values: StartingValues::default(),
            keep: Keep::default(),
            time_limit: None,
            interrupt: Interrupt::default(),
            checkpoint: None,
            draws_in: None,
            callback: None,
            num_threads: None,
            progress: Progress::default(),
        }
    }
}

impl Gibbs {
    /// Chains of a run where none are asked for and memory allows.
    pub const CHAINS: usize = 4;

    pub(crate) fn check(&self) -> Result<(), Error> {
        positive("num_draws", self.num_draws)?;
        positive("num_chains", self.num_chains.unwrap_or(1))?;
        positive("thin", self.thin.unwrap_or(1))?;
        self.checkpoint.as_ref().map_or(Ok(()), Checkpoint::check)?;
        match self.moves {
            Moves::Trajectories { every, steps } => {
                positive("moves.every", every)?;
                positive("moves.steps", steps)?;
            }
            Moves::Levels { every } => positive("moves.every", every)?,
            Moves::Auto | Moves::Nothing => {}
        }
        threads(self.num_threads)
    }

    /// Sweeps from one kept draw of a chain of `model` to the next: `thin`, or if that is `None` as many as bring the work of a chain that keeps 250 draws
    /// to 2^19 multiplications and entries, but at least 2 and at most 8. It follows from declaration, sizes and data alone, never from a
    /// clock: the same settings give the same draws on every machine.
    ///
    /// A sweep has a multiplication for each visited cell and component, and an entry for each number of a latent. A small model can be
    /// judged then: its slowest quantity is worth 100 draws of a chain if it forgets its past within twenty sweeps, not within five.
    pub fn thin_of(&self, model: &dyn Model) -> usize {
        if let Some(thin) = self.thin {
            return thin;
        }
        let entries: usize = model
            .latents()
            .iter()
            .map(|latent| latent.shape.iter().product::<usize>())
            .sum();
        let sweep = work(&model.views()) + entries as f64;
        (WORK / (250.0 * sweep.max(1.0))).clamp(LEAST_THIN as f64, 8.0) as usize
    }

    /// The same settings with what follows from `model`.
    pub(crate) fn resolved(&self, model: &dyn Model) -> Self {
        Self {
            thin: Some(self.thin_of(model)),
            ..self.clone()
        }
    }

    /// The distance of kept draws in settings that are resolved.
    pub(crate) fn spacing(&self) -> usize {
        self.thin.unwrap_or(LEAST_THIN)
    }

    /// Draws of so many chains that are held in memory.
    pub(crate) fn in_memory(&self, chains: usize) -> f64 {
        match self.draws_in {
            Some(_) => 0.0,
            None => chains as f64 * self.num_draws as f64,
        }
    }

    /// Sweeps of each chain after the tuning.
    pub(crate) fn drawing(&self) -> usize {
        self.num_draws.saturating_mul(self.spacing())
    }
}

/// Which bound a variational run ascends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaviForm {
    /// Noise integrated out exactly (the default).
    #[default]
    Collapsed,
    /// The channel's augmentation with the Bessel mean: a looser bound of its own.
    Augmented,
    /// As in VI18: point mass at the Bessel mode, delta method. Ascends no bound; kept for comparison.
    Published,
}

/// Settings of a variational run, which serde reads as it does those of [`Gibbs`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cavi {
    /// Most iterations of one start, those of annealing included, of which there must be fewer. A fit says whether it
    /// converged before.
    pub max_iters: usize,
    /// A start has converged when the bound gains less than this fraction of itself (of one, if it is smaller than one) in an iteration, and also in a leap: a step of
    /// many iterations along the direction of one (collapsed form, up to a million entries).
    pub tol: f64,
    /// Starts, made side by side; the one with the best bound is returned. The published form has no bound to choose by and
    /// makes one start.
    pub num_restarts: usize,
    /// Iterations over which expected allocations move from arithmetic to geometric means. The bound
    /// is monotone after them. The published form does not anneal, nor does a start that was sampled.
    pub anneal_iters: usize,
    /// The bound is evaluated every so many iterations.
    pub check_every: usize,
    /// How starts are made.
    pub start: CaviStart,
    /// Where starts begin, for the latents that it names; they are not annealed then, as annealing would lead away from there.
    pub starting_values: StartingValues,
    /// Seed of the starts.
    pub seed: u64,
    /// Collapsed, augmented or as published.
    pub form: CaviForm,
    /// A start ends after the iteration in which this time, counted from the beginning of the run, is reached.
    #[serde(with = "super::seconds")]
    pub time_limit: Option<Duration>,
    /// Ends the run after the present iteration when somebody asks for it.
    #[serde(skip)]
    pub interrupt: Interrupt,
    /// Where the run is kept while it lasts, and gone on with if it was stopped.
    pub checkpoint: Option<Checkpoint>,
    /// Called with what there is whenever the bound is evaluated.
    #[serde(skip)]
    pub callback: Option<Callback>,
    /// Threads; all processors if `None`. Results do not depend on it.
    pub num_threads: Option<usize>,
    /// What is shown while the run lasts.
    pub progress: Progress,
}

/// Where a variational run starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaviStart {
    /// The first start is dispersed, the others are sampled by 200 sweeps: the bound says which has found most.
    #[default]
    Mixed,
    /// Dispersed entries, scaled so that the mean rate is the mean observation.
    Dispersed,
    /// Every entry near its prior mean, not scaled. With small shapes this is close to zero, from where
    /// noise can explain everything: there to show why it is not the default.
    PriorMean,
    /// The mean of the second half of a Gibbs chain of so many sweeps, not annealed. A chain gets to modes that no ascent
    /// reaches from a dispersed start, at the cost of its sweeps. A time limit or Ctrl-C ends the chain early.
    Sampled {
        /// Sweeps of the chain, of which half are left out.
        sweeps: usize,
    },
}

impl CaviStart {
    /// How the start with this number is made: never [`CaviStart::Mixed`].
    pub(crate) fn of(self, start: usize) -> Self {
        match self {
            Self::Mixed if start > 0 => Self::Sampled { sweeps: SAMPLED },
            Self::Mixed => Self::Dispersed,
            other => other,
        }
    }
}

/// Sweeps of a chain from which a start is sampled. In a block model of 60 actors whose best dispersed start of four had a deviance
/// of 1.276, starts after 50 sweeps had 0.999 and after 200 sweeps 0.975.
const SAMPLED: usize = 200;

impl Default for Cavi {
    fn default() -> Self {
        Self {
            max_iters: 5000,
            tol: 1e-7,
            num_restarts: 3,
            anneal_iters: 150,
            check_every: 10,
            start: CaviStart::default(),
            starting_values: StartingValues::default(),
            seed: 1,
            form: CaviForm::default(),
            time_limit: None,
            interrupt: Interrupt::default(),
            checkpoint: None,
            callback: None,
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
        self.checkpoint.as_ref().map_or(Ok(()), Checkpoint::check)?;
        threads(self.num_threads)?;
        if self.tol.is_nan() || self.tol < 0.0 {
            return Err(Error::Setting(SettingError::Tolerance { value: self.tol }));
        }
        if let CaviStart::Sampled { sweeps } = self.start {
            positive("start.sweeps", sweeps)?;
        }
        if self.max_iters <= self.annealed(self.start) {
            return Err(Error::Setting(SettingError::OnlyAnnealed {
                max_iters: self.max_iters,
                anneal_iters: self.anneal_iters,
            }));
        }
        Ok(())
    }

    /// Iterations that anneal a start.
    pub(crate) fn annealed(&self, start: CaviStart) -> usize {
        match (self.form, start) {
            // VI18 does not anneal, and the comparison is with what was published.
            (CaviForm::Published, _) => 0,
            // Arithmetic means would lead away from where the chain has got to.
            (_, CaviStart::Sampled { .. }) => 0,
            _ if !self.starting_values.is_empty() => 0,
            (CaviForm::Collapsed | CaviForm::Augmented, _) => self.anneal_iters,
        }
    }
}

/// More threads than this are a slip of the pen; starting them would take minutes.
const MOST_THREADS: usize = 1024;

fn threads(threads: Option<usize>) -> Result<(), Error> {
    let threads = threads.unwrap_or(1);
    positive("num_threads", threads)?;
    if threads > MOST_THREADS {
        return Err(Error::Setting(SettingError::TooManyThreads {
            threads,
            most: MOST_THREADS,
        }));
    }
    Ok(())
}

fn positive(setting: &'static str, value: usize) -> Result<(), Error> {
    if value == 0 {
        Err(Error::Setting(SettingError::Zero { setting }))
    } else {
        Ok(())
    }
}
impl From<GibbsForm> for FormKind {
    fn from(form: GibbsForm) -> Self {
        match form {
            GibbsForm::Collapsed | GibbsForm::Tokens => FormKind::Collapsed,
            GibbsForm::Augmented => FormKind::Augmented,
        }
    }
}

impl From<GibbsForm> for EngineForm {
    fn from(form: GibbsForm) -> Self {
        match form {
            GibbsForm::Collapsed => Self::Gibbs,
            GibbsForm::Augmented => Self::GibbsAugmented,
            GibbsForm::Tokens => Self::GibbsTokens,
        }
    }
}

impl From<CaviForm> for EngineForm {
    fn from(form: CaviForm) -> Self {
        match form {
            CaviForm::Collapsed => Self::Cavi,
            CaviForm::Augmented => Self::CaviAugmented,
            CaviForm::Published => Self::CaviPublished,
        }
    }
}

impl From<CaviForm> for FormKind {
    fn from(form: CaviForm) -> Self {
        match form {
            CaviForm::Collapsed => FormKind::Collapsed,
            CaviForm::Augmented | CaviForm::Published => FormKind::Augmented,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::{KeepRates, Kept};

    /// What is written is read: all but the interrupt and the callback.
    #[test]
    fn settings_go_to_text_and_back() {
        let settings = Gibbs {
            num_draws: 7,
            moves: Moves::Levels { every: 3 },
            starting_values: StartingValues::default().latent("phi", vec![1.0, 2.5]),
            keep: Keep::default().rates(KeepRates::HeldOut).latent("phi", Kept::Moments),
            time_limit: Some(Duration::from_millis(1500)),
            checkpoint: Some(Checkpoint::new("run.ckpt").every_sweeps(9)),
            progress: Progress::Hidden,
            ..Gibbs::default()
        };
        let text = serde_json::to_string(&settings).unwrap();
        let read: Gibbs = serde_json::from_str(&text).unwrap();
        assert_eq!(format!("{read:?}"), format!("{settings:?}"));
        let cavi = Cavi {
            start: CaviStart::Sampled { sweeps: 5 },
            form: CaviForm::Published,
            ..Cavi::default()
        };
        let read: Cavi = serde_json::from_str(&serde_json::to_string(&cavi).unwrap()).unwrap();
        assert_eq!(format!("{read:?}"), format!("{cavi:?}"));
    }

    /// What a file leaves out has its default, and what no setting is called is refused by its name.
    #[test]
    fn names_that_no_setting_has_are_refused() {
        let few: Gibbs = serde_json::from_str(r#"{ "form": "augmented", "checkpoint": { "path": "a" } }"#).unwrap();
        assert_eq!((few.num_tune, few.form), (500, GibbsForm::Augmented));
        assert_eq!(few.checkpoint, Some(Checkpoint::new("a")));
        for (text, said) in [
            (
                r#"{ "starting_values": { "phi": { "shape": [3], "values": [1] } } }"#,
                "3",
            ),
            (r#"{ "draws": 3 }"#, "unknown field `draws`"),
            (r#"{ "time_limit": -1 }"#, "-1 is no number of seconds"),
            (r#"{ "form": "published" }"#, "unknown variant `published`"),
        ] {
            let error = serde_json::from_str::<Gibbs>(text).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
