//! How documents are read, and which of their words are counted.

use std::collections::HashSet;
use std::path::Path;
use std::str::FromStr;

use skellam_release::counts::read_list;

use crate::TextError;

/// How documents are read, and which of their words are counted.
///
/// Frequencies are those in the documents that are read. A word is left out for the first reason in the order of the fields.
#[derive(Clone, Debug, PartialEq)]
pub struct TextOptions {
    /// How documents lie in a file; `None` goes by its name: `.txt`, `.tsv`, `.jsonl` or `.ndjson`, each perhaps with `.gz` behind.
    /// A folder is read file by file.
    pub format: Option<TextFormat>,
    /// Field of JSON lines that holds the text.
    pub text_field: String,
    /// Field of JSON lines that holds the name of the document; `None` numbers documents by their lines.
    pub name_field: Option<String>,
    /// The fewest characters of a word.
    pub min_length: usize,
    /// Whether words without a letter count, such as `1987` or `3.5`.
    pub numbers: bool,
    /// Words that are not counted.
    pub stop_words: StopWords,
    /// The fewest documents of a word.
    pub min_documents: usize,
    /// The largest share of all documents, from 0 to 1, that a word may be in.
    pub max_share: f64,
    /// Only so many words, those that occur most often; of equals the first in alphabetical order.
    pub max_words: Option<usize>,
    /// Counts these words, in this order, whatever they are and however often they occur: those of an earlier corpus, or of a list
    /// that nobody took from the documents. Each must be as the reader makes words, in lower case.
    pub vocabulary: Option<Vec<String>>,
}

impl Default for TextOptions {
    /// Words of at least two characters that are in at least two documents and in at most half of them, English function words and numbers
    /// left out.
    fn default() -> Self {
        Self {
            format: None,
            text_field: "text".to_owned(),
            name_field: None,
            min_length: 2,
            numbers: false,
            stop_words: StopWords::default(),
            min_documents: 2,
            max_share: 0.5,
            max_words: None,
            vocabulary: None,
        }
    }
}

impl TextOptions {
    /// Every word, however short, rare or frequent.
    pub fn all_words() -> Self {
        Self {
            min_length: 1,
            numbers: true,
            stop_words: StopWords::none(),
            min_documents: 1,
            max_share: 1.0,
            ..Self::default()
        }
    }

    pub(crate) fn check(&self) -> Result<(), TextError> {
        let option = |name, value: String, why| Err(TextError::Option { name, value, why });
        if !(self.max_share > 0.0 && self.max_share <= 1.0) {
            let why = "a share of documents lies above 0 and is at most 1, for all of them";
            return option("max_share", self.max_share.to_string(), why);
        }
        if self.max_words == Some(0) {
            return option("max_words", "0".to_owned(), "nothing would be counted");
        }
        if let Some(words) = &self.vocabulary {
            if words.is_empty() {
                return option("vocabulary", "no words".to_owned(), "nothing would be counted");
            }
            let mut seen = HashSet::new();
            if let Some(again) = words.iter().find(|word| !seen.insert(*word)) {
                return option("vocabulary", format!("`{again}` twice"), "a word has one column");
            }
            if let Some(never) = words.iter().find(|word| crate::words::words(word) != [word.as_str()]) {
                let why = "the reader makes no such word of a text: write it in lower case, without blanks and punctuation around it";
                return option("vocabulary", format!("`{never}`"), why);
            }
        }
        Ok(())
    }
}

/// How documents lie in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// A document a line, numbered from 1. An empty line is a document without words.
    Lines,
    /// A document a line: its name, a tab, its text.
    Tsv,
    /// A document a line, as a JSON object.
    JsonLines,
}

impl TextFormat {
    const ALL: [(Self, &str); 3] = [(Self::Lines, "lines"), (Self::Tsv, "tsv"), (Self::JsonLines, "jsonl")];

    /// The format that the name of a file says.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        let lower = |path: &Path| path.extension().map(|end| end.to_string_lossy().to_lowercase());
        let mut end = lower(path);
        if end.as_deref() == Some("gz") {
            end = lower(Path::new(path.file_stem()?));
        }
        match &*end? {
            "txt" | "text" => Some(Self::Lines),
            "tsv" => Some(Self::Tsv),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            _ => None,
        }
    }
}

/// A name of no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format `{0}` of documents: the formats are `lines`, `tsv` and `jsonl`")]
pub struct UnknownTextFormat(pub String);

impl FromStr for TextFormat {
    type Err = UnknownTextFormat;

    fn from_str(name: &str) -> Result<Self, UnknownTextFormat> {
        let found = Self::ALL.into_iter().find(|(_, known)| *known == name);
        found
            .map(|(format, _)| format)
            .ok_or_else(|| UnknownTextFormat(name.to_owned()))
    }
}

/// Words that are not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopWords(HashSet<String>);

impl Default for StopWords {
    /// Function words of English.
    fn default() -> Self {
        match Self::of_language("en") {
            Ok(words) => words,
            Err(_) => unreachable!("English is among the languages that ship"),
        }
    }
}

impl StopWords {
    /// None.
    pub fn none() -> Self {
        Self(HashSet::new())
    }

    /// The function words of a language, by its code of two letters (ISO 639-1): the lists of NLTK.
    ///
    /// # Errors
    /// There is no list for it.
    pub fn of_language(code: &str) -> Result<Self, UnknownStopWords> {
        let unknown = || UnknownStopWords {
            code: code.to_owned(),
            known: stop_words::available_languages().to_vec().join(", "),
        };
        let words = stop_words::lookup(code).ok_or_else(unknown)?;
        Ok(Self::from_iter(words.iter().copied()))
    }

    /// The lines of a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, TextError> {
        let path = path.as_ref();
        let list = read_list(path).map_err(|source| TextError::List {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self::from_iter(list))
    }

    pub(crate) fn contains(&self, word: &str) -> bool {
        self.0.contains(word)
    }
}

impl<S: AsRef<str>> FromIterator<S> for StopWords {
    fn from_iter<I: IntoIterator<Item = S>>(words: I) -> Self {
        Self(
            words
                .into_iter()
                .flat_map(|word| crate::words::words(word.as_ref()))
                .collect(),
        )
    }
}

/// A language without a list of stop words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no list of stop words for the language `{code}`: there are lists for {known}; or give a file of words"
)]
pub struct UnknownStopWords {
    /// What was asked for.
    pub code: String,
    /// The languages that have one.
    pub known: String,
}
