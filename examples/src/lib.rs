//! What the larger programs share: flags ([`flags`], [`reading`]), and the embedded news articles ([`reuters`]).
//!
//! The examples of the families use none of it: each is a program of its own, `families/NAME.rs`, that depends on `skellam`.

use std::process::ExitCode;

use skellam::counts::{largest, read_matrix_market_from, read_vocabulary_from};
use skellam::prelude::*;

pub mod flags;
pub mod reading;

/// What the program of the page on belief takes from here, in one line.
pub mod prelude {
    pub use std::process::ExitCode;

    pub use crate::flags::interrupt;
    pub use crate::{Failure, exit_code, release, reuters};
}

/// Why a program has nothing to show: any error, whose sentence is printed.
pub type Failure = Box<dyn std::error::Error>;

/// The exit code of a program whose fits are done: 130, and a line on standard error, where Ctrl-C ended them.
pub fn exit_code() -> ExitCode {
    if !flags::interrupt().is_requested() {
        return ExitCode::SUCCESS;
    }
    eprintln!("stopped by Ctrl-C: these are the fits as far as they had got");
    ExitCode::from(130)
}

/// Releases public counts under the budget with noise from a seed: the law of a release, without its promise.
pub fn release(counts: &Counts, budget: &Lplp, seed: u64) -> Result<Released<TwoSidedGeometric>, Failure> {
    Ok(Sensitive::new(counts.clone()).release_with_seed_for_simulation(budget, seed)?)
}

/// The embedded 395 news articles over their `n` commonest words: counts, articles by words, and the words. See `data/reuters/README.md`.
pub fn reuters(n: usize) -> Result<(Counts, Vec<String>), Failure> {
    let all = read_matrix_market_from(include_bytes!("../data/reuters/bow.mtx").as_slice())?;
    let words = read_vocabulary_from(include_bytes!("../data/reuters/vocab.txt").as_slice())?;
    let commonest = largest(&all.margins(1)?, n);
    let words = commonest.iter().map(|&word| words[word].clone()).collect();
    Ok((all.select(1, &commonest)?, words))
}
