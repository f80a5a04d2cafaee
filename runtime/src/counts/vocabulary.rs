//! Vocabularies: one word a line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::ReadError;
use super::token::{Lines, utf8};

/// The words of a file, one a line, in order; line `v` (from 1) names column `v` of the counts.
///
/// # Errors
/// A file that cannot be opened or is empty, a line that is empty or not UTF-8, each with its number.
pub fn read_vocabulary(path: impl AsRef<Path>) -> Result<Vec<String>, ReadError> {
    let path = path.as_ref();
    let file = File::open(path).map_err(|source| ReadError::Open {
        path: path.to_owned(),
        source,
    })?;
    read_vocabulary_from(BufReader::new(file))
}

/// [`read_vocabulary`] from any text.
///
/// # Errors
/// Those of [`read_vocabulary`].
pub fn read_vocabulary_from(reader: impl BufRead) -> Result<Vec<String>, ReadError> {
    let mut lines = Lines::new(reader);
    let mut words = Vec::new();
    while let Some(bytes) = lines.next_bytes()? {
        // One word a line: the line read last is the word about to be pushed.
        let line = words.len() as u64 + 1;
        let word = utf8(line, bytes)?;
        if word.trim().is_empty() {
            return Err(ReadError::EmptyWord { line });
        }
        words.push(word.to_owned());
    }
    if words.is_empty() {
        Err(ReadError::Empty {
            expected: "one word a line",
        })
    } else {
        Ok(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_a_line_with_or_without_a_last_line_end() {
        for text in [
            "sea\nblück\nice cream",
            "sea\nblück\nice cream\n",
            "sea\r\nblück\r\nice cream\r\n",
        ] {
            assert_eq!(
                read_vocabulary_from(text.as_bytes()).unwrap(),
                ["sea", "blück", "ice cream"]
            );
        }
    }

    #[test]
    fn empty_lines_and_bad_bytes_are_refused_with_their_line() {
        assert!(matches!(
            read_vocabulary_from(&b"a\n\nb\n"[..]),
            Err(ReadError::EmptyWord { line: 2 })
        ));
        assert!(matches!(
            read_vocabulary_from(&b"a\nb\n\n"[..]),
            Err(ReadError::EmptyWord { line: 3 })
        ));
        assert!(matches!(
            read_vocabulary_from(&b"a\nbl\xfcck\n"[..]),
            Err(ReadError::NotUtf8 {
                line: 2,
                column: 3,
                byte: 0xfc
            })
        ));
        assert!(matches!(read_vocabulary_from(&b""[..]), Err(ReadError::Empty { .. })));
        assert!(matches!(
            read_vocabulary("/nowhere/words.txt"),
            Err(ReadError::Open { .. })
        ));
    }
}
