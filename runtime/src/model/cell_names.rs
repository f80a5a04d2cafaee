//! What a model calls the quantities of a cell.

/// The names of what a channel speaks of at one cell, with their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellNames {
    /// The true count.
    pub truth: &'static str,
    /// What was observed.
    pub observed: &'static str,
    /// The rate.
    pub rate: &'static str,
    /// Its mean under q.
    pub mean_rate: &'static str,
    /// The rate at geometric means.
    pub geometric: &'static str,
    /// What the cell adds to the bound.
    pub bound: &'static str,
}

impl CellNames {
    /// `line` with `{y}`, `{c}`, `{mu}` and `{g}` filled in.
    pub(super) fn fill(&self, line: &str) -> String {
        let places = [
            ("{y}", self.truth),
            ("{c}", self.observed),
            ("{mu}", self.rate),
            ("{g}", self.geometric),
        ];
        let filled = |line: String, (place, name): (&str, &str)| line.replace(place, name);
        places.into_iter().fold(line.to_owned(), filled)
    }
}
