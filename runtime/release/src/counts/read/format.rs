//! Formats of count files, and how one is recognised.

use std::fmt;
use std::io::Read;
use std::str::FromStr;

use super::super::lines::{MARK, TextLines, is_digits};
use super::super::read_error::{Place, ReadError, shortened, without_digits};
use super::source::Source;
use super::{matrix_market, npy, npz};
use crate::quoted;

/// What stands between the fields of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Delimiter {
    /// `,`
    Comma = b',',
    /// The tab character.
    Tab = b'\t',
    /// `;`
    Semicolon = b';',
    /// Blanks or tabs, any number of them: edge lists of networkx and igraph, `write.table` of R.
    Blank = b' ',
}

impl Delimiter {
    pub(super) fn char(self) -> char {
        char::from(self as u8)
    }
}

/// A format of count files. Each may be compressed by gzip, which is recognised by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// [Matrix Market](https://math.nist.gov/MatrixMarket/formats.html), `coordinate` or `array`.
    MatrixMarket,
    /// Lines of cells, of rows of counts or of events ([`Rows`](super::Rows)), with a header or without. Empty lines and comments,
    /// which begin with `#`, are skipped. Fields may stand in double quotes.
    Delimited(Delimiter),
    /// One [NumPy](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) array of whole numbers.
    Npy,
    /// A NumPy archive: a sparse matrix by [`scipy.sparse.save_npz`](https://docs.scipy.org/doc/scipy/reference/generated/scipy.sparse.save_npz.html)
    /// of format `csr`, `csc` or `coo`, or a single array; stored or deflated.
    Npz,
    /// [Bag of words](https://archive.ics.uci.edu/dataset/164/bag+of+words) of the UCI repository: three lines with
    /// the number of documents, of words and of entries, then `document word count`, from 1.
    BagOfWords,
}

impl Format {
    const ALL: [Self; 8] = [
        Self::MatrixMarket,
        Self::Delimited(Delimiter::Comma),
        Self::Delimited(Delimiter::Tab),
        Self::Delimited(Delimiter::Semicolon),
        Self::Delimited(Delimiter::Blank),
        Self::Npy,
        Self::Npz,
        Self::BagOfWords,
    ];

    /// The name that [`FromStr`] takes.
    fn name(self) -> &'static str {
        match self {
            Self::MatrixMarket => "matrix-market",
            Self::Delimited(Delimiter::Comma) => "csv",
            Self::Delimited(Delimiter::Tab) => "tsv",
            Self::Delimited(Delimiter::Semicolon) => "semicolons",
            Self::Delimited(Delimiter::Blank) => "blanks",
            Self::Npy => "npy",
            Self::Npz => "npz",
            Self::BagOfWords => "bag-of-words",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

crate::plain_debug!(UnknownFormat);

/// A name that no format has.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a format: use one of {}", quoted(.0), Format::ALL.map(|format| format!("`{format}`")).join(", "))]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| UnknownFormat(shortened(name)))
    }
}

/// The format of a source: what its first bytes say, else its extension, else its first line.
pub(super) fn recognise(source: &Source) -> Result<Format, ReadError> {
    let mut reader = source.reader()?;
    let (longest, mut first) = (MARK.len() + matrix_market::TAG.len(), Vec::new());
    let read = reader.by_ref().take(longest as u64).read_to_end(&mut first);
    read.map_err(Place::Line(1).io())?;
    if first.starts_with(npy::MAGIC) {
        return Ok(Format::Npy);
    }
    if first.starts_with(npz::MAGIC) {
        return Ok(Format::Npz);
    }
    let unmarked = first.strip_prefix(MARK).unwrap_or(&first);
    let tag = unmarked.get(..matrix_market::TAG.len());
    if tag.is_some_and(|tag| tag.eq_ignore_ascii_case(matrix_market::TAG.as_bytes())) {
        return Ok(Format::MatrixMarket);
    }
    let extension = source.extension();
    let preferred = match extension.as_deref() {
        Some("mtx") => return Ok(Format::MatrixMarket),
        Some("npy") => return Ok(Format::Npy),
        Some("npz") => return Ok(Format::Npz),
        Some("csv") => Some(Delimiter::Comma),
        Some("tsv" | "tab") => Some(Delimiter::Tab),
        _ => None,
    };
    let mut lines = TextLines::new((&*first).chain(reader));
    if !lines.skip_to_content(b'#')? {
        return Err(ReadError::empty("a file of counts"));
    }
    let line = lines.line()?;
    if let Some(delimiter) = delimiter(line.text, preferred) {
        return Ok(Format::Delimited(delimiter));
    }
    let alone = line.text.trim_ascii();
    if is_digits(alone) {
        return Ok(Format::BagOfWords);
    }
    let found = quoted(without_digits(alone));
    Err(line.place().format(format!(
        ": `{found}` does not begin a known format of counts: name the format (`ReadOptions::format`)"
    )))
}

/// The preferred delimiter where the line has it, or is one word; else the most frequent one, or blanks.
fn delimiter(line: &str, preferred: Option<Delimiter>) -> Option<Delimiter> {
    let times = |delimiter: &Delimiter| {
        let mut quoted = false;
        let parts = |c: &char| {
            quoted ^= *c == '"';
            !quoted && *c == delimiter.char()
        };
        line.chars().filter(parts).count()
    };
    let mut there = vec![Delimiter::Semicolon, Delimiter::Comma, Delimiter::Tab];
    there.retain(|delimiter| times(delimiter) > 0);
    if there.is_empty() && line.split([' ', '\t']).filter(|word| !word.is_empty()).count() > 1 {
        return Some(Delimiter::Blank);
    }
    preferred
        .filter(|wanted| there.is_empty() || there.contains(wanted))
        .or(there.into_iter().max_by_key(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_that_is_read_back() {
        for format in Format::ALL {
            let name = format.name();
            assert_eq!(name.parse(), Ok(format));
            assert_eq!(format.to_string(), name);
        }
        let error = "xlsx".parse::<Format>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`xlsx` is not a format: use one of `matrix-market`, `csv`, `tsv`, `semicolons`, `blanks`, `npy`, `npz`, `bag-of-words`"
        );
    }

    #[test]
    fn the_first_line_gives_the_delimiter() {
        let comma = Some(Delimiter::Comma);
        assert_eq!(delimiter("1,2,3", None), comma);
        assert_eq!(delimiter("1;2;3", comma), Some(Delimiter::Semicolon));
        assert_eq!(delimiter("\"a,b,c,d\"\tn", None), Some(Delimiter::Tab));
        assert_eq!(delimiter("a,b;c;d", comma), comma);
        assert_eq!(delimiter("a  b", None), Some(Delimiter::Blank));
        assert_eq!(delimiter("a", None), None);
        assert_eq!(delimiter("17", comma), comma);
    }
}
