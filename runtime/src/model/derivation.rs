//! A printed derivation.

use std::fmt;

/// Every conditional and update of a model as mathematics. `Display` is Unicode; see
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
    unicode: Vec<String>,
    latex: Vec<String>,
}

impl DerivationBlock {
    /// A block that the compiler wrote.
    pub fn text(heading: &str, rule: &str, unicode: &[&str], latex: &[&str]) -> Self {
        let own = |lines: &[&str]| lines.iter().map(|l| (*l).to_string()).collect();
        Self {
            heading: heading.into(),
            rule: rule.into(),
            unicode: own(unicode),
            latex: own(latex),
        }
    }

    /// A block whose lines were put together at run time.
    pub(super) fn lines(heading: &str, rule: &str, unicode: Vec<String>, latex: Vec<String>) -> Self {
        Self {
            heading: heading.into(),
            rule: rule.into(),
            unicode,
            latex,
        }
    }
}

impl Derivation {
    /// The derivation of the model called `title`.
    pub fn new(title: &'static str, blocks: Vec<DerivationBlock>) -> Self {
        Self { title, blocks }
    }

    /// As LaTeX, to be included in a document that loads `amsmath`.
    pub fn latex(&self) -> String {
        let mut out = format!("\\section*{{{}}}\n", self.title);
        for block in self.blocks.iter().filter(|b| !b.latex.is_empty()) {
            out.push_str(&format!("\n\\paragraph{{{}.}}", escape(&block.heading)));
            if !block.rule.is_empty() {
                out.push_str(&format!(" {}.", escape(&block.rule)));
            }
            out.push_str("\n\\begin{gather*}\n");
            out.push_str(&block.latex.join(" \\\\\n"));
            out.push_str("\n\\end{gather*}\n");
        }
        out
    }
}

/// Words, not formulas, for LaTeX.
fn escape(words: &str) -> String {
    words
        .replace('_', "\\_")
        .replace('%', "\\%")
        .replace('&', "\\&")
        .replace('–', "--")
        .replace('—', "---")
        .replace('−', "$-$")
        .replace('α', r"$\alpha$")
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        for block in &self.blocks {
            writeln!(f, "\n{}", block.heading)?;
            if !block.rule.is_empty() {
                writeln!(f, "  rule: {}", block.rule)?;
            }
            for line in &block.unicode {
                writeln!(f, "    {line}")?;
            }
        }
        Ok(())
    }
}
