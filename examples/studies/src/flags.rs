//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// The experiments of three papers on inference from private counts, run again. Each study writes its numbers, its picture and its verdicts.
#[derive(Clone, Debug, Parser)]
#[command(name = "studies")]
pub struct Flags {
    /// Which study; `all` runs them one after the other.
    pub study: Which,
    /// Small sizes and short chains: all studies together take about a minute, and need no data but the Reuters corpus.
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// The sizes of the papers where the defaults are smaller.
    #[arg(long)]
    pub full: bool,
    /// Seed of everything that is drawn.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Folder with `enron_text/bow.mtx`, `enron_network/counts161.mtx` and `online_retail/purchases.mtx`; docs/src/results.md says where they come from.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Folder for NAME.csv, NAME.svg and NAME.txt. A study that was stopped goes on from its NAME.csv.
    #[arg(long, value_name = "DIR", default_value = "target/studies")]
    pub out: PathBuf,
    /// Compares the numbers with those of a CSV file with the columns piece, quantity, value and tolerance.
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
}

/// The studies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Which {
    /// Four processes of one law (ICML19, figure 2).
    Processes,
    /// Block structure of a small network (ICML19, figure 1).
    Blocks,
    /// Topics of documents with unequal noise (ICML19, figure 3).
    TopicsSmall,
    /// Error against processor time of five algorithms (VI18, figure 1 and appendix E).
    Variational,
    /// Mean and mode of the Bessel law (VI18, proposition 3).
    Mode,
    /// NPMI of topics at equal word frequency.
    Npmi,
    /// Topics of two corpora (ICML19, figure 4).
    Topics,
    /// Communities of a network, and cells held out (ICML19, figure 5).
    Network,
    /// Public counts: is the Skellam law a robust alternative (ICML19, future work)?
    Robust,
    /// Squared errors and coverage of private naive Bayes (Karwa, Kifer and Slavković 2016).
    NaiveBayes,
    /// All of them.
    All,
}

impl Which {
    /// The studies that are asked for.
    pub fn each(self) -> Vec<Self> {
        match self {
            Self::All => Self::value_variants()
                .iter()
                .copied()
                .filter(|one| *one != Self::All)
                .collect(),
            one => vec![one],
        }
    }

    /// As on the command line, and in the names of files.
    pub fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
