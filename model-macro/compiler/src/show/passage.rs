//! Lines of a printed derivation.

use super::wrap::{INDENT, fits, wrapped};

/// Lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Passage {
    /// One each; what goes on from the line before is indented.
    pub lines: Vec<String>,
}

impl Passage {
    pub(super) fn formula(&mut self, formula: &str) {
        self.lines.extend(wrapped(formula));
    }

    /// Adds the place in a paper to the last formula.
    pub(super) fn source(&mut self, place: &str) {
        match self.lines.last_mut() {
            Some(line) if fits(&format!("{line}   [{place}]")) => line.push_str(&format!("   [{place}]")),
            _ => self.lines.push(format!("{INDENT}[{place}]")),
        }
    }

    pub(super) fn words(&mut self, words: impl Into<String>) {
        self.lines.push(words.into());
    }
}
