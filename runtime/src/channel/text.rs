//! What a channel says of itself in a printed derivation.

use super::LinearText;
use super::difference::PoissonDifference;

/// Words and formulas of a channel. In each formula `{y}` stands for the true count of a cell, `{c}` for what was observed
/// there, `{mu}` for its rate and `{g}` for the rate that CAVI has in its place, all with their indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelText {
    /// Name of the mechanism, as the user writes it.
    pub name: &'static str,
    /// One line: the law of the observation given the true count, in Unicode mathematics.
    pub law: &'static str,
    /// The law in LaTeX.
    pub law_latex: &'static str,
    /// Which observations are exposure alone, [`Channel::log_linear`](super::Channel::log_linear), and their weight; `None` if none are.
    pub linear: Option<LinearText>,
    /// What Gibbs draws at a visited cell. A line each.
    pub impute: &'static [&'static str],
    /// The same in LaTeX, a displayed formula each.
    pub impute_latex: &'static [&'static str],
    /// What CAVI takes as `E[y]` at a visited cell. A line each.
    pub expect: &'static [&'static str],
    /// The same in LaTeX.
    pub expect_latex: &'static [&'static str],
    /// What the noise is made of, where that is more than these lines say.
    pub noise: NoiseText,
    /// Where the formulas come from.
    pub source: &'static str,
}

/// What the noise of a channel is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoiseText {
    /// Nothing that inference knows of: the lines of [`ChannelText`] say everything, and there is no augmented form.
    Summed,
    /// A difference of two Poisson counts, from which all steps of a cell follow.
    PoissonDifference(PoissonDifference),
    /// Auxiliary variables of the channel's own, in its own words.
    Custom(CustomForms),
}

/// Lines about the augmented forms of a channel whose auxiliary variables are its own; places as in [`ChannelText`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CustomForms {
    /// What a Gibbs step draws.
    pub gibbs: &'static [&'static str],
    /// What a variational step computes, and what the cell adds to the bound.
    pub cavi: &'static [&'static str],
    /// What the published step computes.
    pub published: &'static [&'static str],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::formula::{CellNames, Line, Notation};
    use crate::channel::{
        AtLeastOne, Channel, ContinuousLaplace, Exact, Laplace, Naive, Skellam, TruncatedGeometric, TwoSidedGeometric,
    };

    fn all() -> [ChannelText; 8] {
        [
            Exact::text(),
            Naive::text(),
            TwoSidedGeometric::text(),
            TruncatedGeometric::text(),
            Skellam::text(),
            Laplace::text(),
            ContinuousLaplace::text(),
            AtLeastOne::text(),
        ]
    }

    fn lines(text: &ChannelText) -> Vec<Line> {
        match &text.noise {
            NoiseText::PoissonDifference(noise) => {
                [noise.declared(), noise.gibbs(), noise.cavi(), noise.published()].concat()
            }
            NoiseText::Summed | NoiseText::Custom(_) => Vec::new(),
        }
    }

    /// What is printed of the cells that are exposure alone is what the channel says of them.
    #[test]
    fn linear_cells_are_printed() {
        fn check<C: Channel>(zero: C::Value) {
            let (text, linear) = (C::text(), C::typical().log_linear(zero));
            assert_eq!(text.linear.is_some(), linear.is_some(), "{}", text.name);
            let weighs_one = text.linear.map(|linear| linear.weighs_one());
            assert_eq!(weighs_one, linear.map(|linear| linear.weight == 1.0), "{}", text.name);
        }
        check::<Exact>(0);
        check::<Naive>(0);
        check::<TwoSidedGeometric>(0);
        check::<TruncatedGeometric>(0);
        check::<Skellam>(0);
        check::<Laplace>(0.0);
        check::<ContinuousLaplace>(0.0);
        check::<AtLeastOne>(false);
    }

    /// The compiler knows what noise is made of by the name of its law: that is what the law says of itself.
    #[test]
    fn the_compiler_knows_the_noise_of_the_prelude() {
        for text in all() {
            let says = match text.noise {
                NoiseText::PoissonDifference(noise) => Some(noise),
                NoiseText::Summed | NoiseText::Custom(_) => None,
            };
            assert_eq!(PoissonDifference::of_law(text.name), says, "{}", text.name);
        }
    }

    /// With the placeholders filled in, no brace is left in the words, and those of LaTeX are balanced.
    #[test]
    fn placeholders_are_the_known_ones() {
        let [unicode, latex] = CellNames::of_topics();
        for text in all() {
            let words = [&[text.law], text.impute, text.expect].concat();
            let mut words: Vec<String> = words.iter().map(|line| unicode.fill(line)).collect();
            words.extend(text.linear.map(|linear| unicode.fill(&linear.line())));
            words.extend(lines(&text).iter().map(|line| line.write(&unicode, Notation::Unicode)));
            assert!(
                words.iter().all(|line| !line.contains(['{', '}', '\\'])),
                "{}: {words:?}",
                text.name
            );
            let formulas = [&[text.law_latex], text.impute_latex, text.expect_latex].concat();
            let mut formulas: Vec<String> = formulas.iter().map(|line| latex.fill(line)).collect();
            formulas.extend(lines(&text).iter().map(|line| line.write(&latex, Notation::Latex)));
            for line in formulas {
                assert!(line.is_ascii(), "{line}");
                let mut depth = 0;
                for brace in line.chars() {
                    depth += i32::from(brace == '{') - i32::from(brace == '}');
                    assert!(depth >= 0, "{line}");
                }
                assert_eq!(depth, 0, "{line}");
                assert_eq!(
                    line.matches(r"\left").count(),
                    line.matches(r"\right").count(),
                    "{line}"
                );
            }
        }
    }

    #[test]
    fn lines_fit_a_page() {
        let [unicode, _] = CellNames::of_topics();
        for text in all() {
            let words = [&[text.law], text.impute, text.expect].concat();
            let mut words: Vec<String> = words.iter().map(|line| unicode.fill(line)).collect();
            words.extend(text.linear.map(|linear| unicode.fill(&linear.line())));
            words.extend(lines(&text).iter().map(|line| line.write(&unicode, Notation::Unicode)));
            for line in words {
                assert!(line.chars().count() <= 100, "{}: {line}", text.name);
            }
        }
    }
}
