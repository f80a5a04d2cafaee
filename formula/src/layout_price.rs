//! What a sweep over a layout of a rate costs, in multiplications. The compiler emits the layouts that are cheapest somewhere, and the runtime
//! takes the cheapest of them at the sizes of the data: both by this price.

/// Products at the root in a sweep: the rate, two statistics, two exposures.
pub const ROOT_PRODUCTS: f64 = 5.0;
/// Walks over the steps below the root in a sweep.
pub const STEP_WALKS: f64 = 4.0;
/// What it costs to hold a number: it is written and read once a walk.
const HELD_NUMBER: f64 = 2.0;

/// The price of a layout: multiplications of one product at its root, of a sweep below the root, and how many numbers it holds.
pub fn price(root: f64, below: f64, held: f64) -> f64 {
    ROOT_PRODUCTS * root + below + HELD_NUMBER * held
}
