//! What can be asked for on the command line.

use std::path::PathBuf;

use crate::reading::Reading;
use clap::{Args, Parser, ValueEnum};
use skellam::counts::ReadOptions;

/// Releases counts privately: adds noise to every count of a file, and says what that promises.
///
/// Reads Matrix Market, CSV and other text (--rows says what its lines are), NumPy arrays, sparse matrices of SciPy and UCI bag of words,
/// plain or gzip. Rows are the documents, people or senders that the promise is about. The noise comes from the operating system.
#[derive(Clone, Debug, Parser)]
#[command(name = "skellam release")]
pub struct Flags {
    /// File of true counts.
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Folder for the release, which must not exist.
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,
    /// The precision N: the promise is about rows that differ by at most N counts in all.
    #[arg(long, allow_negative_numbers = true, required_unless_present = "already_released")]
    pub n: Option<u64>,
    /// The privacy loss for such rows: a number or a ratio such as 1/3. Smaller is more private.
    #[arg(long, allow_hyphen_values = true, required_unless_present_any = ["budgets", "already_released"])]
    pub epsilon: Option<String>,
    /// What is drawn.
    #[command(flatten)]
    pub noise: Noise,
    /// A file with one epsilon for each row, one a line: for rows whose owners ask for more privacy, or less.
    #[arg(long, value_name = "FILE", conflicts_with = "epsilon")]
    pub budgets: Option<PathBuf>,
    /// What IN is.
    #[command(flatten)]
    pub reading: Reading,
    /// Write the names of rows and columns, if IN has names in place of numbers, into the folder, where they are public: they tell
    /// who is in the data and what occurs. Without it the folder knows positions alone: names in alphabetical order, those of a table as they stand.
    #[arg(long)]
    pub publish_names: bool,
    /// A file with the account of this data set: what its rows have lost to releases so far. It is charged before anything
    /// is published, and refuses what --cap does not allow.
    #[arg(long, value_name = "FILE", requires = "cap")]
    pub ledger: Option<PathBuf>,
    /// Begin the ledger, which must not be there: for the first release of a data set.
    #[arg(long, requires = "ledger")]
    pub begin_ledger: bool,
    /// The epsilon that each row, or each user, may lose in all, for the N of --n.
    #[arg(long, value_name = "EPSILON", requires = "ledger", allow_hyphen_values = true)]
    pub cap: Option<String>,
    /// The delta that each row, or each user, may lose in all.
    #[arg(
        long,
        value_name = "DELTA",
        requires = "ledger",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub cap_delta: f64,
    /// A file with the user that each row belongs to, one a line: the cap is then one for all rows of a user. The ledger keeps
    /// a digest of the names in their order and refuses others; without it rows are known by their position alone. If every
    /// row is a user of its own, give each a name of its own.
    #[arg(long, value_name = "FILE", requires = "ledger")]
    pub users: Option<PathBuf>,
    /// The name of the data set in the ledger; the name of the file IN if not given.
    #[arg(long, value_name = "NAME", requires = "ledger")]
    pub data_set: Option<String>,
    /// Draw the noise from this seed. Anyone who knows it can take the noise off again: for simulations only.
    #[arg(long, value_name = "SEED", conflicts_with = "ledger", allow_negative_numbers = true)]
    pub seed_for_simulation: Option<u64>,
    /// IN holds counts that somebody else has released, every cell of them, by noise of --alpha: no noise is added, and
    /// the folder says that the mechanism was asserted by the user. Text, Matrix Market or NumPy, plain or gzip; values
    /// may be negative. N and epsilon are not given: the noise is known by its alpha.
    #[arg(
        long,
        requires = "alpha",
        conflicts_with_all = ["n", "epsilon", "budgets", "ledger", "seed_for_simulation", "delta", "accept_delta"]
    )]
    pub already_released: bool,
    /// The parameter of the noise of --already-released: a value moves by x with probability proportional to alpha^|x|.
    #[arg(long, allow_negative_numbers = true)]
    pub alpha: Option<f64>,
    /// Memory for rows that are read at a time, in MiB. One row is held in any case.
    #[arg(long, value_name = "MIB", default_value_t = 64, allow_negative_numbers = true)]
    pub memory: usize,
    /// Show no progress.
    #[arg(long)]
    pub quiet: bool,
}

/// A mechanism and what it needs besides N and epsilon.
#[derive(Clone, Debug, Args)]
pub struct Noise {
    /// What is drawn: two-sided geometric noise; the same with zero instead of what is negative; the difference of two
    /// Poisson counts (needs --delta); Laplace noise on multiples of 2^-bits.
    #[arg(long, value_enum, default_value_t = Kind::Geometric)]
    pub mechanism: Kind,
    /// skellam: the probability by which the promise may be broken.
    #[arg(long, allow_negative_numbers = true)]
    pub delta: Option<f64>,
    /// skellam: the largest --delta that you accept, if that is above 0.001.
    #[arg(long, value_name = "DELTA", allow_negative_numbers = true)]
    pub accept_delta: Option<f64>,
    /// laplace: released values are multiples of 2^-bits [default: 10].
    #[arg(long, allow_negative_numbers = true)]
    pub bits: Option<u32>,
}

/// The mechanisms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Two-sided geometric.
    Geometric,
    /// Two-sided geometric, negative values set to zero.
    Truncated,
    /// Skellam.
    Skellam,
    /// Laplace on a lattice.
    Laplace,
}

impl Flags {
    /// N. The command line insists on it, but for counts that were released already, which nothing here is promised of.
    pub fn precision(&self) -> u64 {
        self.n.unwrap_or(1)
    }

    /// How the file is to be read.
    pub fn reading(&self) -> ReadOptions {
        ReadOptions {
            block_bytes: self.memory.saturating_mul(1 << 20),
            ..self.reading.options()
        }
    }

    /// Says on standard error what is being done.
    pub fn say(&self, step: &str) {
        if !self.quiet {
            eprintln!("{step}");
        }
    }
}
