//! The rate of every cell, and what an update or a move leaves behind.

use skellam::infer::Chain;
use skellam::model::{CountRate, Model};

use super::twin::Twin;

/// How far rates are from those of plain loops at `x`, relative to the largest of each count. `count_rates`
/// are those to which an update has given its values one by one.
pub(super) fn rates_off(model: &dyn Model, twin: &Twin, count_rates: &mut [CountRate], x: &[Vec<f64>]) -> f64 {
    let mut largest = 0.0;
    let expected = twin.sides(x);
    for (((view, count_rate), expected), count) in model
        .views()
        .into_iter()
        .zip(count_rates)
        .zip(expected)
        .zip(&twin.counts)
    {
        let mut found = vec![0.0; expected.len()];
        count_rate.add_rates(view, &mut found);
        let mut sides = [Vec::new(), Vec::new()];
        if view.is_difference() {
            let places = (0..expected.len()).map(|cell| view.grid().place(cell));
            let places: Vec<(usize, u32)> = places.map(|(row, col)| (row, col as u32)).collect();
            count_rate.sides_at(view, &places, &mut sides);
        }
        let size = expected.iter().flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
        for ((cell_at, (found, [plus, minus])), cell) in found.iter().zip(&expected).enumerate().zip(&count.rates) {
            // The mean of a difference, and each of its rates.
            let mut gap = (found - (plus - minus)).abs() / size;
            if view.is_difference() {
                let rates = sides.each_ref().map(|side| side[cell_at]);
                let off = (rates[0] - plus).abs().max((rates[1] - minus).abs()) / size;
                gap = if off.is_nan() { off } else { gap.max(off) };
            }
            // A cell that does not belong to the count may be given any rate. `max` would drop a NaN.
            if cell.is_some() && (gap > largest || gap.is_nan()) {
                largest = gap;
            }
        }
    }
    largest
}

/// How far the values that the rates of a chain have are from its own, relative to the largest of each array; NaN if one is.
pub(super) fn rates_kept_off(model: &dyn Model, chain: &Chain<'_>) -> f64 {
    let anew = Chain::starting_at(model, chain.values().clone(), 0, 0);
    let mut largest = 0.0;
    for (kept, anew) in chain.count_rates().iter().zip(anew.count_rates()) {
        let off = kept.off(anew);
        // `max` would drop a NaN.
        if off > largest || off.is_nan() {
            largest = off;
        }
    }
    largest
}
