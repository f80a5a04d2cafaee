//! The banner and the line of sizes.

use std::io::BufRead;

use super::super::content::line_of_sizes;
use super::super::domain::CountDomain;
use super::super::number::{Written, size};
use super::super::read_error::{Place, ReadError, ReadFault, shortened};
use super::super::shape::check_shape;
use super::super::token::{TextLines, Token, tokens, utf8};
use crate::quoted;

/// First word of the file, in any letter case.
pub(in super::super) const TAG: &str = "%%MatrixMarket";
const SUPPORTED_FORMAT: &str = "`coordinate` or `array`";
const SUPPORTED_FIELD: &str = "`integer`, `real` (with whole values) or, for `coordinate`, `pattern`";
const RELEASED_FIELD: &str = "`integer` or `real` (with whole values), which state the value that was released";
const RELEASED_SYMMETRY: &str = "`general`: each cell has noise of its own, and a mirrored one would have none";
const SUPPORTED_SYMMETRY: &str = "`general` or, for `coordinate`, `symmetric`";

/// What begins a comment.
const COMMENT: u8 = b'%';

/// How the values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Each entry has a value.
    Written(Written),
    /// No value: every stated cell counts one.
    Pattern,
}

/// What the banner says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Coordinate { field: Field, symmetric: bool },
    Array { written: Written },
}

/// What stands before the entries. Checked: the shape is one, and there is room for the entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) layout: Layout,
    pub(super) shape: [usize; 2],
    /// Lines that follow,
    pub(super) entries: u64,
    /// past comments, which begin with this.
    pub(super) comment: u8,
    /// What an index of each mode counts, and what a line with a value has.
    pub(super) words: [&'static str; 3],
}

/// Reads the first line.
fn banner(lines: &mut TextLines<impl BufRead>, domain: CountDomain) -> Result<Layout, ReadError> {
    let bytes = (lines.next_bytes()?).ok_or_else(|| ReadError::empty("a Matrix Market banner"))?;
    let text = utf8(1, bytes)?;
    let garbled = || {
        let found = quoted(shortened(text));
        Place::Line(1).format(format!(
            ": `{found}` is not a Matrix Market banner: it reads `%%MatrixMarket matrix coordinate integer general`"
        ))
    };
    let [tag, object, format, field, symmetry] = tokens::<5>(1, text, "").map_err(|_| garbled())?;
    // The letter case of all five is free.
    if !tag.text.eq_ignore_ascii_case(TAG) {
        return Err(garbled());
    }
    if !object.text.eq_ignore_ascii_case("matrix") {
        return Err(unsupported("object", object, "`matrix`"));
    }
    let array = match &*format.text.to_ascii_lowercase() {
        "coordinate" => false,
        "array" => true,
        _ => return Err(unsupported("format", format, SUPPORTED_FORMAT)),
    };
    let released = domain.values().is_some();
    let values = match &*field.text.to_ascii_lowercase() {
        "integer" => Field::Written(Written::Integer),
        "real" => Field::Written(Written::Real),
        "pattern" if released => return Err(unsupported("field", field, RELEASED_FIELD)),
        "pattern" if !array => Field::Pattern,
        _ => return Err(unsupported("field", field, SUPPORTED_FIELD)),
    };
    let symmetric = match &*symmetry.text.to_ascii_lowercase() {
        "general" => false,
        "symmetric" if released => return Err(unsupported("symmetry", symmetry, RELEASED_SYMMETRY)),
        "symmetric" if !array => true,
        _ => return Err(unsupported("symmetry", symmetry, SUPPORTED_SYMMETRY)),
    };
    Ok(match values {
        Field::Written(written) if array => Layout::Array { written },
        field => Layout::Coordinate { field, symmetric },
    })
}

fn unsupported(what: &'static str, token: Token<'_>, supported: &'static str) -> ReadError {
    let found = quoted(shortened(token.text));
    token
        .place()
        .format(format!(": {what} `{found}` is not supported: use {supported}"))
}

/// Reads banner and sizes.
pub(super) fn matrix_market(lines: &mut TextLines<impl BufRead>, domain: CountDomain) -> Result<Header, ReadError> {
    let layout = banner(lines, domain)?;
    let (line, shape, declared) = match layout {
        Layout::Coordinate { .. } => {
            let expected = "rows, columns and number of entries";
            let (line, text) = line_of_sizes(lines, COMMENT, expected)?;
            let [rows, columns, entries] = tokens::<3>(line, text, expected)?;
            let entries = entries.unsigned("a number of entries")?;
            (line, [size(rows)?, size(columns)?], Some(entries))
        }
        Layout::Array { .. } => {
            let expected = "rows and columns";
            let (line, text) = line_of_sizes(lines, COMMENT, expected)?;
            let [rows, columns] = tokens::<2>(line, text, expected)?;
            (line, [size(rows)?, size(columns)?], None)
        }
    };
    let symmetric = matches!(layout, Layout::Coordinate { symmetric: true, .. });
    Ok(Header {
        layout,
        shape,
        entries: room_for(declared, shape, symmetric, line)?,
        comment: COMMENT,
        words: ["row", "column", "row, column and count"],
    })
}

/// Reads the three lines of sizes of a bag of words as the UCI repository keeps them. It has no comments, and no line of it begins
/// with what begins one here.
pub(super) fn bag_of_words(lines: &mut TextLines<impl BufRead>) -> Result<Header, ReadError> {
    let [documents, words] = [only(lines, size)?, only(lines, size)?];
    let entries = only(lines, |token| token.unsigned("a number of entries"))?;
    let shape = [documents, words];
    Ok(Header {
        layout: Layout::Coordinate {
            field: Field::Written(Written::Real),
            symmetric: false,
        },
        shape,
        entries: room_for(Some(entries), shape, false, lines.number())?,
        comment: b'#',
        words: ["document", "word", "document, word and count"],
    })
}

/// The one token of a line.
fn only<T>(
    lines: &mut TextLines<impl BufRead>,
    parse: impl Fn(Token<'_>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    const SIZES: &str = "three lines with the number of documents, of words and of entries";
    let (line, text) = line_of_sizes(lines, b'#', SIZES)?;
    let [token] = tokens::<1>(line, text, SIZES)?;
    parse(token)
}

/// How many entries follow. Refuses what is no shape, and more entries than there are cells that may be stated: half of them where
/// the matrix is symmetric.
fn room_for(declared: Option<u64>, shape: [usize; 2], symmetric: bool, line: u64) -> Result<u64, ReadError> {
    let place = Place::Line(line);
    let cells = check_shape(&shape).map_err(place.shape())?;
    let [rows, columns] = shape;
    if symmetric && rows != columns {
        let what =
            format!(": a symmetric matrix is square, but the sizes are {rows} and {columns}; write it as `general`");
        return Err(place.fault(ReadFault::Shape, what));
    }
    // Lower triangle with its diagonal; the sum would overflow only where `cells` had.
    let room = if symmetric { (cells - rows) / 2 + rows } else { cells } as u64;
    let entries = declared.unwrap_or(room);
    if entries <= room {
        return Ok(entries);
    }
    let what = format!(": {entries} entries are declared, but {rows} x {columns} has room for {room}; mend the sizes");
    Err(place.fault(ReadFault::Shape, what))
}
