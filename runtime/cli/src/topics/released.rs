//! The release: drawn here from true counts, or read from a folder.

use std::path::Path;

use skellam::prelude::*;
use skellam::release::{FileError, Provenance, ReleasedFolder};

use super::corpus::{Corpus, few_topics, load, memory_for, modes, words};
use super::flags::Flags;
use crate::refused::Refused;
use crate::release::grouped;

/// Documents and what was released of them.
pub struct Input {
    /// The documents.
    pub corpus: Corpus,
    /// Their release, as it is fitted.
    pub released: Released<TwoSidedGeometric>,
    /// The released values of every cell, row-major, for the picture.
    pub values: Vec<f64>,
}

/// What was asked for.
pub fn read(flags: &Flags) -> Result<Input, Refused> {
    match &flags.released {
        Some(path) => from_folder(flags, path),
        None => {
            let mut corpus = load(flags)?;
            let released = draw(&corpus, flags)?;
            if flags.release_only {
                corpus.counts = None;
            }
            Ok(Input {
                values: numbers(&released)?,
                corpus,
                released,
            })
        }
    }
}

fn from_folder(flags: &Flags, path: &Path) -> Result<Input, Refused> {
    let folder = ReleasedFolder::open(path)?;
    let &[documents, columns] = folder.shape() else {
        return Err(modes(&path.display().to_string(), folder.shape()));
    };
    // Values, their numbers in the picture, and a fit with a rate for each cell.
    memory_for(documents, columns, 40.0)?;
    let source = path.display().to_string();
    let words = words(flags, &source, columns, folder.labels(1))?;
    few_topics(flags, documents, columns)?;
    // Every value: the picture and the predictive checks show them.
    let released = folder.whole::<TwoSidedGeometric>().map_err(other_law)?;
    let values = numbers(&released)?;
    let origin = match folder.provenance() {
        Provenance::ReleasedHere(_) => "released with a promise",
        Provenance::Simulated { .. } => "a simulated release",
        Provenance::Asserted => "released by a mechanism that is asserted by the user",
    };
    flags.say(&format!(
        "read {source}: {documents} documents, {columns} words, {origin}; {} of {} values positive",
        grouped(folder.num_positive()),
        grouped(folder.num_cells() as u64)
    ));
    Ok(Input {
        corpus: Corpus {
            counts: None,
            words,
            documents,
            source,
        },
        released,
        values,
    })
}

/// Names the declaration by which a release of another law can be fitted.
fn other_law(error: FileError) -> Refused {
    match error {
        FileError::Mechanism { path, found, expected } => Refused::new(format!(
            "{} holds counts released by `{found}`, and this program declares `release y by {expected}`: fit them by a copy of this \
             example with `release y by {found}` in its declaration",
            skellam::quoted(path.display())
        )),
        error => error.into(),
    }
}

/// Adds the noise: from the operating system if it is to keep a promise, else from the seed.
fn draw(corpus: &Corpus, flags: &Flags) -> Result<Released<TwoSidedGeometric>, Refused> {
    let Some(counts) = &corpus.counts else {
        unreachable!("counts that are released here were read here")
    };
    let budget = Lplp::new(flags.n, flags.epsilon.as_str())?;
    let seed = flags.noise_seed();
    let noise = seed.map_or_else(|| "fresh noise".to_owned(), |seed| format!("noise of seed {seed}"));
    flags.say(&format!(
        "releasing {} counts at epsilon / N = {}, {noise}",
        grouped((corpus.documents * corpus.words.len()) as u64),
        budget.gamma()
    ));
    Ok(match seed {
        None => counts.release(&budget)?,
        Some(seed) => counts.release_with_seed_for_simulation(&budget, seed)?,
    })
}

fn numbers(released: &Released<TwoSidedGeometric>) -> Result<Vec<f64>, Refused> {
    Ok(released.values()?.iter().map(|&c| c as f64).collect())
}
