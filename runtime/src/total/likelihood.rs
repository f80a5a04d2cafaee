//! What was observed of the cells of a count, asked for any true count: the factor `P(c | x)` of the weights in MATH, *Known totals*.

/// The law of each observation given its true count.
pub trait Likelihood: Send + Sync {
    /// `ln P(c | y)` of the observation at a cell, by its row-major position.
    fn ln_likelihood(&self, cell: usize, y: u64) -> f64;

    /// The observation at a cell as a number.
    fn number(&self, cell: usize) -> f64;

    /// Whether `ln P(c | y)` is concave in `y` at every cell, so that what is probable lies in one window.
    fn is_log_concave(&self) -> bool;
}
