//! What a channel says of itself in a printed derivation.

/// Words and formulas of a channel. In each formula `{y}` stands for the true count of a cell, `{c}`
/// for what was observed there and `{mu}` for its rate, all with their indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelText {
    /// Name of the mechanism, as the user writes it.
    pub name: &'static str,
    /// One line: the law of the observation given the true count, in Unicode mathematics.
    pub law: &'static str,
    /// The law in LaTeX.
    pub law_latex: &'static str,
    /// What Gibbs draws at a visited cell, and which cells are never visited. A line each.
    pub impute: &'static [&'static str],
    /// The same in LaTeX, a displayed formula each.
    pub impute_latex: &'static [&'static str],
    /// What CAVI takes as `E[y]` at a visited cell. A line each.
    pub expect: &'static [&'static str],
    /// The same in LaTeX.
    pub expect_latex: &'static [&'static str],
    /// The augmented form, a line each; empty if there is none.
    pub augmented: &'static [&'static str],
    /// The same in LaTeX.
    pub augmented_latex: &'static [&'static str],
    /// Where the formulas come from.
    pub source: &'static str,
}

#[cfg(test)]
mod tests {
    use crate::channel::{
        AtLeastOne, Channel, ContinuousLaplace, Exact, Laplace, Naive, Skellam, TruncatedGeometric, TwoSidedGeometric,
    };

    /// With the placeholders filled in, no brace is left in the words, and those of LaTeX are balanced.
    #[test]
    fn placeholders_are_the_known_ones() {
        for text in [
            Exact::text(),
            Naive::text(),
            TwoSidedGeometric::text(),
            TruncatedGeometric::text(),
            Skellam::text(),
            Laplace::text(),
            ContinuousLaplace::text(),
            AtLeastOne::text(),
        ] {
            let fill = |line: &str| line.replace("{y}", "Y").replace("{c}", "C").replace("{mu}", "M");
            let words = [&[text.law], text.impute, text.expect, text.augmented].concat();
            assert!(
                words.iter().all(|line| !fill(line).contains(['{', '}'])),
                "{}: {words:?}",
                text.name
            );
            for line in [
                &[text.law_latex],
                text.impute_latex,
                text.expect_latex,
                text.augmented_latex,
            ]
            .concat()
            {
                let mut depth = 0;
                for brace in fill(line).chars() {
                    depth += i32::from(brace == '{') - i32::from(brace == '}');
                    assert!(depth >= 0, "{line}");
                }
                assert_eq!(depth, 0, "{line}");
            }
        }
    }
}
