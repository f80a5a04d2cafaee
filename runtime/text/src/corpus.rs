//! A corpus: counts, words, names.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use skellam_release::counts::Counts;

use crate::documents::Documents;
use crate::selection::Words;
use crate::words::{is_number, words};
use crate::{TextError, TextOptions};

/// Documents as counts of their words.
#[derive(Clone, Debug, PartialEq)]
pub struct Corpus {
    counts: Counts,
    documents: Arc<[String]>,
    words: Arc<[String]>,
    counted: u64,
    without_words: usize,
    left_out: LeftOut,
}

/// How many occurrences of words were left out, each for the first reason that there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Shorter than [`TextOptions::min_length`].
    pub short: u64,
    /// Without a letter.
    pub numbers: u64,
    /// Among [`TextOptions::stop_words`].
    pub stop_words: u64,
    /// In fewer than [`TextOptions::min_documents`].
    pub rare: u64,
    /// In more than [`TextOptions::max_share`] of the documents.
    pub frequent: u64,
    /// Beyond the [`TextOptions::max_words`] most frequent.
    pub beyond: u64,
    /// Not in [`TextOptions::vocabulary`].
    pub unknown: u64,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (self.short, "too short"),
            (self.numbers, "numbers"),
            (self.stop_words, "stop words"),
            (self.rare, "in too few documents"),
            (self.frequent, "in too many documents"),
            (self.beyond, "beyond the most frequent words"),
            (self.unknown, "not in the vocabulary"),
        ];
        let reasons = reasons.into_iter().filter(|(occurrences, _)| *occurrences > 0);
        let reasons: Vec<String> = reasons
            .map(|(occurrences, why)| format!("{occurrences} {why}"))
            .collect();
        match reasons.is_empty() {
            true => write!(f, "no word was left out"),
            false => write!(f, "words left out: {}", reasons.join(", ")),
        }
    }
}

impl Corpus {
    /// The counts, (documents, words), sparse, with the names of both modes ([`Counts::labels`]).
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The counts without the rest.
    pub fn into_counts(self) -> Counts {
        self.counts
    }

    /// The names of the documents: paths below the folder, names, or numbers of lines.
    pub fn documents(&self) -> &[String] {
        &self.documents
    }

    /// The words of the columns: in alphabetical order, or in that of [`TextOptions::vocabulary`].
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// How many occurrences are counted.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// How many documents have no word that is counted. They keep their row.
    pub fn without_words(&self) -> usize {
        self.without_words
    }

    /// How many occurrences were left out, and why.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }
}

/// `1000 documents, 2134 words, 151203 occurrences; words left out: .. `
impl fmt::Display for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (documents, words) = (self.documents.len(), self.words.len());
        write!(
            f,
            "{documents} documents, {words} words, {} occurrences; {}",
            self.counted, self.left_out
        )?;
        match self.without_words {
            0 => Ok(()),
            1 => write!(f, "; one document has no word left"),
            n => write!(f, "; {n} documents have no word left"),
        }
    }
}

/// Counts the words of documents: of every file in a folder and below it, or of every line of a file. Files that are compressed by gzip
/// are decompressed.
///
/// # Errors
/// See [`TextError`]: something that cannot be read, is not UTF-8 or has no words.
pub fn read_text(path: impl AsRef<Path>, options: &TextOptions) -> Result<Corpus, TextError> {
    read_text_with(path, options, |_, _| ())
}

/// The same, and after each document calls `progress` with the number of documents so far, and with how many there are where that is known.
///
/// # Errors
/// Those of [`read_text`].
pub fn read_text_with(
    path: impl AsRef<Path>,
    options: &TextOptions,
    mut progress: impl FnMut(usize, Option<usize>),
) -> Result<Corpus, TextError> {
    let path = path.as_ref();
    options.check()?;
    let documents = Documents::open(path, options)?;
    let number = documents.number();
    let (mut names, mut all, mut left_out) = (Vec::new(), Words::default(), LeftOut::default());
    // Occurrences of words by number, a document after the other.
    let mut occurrences: Vec<(u32, u32)> = Vec::new();
    let mut ends = Vec::new();
    for document in documents {
        let document = document?;
        let mut of_document: BTreeMap<u32, u32> = BTreeMap::new();
        for word in words(&document.text) {
            if let Some(reason) = filtered(&word, options, &mut left_out) {
                *reason += 1;
            } else {
                *of_document.entry(all.number(word)).or_default() += 1;
            }
        }
        for (&word, &times) in &of_document {
            let word = &mut all.all[word as usize];
            word.documents += 1;
            word.occurrences += u64::from(times);
        }
        occurrences.extend(of_document);
        ends.push(occurrences.len());
        names.push(document.name);
        progress(names.len(), number);
    }
    let (vocabulary, columns) = all.select(options, names.len(), &mut left_out);
    let (mut entries, mut counted, mut without_words, mut start) = (Vec::new(), 0, 0, 0);
    for (row, &end) in ends.iter().enumerate() {
        let before = entries.len();
        for &(word, times) in &occurrences[start..end] {
            if let Some(column) = columns[word as usize] {
                counted += u64::from(times);
                entries.push(((row * vocabulary.len() + column) as u64, i64::from(times)));
            }
        }
        without_words += usize::from(entries.len() == before);
        start = end;
    }
    if entries.is_empty() {
        return Err(TextError::NoWords {
            path: path.to_owned(),
            documents: names.len(),
            left_out,
        });
    }
    let (documents, words): (Arc<[String]>, Arc<[String]>) = (names.into(), vocabulary.into());
    let counts = Counts::from_linear(vec![documents.len(), words.len()], entries)?;
    Ok(Corpus {
        counts: counts.with_labels(vec![Some(Arc::clone(&documents)), Some(Arc::clone(&words))]),
        documents,
        words,
        counted,
        without_words,
        left_out,
    })
}

/// The reason why an occurrence is not counted whatever the other documents say, if there is one. A given vocabulary is counted whatever it is.
fn filtered<'a>(word: &str, options: &TextOptions, left_out: &'a mut LeftOut) -> Option<&'a mut u64> {
    match () {
        () if options.vocabulary.is_some() => None,
        () if word.chars().count() < options.min_length => Some(&mut left_out.short),
        () if !options.numbers && is_number(word) => Some(&mut left_out.numbers),
        () if options.stop_words.contains(word) => Some(&mut left_out.stop_words),
        () => None,
    }
}
