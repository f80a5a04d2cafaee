//! The banner and the line of sizes.

use std::io::BufRead;

use super::super::content::line_of_sizes;
use super::super::domain::Domain;
use super::super::number::{Written, size};
use super::super::read_error::{Place, ReadError, ReadFault, shortened};
use super::super::shape::check_shape;
use super::super::token::{Lines, Token, tokens, utf8};
use crate::quoted;

/// First word of the file, in any letter case.
pub(in super::super) const TAG: &str = "%%MatrixMarket";
const SUPPORTED_FORMAT: &str = "`coordinate` or `array`";
const SUPPORTED_FIELD: &str = "`integer`, `real` (with whole values) or, for `coordinate`, `pattern`";
const RELEASED_FIELD: &str = "`integer` or `real` (with whole values), which state the value that was released";
const RELEASED_SYMMETRY: &str = "`general`: each cell has noise of its own, and a mirrored one would have none";
const SUPPORTED_SYMMETRY: &str = "`general` or, for `coordinate`, `symmetric`";

/// What begins a comment.
pub(super) const COMMENT: u8 = b'%';

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

/// What the line of sizes says. Checked: the shape is one, and there is room for the entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Lines that follow.
    pub(super) entries: u64,
}

/// Reads the first line.
pub(super) fn banner(lines: &mut Lines<impl BufRead>, domain: Domain) -> Result<Layout, ReadError> {
    let bytes = (lines.next_bytes()?).ok_or_else(|| ReadError::empty("a Matrix Market banner"))?;
    let text = utf8(1, bytes)?;
    let garbled = || {
        let found = shortened(text);
        Place::Line(1).format(format!(
            ": `{}` is not a Matrix Market banner: it reads `%%MatrixMarket matrix coordinate integer general`",
            quoted(found)
        ))
    };
    let [tag, object, format, field, symmetry] = tokens::<5>(1, text, "").map_err(|_| garbled())?;
    // The letter case of all five is free.
    let [is_tag, is_matrix] = [(tag, TAG), (object, "matrix")].map(|(t, s)| t.text.eq_ignore_ascii_case(s));
    if !is_tag {
        return Err(garbled());
    }
    if !is_matrix {
        return Err(unsupported("object", object, "`matrix`"));
    }
    let array = match &*format.text.to_ascii_lowercase() {
        "coordinate" => false,
        "array" => true,
        _ => return Err(unsupported("format", format, SUPPORTED_FORMAT)),
    };
    let released = domain == Domain::Released;
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
    let found = shortened(token.text);
    token.place().format(format!(
        ": {what} `{}` is not supported: use {supported}",
        quoted(found)
    ))
}

/// Reads on to the line of sizes, past comments and empty lines.
pub(super) fn sizes(lines: &mut Lines<impl BufRead>, layout: Layout) -> Result<Sizes, ReadError> {
    let expected = match layout {
        Layout::Coordinate { .. } => "rows, columns and number of entries",
        Layout::Array { .. } => "rows and columns",
    };
    let (line, text) = line_of_sizes(lines, COMMENT, expected)?;
    let (rows, columns, declared) = match layout {
        Layout::Coordinate { .. } => {
            let [rows, columns, entries] = tokens::<3>(line, text, expected)?;
            (rows, columns, Some(entries.unsigned("a number of entries")?))
        }
        Layout::Array { .. } => {
            let [rows, columns] = tokens::<2>(line, text, expected)?;
            (rows, columns, None)
        }
    };
    let (rows, columns) = (size(rows)?, size(columns)?);
    let cells = check_shape(&[rows, columns]).map_err(Place::Line(line).shape())?;
    let symmetric = matches!(layout, Layout::Coordinate { symmetric: true, .. });
    if symmetric && rows != columns {
        return Err(Place::Line(line).fault(
            ReadFault::Shape,
            format!(": a symmetric matrix is square, but the sizes are {rows} and {columns}; write it as `general`"),
        ));
    }
    // Lower triangle with its diagonal; the sum would overflow only where `cells` had.
    let room = if symmetric { (cells - rows) / 2 + rows } else { cells } as u64;
    let entries = declared.unwrap_or(room);
    room_for(entries, [rows, columns], room, line)?;
    Ok(Sizes { rows, columns, entries })
}

/// Refuses more entries than there are cells that may be stated: half of them where the matrix is symmetric.
pub(in super::super) fn room_for(entries: u64, sizes: [usize; 2], cells: u64, line: u64) -> Result<(), ReadError> {
    if entries <= cells {
        return Ok(());
    }
    let [rows, columns] = sizes;
    Err(Place::Line(line).fault(
        ReadFault::Shape,
        format!(": {entries} entries are declared, but {rows} x {columns} has room for {cells}; mend the sizes"),
    ))
}
