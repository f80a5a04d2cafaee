//! The rate of every cell, and what an update or a move leaves behind.

use crate::infer::Chain;
use crate::model::{Model, Root};

use super::twin::Twin;

/// How far the roots' rates are from those of plain loops at `x`, relative to the largest of each count. `roots` are
/// those that an update has brought up to date bit by bit.
pub(super) fn rates_off(model: &dyn Model, twin: &Twin, roots: &mut [Root], x: &[Vec<f64>]) -> f64 {
    let mut largest = 0.0;
    let expected = twin.rates(x);
    for (((view, root), expected), count) in model.views().into_iter().zip(roots).zip(expected).zip(&twin.counts) {
        let mut found = vec![0.0; expected.len()];
        view.add_rates(&root.operands, &mut found, &mut root.work);
        let size = expected.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        for ((found, expected), cell) in found.iter().zip(&expected).zip(&count.rates) {
            let gap = (found - expected).abs() / size;
            // A cell that does not belong to the count may be given any rate. `max` would drop a NaN.
            if cell.is_some() && (gap > largest || gap.is_nan()) {
                largest = gap;
            }
        }
    }
    largest
}

/// How far the operands that a chain keeps are from those at its values, relative to the largest of each array; NaN if one is.
pub(super) fn operands_off(model: &dyn Model, chain: &Chain<'_>) -> f64 {
    let anew = Chain::starting_at(model, chain.values().clone(), 0, 0);
    let mut largest = 0.0;
    for (kept, anew) in chain.roots().iter().zip(anew.roots()) {
        let (kept, anew) = (&kept.operands, &anew.operands);
        let weights = kept.weights.iter().zip(&anew.weights);
        for (kept, anew) in [(&kept.left, &anew.left), (&kept.right, &anew.right)]
            .into_iter()
            .chain(weights)
        {
            let size = anew.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            for (kept, anew) in kept.iter().zip(anew) {
                let gap = (kept - anew).abs() / size;
                // `max` would drop a NaN.
                if gap > largest || gap.is_nan() {
                    largest = gap;
                }
            }
        }
    }
    largest
}
