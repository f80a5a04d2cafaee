//! What follows from a declaration, its sizes and its numbers, whatever was observed: found once for all data that are bound at them.

use std::sync::Arc;

use super::tree::{Found, Text};
use super::{LayoutCost, Walks};

/// A count, or behind these a shape that is learned, and a layout of it.
type Layout = (usize, usize);
/// Child and latent, formulas, and whether values are added.
type OfChild = ([usize; 2], [Text; 2], bool);

/// Costs, walks and the parts of conditionals that were looked for so far. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct LaidOut(Arc<Laid>);

#[derive(Debug, Default)]
struct Laid {
    costs: Found<usize, Arc<Vec<LayoutCost>>>,
    walks: Found<Layout, Arc<Walks>>,
    checked: Found<OfChild, bool>,
}

impl LaidOut {
    /// What each layout of a count or of a learned shape costs.
    pub(super) fn costs(&self, of: usize, find: impl FnOnce() -> Vec<LayoutCost>) -> Arc<Vec<LayoutCost>> {
        self.0.costs.get(of, || Arc::new(find()))
    }

    /// The walks over a layout.
    pub(super) fn walks(&self, layout: Layout, find: impl FnOnce() -> Walks) -> Arc<Walks> {
        self.0.walks.get(layout, || Arc::new(find()))
    }

    /// Whether the formula of a child is that of its prior.
    pub(super) fn is_of_child(&self, asked: OfChild, find: impl FnOnce() -> bool) -> bool {
        self.0.checked.get(asked, find)
    }
}
