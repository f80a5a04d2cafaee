//! The memory of a run, part by part, summed before it starts.

use std::fmt;

use super::{TooLarge, fits, in_words, is_small};

/// What a run holds, part by part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    parts: Vec<(String, f64)>,
}

impl Memory {
    /// Adds a part.
    pub fn add(&mut self, what: impl Into<String>, bytes: f64) {
        if bytes > 0.0 {
            self.parts.push((what.into(), bytes));
        }
    }

    /// The parts and their bytes.
    pub fn parts(&self) -> impl Iterator<Item = (&str, f64)> {
        self.parts.iter().map(|(what, bytes)| (what.as_str(), *bytes))
    }

    /// Bytes in all.
    pub fn total(&self) -> f64 {
        self.parts.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Refuses a run that does not fit, with its largest part and what to change.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn afford(&self, run: &str) -> Result<(), TooLarge> {
        // Advice is text, and self-tests bind a model for every draw.
        if is_small(self.total()) {
            return Ok(());
        }
        let largest = self.parts.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let instead = largest.map_or("lower the sizes".to_owned(), |(what, bytes)| {
            let advice = if what.starts_with("draws of") {
                "write them to a store as they are made (`draws_in`), keep moments instead of draws (`keep`), fewer draws, or fewer chains"
            } else if what.starts_with("mean rates") {
                "keep the rates of fewer cells (`keep`)"
            } else {
                "lower the sizes, or run fewer chains or threads"
            };
            format!("{what} take {} of it; {advice}", in_words(*bytes))
        });
        fits(run, self.total(), &instead)
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self
            .parts
            .iter()
            .map(|(what, _)| what.chars().count())
            .max()
            .unwrap_or(0);
        for (what, bytes) in &self.parts {
            writeln!(f, "    {what:<width$}  {:>12}", in_words(*bytes))?;
        }
        write!(f, "    {:<width$}  {:>12}", "in all", in_words(self.total()))
    }
}
