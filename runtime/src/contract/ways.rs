//! What it costs to go over the cells of a count, by either way.

/// The cells of a count in a sweep of Gibbs sampling or an iteration of coordinate ascent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ways {
    /// All cells.
    pub cells: f64,
    /// Those that are visited, or weigh otherwise than most.
    pub visited: f64,
    /// The length of the inner index.
    pub inner: f64,
    /// Whether true counts are known: rates are not needed to divide them, and cells do not weigh less because of what was seen there.
    pub exact: bool,
}

/// What an entry of a latent costs in either way.
const ENTRY: f64 = 40.0;

impl Ways {
    /// By blocks: three products of matrices over all cells, of which visited ones are picked and drawn.
    ///
    /// The unit is a nanosecond on the processor where both were measured (matrices and tensors of a million cells, inner lengths 10 and 50);
    /// only the ratio of the two is used.
    fn blocks(&self) -> f64 {
        self.cells * (5.0 + self.inner / 6.0) + self.visited * (25.0 + self.inner / 2.0)
    }

    /// By visited cells one by one: operands formed there, a draw, and what corrects exposures where cells weigh otherwise.
    fn stored(&self) -> f64 {
        let each = match self.exact {
            true => 40.0 + 1.4 * self.inner,
            false => 85.0 + 1.7 * self.inner,
        };
        self.visited * each
    }

    /// Whether blocks cost less.
    pub fn is_dense(&self) -> bool {
        self.stored() >= self.blocks()
    }

    /// How much longer a sweep is one by one than by blocks, where the latents have so many entries.
    pub fn stored_over_blocks(&self, entries: f64) -> f64 {
        let rest = ENTRY * entries.max(1.0);
        (self.stored() + rest) / (self.blocks() + rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where both ways took the same time: at a quarter of the cells of exact data, at a tenth of released ones.
    #[test]
    fn both_ways_cost_the_same_where_they_took_the_same_time() {
        for (exact, below, above) in [(true, 0.2, 0.3), (false, 0.085, 0.12)] {
            for inner in [10.0, 50.0] {
                let at = |density: f64| Ways {
                    cells: 1e6,
                    visited: density * 1e6,
                    inner,
                    exact,
                };
                assert!(!at(below).is_dense() && at(above).is_dense(), "{exact} {inner}");
                assert!(at(below).stored_over_blocks(2e4) < 1.0 && at(above).stored_over_blocks(2e4) > 1.0);
            }
        }
    }

    /// What both ways have to do for each entry keeps the ratio near one where few cells are visited.
    #[test]
    fn entries_are_in_both_ways() {
        let few = Ways {
            cells: 1e6,
            visited: 0.0,
            inner: 50.0,
            exact: true,
        };
        let (none, many) = (few.stored_over_blocks(0.0), few.stored_over_blocks(1e6));
        assert!(none > 0.0 && none < 1e-4 && many > 0.5, "{none} {many}");
    }
}
