//! Vocabularies and other lists: one item a line.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::path::Path;

use super::CountsError;
use super::lines::{TextLines, is_digits};
use super::read_error::{Place, ReadError, ReadFault};
use crate::memory::reserve;

/// The words of a file, one a line, in order; line `v` (from 1) names column `v` of the counts.
///
/// # Errors
/// A file that cannot be opened or is empty, a line that is empty or not UTF-8, each with its number.
pub fn read_vocabulary(path: impl AsRef<Path>) -> Result<Vec<String>, ReadError> {
    read_vocabulary_from(ReadError::open(path.as_ref())?)
}

/// [`read_vocabulary`] from any text.
///
/// # Errors
/// Those of [`read_vocabulary`].
pub fn read_vocabulary_from(reader: impl BufRead) -> Result<Vec<String>, ReadError> {
    let mut lines = TextLines::new(reader);
    let mut words = Vec::new();
    while lines.advance()? > 0 {
        let word = lines.line()?.text;
        if word.trim().is_empty() {
            let what = " is empty: a vocabulary has one word a line, and a missing word would shift all later ones";
            return Err(lines.place().format(what));
        }
        keep(word, &mut words, "the words of a vocabulary")?;
    }
    match words.is_empty() {
        true => Err(ReadError::empty("one word a line")),
        false => Ok(words),
    }
}

/// The lines of a file in order, without blanks around them: a list of items, such as a budget or a user for each row. Empty
/// lines at the end do not count, nor does a byte order mark.
///
/// # Errors
/// Something that is not a file, a line that is not UTF-8 or longer than a mebibyte, more lines than fit in memory; lines that all begin
/// with a number of their own and a delimiter, as pandas and R write a column: no two lines would be one item then.
pub fn read_list(path: impl AsRef<Path>) -> Result<Vec<String>, ReadError> {
    let mut lines = TextLines::new(ReadError::open(path.as_ref())?);
    let mut items: Vec<String> = Vec::new();
    while lines.advance()? > 0 {
        keep(lines.line()?.text.trim(), &mut items, "the lines of a list")?;
    }
    while items.last().is_some_and(String::is_empty) {
        items.pop();
    }
    let mut numbers = BTreeSet::new();
    let is_numbered = |item: &String| {
        let number = item
            .split_once([',', ';', '\t'])
            .map_or("", |(number, _)| number.trim_matches('"'));
        is_digits(number) && numbers.insert(number.to_owned())
    };
    if items.len() > 1 && items.iter().all(is_numbered) {
        let what = "every line begins with a number of its own: it is a table with row names, and a list has items alone (in pandas \
                    `index=False`, in R `row.names = FALSE`)";
        return Err(Place::File.fault(ReadFault::Rows, what));
    }
    Ok(items)
}

fn keep(word: &str, words: &mut Vec<String>, what: &str) -> Result<(), ReadError> {
    reserve(words, 1, what, "split the data").map_err(CountsError::from)?;
    words.push(word.to_owned());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    #[test]
    fn one_word_a_line_with_or_without_a_last_line_end() {
        for text in [
            "sea\nblück\nice cream",
            "sea\nblück\nice cream\n",
            "sea\r\nblück\r\nice cream\r\n",
            "\u{feff}sea\nblück\nice cream\n",
        ] {
            assert_eq!(
                read_vocabulary_from(text.as_bytes()).unwrap(),
                ["sea", "blück", "ice cream"]
            );
        }
    }

    #[test]
    fn empty_lines_and_bad_bytes_are_refused_with_their_line() {
        for (text, expected) in [
            (&b"a\n\nb\n"[..], "line 2 is empty"),
            (b"a\nb\n\n", "line 3 is empty"),
            (b"a\nbl\xfcck\n", "line 2, column 3: byte 0xfc is not UTF-8"),
            (b"", "the file is empty: one word a line was expected"),
        ] {
            let refused = read_vocabulary_from(text).unwrap_err().to_string();
            assert!(refused.starts_with(expected), "{refused}");
        }
        assert!(matches!(
            read_vocabulary("/nowhere/words.txt"),
            Err(ReadError::Open { .. })
        ));
    }

    /// `/dev/zero` has no line end: it was read until the memory was full.
    #[test]
    #[cfg(unix)]
    fn a_list_is_a_file_of_lines() {
        let scratch = tempdir().unwrap();
        let path = scratch.path().join("list");
        std::fs::write(&path, "\u{feff} 1/2\r\n\n0.5\t\n\n \n").unwrap();
        assert_eq!(read_list(&path).unwrap(), ["1/2", "", "0.5"]);
        // As pandas writes a column with its index: no user would come twice.
        for numbered in ["0,anna\n1,anna\n", "\"2\";\"anna\"\n\"7\";\"anna\"\n"] {
            std::fs::write(&path, numbered).unwrap();
            let refused = read_list(&path).unwrap_err().to_string();
            assert!(
                refused.starts_with("every line begins with a number of its own"),
                "{refused}"
            );
        }
        std::fs::write(&path, "7,5\n7,6\n").unwrap();
        assert_eq!(read_list(&path).unwrap(), ["7,5", "7,6"]);
        std::fs::write(&path, "a\n".to_owned() + &"x".repeat(2 << 20)).unwrap();
        let refused = read_list(&path).unwrap_err().to_string();
        assert!(refused.starts_with("line 2 is longer than"), "{refused}");
        for result in [read_list("/dev/zero"), read_vocabulary("/dev/zero")] {
            assert!(matches!(result, Err(ReadError::NotAFile { kind: "a device", .. })));
        }
    }
}
