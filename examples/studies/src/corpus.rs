//! Counts that the studies read: the Reuters corpus of the examples, and others from the folder of `--data`.

use std::fs;

use hmac_sha256::Hash;
use skellam::counts::{largest, read_counts_from};
use skellam::prelude::*;

use crate::Failure;
use crate::run::Run;

/// 395 news articles; see `examples/data/reuters/README.md`.
const REUTERS: &str = include_str!("../../data/reuters/bow.mtx");

/// A file of counts that is not part of the repository.
#[derive(Clone, Copy, Debug)]
pub struct Elsewhere {
    /// Its path below the folder of `--data`.
    pub file: &'static str,
    /// The digest of its bytes.
    pub sha256: &'static str,
}

/// 10,000 e-mails by 10,000 words.
pub const ENRON_TEXT: Elsewhere = Elsewhere {
    file: "enron_text/bow.mtx",
    sha256: "69733fd3b8f4a51a2c3286f98eaa6431bbf8500aaa2ae797d029e434167d8a57",
};
/// Messages among 161 people.
pub const ENRON_NETWORK: Elsewhere = Elsewhere {
    file: "enron_network/counts161.mtx",
    sha256: "b2bdce50ad8da527e27dbe80d6b03c1e7893c82f9ccb411c1736f07c0bea9116",
};
/// Purchases of 4,335 customers.
pub const ONLINE_RETAIL: Elsewhere = Elsewhere {
    file: "online_retail/purchases.mtx",
    sha256: "2a14129c2037102c4e33b5d50194e154e852c8f69c4314ba5545a0f9954c1bb3",
};

/// The Reuters corpus, documents x words.
///
/// # Errors
/// None, while the file in the repository is what it is.
pub fn reuters() -> Result<Counts, Failure> {
    Ok(read_counts_from(REUTERS.as_bytes(), &ReadOptions::default())?)
}

impl Elsewhere {
    /// The counts; `None` where no folder is given.
    ///
    /// # Errors
    /// The file cannot be read, or holds other bytes than those that the study was made for.
    pub fn read(&self, run: &Run) -> Result<Option<Counts>, Failure> {
        let Some(path) = run.data(self.file) else {
            return Ok(None);
        };
        let named = skellam::quoted(path.display()).to_string();
        let bytes = fs::read(&path)
            .map_err(|error| format!("{named}: {error}; docs/src/results.md says where it comes from"))?;
        let digest: String = Hash::hash(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if digest != self.sha256 {
            return Err(format!(
                "{named} has the SHA-256 {digest}, and the study was made for {}",
                self.sha256
            )
            .into());
        }
        Ok(Some(read_counts_from(&bytes[..], &ReadOptions::default())?))
    }
}

/// The first so many rows, and of these the columns with the largest totals, in their order.
///
/// # Errors
/// None of a matrix.
pub fn part(counts: &Counts, rows: usize, columns: usize) -> Result<Counts, Failure> {
    let rows: Vec<usize> = (0..counts.shape()[0].min(rows)).collect();
    let counts = counts.select(0, &rows)?;
    let mut kept = largest(&counts.margins(1)?, columns);
    kept.sort_unstable();
    Ok(counts.select(1, &kept)?)
}

/// The counts as numbers, row-major.
///
/// # Errors
/// They do not fit in memory.
pub fn numbers(counts: &Counts) -> Result<Vec<f64>, Failure> {
    Ok(counts.to_dense()?.into_iter().map(|y| y as f64).collect())
}
