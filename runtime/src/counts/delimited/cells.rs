//! The cells of delimited text, and the shape that they span.

use std::io::BufRead;

use super::super::domain::CountDomain;
use super::super::number::{Written, from_zero, value};
use super::super::read::Delimiter;
use super::super::read::entries::{Entries, Entry, from_base};
use super::super::read_error::{Place, ReadError, ReadFault};
use super::super::shape::check_shape;
use super::super::token::Token;
use super::rows::Rows;

const INDEX: &str = "an index: a whole number without sign or point";

/// The cells of a text of known shape.
pub(in super::super) struct CellEntries<R> {
    rows: Rows<R>,
    shape: Vec<usize>,
    base: u64,
    domain: CountDomain,
    /// Of each mode, whether no line has had the index 0 so far; empty where the base was given.
    without_zero: Vec<bool>,
    stated: bool,
}

impl<R: BufRead> CellEntries<R> {
    /// `shape` is checked. Without a `base` indices count from zero, and a text that seems to count from one is refused.
    pub(in super::super) fn new(
        reader: R,
        delimiter: Delimiter,
        shape: &[usize],
        base: Option<u64>,
        domain: CountDomain,
    ) -> Self {
        Self {
            rows: Rows::new(reader, delimiter, domain),
            shape: shape.to_vec(),
            base: base.unwrap_or(0),
            domain,
            without_zero: vec![true; if base.is_none() { shape.len() } else { 0 }],
            stated: false,
        }
    }
}

impl<R: BufRead> Entries for CellEntries<R> {
    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn next_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        let (shape, base, domain) = (&self.shape, self.base, self.domain);
        let Some(row) = self.rows.next()? else {
            // Read so, its first slices along all modes are empty.
            let suspect = self.stated && !self.without_zero.is_empty() && !self.without_zero.contains(&false);
            return match suspect {
                true => Err(counts_from_one(shape.len())),
                false => Ok(None),
            };
        };
        self.stated = true;
        let indices = row.indices();
        if indices.len() != shape.len() {
            let (fields, found, modes) = (indices.len() + 1, indices.len(), shape.len());
            let what = format!(
                " has {fields} fields, the count and indices of {found} modes, but shape {shape:?} was given, of {modes} modes: give \
                 the size of each mode"
            );
            return Err(Place::Line(row.line).fault(ReadFault::Shape, what));
        }
        let mut at = 0;
        for (mode, (token, &size)) in indices.zip(shape).enumerate() {
            match from_zero(token, base, INDEX)? {
                Some(index) if index < size as u64 => {
                    at = at * size + index as usize;
                    if let (0, Some(without)) = (index, self.without_zero.get_mut(mode)) {
                        *without = false;
                    }
                }
                _ => {
                    let (mode, last) = (mode + 1, base.saturating_add(size as u64 - 1));
                    return Err(token.fault(format!(
                        "is outside {base} to {last}, the indices of mode {mode}; mend the cell, the shape or the base of indices"
                    )));
                }
            }
        }
        Ok(Some(Entry {
            at,
            value: value(row.value(), Written::Real, domain)?,
            line: row.line,
        }))
    }

    fn as_written(&self, at: usize) -> Vec<u64> {
        from_base(&self.shape, at, self.base)
    }
}

/// The smallest shape that holds every cell of a text.
pub(in super::super) fn extents(
    reader: impl BufRead,
    delimiter: Delimiter,
    base: u64,
    domain: CountDomain,
) -> Result<Vec<usize>, ReadError> {
    let mut rows = Rows::new(reader, delimiter, domain);
    let mut shape: Vec<usize> = Vec::new();
    while let Some(row) = rows.next()? {
        let mut grown = false;
        shape.resize(row.indices().len(), 0);
        for (size, token) in shape.iter_mut().zip(row.indices()) {
            let needed = size_to_hold(token, base)?;
            if needed > *size {
                (*size, grown) = (needed, true);
            }
        }
        // At the line that made it too large.
        if grown {
            check_shape(&shape).map_err(Place::Line(row.line).shape())?;
        }
    }
    if shape.is_empty() {
        let expected = "a line with indices and a count, or a shape (`ReadOptions::shape`),";
        return Err(ReadError::empty(expected));
    }
    Ok(shape)
}

fn size_to_hold(token: Token<'_>, base: u64) -> Result<usize, ReadError> {
    let size = from_zero(token, base, INDEX)?.and_then(|index| usize::try_from(index).ok()?.checked_add(1));
    let below = || token.text.starts_with('-') || token.text.parse::<u64>().is_ok_and(|given| given < base);
    size.ok_or_else(|| match below() {
        true => token.fault(format!(
            "is below {base}, the first index; mend the cell or the base of indices"
        )),
        false => token.too_large(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_lies_at_its_row_major_position() {
        let text = "i, j, k, n\n#\n2, 3, 4, 9\n";
        let mut cells = CellEntries::new(
            text.as_bytes(),
            Delimiter::Comma,
            &[2, 3, 4],
            Some(1),
            CountDomain::Counts,
        );
        let entry = cells.next_entry().unwrap().unwrap();
        assert_eq!((entry.at, entry.value, entry.line), (23, 9, 3));
        assert_eq!(cells.as_written(entry.at), [2, 3, 4]);
        assert!(cells.next_entry().unwrap().is_none());
    }

    /// Read from zero, a file that counts from one has an empty first row and column, and nobody notices.
    #[test]
    fn a_text_that_counts_from_one_is_not_read_from_zero() {
        let read = |text: &str, base| {
            let mut cells = CellEntries::new(text.as_bytes(), Delimiter::Comma, &[4, 4], base, CountDomain::Counts);
            let mut number = 0;
            while cells.next_entry()?.is_some() {
                number += 1;
            }
            Ok::<usize, ReadError>(number)
        };
        let from_one = "1,1,5\n3,2,1\n1,3,2\n";
        let refused = read(from_one, None).unwrap_err();
        assert!(matches!(
            refused,
            ReadError::Content {
                fault: ReadFault::Base,
                ..
            }
        ));
        assert!(refused.to_string().contains("Some(1)"), "{refused}");
        assert_eq!(read(from_one, Some(0)).unwrap(), 3);
        assert_eq!(read(from_one, Some(1)).unwrap(), 3);
        // One zero in one mode is enough: the others may have an empty first slice.
        assert_eq!(read("1,1,5\n3,0,1\n", None).unwrap(), 2);
        assert_eq!(read("# nothing\n", None).unwrap(), 0);
    }

    #[test]
    fn extents_hold_the_largest_index_of_each_mode() {
        let extents = |text: &str, base| extents(text.as_bytes(), Delimiter::Comma, base, CountDomain::Counts);
        assert_eq!(extents("0,7,1\n2,0,0\n", 0).unwrap(), [3, 8]);
        assert_eq!(extents("5,7,1\n6,5,1\n", 5).unwrap(), [2, 3]);
        assert_eq!(extents("18446744073709551615,1\n", u64::MAX).unwrap(), [1]);
        let fault = |text, base| match extents(text, base) {
            Err(ReadError::Token { what, .. }) => what,
            other => panic!("{other:?}"),
        };
        assert_eq!(fault("18446744073709551615,1\n", 0), "is too large for a size");
        assert!(fault("0,1\n", 1).starts_with("is below 1, the first index"));
        assert!(fault("-7,1\n", 0).starts_with("is below 0, the first index"));
        assert!(fault("-x,1\n", 0).starts_with("is not an index"));
    }
}
