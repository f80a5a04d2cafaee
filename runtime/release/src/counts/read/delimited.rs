//! Delimited text: the cells that its lines state, once it is known what they are.

use std::io::BufRead;
use std::sync::Arc;

use super::super::domain::CountDomain;
use super::super::lines::Token;
use super::super::{Place, ReadError, ReadFault};
use super::entries::{CellOrder, Entries, Entry};
use super::rows::Rows;
use super::text::{INDEX, Line, Text};

/// The cells of a text of a shape that is checked. Without a `base` indices count from zero, and a text that seems to count from one
/// is refused.
pub(super) fn delimited(
    reader: impl BufRead + Send + 'static,
    text: &Arc<Text>,
    shape: Vec<usize>,
    domain: CountDomain,
) -> Result<Entries, ReadError> {
    let (mut lines, text, sizes) = (text.lines(reader)?, Arc::clone(text), shape.clone());
    let table = matches!(text.rows, Rows::Counts | Rows::NamedCounts);
    let (order, base) = (
        if table { CellOrder::RowMajor } else { CellOrder::Any },
        text.base.unwrap_or(0),
    );
    // Read from zero, a text without a zero would have empty first slices along all modes.
    let numbered = (0..sizes.len()).any(|mode| text.names(mode).is_none());
    let (mut stated, mut zero) = (false, table || text.base.is_some() || !numbered);
    // The counts of a line of a table.
    let (mut row, mut line_of_row) = (Vec::new().into_iter(), 0..0);
    let mut next = move || {
        if let Some(value) = row.next() {
            let at = line_of_row.next().unwrap_or_default();
            return Ok(Some(Entry { at, value, line: 0 }));
        }
        match lines.next()? {
            Some(line) if table => {
                let (from, columns) = (line_of_row.end, line.fields.len());
                let values = line.fields.iter().map(|field| field.value(true, domain));
                row = values.collect::<Result<Vec<_>, _>>()?.into_iter();
                line_of_row = from..from + columns;
                let within = sizes.last() == Some(&columns) && from / columns < sizes[0];
                match (row.next(), line_of_row.next()) {
                    (Some(value), Some(at)) if within => Ok(Some(Entry { at, value, line: 0 })),
                    _ => Err(ReadError::Changed),
                }
            }
            Some(line) => {
                stated = true;
                cell(&text, &line, &sizes, base, domain, &mut zero).map(Some)
            }
            None if stated && !zero => Err(counts_from_one(sizes.len())),
            None => Ok(None),
        }
    };
    let cells = std::iter::from_fn(move || next().transpose());
    Ok(Entries {
        base,
        ..Entries::new(shape, order, cells)
    })
}

/// The cell that a line states; `zero` becomes true where one of its indices is the first.
fn cell(
    text: &Text,
    line: &Line<'_>,
    shape: &[usize],
    base: u64,
    domain: CountDomain,
    zero: &mut bool,
) -> Result<Entry, ReadError> {
    let indices = text.indices(&line.fields);
    let (found, modes, number) = (indices.len(), shape.len(), line.number);
    if found != modes {
        let what = format!(
            " has {} fields, the count and indices of {found} modes, but shape {shape:?} was given, of {modes} modes: give \
             the size of each mode",
            line.fields.len()
        );
        return Err(Place::Line(number).fault(ReadFault::Shape, what));
    }
    let mut at = 0;
    for (mode, (token, &size)) in indices.iter().zip(shape).enumerate() {
        if let Some(names) = text.names(mode) {
            at = at * size + names.position(token.text).ok_or(ReadError::Changed)?;
            continue;
        }
        match token.index(base, INDEX)? {
            Some(index) if index < size as u64 => {
                at = at * size + index as usize;
                *zero |= index == 0;
            }
            _ => {
                let (mode, last) = (mode + 1, base.saturating_add(size as u64 - 1));
                return Err(token.fault(format!(
                    "is outside {base} to {last}, the indices of mode {mode}; correct the cell, the shape or the base of indices"
                )));
            }
        }
    }
    let value = match (text.rows, line.fields.last()) {
        (Rows::Cells, Some(value)) => Token::value(*value, true, domain)?,
        _ => 1,
    };
    Ok(Entry {
        at,
        value,
        line: number,
    })
}

/// The complaint about a text in which no mode has an index 0, and nobody said where indices begin.
fn counts_from_one(modes: usize) -> ReadError {
    let what = format!(
        "no line has the index 0 in any of the {modes} modes, so the file seems to count from 1, and its first row and column would \
         be empty: say where its indices begin (`ReadOptions::base`, `Some(1)` or `Some(0)`; `--base 1`)"
    );
    Place::File.fault(ReadFault::Base, what)
}
