//! What the passes over a count cost.

use std::borrow::Cow;

use crate::error::Error;
use crate::memory::{Memory, is_small};

/// What the passes over a count cost at given sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct CountCost {
    /// How its cells are cut in rows and columns, in words.
    pub sides: Cow<'static, str>,
    /// Rows, columns and inner length.
    pub product: [f64; 3],
    /// Multiplications of one product of both operands, were every cell computed.
    pub root: f64,
    /// Multiplications in a sweep that form operands which are sums.
    pub below: f64,
    /// Numbers held.
    pub memory: f64,
    /// Whether those of columns are formed at cells, so that there are no blocks.
    pub by_cell: bool,
}

/// Refuses sizes whose rates do not fit in memory, before anything is multiplied or allocated: those of all counts
/// together, each held twice, as values and as counts.
///
/// # Errors
///
/// [`Error::TooLarge`] with the bytes it would take.
pub fn affordable(counts: &[(&'static str, &CountCost)]) -> Result<(), Error> {
    let bytes = |cost: &CountCost| {
        let bytes = 16.0 * cost.memory;
        // Sizes as `usize` are safe to multiply where their products as floats are far below its range.
        let addressable = cost.root < isize::MAX as f64;
        if addressable { bytes } else { bytes.max(cost.root) }
    };
    if is_small(counts.iter().map(|(_, cost)| bytes(cost)).sum()) {
        return Ok(());
    }
    let mut memory = Memory::default();
    for (name, cost) in counts {
        memory.add(format!("rates of `{name}`"), bytes(cost));
    }
    Ok(memory.afford("the model at these sizes")?)
}
