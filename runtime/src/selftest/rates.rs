//! The rate of every cell, and what an update leaves behind.

use crate::model::{Model, Root};

use super::subject::AnyModel;
use super::twin::Twin;

/// How far the roots' rates are from those of plain loops at `x`, relative to the largest of each count. `roots` are
/// those that an update has brought up to date bit by bit.
pub(super) fn rates_off(model: &AnyModel, twin: &Twin, roots: &mut [Root], x: &[Vec<f64>]) -> f64 {
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
