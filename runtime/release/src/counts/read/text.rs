//! What the lines of a delimited text are: what its header says, else the caller, else nobody, and then it is not read.
//!
//! A column of row names that is taken for an index makes each line a row of its own; a table that is taken for cells makes counts
//! of indices. Whoever is charged for a release would be somebody else, so nothing is guessed here.

use std::collections::HashSet;
use std::io::BufRead;

use super::super::check_shape;
use super::super::domain::CountDomain;
use super::super::lines::{TextLine, TextLines, Token};
use super::super::read_error::{Place, ReadError, ReadFault};
use super::names::{Names, room_for};
use super::rows::Rows;
use super::{Delimiter, ReadOptions};

pub(super) const INDEX: &str = "an index: a whole number without sign or point";

/// A delimited text whose lines are understood.
#[derive(Clone)]
pub(super) struct Text {
    delimiter: Delimiter,
    pub(super) rows: Rows,
    /// Whether the first line has the names of columns.
    header: bool,
    /// Whether the first field of a line is a name of it.
    named: bool,
    /// Fields of a line, and the line that set their number.
    width: (usize, u64),
    pub(super) base: Option<u64>,
    /// Whether every index is a name.
    all_names: bool,
    /// Of each mode the names that stand for its indices.
    names: Vec<Option<Names>>,
}

/// The lines that state something, past header, comments and empty lines. All have the same number of fields.
pub(super) struct Records<R> {
    lines: TextLines<R>,
    delimiter: Delimiter,
    width: (usize, u64),
    named: bool,
}

/// The fields of a line.
pub(super) struct Line<'a> {
    pub(super) number: u64,
    /// The name of the line, where it has one.
    pub(super) name: Option<Token<'a>>,
    pub(super) fields: Vec<Token<'a>>,
}

impl<R: BufRead> Records<R> {
    /// The next line; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        if !self.lines.skip_to_content(b'#')? {
            return Ok(None);
        }
        let line = self.lines.line()?;
        let mut fields = fields(line, self.delimiter)?;
        let (found, (width, first)) = (fields.len(), self.width);
        if found != width {
            return Err(line.place().format(format!(
                " has {found} fields, but line {first} has {width}: every line has an index for each mode and last the count, or the \
                 count of each column"
            )));
        }
        let name = self.named.then(|| fields.remove(0));
        let number = line.number;
        Ok(Some(Line { number, name, fields }))
    }
}

impl Text {
    /// Reads the first two lines that say something.
    pub(super) fn new(
        reader: impl BufRead,
        delimiter: Delimiter,
        options: &ReadOptions,
        domain: CountDomain,
    ) -> Result<Self, ReadError> {
        let mut lines = TextLines::new(reader);
        let mut text = Self {
            delimiter,
            rows: options.rows.unwrap_or(Rows::Cells),
            header: false,
            named: false,
            width: (0, 0),
            base: options.base,
            all_names: options.names,
            names: Vec::new(),
        };
        if !lines.skip_to_content(b'#')? {
            return Ok(text);
        }
        let line = lines.line()?;
        let first = fields(line, delimiter)?;
        let (number, place) = (line.number, line.place());
        let names: Vec<String> = first.iter().map(|field| field.text.to_owned()).collect();
        if names.iter().any(|name| name.starts_with('{')) {
            let what = " has attributes as Python writes them: write the edges with `networkx.write_weighted_edgelist`";
            return Err(place.format(what));
        }
        let any_number = first.iter().any(is_number);
        let last_is_name = first.last().is_some_and(is_name);
        if first.iter().any(is_name) && names.len() > 1 && names.last().is_some_and(String::is_empty) {
            let what =
                " has no name for its last column: drop the delimiter at the end of the lines, or name the column";
            return Err(place.format(what));
        }
        // What is wrong with a line that is half numbers: a cell with a slip of the pen must not go lost as a header.
        let half = first.last().filter(|_| any_number && last_is_name).map(|last| {
            let no_number = domain.no_number().split(':').next().unwrap_or_default();
            last.fault(format!(
                "{no_number}, and not the last name of a header either, since this line has numbers"
            ))
        });
        let numbers: Vec<bool> = first.iter().map(is_number).collect();
        let mut second = Vec::new();
        if lines.skip_to_content(b'#')? {
            second = fields(lines.line()?, delimiter)?.iter().map(is_number).collect();
        }
        // R leaves out the name of the column of row names.
        let is_header = options.header.unwrap_or(!any_number);
        let short = is_header && second.len() == names.len() + 1;
        let unnamed = short || names[0].is_empty();
        let width = names.len() + usize::from(short);
        text.width = (width, number + u64::from(short));
        let says_cells = options.header != Some(false) && last_is_name && !any_number && ends_in_count(&names);
        let said = options.rows.or(says_cells.then_some(Rows::Cells));
        let has_two = matches!(said, None | Some(Rows::Cells | Rows::NamedCounts));
        if width < 1 + usize::from(has_two) {
            let what = " has 1 parts; expected one index or more and a count, parted by the delimiter of the file";
            return Err(place.format(what));
        }
        text.rows = said.ok_or_else(|| doubtful(place, width))?;
        text.header = match (options.header, text.rows) {
            (Some(header), _) => header || short,
            _ if short => true,
            (None, Rows::Cells) => match half {
                Some(half) => return Err(half),
                // So pandas names a column that has no name.
                None if first_names_then_zero(&names, &numbers) => return Err(either_header(place)),
                None => last_is_name,
            },
            (None, Rows::Events) => match (any_number, second.contains(&true)) {
                (true, _) => false,
                (false, false) if !unnamed => return Err(either_header(place)),
                _ => true,
            },
            (None, rows) => {
                let items = usize::from(rows == Rows::NamedCounts)..names.len();
                let mut of_items = items.clone().map(|at| numbers[at]);
                match (of_items.clone().any(|is| is), of_items.all(|is| is)) {
                    (false, _) => true,
                    _ if unnamed => true,
                    // Names of columns are distinct.
                    (_, true) if items.clone().any(|at| names[items.start..at].contains(&names[at])) => false,
                    _ => return Err(either_header(place)),
                }
            }
        };
        let unnamed = text.header && unnamed;
        if unnamed && text.rows == Rows::Counts {
            let what = " has no name for its first column: say that it has the names of rows (`named-counts`)";
            return Err(place.fault(ReadFault::Rows, what));
        }
        // Of two columns of a cell the first is all that can be an index.
        let least = if text.rows == Rows::Cells { 2 } else { 1 };
        text.named = text.rows == Rows::NamedCounts || (unnamed && width > least);
        if let (Rows::Events, Some(values)) = (text.rows, domain.values()) {
            return Err(Place::File.format(format!("events state no {values}: give lines of cells or of counts")));
        }
        if text.rows.is_table() {
            let columns = names[usize::from(text.named && !short)..].to_vec();
            text.names = vec![None, text.header.then(|| Names::in_order(columns))];
            text.no_total(place, 1)?;
        }
        Ok(text)
    }

    /// The lines behind the header.
    pub(super) fn lines<R: BufRead>(&self, reader: R) -> Result<Records<R>, ReadError> {
        let mut lines = TextLines::new(reader);
        if self.header {
            lines.skip_to_content(b'#')?;
        }
        let (delimiter, width, named) = (self.delimiter, self.width, self.named);
        Ok(Records {
            lines,
            delimiter,
            width,
            named,
        })
    }

    /// Whether a line has all counts of a slice.
    pub(super) fn is_table(&self) -> bool {
        self.rows.is_table()
    }

    /// Whether the whole text has to be read to know its shape and names.
    pub(super) fn is_open(&self, shape: Option<&[usize]>, reader: impl BufRead) -> Result<bool, ReadError> {
        if shape.is_none() || self.rows.is_table() || self.all_names {
            return Ok(true);
        }
        let mut lines = self.lines(reader)?;
        let first = lines.next()?;
        Ok(first.is_some_and(|line| self.indices(&line.fields).iter().any(is_name)))
    }

    /// The names of a mode, where it has some.
    pub(super) fn names(&self, mode: usize) -> Option<&Names> {
        self.names.get(mode)?.as_ref()
    }

    /// Those fields of a line of a cell or an event that are indices.
    pub(super) fn indices<'a, 'b>(&self, fields: &'b [Token<'a>]) -> &'b [Token<'a>] {
        match self.rows {
            Rows::Cells => fields.split_last().map_or(&[], |(_, indices)| indices),
            _ => fields,
        }
    }

    /// The smallest shape that holds every cell; takes note of all names. `sure` is whether somebody said how many modes there are.
    pub(super) fn survey(&mut self, reader: impl BufRead, sure: bool) -> Result<Vec<usize>, ReadError> {
        let shape = if self.rows.is_table() {
            self.slices(reader)
        } else {
            self.extents(reader, sure)
        }?;
        if shape.is_empty() || shape[0] == 0 {
            let expected = "a line with indices and a count, or a shape (`ReadOptions::shape`),";
            return Err(ReadError::empty(expected));
        }
        self.no_total(Place::File, 0)?;
        Ok(shape)
    }

    /// Of a table: lines and columns.
    fn slices(&mut self, reader: impl BufRead) -> Result<Vec<usize>, ReadError> {
        let (mut lines, mut rows, mut names) = (self.lines(reader)?, 0usize, Vec::new());
        while let Some(line) = lines.next()? {
            rows += 1;
            if let Some(name) = line.name {
                room_for(rows)?;
                names.push(name.text.to_owned());
            }
        }
        let columns = self.width.0 - usize::from(self.named);
        if self.named {
            let names = Names::in_order(names);
            if let Some(line) = names.twice() {
                return Err(Place::File.fault(
                    ReadFault::Duplicate,
                    format!(
                        "row {} has the name of an earlier row, and one row is one user: add up the rows of a name, or make one table \
                         of a line for each cell",
                        line + 1
                    ),
                ));
            }
            // A number that pandas or R have put there names nobody.
            self.names[0] = (!names.is_running()).then_some(names);
        }
        Ok(vec![rows, columns])
    }

    /// Of cells and events.
    fn extents(&mut self, reader: impl BufRead, sure: bool) -> Result<Vec<usize>, ReadError> {
        let (mut lines, base, all_names) = (self.lines(reader)?, self.base.unwrap_or(0), self.all_names);
        let (mut shape, mut names): (Vec<usize>, Vec<Option<Names>>) = Default::default();
        // The indices of the first mode, as long as none came twice.
        let (mut firsts, mut found, mut repeated) = (HashSet::new(), 0usize, sure);
        let cells = self.rows == Rows::Cells;
        while let Some(line) = lines.next()? {
            let indices = match line.fields.split_last() {
                Some((_, indices)) if cells => indices,
                _ => &line.fields,
            };
            if found == 0 {
                shape.resize(indices.len(), 0);
                names.extend(
                    indices
                        .iter()
                        .map(|token| (all_names || is_name(token)).then(Names::default)),
                );
            }
            found += 1;
            let mut grown = false;
            for ((size, names), token) in shape.iter_mut().zip(&mut names).zip(indices) {
                let needed = match names {
                    Some(names) => {
                        if token.text.is_empty() || !(all_names || is_name(token)) {
                            return Err(token.fault(
                                "is no name, and this column began with one: correct it, or say that every index is a name \
                                 (`ReadOptions::names`; `--names`)",
                            ));
                        }
                        names.insert(token.text)?
                    }
                    None => size_to_hold(*token, base)?,
                };
                if needed > *size {
                    (*size, grown) = (needed, true);
                }
            }
            // At the line that made it too large.
            if grown {
                check_shape(&shape).map_err(Place::Line(line.number).shape())?;
            }
            if !repeated && indices.len() > 1 {
                room_for(found)?;
                repeated = !firsts.insert(indices[0].text.to_owned());
                if repeated {
                    firsts = Default::default();
                }
            }
        }
        if !repeated && shape.len() > 1 && found > 2 {
            let modes = shape.len();
            return Err(Place::File.fault(
                ReadFault::Rows,
                format!(
                    "no index of the first of {modes} modes comes twice in {found} lines: it may be the number of the line, and each line \
                     would be a row of its own. Drop that column (in pandas `index=False`, in R `row.names = FALSE`), or say that it is a \
                     mode by the sizes of all {modes} (`ReadOptions::shape`; `--shape`)"
                ),
            ));
        }
        names.iter_mut().flatten().for_each(Names::sort);
        self.names = names;
        Ok(shape)
    }

    /// Refuses a mode whose last name says that it holds sums: they would be somebody's counts.
    fn no_total(&self, place: Place, mode: usize) -> Result<(), ReadError> {
        let Some(total) = self.names(mode).and_then(Names::total) else {
            return Ok(());
        };
        let what = format!(
            "the name `{total}` is that of a sum, which would be taken for counts: leave sums out, or give it another name"
        );
        let what = if place == Place::File {
            what
        } else {
            format!(": {what}")
        };
        Err(place.fault(ReadFault::Rows, what))
    }
}

/// Whether a field is a name and not a number.
fn is_name(token: &Token<'_>) -> bool {
    !token.text.is_empty() && !is_number(token)
}

fn is_number(token: &Token<'_>) -> bool {
    token.text.parse::<f64>().is_ok()
}

/// Whether these are names and last `0`, as in a header of pandas, or as in a cell.
fn first_names_then_zero(names: &[String], numbers: &[bool]) -> bool {
    numbers.iter().position(|is| *is) == Some(names.len() - 1) && names.last().is_some_and(|last| last == "0")
}

/// Whether the last of these names, and no other, is one for counts.
fn ends_in_count(names: &[String]) -> bool {
    let is_count = |name: &String| {
        [
            "count",
            "counts",
            "n",
            "value",
            "values",
            "weight",
            "weights",
            "freq",
            "frequency",
        ]
        .contains(&&*name.to_ascii_lowercase())
    };
    names.iter().position(is_count) == Some(names.len() - 1)
}

/// The complaint about a text of which nobody says what its lines are.
fn doubtful(place: Place, width: usize) -> ReadError {
    let (one, modes) = (width - 1, |n: usize| {
        if n == 1 {
            "1 mode".to_owned()
        } else {
            format!("{n} modes")
        }
    });
    place.fault(
        ReadFault::Rows,
        format!(
            ": nothing says what a line of {width} columns is, and who is a row depends on it: `cells` (indices of {}, then the count), \
             `counts` (a row of {width} counts), `named-counts` (the name of a row, then {one} counts) or `events` (indices of {}, counted \
             once). Say which (`ReadOptions::rows`; `--rows`), or name the last column `count` if lines are cells",
            modes(one),
            modes(width)
        ),
    )
}

/// The complaint about a first line that may be a header or not.
fn either_header(place: Place) -> ReadError {
    let what =
        " may be the names of the columns, or state counts: say which (`ReadOptions::header`; `--header yes` or `no`)";
    place.fault(ReadFault::Rows, what)
}

/// The fields of a line, blanks and quotes around them left out. A delimiter in quotes parts nothing.
pub(super) fn fields(line: TextLine<'_>, delimiter: Delimiter) -> Result<Vec<Token<'_>>, ReadError> {
    let mut quoted = false;
    let blanks = delimiter == Delimiter::Blank;
    let parts = line.text.split(|c| {
        quoted ^= c == '"';
        !quoted && (c == delimiter.char() || (blanks && c == '\t'))
    });
    // Of blanks, as many as there are part two fields.
    let parts = parts.filter(|part| !blanks || !part.is_empty());
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(split(" 1\t  \"a b\" 3 ", Delimiter::Blank).unwrap(), ["1", "a b", "3"]);
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
