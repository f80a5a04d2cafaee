//! Entries of a Matrix Market file, line by line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::super::read_error::{ReadError, TokenFault};
use super::super::table::{MAX_COUNT, NoCount, whole};
use super::super::token::{Lines, Token, shortened, tokens};
use super::super::{Counts, CountsError};
use super::header::{Content, Field, Layout, Sizes, banner, next_content, sizes};

/// Entries for which memory is reserved on the word of the header; beyond, it grows as entries arrive.
const LARGEST_RESERVE: u64 = 1 << 16;

/// Counts from a Matrix Market file: `coordinate` with `integer`, `real` (whole values) or `pattern`
/// (every entry is 1), `general` or `symmetric` (the lower triangle is mirrored); or `array` with
/// `integer` or `real`, `general`. Coordinate files give sparse counts, array files dense ones.
///
/// # Errors
/// Everything that is wrong with the file, with line, column and token; see [`ReadError`].
pub fn read_matrix_market(path: impl AsRef<Path>) -> Result<Counts, ReadError> {
    let path = path.as_ref();
    let file = File::open(path).map_err(|source| ReadError::Open {
        path: path.to_owned(),
        source,
    })?;
    read_matrix_market_from(BufReader::with_capacity(1 << 16, file))
}

/// [`read_matrix_market`] from any text. Memory follows the entries that are there, not those that the
/// header declares.
///
/// # Errors
/// Those of [`read_matrix_market`].
pub fn read_matrix_market_from(reader: impl BufRead) -> Result<Counts, ReadError> {
    let mut lines = Lines::new(reader);
    let layout = banner(&mut lines)?;
    let sizes = sizes(&mut lines, layout)?;
    match layout {
        Layout::Coordinate { field, symmetric } => coordinate(&mut lines, sizes, field, symmetric),
        Layout::Array { field } => array(&mut lines, sizes, field),
    }
}

/// One stated cell.
#[derive(Clone, Copy)]
struct Entry {
    row: usize,
    column: usize,
    line: u64,
    count: i64,
}

fn coordinate(
    lines: &mut Lines<impl BufRead>,
    sizes: Sizes,
    field: Field,
    symmetric: bool,
) -> Result<Counts, ReadError> {
    let mut entries = Vec::with_capacity(sizes.entries.min(LARGEST_RESERVE) as usize);
    for_each_entry(lines, sizes.entries, |line, text| {
        let entry = entry(line, text, sizes, field)?;
        if symmetric && entry.column > entry.row {
            return Err(ReadError::UpperTriangle {
                line,
                row: entry.row + 1,
                column: entry.column + 1,
            });
        }
        entries.push(entry);
        Ok(())
    })?;
    // By cell, then by line: of two lines for one cell the second is the later.
    entries.sort_unstable_by_key(|entry| (entry.row, entry.column, entry.line));
    let same_cell = |pair: &&[Entry]| (pair[0].row, pair[0].column) == (pair[1].row, pair[1].column);
    if let Some(&[first, again]) = entries.windows(2).find(same_cell) {
        let (row, column) = (again.row + 1, again.column + 1);
        return Err(ReadError::Duplicate {
            line: again.line,
            first_line: first.line,
            row,
            column,
        });
    }
    let position = |row: usize, column: usize| (row * sizes.columns + column) as u64;
    let mirrored = entries.iter().filter(|entry| symmetric && entry.row != entry.column);
    let cells = entries
        .iter()
        .map(|entry| (position(entry.row, entry.column), entry.count))
        .chain(mirrored.map(|entry| (position(entry.column, entry.row), entry.count)))
        .collect();
    Ok(Counts::from_linear(vec![sizes.rows, sizes.columns], cells)?)
}

fn entry(line: u64, text: &str, sizes: Sizes, field: Field) -> Result<Entry, ReadError> {
    let (row, column, count) = match field {
        Field::Pattern => {
            let [row, column] = tokens::<2>(line, text, "row and column")?;
            (row, column, 1)
        }
        _ => {
            let [row, column, value] = tokens::<3>(line, text, "row, column and count")?;
            (row, column, count(value, field)?)
        }
    };
    let (row, column) = (index(row, "row", sizes.rows)?, index(column, "column", sizes.columns)?);
    Ok(Entry {
        row,
        column,
        line,
        count,
    })
}

/// Values of all cells, column by column as the format has it.
fn array(lines: &mut Lines<impl BufRead>, sizes: Sizes, field: Field) -> Result<Counts, ReadError> {
    let mut by_column = Vec::with_capacity(sizes.entries.min(LARGEST_RESERVE) as usize);
    for_each_entry(lines, sizes.entries, |line, text| {
        let [value] = tokens::<1>(line, text, "one count")?;
        by_column.push(count(value, field)?);
        Ok(())
    })?;
    let Sizes { rows, columns, .. } = sizes;
    let mut by_row = Vec::new();
    let cells = by_column.len();
    by_row
        .try_reserve_exact(cells)
        .map_err(|_| CountsError::OutOfMemory { cells })?;
    by_row.extend((0..cells).map(|at| by_column[at % columns * rows + at / columns]));
    Ok(Counts::dense(vec![rows, columns], by_row)?)
}

/// Hands over `declared` lines, and insists that there are so many and no more.
fn for_each_entry(
    lines: &mut Lines<impl BufRead>,
    declared: u64,
    mut take: impl FnMut(u64, &str) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    for found in 0..declared {
        match next_content(lines)? {
            Content::Line(line, text) => take(line, text)?,
            Content::End(line) => return Err(ReadError::Truncated { line, found, declared }),
        }
    }
    match next_content(lines)? {
        Content::Line(line, text) => Err(ReadError::TooManyEntries {
            line,
            found: shortened(text),
            declared,
        }),
        Content::End(_) => Ok(()),
    }
}

/// An index, from 0.
fn index(token: Token<'_>, mode: &'static str, size: usize) -> Result<usize, ReadError> {
    let out_of_range = TokenFault::OutOfRange { mode, size };
    // A sign is kept apart from other text: `-1` is an index, only a wrong one.
    if token
        .text
        .strip_prefix('-')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    {
        return Err(token.fault(out_of_range));
    }
    match token.unsigned("an index: a whole number from 1") {
        Ok(given) if (1..=size as u64).contains(&given) => Ok((given - 1) as usize),
        Ok(_)
        | Err(ReadError::Token {
            fault: TokenFault::Overflow,
            ..
        }) => Err(token.fault(out_of_range)),
        Err(error) => Err(error),
    }
}

/// A count, of the kind that the banner declares.
fn count(token: Token<'_>, field: Field) -> Result<i64, ReadError> {
    let digits = token.text.strip_prefix(['+', '-']).unwrap_or(token.text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // Too many digits for the type are too large a count, of either sign.
        let size = digits.parse::<u64>().unwrap_or(u64::MAX);
        return match size {
            0 => Ok(0),
            _ if token.text.starts_with('-') => Err(token.fault(TokenFault::Negative)),
            _ if size > MAX_COUNT as u64 => Err(token.fault(TokenFault::TooLarge)),
            _ => Ok(size as i64),
        };
    }
    let expected = TokenFault::Expected { expected: "a count" };
    let value: f64 = token.text.parse().map_err(|_| token.fault(expected))?;
    match whole(value) {
        Ok(count) if field == Field::Real => Ok(count),
        Ok(_) => {
            let expected = "written as an integer, which the banner declares; declare `real`";
            Err(token.fault(TokenFault::Expected { expected }))
        }
        Err(NoCount::Negative) => Err(token.fault(TokenFault::Negative)),
        Err(NoCount::TooLarge) => Err(token.fault(TokenFault::TooLarge)),
        Err(NoCount::Fractional) => Err(token.fault(TokenFault::Fractional)),
        Err(NoCount::NotFinite) => Err(token.fault(TokenFault::NotFinite)),
    }
}
