//! Flags of every example, and the settings of engines that they ask for.

use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use skellam::prelude::*;

use crate::{Failure, Study, release};

/// What every example can be asked for.
#[derive(Clone, Debug, Args)]
pub struct Flags {
    /// How the posterior is found [default: cavi for `blocks` and `tucker`, whose posteriors have many modes, else gibbs].
    #[arg(long, value_parser = engines())]
    pub engine: Option<EngineForm>,
    /// Privacy budget for two observations that differ by one count, where counts are released: a number or a ratio such as 1/3.
    #[arg(long, default_value = "1", allow_hyphen_values = true)]
    pub epsilon: String,
    /// Gibbs: sweeps before draws are kept. CAVI: iterations of annealing.
    #[arg(long, default_value_t = 500, allow_negative_numbers = true)]
    pub tune: usize,
    /// Gibbs: sweeps after that, every fifth of which is kept [default: 500]. CAVI: most iterations after annealing [default:
    /// 4500, which hardly any fit needs].
    #[arg(long, allow_negative_numbers = true)]
    pub draws: Option<usize>,
    /// Gibbs: independent chains, run side by side. CAVI: starts, of which the best is kept.
    #[arg(long, default_value_t = 4, allow_negative_numbers = true)]
    pub chains: usize,
    /// Seed of the simulated data, of their noise, and of the fits. Counts of a data set of yours get noise from the operating system.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Print every conditional and update as mathematics, and stop: for every form, or for the one that `--engine` names.
    #[arg(long)]
    pub derivation: bool,
    /// Check everything that was derived on a tiny instance, print the report, and stop.
    #[arg(long)]
    pub self_test: bool,
    /// Where a variational fit starts: the example's choice, no flag.
    #[arg(skip)]
    pub start: CaviStart,
    /// What a Gibbs fit keeps: the example's choice, no flag.
    #[arg(skip)]
    pub keep: Keep,
}

/// The flag of examples that can read a data set that the user has, and what differs for such data: their noise, and what is said of them.
#[derive(Clone, Debug, Args)]
pub struct Folder {
    /// Folder of a data set to be used in place of simulated counts, released with noise from the operating system. If it is not there
    /// the example says so and simulates.
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
}

impl Folder {
    /// The folder, if it was asked for and exists. One that does not exist is named on standard error.
    pub fn existing(&self) -> Option<&PathBuf> {
        let folder = self.data.as_ref()?;
        if folder.is_dir() {
            return Some(folder);
        }
        eprintln!("--data {}: no such folder, so counts are simulated", folder.display());
        None
    }

    /// Whether the counts are a user's.
    pub fn is_own(&self) -> bool {
        self.data.as_ref().is_some_and(|folder| folder.is_dir())
    }

    /// Releases the counts of an example: a user's with noise from the operating system, simulated ones with noise of the seed, which promises nothing.
    pub fn release(&self, counts: &Counts, budget: &Lplp, seed: u64) -> Result<Released<TwoSidedGeometric>, Failure> {
        match self.is_own() {
            true => Ok(Sensitive::new(counts.clone()).release(budget)?),
            false => release(counts, budget, seed),
        }
    }

    /// What is known of counts before their release: said of simulated ones alone.
    pub fn if_simulated(&self, exact: String) -> String {
        if self.is_own() { String::new() } else { exact }
    }

    /// What a study says of counts that were released, in words. The exact total of a user's is private.
    pub fn released(&self, total: impl Display, what: &str, flags: &Flags) -> String {
        let total = self.if_simulated(format!("{total} "));
        format!("{total}{what}, released at epsilon / N = {}", flags.epsilon)
    }

    /// Begins a study with a line that says what the data are.
    pub fn study(&self, data: &str) -> Study {
        let own = self.is_own();
        let mut study = match own {
            true => Study::of(&format!("{data}\nthe noise is from the operating system")),
            false => Study::of(data),
        };
        study.own = own;
        study
    }
}

/// Settings of an engine.
#[derive(Clone, Debug)]
pub enum Run {
    /// Gibbs sampling.
    Gibbs(Gibbs),
    /// Coordinate ascent.
    Cavi(Cavi),
}

/// The engines in their forms, by name.
pub fn engines() -> impl TypedValueParser<Value = EngineForm> {
    let form = |form: EngineForm| {
        let engine = if form.is_gibbs() {
            "Gibbs sampling"
        } else {
            "coordinate ascent"
        };
        PossibleValue::new(form.name()).help(format!("{engine}; {}", form.summary()))
    };
    PossibleValuesParser::new(EngineForm::ALL.map(form)).try_map(|name| name.parse::<EngineForm>())
}

/// What Ctrl-C asks for an end; where it cannot be caught, it ends the program at once as it always does.
pub fn interrupt() -> Interrupt {
    Interrupt::on_ctrl_c().unwrap_or_default()
}

impl Flags {
    /// The engine that was asked for, else `default`.
    pub fn or(&self, default: EngineForm) -> Self {
        Self {
            engine: self.engine.or(Some(default)),
            ..self.clone()
        }
    }

    /// For a fit without modelled noise: the same engine, collapsed.
    pub fn collapsed(&self) -> Self {
        Self {
            engine: self.engine.map(EngineForm::collapsed),
            ..self.clone()
        }
    }

    /// Every start of a variational fit from a chain, for posteriors in which ascents end at one of many modes. The published form starts as it was
    /// published.
    pub fn from_chains(&self) -> Self {
        let start = match self.engine {
            Some(EngineForm::CaviPublished) => self.start,
            _ => CaviStart::Sampled { sweeps: 200 },
        };
        Self { start, ..self.clone() }
    }

    /// Settings of the engine that was asked for, else of collapsed Gibbs sampling.
    pub fn run(&self) -> Run {
        match self.engine.unwrap_or(EngineForm::Gibbs) {
            EngineForm::Gibbs => Run::Gibbs(self.gibbs(GibbsForm::Collapsed)),
            EngineForm::GibbsAugmented => Run::Gibbs(self.gibbs(GibbsForm::Augmented)),
            EngineForm::Cavi => Run::Cavi(self.cavi(CaviForm::Collapsed)),
            EngineForm::CaviAugmented => Run::Cavi(self.cavi(CaviForm::Augmented)),
            EngineForm::CaviPublished => Run::Cavi(self.cavi(CaviForm::Published)),
        }
    }

    fn gibbs(&self, form: GibbsForm) -> Gibbs {
        let draws = self.draws.unwrap_or(500);
        Gibbs {
            num_tune: self.tune,
            num_draws: draws.div_ceil(5),
            thin: Some(draws.clamp(1, 5)),
            num_chains: Some(self.chains),
            seed: self.seed,
            form,
            keep: self.keep.clone(),
            interrupt: interrupt(),
            progress: Progress::Hidden,
            ..Gibbs::default()
        }
    }

    /// The best of as many starts as there are chains.
    fn cavi(&self, form: CaviForm) -> Cavi {
        Cavi {
            max_iters: self.tune.saturating_add(self.draws.unwrap_or(4500)),
            anneal_iters: self.tune,
            num_restarts: self.chains,
            start: self.start,
            seed: self.seed,
            form,
            interrupt: interrupt(),
            progress: Progress::Hidden,
            ..Cavi::default()
        }
    }

    /// What a study says of simulated counts that were released, in words.
    pub fn released(&self, counts: &Counts) -> String {
        format!("{} counts, released at epsilon / N = {}", counts.total(), self.epsilon)
    }

    /// The budget of a release. An epsilon that is not a positive number or ratio is an error.
    pub fn budget(&self) -> Result<Lplp, Failure> {
        Ok(Lplp::new(1, self.epsilon.as_str())?)
    }
}
