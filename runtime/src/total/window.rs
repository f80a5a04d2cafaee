//! A line of a known total whose cells have log-concave weights, cut to what is probable.
//!
//! Weights times `e^(tilt x)` give the same law of a line whose total is known. With the tilt at which the most probable counts add up to
//! the total, each weight is a law of which the line uses the bulk, and what lies outside of its window has less than a rounding error of
//! its mass: a line of total 10,000 then costs windows, not totals, and no logarithms.
//!
//! Own derivation: MATH, *Sums in pairs*, with the tilt `K'(t) = n`; TOTALS, *Convolutions in logarithms*.

use rand::RngExt;

use crate::special::{exp_in_place, ln_factorial};
use crate::streams::Stream;

use super::convolve::convolve;
use super::message::LEAST_VARIANCE;
use super::pairs::Pairs;

/// A weight smaller than this part of the largest, as an exponent, lies outside of the window.
const NEGLIGIBLE: f64 = 40.0;
/// The same of sums of cells, as a number.
const LEAST: f64 = 4e-18;
/// Steps in which the tilt is bracketed, and halvings of the bracket.
const STEPS: usize = 60;
/// Newton steps from modes to means.
const REFINEMENTS: usize = 40;
/// The logarithm of the weight of a cell at a count, concave in the count.
pub(super) type LnWeight<'a> = dyn Fn(usize, usize) -> f64 + 'a;

/// Weights of the numbers from `low` on, of which the largest is about one.
#[derive(Clone, Debug)]
struct WindowWeights {
    low: usize,
    of: Vec<f64>,
}

impl WindowWeights {
    fn end(&self) -> usize {
        self.low + self.of.len()
    }

    fn at(&self, x: usize) -> f64 {
        let at = x.checked_sub(self.low).and_then(|at| self.of.get(at));
        at.copied().unwrap_or(0.0)
    }

    /// Divided by the largest, without ends that are nothing beside it; the largest.
    fn scaled(mut self) -> (Self, f64) {
        let largest = self.of.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return (self, largest);
        }
        let least = largest * LEAST;
        let first = self.of.iter().position(|w| *w > least).unwrap_or(0);
        let last = self.of.iter().rposition(|w| *w > least).unwrap_or(first);
        self.of.truncate(last + 1);
        self.of.drain(..first);
        self.low += first;
        (self.relative(), largest)
    }

    /// Divided by the largest.
    fn relative(mut self) -> Self {
        let largest = self.of.iter().copied().fold(0.0, f64::max);
        if largest > 0.0 {
            self.of.iter_mut().for_each(|w| *w /= largest);
        }
        self
    }

    /// Weights of sums up to `most`.
    fn with(&self, other: &Self, most: usize) -> Self {
        let low = self.low + other.low;
        let end = (self.end() + other.end()).saturating_sub(1).min(most + 1).max(low);
        Self {
            low,
            of: convolve(&self.of, &other.of, 0..end - low),
        }
    }

    /// `sum_x of(x) self(s + x)` for every `s` that `keep` has a weight for.
    fn behind(&self, of: &Self, keep: &Self) -> Self {
        let reversed: Vec<f64> = of.of.iter().rev().copied().collect();
        // Output number i is the weight of `self.low + i + 1 - of.end()`.
        let outputs = self.of.len() + reversed.len() - 1;
        let output = |s: usize| (s + of.end()).saturating_sub(self.low + 1).min(outputs);
        let (first, end) = (output(keep.low), output(keep.end()));
        Self {
            low: (self.low + first + 1).saturating_sub(of.end()),
            of: convolve(&self.of, &reversed, first..end),
        }
    }
}

/// The cells of one line, and their sums.
#[derive(Debug)]
pub(super) struct Window {
    parts: Pairs<WindowWeights>,
    total: usize,
    ln_evidence: f64,
}

impl Window {
    /// The line of so many cells with this total. `None` where no tilt is found, as where a cell admits a few counts alone.
    pub fn new(cells: usize, total: usize, ln: &LnWeight<'_>) -> Option<Self> {
        let (mut tilt, mut modes) = tilted(cells, total, ln)?;
        // Modes may jump where means go steadily: the tilt is that at which the means add up, by Newton's method, as the variance is K''.
        for _ in 0..REFINEMENTS {
            let windows: Vec<(WindowWeights, f64)> = (0..cells)
                .map(|cell| {
                    let ln = |x: usize| ln(cell, x) + tilt * x as f64;
                    modes[cell] = mode(modes[cell], total, ln);
                    window(modes[cell], total, ln)
                })
                .collect();
            let [mean, variance] = moments(&windows);
            let gap = mean - total as f64;
            if gap.abs() <= 0.5 * variance.sqrt() {
                return Self::of(windows, total, tilt);
            }
            // A weight of one count alone does not move.
            if variance < LEAST_VARIANCE {
                return (gap.abs() < 0.5).then(|| Self::of(windows, total, tilt)).flatten();
            }
            tilt -= (gap / variance).clamp(-1.0, 1.0);
        }
        None
    }

    /// The line whose cells have these weights and what they were divided by, in logarithms. `None` where no table adds up.
    fn of(windows: Vec<(WindowWeights, f64)>, total: usize, tilt: f64) -> Option<Self> {
        let mut ln_scale = -tilt * total as f64;
        let divided = |(weights, ln_largest): (WindowWeights, f64)| {
            ln_scale += ln_largest;
            weights
        };
        let cells = windows.into_iter().map(divided).collect();
        let parts = Pairs::new(cells, |first: &WindowWeights, second| {
            let (weights, largest) = first.with(second, total).scaled();
            ln_scale += largest.ln();
            weights
        });
        let whole = match parts.halves() {
            (only, None) => only.at(total),
            (first, Some(second)) => splits(second, first, total).map(|(_, weight)| weight).sum(),
        };
        let ln_evidence = ln_factorial(total as u64) + whole.ln() + ln_scale;
        let line = Self {
            parts,
            total,
            ln_evidence,
        };
        ln_evidence.is_finite().then_some(line)
    }

    /// `ln` of the sum over all tables of the line of its multinomial probability times that of what was observed.
    pub fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// A draw of all cells, in order: `P(x of A | s)` of MATH, *Sums in pairs*.
    pub fn draw(&self, rng: &mut Stream) -> Vec<usize> {
        self.parts.descend(self.total, |&sum, [first, second]| {
            let drawn = part(second, first, sum, rng);
            [sum - drawn, drawn]
        })
    }

    /// The mean of every cell, in order: `P(x of A)` of MATH, *Sums in pairs*.
    pub fn means(&self) -> Vec<f64> {
        // What the other cells say of a part, given the total.
        let of_total = WindowWeights {
            low: self.total,
            of: vec![1.0],
        };
        let others = self.parts.descend(of_total, |others, [first, second]| {
            [
                others.behind(second, first).relative(),
                others.behind(first, second).relative(),
            ]
        });
        let cells = self.parts.cells().zip(&others);
        cells.map(|(cell, others)| mean(cell, others)).collect()
    }
}

/// The mean of a count whose law is the product of two weights.
fn mean(cell: &WindowWeights, others: &WindowWeights) -> f64 {
    let (mut sum, mut weighed) = (0.0, 0.0);
    for (at, w) in cell.of.iter().enumerate() {
        let weight = w * others.at(cell.low + at);
        sum += weight;
        weighed += weight * at as f64;
    }
    cell.low as f64 + weighed / sum
}

/// Every number `x` that has a weight in `of` and whose rest `s - x` has one in `before`, with the product of the two.
fn splits<'a>(of: &'a WindowWeights, before: &'a WindowWeights, s: usize) -> impl Iterator<Item = (usize, f64)> + 'a {
    let low = of.low.max((s + 1).saturating_sub(before.end()));
    let end = of.end().min((s + 1).saturating_sub(before.low));
    (low..end).map(move |x| (x, of.of[x - of.low] * before.of[s - x - before.low]))
}

/// A number `x` with probability in proportion to `of(x) before(s - x)`.
fn part(of: &WindowWeights, before: &WindowWeights, s: usize, rng: &mut Stream) -> usize {
    let mut left = splits(of, before, s).map(|(_, weight)| weight).sum::<f64>() * rng.random::<f64>();
    let mut last = of.low;
    for (x, weight) in splits(of, before, s) {
        // What rounding leaves at the end goes to the last that has a weight.
        if weight > 0.0 {
            last = x;
        }
        left -= weight;
        if left < 0.0 {
            return x;
        }
    }
    last
}

/// The weights around a mode that are not negligible, relative to the largest, and the logarithm of that.
fn window(mode: usize, most: usize, ln: impl Fn(usize) -> f64) -> (WindowWeights, f64) {
    let largest = ln(mode);
    let relative = |x: usize| Some(ln(x) - largest).filter(|ln| *ln > -NEGLIGIBLE);
    let mut of: Vec<f64> = (0..mode).rev().map_while(relative).collect();
    let low = mode - of.len();
    of.reverse();
    of.push(0.0);
    of.extend((mode + 1..=most).map_while(relative));
    exp_in_place(&mut of);
    (WindowWeights { low, of }, largest)
}

/// Mean and variance of the sum of independent counts with these weights.
fn moments(windows: &[(WindowWeights, f64)]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for (WindowWeights { low, of }, _) in windows {
        let [mut all, mut first, mut second] = [0.0; 3];
        for (at, weight) in of.iter().enumerate() {
            all += weight;
            first += weight * at as f64;
            second += weight * (at * at) as f64;
        }
        let mean = first / all;
        sums[0] += *low as f64 + mean;
        sums[1] += (second / all - mean * mean).max(0.0);
    }
    sums
}

/// The tilt at which the most probable counts of the cells add up to about `total`, and these counts.
fn tilted(cells: usize, total: usize, ln: &LnWeight<'_>) -> Option<(f64, Vec<usize>)> {
    let mut modes = vec![0; cells];
    let gap = |tilt: f64, modes: &mut [usize]| {
        for (cell, at) in modes.iter_mut().enumerate() {
            *at = mode(*at, total, |x| ln(cell, x) + tilt * x as f64);
        }
        modes.iter().sum::<usize>() as f64 - total as f64
    };
    // Means decide in the end.
    let near = 1.0 + 0.5 * (total as f64).sqrt().min(cells as f64);
    // Rates that sum to one are tilted to those of Poisson counts that add up to the total.
    let mut tilt = (total.max(1) as f64).ln();
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut step = 0.25;
    for _ in 0..STEPS {
        let gap = gap(tilt, &mut modes);
        if gap.abs() <= near {
            return Some((tilt, modes));
        }
        if gap > 0.0 {
            high = tilt
        } else {
            low = tilt
        }
        tilt = match (low.is_finite(), high.is_finite()) {
            (true, true) => 0.5 * (low + high),
            (true, false) => tilt + step,
            _ => tilt - step,
        };
        step *= 2.0;
    }
    None
}

/// The count from 0 to `most` at which a concave function is largest, looked for from `near` on.
pub(super) fn mode(near: usize, most: usize, ln: impl Fn(usize) -> f64) -> usize {
    let falls = |x: usize| x >= most || ln(x + 1) <= ln(x);
    // Every number from `end` on falls, none below `low` does.
    let (mut low, mut end) = (0, most);
    let mut step = 1;
    let mut at = near.min(most);
    while low < end {
        if falls(at) {
            end = at;
            if at == 0 || step == 0 {
                break;
            }
            at = at.saturating_sub(step).max(low);
        } else {
            low = at + 1;
            at = (at + step).min(end);
        }
        step *= 2;
        if at < low || at >= end {
            break;
        }
    }
    while low < end {
        let middle = low + (end - low) / 2;
        if falls(middle) { end = middle } else { low = middle + 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::mode;

    #[test]
    fn the_mode_is_found_from_anywhere() {
        for top in [0, 1, 2, 7, 40, 99, 100] {
            for near in [0, 1, 6, 7, 8, 50, 100] {
                let ln = |x: usize| -(x as f64 - top as f64).powi(2);
                assert_eq!(mode(near, 100, ln), top, "from {near}");
            }
        }
    }
}
