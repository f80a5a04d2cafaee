//! A printed derivation.

use std::fmt;

use crate::channel::ChannelText;

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

    /// The block that a channel fills in. `unicode` and `latex` are what the model calls the true count,
    /// the observation and the rate of a cell. `drawn` says that no cell may be summed out, because a
    /// Dirichlet factor needs weights of one.
    pub fn channel(text: &ChannelText, unicode: [&str; 3], latex: [&str; 3], drawn: bool) -> Self {
        let mut block = Self {
            heading: format!("Channel {}", text.name),
            rule: fill(text.source, unicode),
            unicode: vec![fill(text.law, unicode)],
            latex: vec![fill(text.law_latex, latex)],
        };
        let parts = [
            ("Gibbs:", text.impute, text.impute_latex),
            ("CAVI:", text.expect, text.expect_latex),
            ("augmented form:", text.augmented, text.augmented_latex),
        ];
        for (title, lines, lines_latex) in parts {
            if !lines.is_empty() {
                block.unicode.push(title.into());
                block
                    .unicode
                    .extend(lines.iter().map(|l| format!("  {}", fill(l, unicode))));
            }
            block.latex.extend(lines_latex.iter().map(|l| fill(l, latex)));
        }
        if drawn {
            block.unicode.extend(DRAWN.map(|line| fill(line, unicode)));
        }
        block
    }
}

/// What changes where a simplex needs every cell to weigh one.
const DRAWN: [&str; 2] = [
    "in this model: a Dirichlet factor needs an exposure that is constant along its simplex, so every cell weighs one;",
    "  cells that are summed out above are visited too, and {y} is drawn (CAVI: expected) there by the same law of {y} given {c}",
];

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

/// `line` with `{y}`, `{c}` and `{mu}` filled in, in one pass: a name that is filled in may look like one
/// of them, as the `y_{c}` of a count with an index `c` does.
fn fill(line: &str, [y, c, mu]: [&str; 3]) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let places = [("{y}", y), ("{c}", c), ("{mu}", mu)];
        rest = match places.iter().find(|(place, _)| from.starts_with(place)) {
            Some((place, name)) => {
                out.push_str(name);
                &from[place.len()..]
            }
            None => {
                out.push('{');
                &from[1..]
            }
        };
    }
    out + rest
}

/// Words, not formulas, for LaTeX.
fn escape(words: &str) -> String {
    words
        .replace('_', "\\_")
        .replace('%', "\\%")
        .replace('&', "\\&")
        .replace('–', "--")
        .replace('—', "---")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{Channel, TwoSidedGeometric};

    #[test]
    fn an_index_called_c_is_no_place_to_fill_in() {
        let latex = [r"y_{c}", r"c_{c}", r"\mu_{c}"];
        assert_eq!(
            fill(r"{c} = {y}, \frac{{mu}^{{y}}}{2}", latex),
            r"c_{c} = y_{c}, \frac{\mu_{c}^{y_{c}}}{2}"
        );
    }

    #[test]
    fn latex_is_ascii() {
        let block = DerivationBlock::channel(
            &TwoSidedGeometric::text(),
            ["y[d]", "c[d]", "μ[d]"],
            ["y_{d}", "c_{d}", r"\mu_{d}"],
            false,
        );
        let latex = Derivation::new("Topics", vec![block]).latex();
        assert!(latex.is_ascii(), "{latex}");
    }
}
