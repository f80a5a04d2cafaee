//! Documents as counts of their words: documents by words, with the names of both.
//!
//! ```text
//! folder, lines, TSV, JSON lines --Documents--> texts --words--> occurrences --vocabulary--> Corpus: counts, documents, words
//! ```
//!
//! [`read_text`] reads a folder of files, a document each, or a file with a document a line. A text becomes words by the
//! boundaries of Unicode (Standard Annex 29), in lower case; [`TextOptions`] says which of them are counted.
//!
//! ```
//! use skellam_text::{TextOptions, read_text};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("a.txt"), "The ships carry wheat; wheat is cheap.")?;
//! std::fs::write(folder.path().join("b.txt"), "Ships wait for wheat.")?;
//! let corpus = read_text(folder.path(), &TextOptions { max_share: 1.0, ..TextOptions::default() })?;
//! assert_eq!(corpus.words(), ["ships", "wheat"]);
//! assert_eq!(corpus.counts().to_dense()?, [1, 2, 1, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Counts are as sensitive as the documents, and so are their words and names: a release hides the counts alone. Whoever publishes a
//! release with its words should take these from elsewhere ([`TextOptions::vocabulary`]).

mod corpus;
mod documents;
mod error;
mod options;
mod selection;
mod words;

pub use corpus::{Corpus, LeftOut, read_text, read_text_with};
pub use error::TextError;
pub use options::{StopWords, TextFormat, TextOptions, UnknownStopWords, UnknownTextFormat};
