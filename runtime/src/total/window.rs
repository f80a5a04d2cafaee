//! Weights cut to what is probable, for lines of a known total whose cells have log-concave weights.
//!
//! Weights times `e^(tilt x)` give the same law of a line whose total is known. With the tilt at which the most probable counts add up to
//! the total, each weight is a law of which the line uses the bulk, and what lies outside of its window has less than a rounding error of
//! its mass: a line of total 10,000 then costs windows, not totals.

use super::message::Message;

/// A count whose weight is smaller than this part of the largest, as an exponent, lies outside of the window.
const NEGLIGIBLE: f64 = 40.0;
/// Halvings of the interval in which the tilt is.
const HALVINGS: usize = 60;

/// The weights of the cells of a line of this total, tilted and cut, and the tilt; `ln` is the logarithm of the weight of a cell at a
/// count, concave in the count. `None` where no tilt is found, as where a cell admits a few counts alone.
pub(super) fn windows(
    cells: usize,
    total: usize,
    ln: &(impl Fn(usize, usize) -> f64 + ?Sized),
) -> Option<(Vec<Message>, f64)> {
    let tilt = tilt(cells, total, ln)?;
    let window = |cell: usize| {
        let tilted = |x: usize| ln(cell, x) + tilt * x as f64;
        let mode = mode(total, tilted);
        let least = tilted(mode) - NEGLIGIBLE;
        // Above the mode weights fall, below it they rise.
        let low = first(0, mode, |x| tilted(x) > least);
        let high = first(mode, total + 1, |x| tilted(x) <= least);
        Message::over(low..=high.saturating_sub(1).max(low), tilted)
    };
    Some(((0..cells).map(window).collect(), tilt))
}

/// The tilt at which the most probable counts of the cells add up to about `total`.
fn tilt(cells: usize, total: usize, ln: &(impl Fn(usize, usize) -> f64 + ?Sized)) -> Option<f64> {
    let gap = |tilt: f64| {
        let modes = (0..cells).map(|cell| mode(total, |x| ln(cell, x) + tilt * x as f64));
        modes.sum::<usize>() as f64 - total as f64
    };
    // A sum that is off by this much lies well inside of the bulk, where counts are Poisson or narrower.
    let near = 0.5 * (total as f64).sqrt().min(cells as f64);
    let (mut low, mut high) = (0.0, 0.0);
    let start = gap(0.0);
    if start.abs() <= near {
        return Some(0.0);
    }
    let mut step = 1.0;
    for _ in 0..HALVINGS {
        match start > 0.0 {
            true if gap(low - step) <= 0.0 => {
                (low, high) = (low - step, low);
                break;
            }
            false if gap(high + step) >= 0.0 => {
                (low, high) = (high, high + step);
                break;
            }
            true => low -= step,
            false => high += step,
        }
        step *= 2.0;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        let gap = gap(middle);
        if gap.abs() <= near {
            return Some(middle);
        }
        if gap > 0.0 { high = middle } else { low = middle }
    }
    None
}

/// The count from 0 to `most` at which a concave function is largest.
fn mode(most: usize, ln: impl Fn(usize) -> f64) -> usize {
    first(0, most, |x| ln(x + 1) <= ln(x))
}

/// The first number from `low` on of which `holds` is true, where it is false before and true from there on; `end` if there is none.
fn first(mut low: usize, mut end: usize, holds: impl Fn(usize) -> bool) -> usize {
    while low < end {
        let middle = low + (end - low) / 2;
        if holds(middle) { end = middle } else { low = middle + 1 }
    }
    low
}
