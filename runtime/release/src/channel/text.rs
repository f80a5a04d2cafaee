//! What a channel says of itself in a printed derivation.

use super::LinearText;

/// Words and formulas of a channel. In each formula `{y}` stands for the true count of a cell, `{c}` for what was observed
/// there, `{mu}` for its rate and `{g}` for the rate that CAVI has in its place, all with their indices. LaTeX is made of the same lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelText {
    /// Name of the mechanism, as the user writes it.
    pub name: &'static str,
    /// One line: the law of the observation given the true count.
    pub law: &'static str,
    /// Which observations are exposure alone, [`Channel::log_linear`](super::Channel::log_linear), and their weight; `None` if none are.
    pub linear: Option<LinearText>,
    /// What Gibbs draws at a visited cell, a line each. Nothing where the language knows the law, and writes its steps out.
    pub impute: &'static [&'static str],
    /// What CAVI takes as `E[y]` at a visited cell, likewise.
    pub expect: &'static [&'static str],
    /// What the augmented forms do, where the channel has auxiliary variables of its own; `None` where there are none, or the language knows them.
    pub augmented: Option<AugmentedText>,
    /// Where the formulas come from.
    pub source: &'static str,
}

/// Lines about the augmented forms of a channel whose auxiliary variables are its own; places as in [`ChannelText`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AugmentedText {
    /// What a Gibbs step draws.
    pub gibbs: &'static [&'static str],
    /// What a variational step computes, and what the cell adds to the bound.
    pub cavi: &'static [&'static str],
    /// What the published step computes.
    pub published: &'static [&'static str],
}

/// A generated file, and below it the sources of the channels that it names and does not write out, each once.
pub fn with_sources(generated: &str, sources: &[&'static str]) -> String {
    let mut out = generated.to_owned();
    let given = sources.iter().enumerate();
    let once = given.filter(|(at, source)| !source.is_empty() && !sources[..*at].contains(source));
    for (_, source) in once {
        let line = |line: &str| format!("// {line}").trim_end().to_owned() + "\n";
        let lines: String = source.lines().map(line).collect();
        out += "\n// A channel of your own, as it is written: it draws the cells, and expects them.\n//\n";
        out += &lines;
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::channel::{
        AtLeastOne, Channel, ContinuousLaplace, Exact, Laplace, Naive, Skellam, TruncatedGeometric, TwoSidedGeometric,
    };

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
}
