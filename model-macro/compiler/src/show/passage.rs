//! Lines in both notations.

use super::wrap::{INDENT, fits, wrapped};

/// Lines in both notations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Passage {
    /// A line each.
    pub unicode: Vec<String>,
    /// A displayed formula each.
    pub latex: Vec<String>,
}

impl Passage {
    pub(super) fn formula(&mut self, [unicode, latex]: [String; 2]) {
        self.unicode.extend(wrapped(&unicode));
        self.latex.push(latex);
    }

    /// Adds the place in a paper to the last formula.
    pub(super) fn source(&mut self, place: &str) {
        if let Some(latex) = self.latex.last_mut() {
            latex.push_str(&format!(r" \qquad \text{{[{}]}}", place.replace('–', "--")));
        }
        match self.unicode.last_mut() {
            Some(line) if fits(&format!("{line}   [{place}]")) => line.push_str(&format!("   [{place}]")),
            _ => self.unicode.push(format!("{INDENT}[{place}]")),
        }
    }

    pub(super) fn words(&mut self, words: impl Into<String>) {
        self.unicode.push(words.into());
    }
}
