//! Counts whose totals are known: the cells of a line add up to a number, so they are not independent given their rates.
//!
//! With `w_j(x) = r_j^x / x! P(c_j | x)` for the cells of one line of total `N`, the evidence of the line is `N!` times the convolution of
//! the `w_j` at `N`; walked backwards, the same convolutions give an exact draw of the whole line, and walked both ways the mean of every
//! cell. A total may itself be a cell that nobody observed, of a line whose total is known, and several lines may have the same one: what
//! they say of it is multiplied to the weight of that cell, so that lines form trees. Where nobody knows the total at the top either, it is a
//! Poisson count, hidden or released, whose law is summed as far as it goes.
//!
//! Own derivation: MATH, *Known totals* and *Sums in pairs*, where MATH is `docs/src/mathematics.md`. The choices in this room, with their measurements,
//! are in `docs/src/decisions/totals.md` (TOTALS), which the modules below name by its paragraphs.

mod before;
mod convolve;
mod likelihood;
mod line;
mod message;
mod open;
mod pairs;
mod search;
mod settled;
mod tabulated;
#[cfg(test)]
mod tests;
mod tree;
mod window;

pub use likelihood::Likelihood;
pub use tree::{Member, Total, Totals, Unsummed};
