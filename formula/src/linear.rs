//! Cells that are exposure alone.

/// Which observations have a log marginal that is linear in the rate, as they are printed: such a cell is exposure, and no count is drawn
/// there. Places as in [`CellNames::fill`](super::CellNames::fill).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearText {
    /// The observations, as in `{c} = 0`.
    pub at: &'static str,
    /// What such a cell weighs, as in `1 − α`.
    pub weight: &'static str,
}

impl LinearText {
    /// Whether such a cell weighs as much as one whose count is drawn, so that it may be left unvisited even where all must weigh the same.
    pub fn weighs_one(&self) -> bool {
        self.weight == "1"
    }

    /// The line that says so.
    pub fn line(&self) -> String {
        format!(
            "{}:  exposure of weight {}, never visited: ln P({{c}} | {{mu}}) is linear in {{mu}}",
            self.at, self.weight
        )
    }
}
