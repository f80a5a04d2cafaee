//! What follows from a declaration, its sizes and its numbers, whatever the data: found once for all data that are bound at them.

use std::sync::Arc;

use super::found::Found;
use super::part::{Asked, Formula, PriorLaw};
use super::{LayoutCost, Walks};

/// The number of a count, or of a learned shape after the counts, and a layout of its tree.
type Layout = (usize, usize);
/// Costs, walks and the formulas that were read so far. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct LaidOut(Arc<Laid>);

#[derive(Debug, Default)]
struct Laid {
    costs: Found<usize, Arc<Vec<LayoutCost>>>,
    walks: Found<Layout, Arc<Walks>>,
    formulas: Found<(Asked, Option<usize>), Arc<Formula>>,
    laws: Found<(usize, &'static str), PriorLaw>,
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

    /// The law that a statement has for a latent.
    pub(super) fn law(&self, asked: (usize, &'static str), find: impl FnOnce() -> PriorLaw) -> PriorLaw {
        self.0.laws.get(asked, find)
    }

    /// The formulas that were read so far.
    pub(super) fn formulas(&self) -> Vec<(Asked, Arc<Formula>)> {
        let all = self.0.formulas.all();
        all.into_iter().map(|((asked, _), formula)| (asked, formula)).collect()
    }

    /// A formula; if it is about a count, at one layout of that count.
    pub(super) fn formula(&self, asked: (Asked, Option<usize>), find: impl FnOnce() -> Arc<Formula>) -> Arc<Formula> {
        self.0.formulas.get(asked, find)
    }
}
