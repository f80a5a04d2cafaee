//! Input as it stands in a message: what a terminal would obey, or not show, is spelt out.

use std::fmt::{self, Display, Write};

/// Shows text that comes from a file, a command line or a name, with every control character, direction mark and
/// invisible character as its escape: `\n`, `\u{1b}`, `\u{202e}`. A message then shows what is there, in one line and in
/// its order, and nothing in a file can colour, move or hide the words around it.
///
/// ```
/// use skellam_release::quoted;
/// assert_eq!(quoted("12\u{202e}3\r\n").to_string(), "12\\u{202e}3\\r\\n");
/// assert_eq!(quoted("blück, 東").to_string(), "blück, 東");
/// ```
pub fn quoted<T: Display>(text: T) -> Quoted<T> {
    Quoted(text)
}

/// See [`quoted`].
#[derive(Clone, Copy, Debug)]
pub struct Quoted<T>(T);

impl<T: Display> Display for Quoted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|character| self.write_char(character))
    }

    fn write_char(&mut self, character: char) -> fmt::Result {
        match character {
            '\n' | '\r' | '\t' => write!(self.0, "{}", character.escape_default()),
            _ if character.is_control() || is_invisible(character) => write!(self.0, "{}", character.escape_unicode()),
            _ => self.0.write_char(character),
        }
    }
}

/// Marks of direction, and characters without a shape or that end a line.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_spelt_out() {
        for (text, shown) in [
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("a\0b\u{7f}\u{9b}c", "a\\u{0}b\\u{7f}\\u{9b}c"),
            ("one\ntwo\r\tthree", "one\\ntwo\\r\\tthree"),
            (
                "\u{202e}desrever\u{2066}\u{200f}",
                "\\u{202e}desrever\\u{2066}\\u{200f}",
            ),
            (
                "\u{feff}zero\u{200b}width\u{2028}",
                "\\u{feff}zero\\u{200b}width\\u{2028}",
            ),
        ] {
            assert_eq!(quoted(text).to_string(), shown);
        }
    }

    #[test]
    fn other_text_stays_as_it_is() {
        for text in ["", "blück 東 ø", "C:\\path", "`quoted` \"twice\"", "שלום"] {
            assert_eq!(quoted(text).to_string(), text);
        }
    }
}
