//! Delimited text: a line for each cell, with an index for each mode and last the count.

use std::io::BufRead;

use super::super::domain::CountDomain;
use super::super::lines::{TextLine, TextLines, Token};
use super::super::{Place, ReadError, ReadFault, check_shape};
use super::Delimiter;
use super::entries::{Entries, Entry, Order, Stated};

const INDEX: &str = "an index: a whole number without sign or point";

/// The lines that state a cell, past header, comments and empty lines. All have the same number of fields, at least two.
struct Rows<R> {
    lines: TextLines<R>,
    delimiter: Delimiter,
    /// Number of fields, and the line that set it.
    width: (usize, u64),
    /// Whether the line read last states a cell that was not given out.
    ahead: bool,
}

/// What a line states, and its number.
struct Row<'a> {
    line: u64,
    indices: Vec<Token<'a>>,
    value: Token<'a>,
}

impl<R: BufRead> Rows<R> {
    /// Reads up to the first row.
    fn new(reader: R, delimiter: Delimiter, domain: CountDomain) -> Result<Self, ReadError> {
        let (mut lines, mut width, mut ahead) = (TextLines::new(reader), (0, 0), false);
        if lines.skip_to_content(b'#')? {
            let line = lines.line()?;
            let fields = fields(line, delimiter)?;
            ahead = !is_header(&fields, domain)?;
            width = (fields.len(), line.number);
            if fields.len() < 2 {
                let what = " has 1 parts; expected one index or more and a count, parted by the delimiter of the file";
                return Err(line.place().format(what));
            }
        }
        Ok(Self {
            lines,
            delimiter,
            width,
            ahead,
        })
    }

    /// The next row; `None` after the last.
    fn next(&mut self) -> Result<Option<Row<'_>>, ReadError> {
        if !std::mem::take(&mut self.ahead) && !self.lines.skip_to_content(b'#')? {
            return Ok(None);
        }
        let line = self.lines.line()?;
        let mut indices = fields(line, self.delimiter)?;
        let (found, (width, first)) = (indices.len(), self.width);
        match indices.pop() {
            Some(value) if found == width => Ok(Some(Row {
                line: line.number,
                indices,
                value,
            })),
            _ => Err(line.place().format(format!(
                " has {found} fields, but line {first} has {width}: every line has an index for each mode and last the count"
            ))),
        }
    }
}

/// The fields of a line, blanks and quotes around them left out. A delimiter in quotes parts nothing.
fn fields(line: TextLine<'_>, delimiter: Delimiter) -> Result<Vec<Token<'_>>, ReadError> {
    let mut quoted = false;
    let parts = line.text.split(|c| {
        quoted ^= c == '"';
        c == delimiter.char() && !quoted
    });
    let field = |part| {
        let token = line.token(str::trim_matches(part, [' ', '\t']));
        if !token.text.contains('"') {
            return Ok(token);
        }
        let inside = token.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        // Two quotes in a row stand for one: what is left of such a pair, or beside the quotes, is a slip of the pen.
        let inside = inside.filter(|text| !text.replace("\"\"", "").contains('"'));
        inside.map(|text| line.token(text)).ok_or_else(|| {
            // Up to the next delimiter: what follows may be in order, and a count.
            let text = token.text.split(delimiter.char()).next().unwrap_or_default();
            line.token(text)
                .fault("has a quote that is not closed or not at an end; quote the whole field or none of it")
        })
    };
    parts.map(field).collect()
}

/// Whether the first line names its columns: its last field is text. A line that is half numbers is more likely a cell with a slip
/// of the pen, which must not go lost.
fn is_header(fields: &[Token<'_>], domain: CountDomain) -> Result<bool, ReadError> {
    let is_number = |field: &Token<'_>| field.text.parse::<f64>().is_ok();
    let named = |last: &&Token<'_>| !last.text.is_empty() && !is_number(last);
    let Some(last) = fields.last().filter(named) else {
        return Ok(false);
    };
    if fields.iter().any(is_number) {
        // Without what else would be a number of the domain.
        let no_number = domain.no_number().split(':').next().unwrap_or_default();
        let no_name = "and not the last name of a header either, since this line has numbers";
        return Err(last.fault(format!("{no_number}, {no_name}")));
    }
    Ok(true)
}

/// The cells of a text of a shape that is checked. Without a `base` indices count from zero, and a text that seems to count from one
/// is refused.
pub(super) fn delimited<R: BufRead>(
    reader: R,
    delimiter: Delimiter,
    shape: Vec<usize>,
    base: Option<u64>,
    domain: CountDomain,
) -> Result<Entries<impl Iterator<Item = Stated>>, ReadError> {
    let mut rows = Rows::new(reader, delimiter, domain)?;
    let (sizes, first) = (shape.clone(), base.unwrap_or(0));
    // Read from zero, a text without a zero would have empty first slices along all modes.
    let (mut stated, mut zero) = (false, base.is_some());
    let mut next = move || match rows.next()? {
        Some(row) => {
            stated = true;
            cell(&row, &sizes, first, domain, &mut zero).map(Some)
        }
        None if stated && !zero => Err(counts_from_one(sizes.len())),
        None => Ok(None),
    };
    Ok(Entries {
        shape,
        order: Order::Any,
        base: first,
        symmetric: false,
        cells: std::iter::from_fn(move || next().transpose()),
    })
}

/// The cell that a row states; `zero` becomes true where one of its indices is the first.
fn cell(row: &Row<'_>, shape: &[usize], base: u64, domain: CountDomain, zero: &mut bool) -> Result<Entry, ReadError> {
    let (found, modes) = (row.indices.len(), shape.len());
    if found != modes {
        let what = format!(
            " has {} fields, the count and indices of {found} modes, but shape {shape:?} was given, of {modes} modes: give \
             the size of each mode",
            found + 1
        );
        return Err(Place::Line(row.line).fault(ReadFault::Shape, what));
    }
    let mut at = 0;
    for (mode, (token, &size)) in row.indices.iter().zip(shape).enumerate() {
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
    let (value, line) = (row.value.value(true, domain)?, row.line);
    Ok(Entry { at, value, line })
}

/// The smallest shape that holds every cell of a text.
pub(super) fn extents(
    reader: impl BufRead,
    delimiter: Delimiter,
    base: u64,
    domain: CountDomain,
) -> Result<Vec<usize>, ReadError> {
    let mut rows = Rows::new(reader, delimiter, domain)?;
    let mut shape: Vec<usize> = Vec::new();
    while let Some(row) = rows.next()? {
        let mut grown = false;
        shape.resize(row.indices.len(), 0);
        for (size, token) in shape.iter_mut().zip(row.indices) {
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
    let size = (token.index(base, INDEX)?).and_then(|index| usize::try_from(index).ok()?.checked_add(1));
    let below = || token.text.starts_with('-') || token.text.parse::<u64>().is_ok_and(|given| given < base);
    size.ok_or_else(|| match below() {
        true => token.fault(format!(
            "is below {base}, the first index; correct the cell or the base of indices"
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

    fn read(text: &str, shape: &[usize], base: Option<u64>) -> Result<Vec<Entry>, ReadError> {
        let entries = delimited(
            text.as_bytes(),
            Delimiter::Comma,
            shape.to_vec(),
            base,
            CountDomain::Counts,
        )?;
        entries.cells.collect()
    }

    #[test]
    fn a_cell_lies_at_its_row_major_position() {
        let cells = read("i, j, k, n\n#\n2, 3, 4, 9\n", &[2, 3, 4], Some(1)).unwrap();
        assert_eq!(cells.len(), 1);
        assert_eq!((cells[0].at, cells[0].value, cells[0].line), (23, 9, 3));
    }

    /// Read from zero, a file that counts from one has an empty first row and column, and nobody notices.
    #[test]
    fn a_text_that_counts_from_one_is_not_read_from_zero() {
        let from_one = "1,1,5\n3,2,1\n1,3,2\n";
        let refused = read(from_one, &[4, 4], None).unwrap_err();
        assert!(refused.to_string().contains("Some(1)"), "{refused}");
        let fault = ReadFault::Base;
        assert!(matches!(refused, ReadError::Content { fault: found, .. } if found == fault));
        assert_eq!(read(from_one, &[4, 4], Some(0)).unwrap().len(), 3);
        assert_eq!(read(from_one, &[4, 4], Some(1)).unwrap().len(), 3);
        // One zero in one mode is enough: the others may have an empty first slice.
        assert_eq!(read("1,1,5\n3,0,1\n", &[4, 4], None).unwrap().len(), 2);
        assert!(read("# nothing\n", &[4, 4], None).unwrap().is_empty());
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

    fn split(text: &str, delimiter: Delimiter) -> Result<Vec<&str>, ReadError> {
        let fields = fields(TextLine { number: 1, text }, delimiter)?;
        Ok(fields.into_iter().map(|field| field.text).collect())
    }

    #[test]
    fn fields_lose_blanks_and_quotes() {
        let comma = |text| split(text, Delimiter::Comma).unwrap();
        assert_eq!(comma(" 1 ,\t2, 3 "), ["1", "2", "3"]);
        assert_eq!(comma(r#""a,b" , "c ""d""", e "#), ["a,b", r#"c ""d"""#, "e"]);
        assert_eq!(split("1\t\t 3", Delimiter::Tab).unwrap(), ["1", "", "3"]);
        assert_eq!(comma("1,"), ["1", ""]);
        assert_eq!(comma(""), [""]);
        assert_eq!(comma(r#""","#), ["", ""]);
        assert_eq!(split("é;\u{a0}ü", Delimiter::Semicolon).unwrap(), ["é", "\u{a0}ü"]);
    }

    #[test]
    fn quotes_enclose_a_field_and_end_in_its_line() {
        for (text, column, token) in [
            (r#"1, "2"#, 4, r#""2"#),
            (r#"1, "2,31337"#, 4, r#""2"#),
            (r#"""""#, 1, r#"""""#),
            (r#""1" é,2"#, 1, r#""1" é"#),
            (r#"1"2",2"#, 1, r#"1"2""#),
            (r#"5" disk,2"#, 1, r#"5" disk"#),
            (r#"0,"1"2,2"#, 3, r#""1"2"#),
        ] {
            match split(text, Delimiter::Comma) {
                Err(ReadError::Token {
                    at: Place::Column { column: at, .. },
                    token: found,
                    ..
                }) => assert_eq!((at, &*found), (column, token), "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
