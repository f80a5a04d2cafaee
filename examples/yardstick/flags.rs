//! Flags, the same for every measurement where they mean the same.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde_json::{Map, Value, json};

/// One JSON object on standard output; notes and progress on standard error.
#[derive(Parser)]
#[command(version)]
pub struct Yardstick {
    /// What to measure.
    #[command(subcommand)]
    pub command: Command,
}

/// The measurements.
#[derive(Subcommand)]
pub enum Command {
    /// Fits, and compares E[rate] with the true rates.
    Accuracy(Accuracy),
    /// Median time of one sweep after warm-up.
    Sweep(Common),
    /// What no implementation can avoid: the dense products of a sweep, one exp per visited cell.
    Floor(Common),
    /// Effective samples of the rates of a long chain.
    Ess(Ess),
    /// Factorization of sparse exact counts: time of a sweep by engine, and memory.
    Sparse(Sparse),
    /// CP or Tucker factorization of sparse exact counts of three or four indices: time of a sweep, and memory.
    Tensor(Tensor),
    /// The generated sweep or iteration against the same written by hand for one model.
    Handwritten(Handwritten),
    /// Peak memory of a fit on released data.
    Memory(Memory),
    /// What a private release costs per count.
    Release(Release),
}

/// Data and engine.
#[derive(Args, Clone)]
pub struct Common {
    /// Rows of the drawn data.
    #[arg(long, default_value_t = 1000)]
    pub rows: usize,
    /// Columns.
    #[arg(long, default_value_t = 1000)]
    pub cols: usize,
    /// Components, of the drawn data and of the fit.
    #[arg(long, default_value_t = 50)]
    pub k: usize,
    /// Shape of the gamma priors; their rate is 1.
    #[arg(long, default_value_t = 0.1)]
    pub shape: f64,
    /// Parameter of the geometric mechanism.
    #[arg(long, default_value_t = 0.36787944117)]
    pub alpha: f64,
    /// Seed of data and engine.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Released counts (int32, row-major .npy) instead of drawn ones.
    #[arg(long, requires = "rates")]
    pub released: Option<PathBuf>,
    /// True rates (float64, row-major .npy) that belong to them.
    #[arg(long, requires = "released")]
    pub rates: Option<PathBuf>,
    /// Which engine.
    #[arg(long, value_enum, default_value_t = Engine::Gibbs)]
    pub engine: Engine,
    /// Through which channel the counts are seen.
    #[arg(long, value_enum, default_value_t = Channel::Geometric)]
    pub channel: Channel,
}

/// `accuracy` and its own flags.
#[derive(Args, Clone)]
pub struct Accuracy {
    /// Data and engine.
    #[command(flatten)]
    pub common: Common,
    /// Sweeps before draws are averaged.
    #[arg(long, default_value_t = 500)]
    pub tune: usize,
    /// Sweeps after that.
    #[arg(long, default_value_t = 500)]
    pub draws: usize,
    /// Most iterations of CAVI.
    #[arg(long, default_value_t = 200)]
    pub iters: usize,
    /// Starts of CAVI.
    #[arg(long, default_value_t = 1)]
    pub restarts: usize,
    /// Iterations over which CAVI anneals; the engine's default if not given.
    #[arg(long)]
    pub anneal: Option<usize>,
}

/// `ess` and its flags.
#[derive(Args, Clone)]
pub struct Ess {
    /// Rows of the drawn data.
    #[arg(long, default_value_t = 100)]
    pub rows: usize,
    /// Columns.
    #[arg(long, default_value_t = 100)]
    pub cols: usize,
    /// Components, of the drawn data and of the fit.
    #[arg(long, default_value_t = 5)]
    pub k: usize,
    /// Shape of the gamma priors; their rate is 1.
    #[arg(long, default_value_t = 1.0)]
    pub shape: f64,
    /// Parameter of the geometric mechanism.
    #[arg(long, default_value_t = 0.36787944117)]
    pub alpha: f64,
    /// Sweeps before draws are kept.
    #[arg(long, default_value_t = 1000)]
    pub tune: usize,
    /// Draws of each chain, one a sweep.
    #[arg(long, default_value_t = 5000)]
    pub draws: usize,
    /// Chains.
    #[arg(long, default_value_t = 1)]
    pub chains: usize,
    /// Seed of data and engine.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Which engine.
    #[arg(long, value_enum, default_value_t = Engine::Gibbs)]
    pub engine: Engine,
    /// Through which channel the counts are seen.
    #[arg(long, value_enum, default_value_t = Channel::Geometric)]
    pub channel: Channel,
    /// What is moved between sweeps with the counts summed out.
    #[arg(long, value_enum, default_value_t = Between::Auto)]
    pub moves: Between,
    /// Sweeps from one move of levels to the next.
    #[arg(long, default_value_t = 8)]
    pub every: usize,
    /// A .npy file for the draws, (chain, draw, cell), float64.
    #[arg(long)]
    pub dump: Option<PathBuf>,
}

impl Ess {
    /// What it has in common with the other measurements.
    pub fn common(&self) -> Common {
        Common {
            rows: self.rows,
            cols: self.cols,
            k: self.k,
            shape: self.shape,
            alpha: self.alpha,
            seed: self.seed,
            threads: self.threads,
            released: None,
            rates: None,
            engine: self.engine,
            channel: self.channel,
        }
    }
}

/// `sparse` and its flags.
#[derive(Args, Clone)]
pub struct Sparse {
    /// Rows of the drawn data.
    #[arg(long, default_value_t = 100_000)]
    pub rows: usize,
    /// Columns.
    #[arg(long, default_value_t = 20_000)]
    pub cols: usize,
    /// Cells that are not zero.
    #[arg(long, default_value_t = 5_000_000)]
    pub nnz: usize,
    /// Components of the fit.
    #[arg(long, default_value_t = 50)]
    pub k: usize,
    /// Shape of the gamma priors; their rate is 1.
    #[arg(long, default_value_t = 0.1)]
    pub shape: f64,
    /// Counts instead of drawn ones.
    #[arg(long, value_name = "FILE.mtx")]
    pub data: Option<PathBuf>,
    /// Sweeps or iterations.
    #[arg(long, default_value_t = 10)]
    pub iters: usize,
    /// Which engine; both if not given.
    #[arg(long, value_enum)]
    pub engine: Option<Engine>,
    /// Seed of data and engine.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
}

/// `tensor` and its flags.
#[derive(Args, Clone)]
pub struct Tensor {
    /// Sizes of the indices, three or four.
    #[arg(long, default_value = "1000x1000x100")]
    pub shape: Sizes,
    /// Cells that are not zero.
    #[arg(long, default_value_t = 1_000_000)]
    pub nnz: usize,
    /// Components of CP.
    #[arg(long, default_value_t = 50)]
    pub k: usize,
    /// Tucker with a core of these sizes instead of CP.
    #[arg(long, value_name = "SIZES", conflicts_with = "k")]
    pub core: Option<Sizes>,
    /// Which engine.
    #[arg(long, value_enum, default_value_t = Plain::Gibbs)]
    pub engine: Plain,
    /// Sweeps or iterations.
    #[arg(long, default_value_t = 10, value_parser = at_least_one)]
    pub iters: usize,
    /// Seed of data and engine.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 1, value_parser = at_least_one)]
    pub threads: usize,
}

/// `handwritten` and its flags.
#[derive(Args, Clone)]
pub struct Handwritten {
    /// Which model.
    #[arg(long, value_enum, default_value_t = ByHand::Topics)]
    pub model: ByHand,
    /// Which engine.
    #[arg(long, value_enum, default_value_t = Plain::Gibbs)]
    pub engine: Plain,
    /// Rows of the drawn data.
    #[arg(long, default_value_t = 1000)]
    pub rows: usize,
    /// Columns.
    #[arg(long, default_value_t = 1000)]
    pub cols: usize,
    /// Times, the third index of CP.
    #[arg(long, default_value_t = 100)]
    pub times: usize,
    /// Cells of CP that are not zero.
    #[arg(long, default_value_t = 1_000_000)]
    pub nnz: usize,
    /// Components, of drawn topics and of the fit.
    #[arg(long, default_value_t = 50)]
    pub k: usize,
    /// Shape of the gamma priors; their rate is 1.
    #[arg(long, default_value_t = 0.1)]
    pub shape: f64,
    /// Parameter of the geometric mechanism, by which topics are released.
    #[arg(long, default_value_t = 0.36787944117)]
    pub alpha: f64,
    /// Seed of data and engine.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 1, value_parser = at_least_one)]
    pub threads: usize,
}

impl Handwritten {
    /// What topics have in common with the other measurements.
    pub fn common(&self) -> Common {
        Common {
            rows: self.rows,
            cols: self.cols,
            k: self.k,
            shape: self.shape,
            alpha: self.alpha,
            seed: self.seed,
            threads: self.threads,
            released: None,
            rates: None,
            engine: match self.engine {
                Plain::Gibbs => Engine::Gibbs,
                Plain::Cavi => Engine::Cavi,
            },
            channel: Channel::Geometric,
        }
    }
}

/// Sizes such as `1000x1000x100`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(pub Vec<usize>);

impl std::str::FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let sizes = text.split('x').map(at_least_one).collect::<Result<_, _>>();
        sizes
            .map(Self)
            .map_err(|why| format!("{why}; sizes are separated by `x`, as in 1000x1000x100"))
    }
}

impl std::fmt::Display for Sizes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sizes: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&sizes.join("x"))
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("`{text}` is not a whole number of at least 1"))
}

/// `memory` and its flags.
#[derive(Args, Clone)]
pub struct Memory {
    /// Rows of the drawn data.
    #[arg(long, default_value_t = 10_000)]
    pub rows: usize,
    /// Columns.
    #[arg(long, default_value_t = 10_000)]
    pub cols: usize,
    /// Components, of the drawn data and of the fit.
    #[arg(long, default_value_t = 50)]
    pub k: usize,
    /// Shape of the gamma priors; their rate is 1.
    #[arg(long, default_value_t = 0.0134)]
    pub shape: f64,
    /// Parameter of the geometric mechanism.
    #[arg(long, default_value_t = 0.36787944117)]
    pub alpha: f64,
    /// Sweeps.
    #[arg(long, default_value_t = 2)]
    pub sweeps: usize,
    /// Seed of data and engine.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
}

/// `release` and its flags.
#[derive(Args, Clone)]
pub struct Release {
    /// How many counts.
    #[arg(long, default_value_t = 1_000_000)]
    pub counts: usize,
    /// The loss allowed: a number, or a ratio such as 1/3.
    #[arg(long, default_value = "1")]
    pub epsilon: String,
    /// Between observations that differ by so many counts.
    #[arg(long, default_value_t = 1)]
    pub n: u64,
    /// Which mechanism; Skellam noise for a delta of 1e-6.
    #[arg(long, value_enum, default_value_t = MechanismName::Geometric)]
    pub mechanism: MechanismName,
    /// Seed of the counts; the noise has none.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads: releases run on one.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1))]
    pub threads: u64,
}

/// The mechanisms that promise something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MechanismName {
    /// Two-sided geometric noise.
    Geometric,
    /// The same, cut at zero.
    Truncated,
    /// Laplace noise on a lattice of 10 bits.
    Laplace,
    /// The difference of two Poisson counts.
    Skellam,
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Collapsed Gibbs.
    Gibbs,
    /// Gibbs that visits hit cells only; not there yet.
    GibbsLazy,
    /// Gibbs token by token, of `sparse`, with components that sum to one.
    GibbsTokens,
    /// Skellam–Bessel augmentation.
    GibbsAugmented,
    /// Collapsed CAVI.
    Cavi,
    /// CAVI on the augmentation, Bessel mean.
    CaviAugmented,
    /// CAVI as published in VI18.
    CaviPublished,
}

/// The engines of measurements that have no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Plain {
    /// Collapsed Gibbs.
    Gibbs,
    /// Collapsed CAVI.
    Cavi,
}

impl std::fmt::Display for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Gibbs => "gibbs",
            Self::Cavi => "cavi",
        })
    }
}

/// The models that are written by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ByHand {
    /// Matrix factorization of dense releases.
    Topics,
    /// CP of stored exact counts.
    Cp,
}

/// Moves between sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Between {
    /// Those of a fit by default.
    Auto,
    /// None.
    Nothing,
    /// Levels of latents, components and rows.
    Levels,
}

/// The channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Channel {
    /// The noise is modelled.
    Geometric,
    /// The true counts are observed.
    Exact,
    /// Releases are taken for counts.
    Naive,
}

impl Common {
    /// The settings, for the object that is printed.
    pub fn describe(&self, name: &str) -> Map<String, Value> {
        let word = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
        let engine = self.engine.to_possible_value().map(|v| v.get_name().to_string());
        let object = json!({
            "name": name, "rows": self.rows, "cols": self.cols, "k": self.k, "shape": self.shape, "alpha": self.alpha,
            "seed": self.seed, "threads": self.threads, "engine": engine, "channel": word(&self.channel),
            "released": self.released, "rates": self.rates,
        });
        match object {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }
}
