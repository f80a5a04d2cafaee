//! Cells that are exposure alone.

/// Which observations have a log marginal that is linear in the rate, as they are printed: such a cell is exposure, and no count is drawn
/// there. `{c}` stands for what was observed, `{mu}` for the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearText {
    /// The observations, as in `{c} = 0` or `{c} ≤ 0`: a self-test holds what is written so against the channel.
    pub at: &'static str,
    /// What such a cell weighs, as in `1 − α`.
    pub weight: &'static str,
}

impl LinearText {
    /// Behind noise that falls exponentially on both sides.
    pub const TWO_SIDED: Self = Self {
        at: "{c} ≤ 0",
        weight: "1 − α",
    };
    /// Behind the same noise where what is released is cut at zero.
    pub const TRUNCATED: Self = Self {
        at: "{c} = 0",
        weight: "1 − α",
    };
    /// Where zero says that there was nothing.
    pub const NOTHING: Self = Self {
        at: "{c} = 0",
        weight: "1",
    };

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
}

#[cfg(test)]
mod tests {
    use super::LinearText;

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
