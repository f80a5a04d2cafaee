//! A printed derivation.

use std::fmt;

use serde_json::{Value, json};

use super::latex::{escaped, formula, is_formula, words};

/// Every conditional and update of a model as mathematics. `Display` is plain text; see
/// [`Derivation::latex`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    title: String,
    blocks: Vec<DerivationBlock>,
}

/// Formulas under a heading, with the rule that gave them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivationBlock {
    heading: String,
    rule: String,
    lines: Vec<String>,
}

impl DerivationBlock {
    /// A block that the compiler wrote.
    pub fn text(heading: &str, rule: &str, lines: &[&str]) -> Self {
        Self::lines(heading, rule, lines.iter().map(|&line| line.to_owned()).collect())
    }

    /// A block whose lines were put together at run time.
    pub(super) fn lines(heading: &str, rule: &str, lines: Vec<String>) -> Self {
        Self {
            heading: heading.into(),
            rule: rule.into(),
            lines,
        }
    }

    /// What the lines are about.
    pub fn heading(&self) -> &str {
        &self.heading
    }

    /// The rule that gave them; empty where none is said.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// The lines, each whole, and as LaTeX if it is a formula; in the others there are words.
    pub fn formulas(&self) -> Vec<(String, Option<String>)> {
        let all = self.whole_lines().into_iter();
        all.map(|line| {
            let latex = is_formula(&line).then(|| formula(&line));
            (line, latex)
        })
        .collect()
    }

    /// The lines, each with those on which it goes on: they are indented by four or more.
    fn whole_lines(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let mut indent = 0;
        for line in &self.lines {
            let own = line.len() - line.trim_start().len();
            match all.last_mut() {
                Some(before) if own >= indent + 4 => {
                    before.push(' ');
                    before.push_str(line.trim_start());
                }
                _ => {
                    indent = own;
                    all.push(line.trim_start().to_owned());
                }
            }
        }
        all
    }
}

impl Derivation {
    /// The derivation of the model called `title`.
    pub fn new(title: &str, blocks: Vec<DerivationBlock>) -> Self {
        let title = title.to_owned();
        Self { title, blocks }
    }

    /// Formulas under their headings.
    pub fn blocks(&self) -> &[DerivationBlock] {
        &self.blocks
    }

    /// As data of a file.
    pub(crate) fn data(&self) -> Value {
        let blocks = self
            .blocks
            .iter()
            .map(|block| json!([block.heading, block.rule, block.lines]));
        json!({ "title": self.title, "blocks": blocks.collect::<Vec<_>>() })
    }

    /// What was written by `data`; `None` if it was not.
    pub(crate) fn from_data(data: &Value) -> Option<Self> {
        let blocks = data["blocks"].as_array()?.iter().map(|block| {
            let [heading, rule, lines] = [&block[0], &block[1], &block[2]];
            let lines = lines.as_array()?.iter().map(|line| Some(line.as_str()?.to_owned()));
            let lines = lines.collect::<Option<_>>()?;
            Some(DerivationBlock::lines(heading.as_str()?, rule.as_str()?, lines))
        });
        Some(Self::new(data["title"].as_str()?, blocks.collect::<Option<_>>()?))
    }

    /// As LaTeX, to be included in a document that loads `amsmath` and `amssymb`: the same lines by a table of symbols. Formulas are displayed, what is
    /// said in words stands between them.
    pub fn latex(&self) -> String {
        let mut out = format!("\\section*{{{}}}\n", escaped(&self.title));
        for block in &self.blocks {
            out.push_str(&format!("\n\\paragraph{{{}.}}", words(&block.heading)));
            if !block.rule.is_empty() {
                out.push_str(&format!(" {}.", words(&block.rule)));
            }
            out.push('\n');
            let all = block.whole_lines();
            for run in all.chunk_by(|one, next| is_formula(one) == is_formula(next)) {
                match is_formula(&run[0]) {
                    true => {
                        let formulas: Vec<String> = run.iter().map(|line| formula(line)).collect();
                        out.push_str(&format!(
                            "\\begin{{gather*}}\n{}\n\\end{{gather*}}\n",
                            formulas.join(" \\\\\n")
                        ));
                    }
                    false => run
                        .iter()
                        .for_each(|line| out.push_str(&format!("\\noindent {}\\par\n", words(line)))),
                }
            }
        }
        out
    }
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        for block in &self.blocks {
            writeln!(f, "\n{}", block.heading)?;
            if !block.rule.is_empty() {
                writeln!(f, "  rule: {}", block.rule)?;
            }
            for line in &block.lines {
                writeln!(f, "    {line}")?;
            }
        }
        Ok(())
    }
}
