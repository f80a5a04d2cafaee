//! Which side of the product each factor of a term stands on.

use crate::resolve::{Count, Term, VarId};

use super::operand::{Operand, leaves};

/// The free indices of a count, cut in two.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Split {
    pub rows: Vec<VarId>,
    pub cols: Vec<VarId>,
}

/// The factors of a term, sorted by side.
#[derive(Debug, Clone, Default)]
pub(super) struct Sides {
    pub left: Vec<(Operand, Vec<VarId>)>,
    pub right: Vec<(Operand, Vec<VarId>)>,
    /// Contracted indices that both sides carry.
    pub inner: Vec<VarId>,
}

/// Every way to cut the free indices in rows and columns. The first is a row: transposed cuts cost the same.
pub(super) fn splits(count: &Count) -> Vec<Split> {
    let rest: Vec<VarId> = count.free_vars().collect();
    let choices = 1usize << rest.len().saturating_sub(1);
    (0..choices)
        .filter(|mask| rest.len() < 2 || *mask != 0)
        .map(|mask| {
            let is_col = |i: usize| i > 0 && mask >> (i - 1) & 1 == 1;
            let pick = |cols: bool| {
                rest.iter()
                    .enumerate()
                    .filter(|(i, _)| is_col(*i) == cols)
                    .map(|(_, v)| *v)
                    .collect()
            };
            Split {
                rows: pick(false),
                cols: pick(true),
            }
        })
        .collect()
}

/// Every way to sort the factors of a term under a split; none if the split does not fit the term. `by_cell` puts what has indices of both
/// sides to the columns.
pub(super) fn sides(count: &Count, term: &Term, split: &Split, by_cell: bool) -> Vec<Sides> {
    let mut fixed = Sides::default();
    let mut neutral = Vec::new();
    for leaf in leaves(count, term) {
        let has = |vars: &[VarId]| leaf.1.iter().any(|v| vars.contains(v));
        match (has(&split.rows), has(&split.cols)) {
            (true, false) => fixed.left.push(leaf),
            (false, true) => fixed.right.push(leaf),
            (true, true) if by_cell => fixed.right.push(leaf),
            (true, true) => return Vec::new(),
            (false, false) => neutral.push(leaf),
        }
    }
    // A factor with neither (a core, a scalar) may stand on either side; a coefficient goes left.
    let movable: Vec<usize> = (0..neutral.len())
        .filter(|&i| !neutral[i].1.is_empty())
        .take(4)
        .collect();
    (0..1usize << movable.len())
        .map(|mask| {
            let mut sides = fixed.clone();
            for (i, leaf) in neutral.iter().enumerate() {
                let right = movable
                    .iter()
                    .position(|m| *m == i)
                    .is_some_and(|bit| mask >> bit & 1 == 1);
                if right { &mut sides.right } else { &mut sides.left }.push(leaf.clone());
            }
            let carries = |side: &[(Operand, Vec<VarId>)], v: &VarId| side.iter().any(|(_, vars)| vars.contains(v));
            let shared = |v: &&VarId| carries(&sides.left, v) && carries(&sides.right, v);
            sides.inner = term.summed.iter().filter(shared).copied().collect();
            sides
        })
        .collect()
}
