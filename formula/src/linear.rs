//! Cells that are exposure alone.

use super::symbol::greek_name;

/// Which observations have a log marginal that is linear in the rate, as they are printed: such a cell is exposure, and no count is drawn
/// there. Places as in [`CellNames::fill`](super::CellNames::fill).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearText {
    /// The observations, as in `{c} = 0` or `{c} ≤ 0`: a self-test holds what is written so against the channel.
    pub at: &'static str,
    /// What such a cell weighs, as in `1 − α`.
    pub weight: &'static str,
}

impl LinearText {
    /// Whether such a cell weighs as much as one whose count is drawn, so that it may be left unvisited even where all must weigh the same.
    pub fn weighs_one(&self) -> bool {
        self.weight == "1"
    }

    /// Whether the observation `c` is among them; `None` where they are told in other words than an equality or a bound.
    pub fn holds_at(&self, c: f64) -> Option<bool> {
        let condition = self.at.strip_prefix("{c} ")?;
        let (relation, number) = condition.split_once(' ')?;
        let number: f64 = number.replace('−', "-").parse().ok()?;
        match relation {
            "=" => Some(c == number),
            "≤" => Some(c <= number),
            "≥" => Some(c >= number),
            _ => None,
        }
    }

    /// The line that says so.
    pub fn line(&self) -> String {
        format!(
            "{}:  exposure of weight {}, never visited: ln P({{c}} | {{mu}}) is linear in {{mu}}",
            self.at, self.weight
        )
    }

    /// The same in LaTeX; `None` where it is told in words.
    pub fn latex(&self) -> Option<String> {
        self.holds_at(0.0)?;
        let (at, weight) = (in_latex(self.at)?, in_latex(self.weight)?);
        let exposure = match weight.as_str() {
            "1" => "{mu}".to_owned(),
            weight if weight.contains(' ') => format!(r"({weight})\,{{mu}}"),
            weight => format!(r"{weight}\,{{mu}}"),
        };
        Some(format!(r"{at}:\quad \ln P({{c}} \mid {{mu}}) = k({{c}}) - {exposure}"))
    }
}

/// A formula of letters, numbers and signs in LaTeX; `None` if anything else is in it.
fn in_latex(unicode: &str) -> Option<String> {
    let mut out = String::new();
    for letter in unicode.chars() {
        match letter {
            '≤' => out.push_str(r"\le"),
            '≥' => out.push_str(r"\ge"),
            '−' => out.push('-'),
            '·' => out.push_str(r"\cdot"),
            letter if letter.is_ascii() => out.push(letter),
            letter => {
                out.push('\\');
                out.push_str(greek_name(letter)?);
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::LinearText;

    #[test]
    fn what_is_exposure_alone_is_written_in_latex() {
        let latex = |at, weight| LinearText { at, weight }.latex();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            latex("{c} ≤ 0", "1 − α"),
            some(r"{c} \le 0:\quad \ln P({c} \mid {mu}) = k({c}) - (1 - \alpha)\,{mu}")
        );
        assert_eq!(
            latex("{c} = 0", "1"),
            some(r"{c} = 0:\quad \ln P({c} \mid {mu}) = k({c}) - {mu}")
        );
        assert_eq!(
            latex("{c} = 0", "p"),
            some(r"{c} = 0:\quad \ln P({c} \mid {mu}) = k({c}) - p\,{mu}")
        );
        assert_eq!([latex("{c} is even", "1"), latex("{c} = 0", "½")], [None, None]);
    }

    #[test]
    fn equalities_and_bounds_are_read() {
        let holds = |at, c| LinearText { at, weight: "1" }.holds_at(c);
        assert_eq!(
            [-1.0, 0.0, 1.0].map(|c| holds("{c} = 0", c)),
            [false, true, false].map(Some)
        );
        assert_eq!(
            [-1.0, 0.0, 1.0].map(|c| holds("{c} ≤ 0", c)),
            [true, true, false].map(Some)
        );
        assert_eq!([-1.0, 0.0].map(|c| holds("{c} ≤ −1", c)), [true, false].map(Some));
        assert_eq!(
            [4.5, 5.0, 6.0].map(|c| holds("{c} ≥ 5", c)),
            [false, true, true].map(Some)
        );
        assert_eq!(
            ["{c} is even", "{c} < 0", "0 = {c}", ""].map(|at| holds(at, 0.0)),
            [None; 4]
        );
    }
}
