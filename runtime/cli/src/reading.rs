//! Flags that say what a file of counts is.

use clap::Args;
use clap::builder::BoolishValueParser;
use skellam::counts::{Format, ReadOptions, Rows};

/// What a file of counts does not say by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct Reading {
    /// The format of the file, if it is not told from its content: matrix-market, csv, tsv, semicolons, blanks, npy, npz or
    /// bag-of-words.
    #[arg(long)]
    pub format: Option<Format>,
    /// What a line of text is: cells (an index for each mode, then the count), counts (all counts of a row), named-counts (the name
    /// of a row, then its counts) or events (an index for each mode, counted once). Without it a header whose last name is count,
    /// n, value, weight or freq says cells, and any other text is refused.
    #[arg(long)]
    pub rows: Option<Rows>,
    /// Whether the first line of text has the names of columns, where that does not show.
    #[arg(long, value_name = "yes|no", value_parser = BoolishValueParser::new())]
    pub header: Option<bool>,
    /// Indices of text are names, numbers among them.
    #[arg(long)]
    pub names: bool,
    /// Add up the counts of a cell that is stated again.
    #[arg(long)]
    pub add_up: bool,
    /// The size of each mode, such as 161,161, for text of cells. Without it the largest index of each mode is taken, which
    /// a release then tells. More than 2^31 counts or 2^27 rows are released only if the sizes are given, in any format.
    #[arg(long, value_delimiter = ',', value_name = "SIZES")]
    pub shape: Option<Vec<usize>>,
    /// The first index of each mode in text: 0 or 1. Without it 0, and a file that seems to count from 1 is refused.
    #[arg(long, allow_negative_numbers = true)]
    pub base: Option<u64>,
}

impl Reading {
    /// How the file is to be read.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            format: self.format,
            rows: self.rows,
            header: self.header,
            names: self.names,
            add_up: self.add_up,
            shape: self.shape.clone(),
            base: self.base,
            ..ReadOptions::default()
        }
    }
}
