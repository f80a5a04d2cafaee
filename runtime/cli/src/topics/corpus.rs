//! The documents: their true counts, their words, and their release.

use std::path::Path;

use crate::reading::Reading;
use skellam::counts::{read_counts, read_counts_from, read_vocabulary, read_vocabulary_from};
use skellam::prelude::*;
use skellam::private::memory::fits;

use super::flags::Flags;
use crate::refused::Refused;
use crate::release::grouped;

/// 395 news articles, see `data/reuters/README.md`.
const REUTERS_COUNTS: &str = include_str!("../../../../examples/data/reuters/bow.mtx");
const REUTERS_WORDS: &str = include_str!("../../../../examples/data/reuters/vocab.txt");

/// True counts under lock, and what may be known about them.
pub struct Corpus {
    /// The true counts, unless nothing is compared with them. Everything that looks at them says `as_nonprivate`.
    pub counts: Option<Sensitive<Counts>>,
    /// The word of each column.
    pub words: Vec<String>,
    /// Number of documents.
    pub documents: usize,
    /// Where the counts come from.
    pub source: String,
}

/// Reads the documents that were asked for.
pub fn load(flags: &Flags) -> Result<Corpus, Refused> {
    let (counts, source) = match &flags.data {
        Some(path) => {
            let counts = read_counts(path, &flags.reading.options()).map_err(|e| Refused::of_file(path, e))?;
            (counts, path.display().to_string())
        }
        None if flags.reading != Reading::default() => {
            return Err(Refused::new(
                "--format, --rows and the like say what the file of --data is: name it, or leave them out",
            ));
        }
        None => (embedded_counts()?, "embedded Reuters counts".into()),
    };
    let &[documents, columns] = counts.shape() else {
        return Err(modes(&source, counts.shape()));
    };
    // Values, their numbers in the picture, three fits with a rate for each cell, and what they are scored with.
    memory_for(documents, columns, 80.0)?;
    let words = words(flags, &source, columns, counts.labels(1))?;
    if counts.num_nonzero() == 0 {
        return Err(Refused::new(format!(
            "all {documents} x {columns} counts are 0: there is nothing to find topics in"
        )));
    }
    few_topics(flags, documents, columns)?;
    flags.say_of_truth(&format!(
        "read {source}: {documents} documents, {columns} words, {} of {} cells not zero",
        grouped(counts.num_nonzero() as u64),
        grouped(counts.num_cells() as u64)
    ));
    Ok(Corpus {
        counts: Some(Sensitive::new(counts)),
        words,
        documents,
        source,
    })
}

/// Refuses more documents and words than can be held, before the words are given names: so many bytes for each of their pairs,
/// and 64 for the name of a word.
pub fn memory_for(documents: usize, words: usize, bytes_a_cell: f64) -> Result<(), Refused> {
    let bytes = bytes_a_cell * documents as f64 * words as f64 + 64.0 * words as f64;
    let what = format!("topics of {documents} documents and {words} words");
    Ok(fits(&what, bytes, "fit fewer documents, or drop words that are rare").map_err(Error::from)?)
}

/// The word of each column: given, embedded, or a number.
pub fn words(flags: &Flags, counts: &str, columns: usize, named: Option<&[String]>) -> Result<Vec<String>, Refused> {
    let embedded = flags.data.is_none() && flags.released.is_none();
    let (words, vocabulary) = match &flags.vocab {
        Some(path) => {
            let words = read_vocabulary(path).map_err(|e| Refused::of_file(path, e))?;
            (words, path.display().to_string())
        }
        None if embedded => (embedded_words()?, "embedded vocabulary".into()),
        None if named.is_some() => (named.unwrap_or_default().to_vec(), "names in the file".into()),
        None => ((1..=columns).map(|v| format!("w{v}")).collect(), "numbering".into()),
    };
    if words.len() != columns {
        return Err(Refused::new(format!(
            "{vocabulary} has {} words, but {counts} has {columns} columns: give one word a line for each column",
            words.len()
        )));
    }
    if columns < 2 {
        return Err(Refused::new(format!(
            "the counts have {columns} column: topics are told apart by pairs of words, so give at least 2"
        )));
    }
    Ok(words)
}

/// The complaint about counts that are not a table of documents and words.
pub fn modes(source: &str, shape: &[usize]) -> Refused {
    let source = skellam::quoted(source);
    Refused::new(format!(
        "{source} holds counts of shape {shape:?}: topics need two modes, documents and words"
    ))
}

/// Refuses more topics than can differ.
pub fn few_topics(flags: &Flags, documents: usize, words: usize) -> Result<(), Refused> {
    if flags.k > documents.max(words) {
        return Err(Refused::new(format!(
            "--k {} topics for {documents} documents and {words} words: give at most {}",
            flags.k,
            documents.max(words)
        )));
    }
    Ok(())
}

fn embedded_counts() -> Result<Counts, Refused> {
    read_counts_from(REUTERS_COUNTS.as_bytes(), &ReadOptions::default())
        .map_err(|e| Refused::of_file(Path::new("embedded counts"), e))
}

fn embedded_words() -> Result<Vec<String>, Refused> {
    read_vocabulary_from(REUTERS_WORDS.as_bytes()).map_err(|e| Refused::of_file(Path::new("embedded vocabulary"), e))
}
