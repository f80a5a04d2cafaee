//! Matrix Market files (Boisvert, Pozo and Remington 1996, NIST IR 5935), and bags of words, which state their cells alike.

use std::io::BufRead;

use super::super::domain::CountDomain;
use super::super::lines::{TextLine, TextLines, Token};
use super::super::read_error::{Place, ReadError, ReadFault, shortened, without_digits};
use super::super::shape::check_shape;
use super::entries::{CellOrder, Entries, Entry};
use crate::quoted;

/// First word of the file, in any letter case.
pub(super) const TAG: &str = "%%MatrixMarket";
const FORMATS: &str = "`coordinate` or `array`";
const FIELDS: &str = "`integer`, `unsigned-integer`, `real` (with whole values) or, for `coordinate`, `pattern`";
const RELEASED_FIELDS: &str = "`integer` or `real` (with whole values), which state the value that was released";
const SYMMETRIES: &str = "`general` or `symmetric`: counts have no other mirror images";
const RELEASED_SYMMETRY: &str = "`general`: each cell has noise of its own, and a mirrored one would have none";

const SIZE: &str = "a size: a whole number without sign";
const ENTRIES: &str = "a number of entries";

/// How values are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueFormat {
    Integer,
    Real,
    /// Not at all: every stated cell counts one.
    Pattern,
}

/// How the lines behind the header state cells.
struct MatrixLines {
    /// Every cell, by columns, without its index; of a symmetric matrix those from the diagonal down.
    array: bool,
    values: ValueFormat,
    symmetric: bool,
    shape: [usize; 2],
    /// How many lines there are,
    declared: usize,
    /// past comments, which begin with this.
    comment: u8,
    /// What an index of each mode counts, and what a line with a value has.
    words: [&'static str; 3],
    domain: CountDomain,
}

/// Reads the header of a Matrix Market file.
pub(super) fn matrix_market(reader: impl BufRead + Send + 'static, domain: CountDomain) -> Result<Entries, ReadError> {
    let mut lines = TextLines::new(reader);
    if lines.advance()? == 0 {
        return Err(ReadError::empty("a Matrix Market banner"));
    }
    let mut layout = banner(lines.line()?, domain)?;
    let mut declared = None;
    if layout.array {
        const EXPECTED: &str = "rows and columns";
        let [rows, columns] = lines.content(b'%', EXPECTED)?.words(EXPECTED)?;
        layout.shape = [rows.size(SIZE)?, columns.size(SIZE)?];
    } else {
        const EXPECTED: &str = "rows, columns and number of entries";
        let [rows, columns, entries] = lines.content(b'%', EXPECTED)?.words(EXPECTED)?;
        declared = Some(entries.size(ENTRIES)?);
        layout.shape = [rows.size(SIZE)?, columns.size(SIZE)?];
    }
    entries(lines, layout, declared)
}

/// Reads the three lines of sizes of a bag of words as the UCI repository keeps them.
pub(super) fn bag_of_words(reader: impl BufRead + Send + 'static) -> Result<Entries, ReadError> {
    let mut lines = TextLines::new(reader);
    let mut only = |expected: &str| -> Result<usize, ReadError> {
        const SIZES: &str = "three lines with the number of documents, of words and of entries";
        let [token] = lines.content(b'#', SIZES)?.words(SIZES)?;
        token.size(expected)
    };
    let (shape, declared) = ([only(SIZE)?, only(SIZE)?], only(ENTRIES)?);
    let layout = MatrixLines {
        array: false,
        values: ValueFormat::Real,
        symmetric: false,
        shape,
        declared,
        comment: b'#',
        words: ["document", "word", "document, word and count"],
        domain: CountDomain::Counts,
    };
    entries(lines, layout, Some(declared))
}

/// What the first line says. The letter case of its five words is free.
fn banner(line: TextLine<'_>, domain: CountDomain) -> Result<MatrixLines, ReadError> {
    let garbled = || {
        let found = quoted(without_digits(line.text));
        line.place().format(format!(
            ": `{found}` is not a Matrix Market banner: it reads `%%MatrixMarket matrix coordinate integer general`"
        ))
    };
    let words @ [tag, object, format, field, symmetry] = line.words("").map_err(|_| garbled())?;
    let [_, is_object, is_format, is_field, is_symmetry] = words.map(|word| word.text.to_ascii_lowercase());
    if !tag.text.eq_ignore_ascii_case(TAG) {
        return Err(garbled());
    }
    if is_object != "matrix" {
        return Err(unsupported("object", object, "`matrix`"));
    }
    let array = match &*is_format {
        "coordinate" => false,
        "array" => true,
        _ => return Err(unsupported("format", format, FORMATS)),
    };
    let released = domain.values().is_some();
    let values = match &*is_field {
        "integer" | "unsigned-integer" => ValueFormat::Integer,
        "real" => ValueFormat::Real,
        "pattern" if released => return Err(unsupported("field", field, RELEASED_FIELDS)),
        "pattern" if !array => ValueFormat::Pattern,
        _ => return Err(unsupported("field", field, FIELDS)),
    };
    let symmetric = match &*is_symmetry {
        "general" => false,
        "symmetric" if released => return Err(unsupported("symmetry", symmetry, RELEASED_SYMMETRY)),
        "symmetric" => true,
        _ => return Err(unsupported("symmetry", symmetry, SYMMETRIES)),
    };
    Ok(MatrixLines {
        array,
        values,
        symmetric,
        shape: [0; 2],
        declared: 0,
        comment: b'%',
        words: ["row", "column", "row, column and count"],
        domain,
    })
}

fn unsupported(what: &str, token: Token<'_>, supported: &str) -> ReadError {
    let found = quoted(shortened(token.text));
    let what = format!(": {what} `{found}` is not supported: use {supported}");
    token.at.format(what)
}

/// How many entries follow. Refuses what is not a shape, and more entries than there are cells that may be stated: half of them where
/// the matrix is symmetric.
fn room_for(declared: Option<usize>, layout: &MatrixLines, place: Place) -> Result<usize, ReadError> {
    let cells = check_shape(&layout.shape).map_err(place.shape())?;
    let [rows, columns] = layout.shape;
    if layout.symmetric && rows != columns {
        let what =
            format!(": a symmetric matrix is square, but the sizes are {rows} and {columns}; write it as `general`");
        return Err(place.fault(ReadFault::Shape, what));
    }
    // Lower triangle with its diagonal; the sum would overflow only where `cells` had.
    let room = match layout.symmetric {
        true => (cells - rows) / 2 + rows,
        false => cells,
    };
    let entries = declared.unwrap_or(room);
    if entries <= room {
        return Ok(entries);
    }
    let what =
        format!(": {entries} entries are declared, but {rows} x {columns} has room for {room}; correct the sizes");
    Err(place.fault(ReadFault::Shape, what))
}

/// The entries behind the header; for a symmetric matrix, their mirror images as well.
fn entries(
    mut lines: TextLines<impl BufRead + Send + 'static>,
    mut layout: MatrixLines,
    declared: Option<usize>,
) -> Result<Entries, ReadError> {
    layout.declared = room_for(declared, &layout, lines.place())?;
    let (shape, symmetric, array) = (layout.shape, layout.symmetric, layout.array);
    // Entries so far, and of an array the place of the next.
    let (mut found, mut place) = (0, [0; 2]);
    let stated = std::iter::from_fn(move || {
        let entry = next(&mut lines, &layout, found, place).transpose();
        found += 1;
        place[0] += 1;
        if place[0] == layout.shape[0] {
            place = [if symmetric { place[1] + 1 } else { 0 }, place[1] + 1];
        }
        entry
    });
    let [rows, columns] = shape;
    let cells = stated.flat_map(move |entry| {
        let mirror = entry.as_ref().ok().filter(|_| symmetric).map(|entry| Entry {
            at: entry.at % columns * rows + entry.at / columns,
            ..*entry
        });
        let mirror = mirror.filter(|mirror| mirror.at % columns != mirror.at / columns);
        [Some(entry), mirror.map(Ok)].into_iter().flatten()
    });
    let order = if array { CellOrder::Scattered } else { CellOrder::Any };
    Ok(Entries {
        base: 1,
        symmetric,
        ..Entries::new(shape.to_vec(), order, cells)
    })
}

/// The entry of the next line, before which `found` were, in an array at `place`; `None` after the last. Insists that there are as many
/// as declared.
fn next<R: BufRead>(
    lines: &mut TextLines<R>,
    layout: &MatrixLines,
    found: usize,
    place: [usize; 2],
) -> Result<Option<Entry>, ReadError> {
    let (declared, more) = (layout.declared, lines.skip_to_content(layout.comment)?);
    if more && found < declared {
        return layout.entry(lines.line()?, place).map(Some);
    }
    let what = match more {
        true => format!(" follows the last of the {declared} declared entries; correct the line of sizes or drop it"),
        false if found < declared => {
            format!(": the file ends after {found} of {declared} entries: it was cut short; fetch it again")
        }
        false => return Ok(None),
    };
    Err(lines.place().fault(ReadFault::Length, what))
}

impl MatrixLines {
    /// The entry of a line, in an array the one at `place`.
    fn entry(&self, line: TextLine<'_>, place: [usize; 2]) -> Result<Entry, ReadError> {
        let ([rows, columns], [first, second, expected]) = (self.shape, self.words);
        let value = |token: Token<'_>| token.value(self.values == ValueFormat::Real, self.domain);
        let (row, column, value) = match (self.array, self.values) {
            (true, _) => {
                let [token] = line.words("one count")?;
                let at = place[0] * columns + place[1];
                let (value, line) = (value(token)?, line.number);
                return Ok(Entry { at, value, line });
            }
            (false, ValueFormat::Pattern) => {
                let [row, column] = line.words("row and column")?;
                (row, column, 1)
            }
            (false, _) => {
                let [row, column, last] = line.words(expected)?;
                (row, column, value(last)?)
            }
        };
        let (row, column) = (index(row, first, rows)?, index(column, second, columns)?);
        if self.symmetric && column > row {
            return Err(line.place().format(format!(
                ": entry ({}, {}) lies above the diagonal: a symmetric file states the lower triangle only; drop it or write `general`",
                row + 1,
                column + 1
            )));
        }
        let (at, line) = (row * columns + column, line.number);
        Ok(Entry { at, value, line })
    }
}

/// An index that counts from 1, as one from 0.
fn index(token: Token<'_>, mode: &str, size: usize) -> Result<usize, ReadError> {
    match token.index(1, "an index: a whole number from 1")? {
        Some(at) if at < size as u64 => Ok(at as usize),
        _ => Err(token.fault(format!(
            "is outside 1 to {size}, the {mode}s of the matrix; indices count from 1"
        ))),
    }
}
