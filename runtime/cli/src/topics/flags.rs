//! What can be asked for on the command line.

use std::path::PathBuf;

use super::texts::WordFlags;
use crate::reading::Reading;
use clap::Parser;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use skellam::prelude::*;

/// The mark of lines on standard error that look at true counts.
pub const OF_TRUTH: &str = "[true counts] ";

/// Fits topics to privately released word counts, beside the naive and the non-private fit of the same declaration.
///
/// Without flags: 395 Reuters articles over 4,258 words, 20 topics, released at epsilon / N = 2. With a folder of texts: their topics, without noise.
#[derive(Clone, Debug, Parser)]
#[command(name = "skellam topics")]
pub struct Flags {
    /// Texts, fitted as they are, without noise: a folder with a text a file, or a file with a text a line (.txt, .tsv, .jsonl, .gz). Words are counted as the
    /// flags from --stop-words to --numbers say, and topics are those of latent Dirichlet allocation, token by token. With --vocab, these words alone.
    #[arg(value_name = "TEXTS", conflicts_with_all = ["data", "Reading", "released", "epsilon", "n", "fresh_noise", "seed_for_simulation", "engine", "release_only", "derivation", "code", "self_test"])]
    pub texts: Option<PathBuf>,
    /// Which words of texts are counted.
    #[command(flatten)]
    pub words: WordFlags,
    /// True counts, documents by words: Matrix Market, CSV and other text, a NumPy array, a sparse matrix of SciPy or a bag of words; the
    /// embedded Reuters counts if not given.
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// What the file of --data is.
    #[command(flatten)]
    pub reading: Reading,
    /// A folder of released counts, documents by words, as `skellam release` writes it. There are no true counts then: nothing is
    /// compared with them, and the release is fitted with its noise modelled.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["data", "Reading", "epsilon", "n", "fresh_noise", "seed_for_simulation"])]
    pub released: Option<PathBuf>,
    /// The word of each column, one a line; without it the names that the data have, or w1, w2, ..
    #[arg(long, value_name = "FILE.txt")]
    pub vocab: Option<PathBuf>,
    /// Number of topics.
    #[arg(long, default_value_t = 20, allow_negative_numbers = true)]
    pub k: usize,
    /// Privacy budget for two documents that differ by N counts: a number or a ratio such as 1/3. Smaller is more private.
    #[arg(long, default_value = "2", allow_hyphen_values = true)]
    pub epsilon: String,
    /// The precision N of the promise. The noise depends on epsilon / N.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub n: u64,
    /// How the posterior is found [default: gibbs]; with `--derivation`, which of its forms is printed [default: all].
    #[arg(long, value_parser = engines())]
    pub engine: Option<EngineForm>,
    /// Gibbs: sweeps before draws are kept [default: 400; 200 for texts]. CAVI: iterations of annealing [default: 150].
    #[arg(long, allow_negative_numbers = true)]
    pub tune: Option<usize>,
    /// Gibbs: sweeps after that, every fifth of which is kept [default: 200; 100 for texts]. CAVI: most iterations after annealing [default: 100].
    #[arg(long, allow_negative_numbers = true)]
    pub draws: Option<usize>,
    /// Gibbs: independent chains, run side by side. Rates are averaged over them; topics are those of the chain with the highest
    /// joint density.
    #[arg(long, default_value_t = 2, allow_negative_numbers = true)]
    pub chains: usize,
    /// Seed of the fits, and of the noise of the embedded counts unless `--fresh-noise` is given.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Draw the noise from the operating system, as a release that keeps its promise must. This is what is done with
    /// `--data`. Without it, the noise of the embedded counts follows `--seed`: the run can be repeated, and promises nothing.
    #[arg(long)]
    pub fresh_noise: bool,
    /// Draw the noise from this seed, whatever the counts. Anyone who knows it can take the noise off again: for simulations
    /// only.
    #[arg(
        long,
        value_name = "SEED",
        conflicts_with = "fresh_noise",
        allow_negative_numbers = true
    )]
    pub seed_for_simulation: Option<u64>,
    /// Release the true counts and look at them for nothing else: no non-private and no naive fit, no scores, no picture of true counts.
    /// All files are then functions of the release.
    #[arg(long)]
    pub release_only: bool,
    /// Threads; all processors if not given. Results do not depend on it.
    #[arg(long, allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Folder for the results, which must not exist. Without this flag `out/topics`, or `out/topics-2`, `out/topics-3` and so
    /// on: the first that is free.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Replace the folder if an earlier run wrote it (`out/topics` without `--out`); any other folder stays as it is.
    #[arg(long)]
    pub force: bool,
    /// Show neither steps nor progress; warnings are shown.
    #[arg(long)]
    pub quiet: bool,
    /// Set when Ctrl-C is pressed.
    #[arg(skip)]
    pub interrupt: Interrupt,
    /// Print every conditional and update as mathematics, in all its forms, and stop.
    #[arg(long)]
    pub derivation: bool,
    /// Print the Rust that the declaration became, and stop.
    #[arg(long)]
    pub code: bool,
    /// Check everything that was derived on a tiny instance, print the report, and stop.
    #[arg(long)]
    pub self_test: bool,
}

/// The engines in their forms, by name.
fn engines() -> impl TypedValueParser<Value = EngineForm> {
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

impl Flags {
    /// The engine that was asked for, else Gibbs sampling.
    pub fn engine(&self) -> EngineForm {
        self.engine.unwrap_or(EngineForm::Gibbs)
    }

    /// The seed of the noise; `None` where the operating system draws it. Counts of the user's own have no seed by default.
    pub fn noise_seed(&self) -> Option<u64> {
        let embedded = self.data.is_none() && !self.fresh_noise;
        self.seed_for_simulation.or(embedded.then_some(self.seed))
    }

    /// Settings of Gibbs sampling.
    pub fn gibbs(&self, form: GibbsForm) -> Gibbs {
        let num_draws = self.draws();
        Gibbs {
            num_tune: self.tune(),
            // A look at a corpus in less than a minute: the verdict says that its chains are short.
            max_retunes: 0,
            num_draws: num_draws.div_ceil(5),
            thin: Some(num_draws.clamp(1, 5)),
            num_chains: Some(self.chains),
            seed: self.seed,
            form,
            num_threads: self.threads,
            progress: self.progress(),
            interrupt: self.interrupt.clone(),
            ..Gibbs::default()
        }
    }

    /// Settings of coordinate ascent.
    pub fn cavi(&self, form: CaviForm) -> Cavi {
        Cavi {
            // A look at a corpus, as with `gibbs`: the run says where it was still moving.
            max_iters: self.tune().saturating_add(self.draws()),
            anneal_iters: self.tune(),
            num_restarts: 1,
            seed: self.seed,
            form,
            num_threads: self.threads,
            progress: self.progress(),
            interrupt: self.interrupt.clone(),
            ..Cavi::default()
        }
    }

    /// `--tune`, or what the engine takes by default.
    pub fn tune(&self) -> usize {
        let by_engine = if self.engine().is_gibbs() { 400 } else { 150 };
        self.tune.unwrap_or(if self.texts.is_some() { 200 } else { by_engine })
    }

    /// `--draws`, or what the engine takes by default.
    pub fn draws(&self) -> usize {
        let by_engine = if self.engine().is_gibbs() { 200 } else { 100 };
        self.draws.unwrap_or(if self.texts.is_some() { 100 } else { by_engine })
    }

    /// Says on standard error what is being done.
    pub fn say(&self, step: &str) {
        if !self.quiet {
            eprintln!("{step}");
        }
    }

    /// Says what looks at true counts, marked as such.
    pub fn say_of_truth(&self, step: &str) {
        self.say(&format!("{OF_TRUTH}{step}"));
    }

    fn progress(&self) -> Progress {
        if self.quiet { Progress::Hidden } else { Progress::Bar }
    }
}
