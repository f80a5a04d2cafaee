//! A printed derivation.

use std::fmt;

use super::latex::{escaped, formula, is_formula, words};

/// Every conditional and update of a model as mathematics. `Display` is plain text; see
/// [`Derivation::latex`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    title: &'static str,
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
    pub fn new(title: &'static str, blocks: Vec<DerivationBlock>) -> Self {
        Self { title, blocks }
    }

    /// As LaTeX, to be included in a document that loads `amsmath` and `amssymb`: the same lines by a table of symbols. Formulas are displayed, what is
    /// said in words stands between them.
    pub fn latex(&self) -> String {
        let mut out = format!("\\section*{{{}}}\n", escaped(self.title));
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
