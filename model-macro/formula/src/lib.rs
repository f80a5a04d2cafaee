//! What the compiler and the runtime both know: the limits of numbers, the symbols of names, and how a number of a cell is written that may be none.

mod limits;
mod linear;
mod symbol;

pub use limits::{LEAST_HYPER, MOST_HYPER, is_extreme};
pub use linear::LinearText;
pub use symbol::{greek, greek_name, symbol};
