//! What the compiler writes and the runtime reads again: [`Product`]s over the indices of a model. Besides, the limits of numbers, and the symbols of names.

pub mod layout_price;
mod limits;
mod linear;
pub mod product;
mod symbol;

pub use limits::{LEAST_HYPER, MOST_HYPER, is_extreme};
pub use linear::LinearText;
pub use product::Product;
pub use symbol::{greek, greek_name, symbol};
