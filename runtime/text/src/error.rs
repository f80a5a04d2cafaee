//! What can be wrong with documents, and where.

use std::io;
use std::path::PathBuf;

use skellam_release::counts::{CountsError, ReadError};
use skellam_release::quoted;

use crate::LeftOut;

/// Documents that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// A file or folder that cannot be opened or read.
    #[error("cannot read {}: {source}; check the path and the permissions", quoted(path.display()))]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A text in another encoding, or no text.
    #[error(
        "{}: byte {byte} begins no character of UTF-8: convert the file (`iconv -f LATIN1 -t UTF-8`), or take it out if it is no text",
        quoted(path.display())
    )]
    Encoding {
        /// The file.
        path: PathBuf,
        /// Where it stops being UTF-8, from 0; of a compressed file, in what it holds.
        byte: u64,
    },
    /// A folder without files.
    #[error("{} has no files: name a folder with a file for each document; those whose name begins with a dot are left out", quoted(path.display()))]
    NoFiles {
        /// The folder.
        path: PathBuf,
    },
    /// A file of no known format.
    #[error("the name of {} does not say how documents lie in it: call it `.txt` (a document a line), `.tsv` (name, tab, text) or `.jsonl`, or name the format", quoted(path.display()))]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// A line that is no document.
    #[error("{}, line {line}: {what}", quoted(path.display()))]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong, and what to do.
        what: String,
    },
    /// A setting outside its range.
    #[error("`{name}` is {value}: {why}")]
    Option {
        /// Which.
        name: &'static str,
        /// What it is.
        value: String,
        /// What it should be.
        why: &'static str,
    },
    /// Documents without a word that is counted.
    #[error("{}: {}", quoted(path.display()), no_words(*documents, *left_out))]
    NoWords {
        /// What was read.
        path: PathBuf,
        /// How many there are.
        documents: usize,
        /// Why words were left out.
        left_out: LeftOut,
    },
    /// A file of stop words.
    #[error("{}: {source}", quoted(path.display()))]
    List {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ReadError,
    },
    /// Counts that cannot be held.
    #[error(transparent)]
    Counts(#[from] CountsError),
}

fn no_words(documents: usize, left_out: LeftOut) -> String {
    match left_out == LeftOut::default() {
        true => format!("none of {documents} documents has a word: check that they are texts"),
        false => format!(
            "no word of {documents} documents is counted ({left_out}): count rarer words, or more frequent ones"
        ),
    }
}
