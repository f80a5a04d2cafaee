//! What an example found: text for a person, numbers for a test.

use std::fmt::Write;
use std::ops::Deref;

use skellam::diagnose::{Scores, perplexity};
use skellam::infer::GibbsFit;
use skellam::prelude::Counts;

use crate::Failure;

/// The findings of an example.
#[derive(Clone, Debug, Default)]
pub struct Study {
    /// What is printed.
    pub text: String,
    /// Numbers by name; the smaller the better unless the name says otherwise.
    pub numbers: Vec<(String, f64)>,
}

impl Study {
    /// Begins with a line that says what the data are.
    pub fn of(data: &str) -> Self {
        Self {
            text: format!("{data}\n"),
            numbers: Vec::new(),
        }
    }

    /// Begins with how many documents and words there are, what is looked for in them, and what was released of the half that is seen.
    pub fn of_halves([seen, hidden]: [&Counts; 2], what: &str, noise: &str) -> Self {
        let [documents, words] = [0, 1].map(|mode| seen.shape()[mode]);
        let (seen, hidden) = (seen.total(), hidden.total());
        Self::of(&format!(
            "{documents} articles x {words} words, {what};\n{seen} words seen, {hidden} hidden; where released, {noise}"
        ))
    }

    /// A paragraph.
    pub fn say(&mut self, paragraph: &str) {
        let _ = writeln!(self.text, "\n{}", paragraph.trim_end());
    }

    /// A table of scores. The error of each row can be asked for by its name, and its deviance by `deviance of NAME`.
    pub fn scores(&mut self, scores: &Scores) {
        self.say(&scores.to_string());
        for row in scores.rows() {
            self.number(&row.name, row.error);
            self.number(&format!("deviance of {}", row.name), row.deviance);
        }
    }

    /// The heading of a table of how well fits predict what was held out, whose rows [`Study::predicts`] adds.
    pub fn predictions(&mut self, cell: &str) {
        self.say(&format!("                     log predictive probability of a {cell}"));
    }

    /// A row of that table, which can be asked for by its name. The error is that of several chains.
    ///
    /// # Errors
    ///
    /// A count that the model does not have.
    pub fn predicts(&mut self, name: &str, count: &str, fit: &impl Deref<Target = GibbsFit>) -> Result<(), Failure> {
        if let Some(score) = fit.held_out_score(count)? {
            let error = fit.held_out_error(count)?.map(|error| format!(" ± {error:.3}"));
            let _ = writeln!(self.text, "{name:<18}  {score:>10.3}{}", error.unwrap_or_default());
            self.number(name, -score);
        }
        Ok(())
    }

    /// A table of how well rates predict words that were not seen. The perplexity of each row can be asked for by its name.
    ///
    /// # Errors
    ///
    /// Rates that are not those of the words.
    pub fn perplexities(&mut self, found: &[(&str, Vec<f64>)], hidden: &Counts) -> Result<(), Failure> {
        let mut lines = String::from("                              perplexity of the hidden half\n");
        for (name, rates) in found {
            let value = perplexity(rates, hidden)?;
            let _ = writeln!(lines, "{name:<28}   {value:>29.1}");
            self.number(name, value);
        }
        self.say(&lines);
        Ok(())
    }

    /// A number that goes into no table.
    pub fn number(&mut self, name: &str, value: f64) {
        self.numbers.push((name.into(), value));
    }

    /// A number by its name; NaN, which is below nothing, if it is missing.
    pub fn get(&self, name: &str) -> f64 {
        let found = self.numbers.iter().find(|(known, _)| known == name);
        found.map_or(f64::NAN, |(_, value)| *value)
    }
}
