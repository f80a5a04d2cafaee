//! A line of a known total whose cells have log-concave weights, cut to what is probable.
//!
//! Weights times `e^(tilt x)` give the same law of a line whose total is known. With the tilt at which the most probable counts add up to
//! the total, each weight is a law of which the line uses the bulk, and what lies outside of its window has less than a rounding error of
//! its mass: a line of total 10,000 then costs windows, not totals, and no logarithms.

use rand::RngExt;

use crate::special::ln_factorial;
use crate::streams::Stream;

/// A weight smaller than this part of the largest, as an exponent, lies outside of the window.
const NEGLIGIBLE: f64 = 40.0;
/// The same of sums of cells, as a number.
const LEAST: f64 = 4e-18;
/// Steps in which the tilt is bracketed, and halvings of the bracket.
const STEPS: usize = 60;
/// Newton steps from modes to means.
const REFINEMENTS: usize = 40;
/// A sum of counts of less variance is one number.
const LEAST_VARIANCE: f64 = 1e-12;

/// The logarithm of the weight of a cell at a count, concave in the count.
pub(super) type LnWeight<'a> = dyn Fn(usize, usize) -> f64 + 'a;

/// Weights of the numbers from `low` on, of which the largest is about one.
#[derive(Clone, Debug)]
struct Weights {
    low: usize,
    of: Vec<f64>,
}

impl Weights {
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
        self.of.iter_mut().for_each(|w| *w /= largest);
        (self, largest)
    }

    /// Weights of sums up to `most`.
    fn with(&self, other: &Self, most: usize) -> Self {
        let low = self.low + other.low;
        let end = (self.end() + other.end()).saturating_sub(1).min(most + 1).max(low);
        let mut sums = vec![0.0; end - low];
        for (at, weight) in self.of.iter().enumerate().take(sums.len()) {
            let into = sums[at..].iter_mut().zip(&other.of);
            into.for_each(|(sum, other)| *sum += weight * other);
        }
        Self { low, of: sums }
    }

    /// `sum_x of(x) self(s + x)` for every `s` that `keep` has a weight for.
    fn behind(&self, of: &Self, keep: &Self) -> Self {
        let sum = |s: usize| {
            let first = of.low.max(self.low.saturating_sub(s));
            let end = of.end().min(self.end().saturating_sub(s));
            (first..end)
                .map(|x| of.of[x - of.low] * self.of[s + x - self.low])
                .sum()
        };
        Self {
            low: keep.low,
            of: (keep.low..keep.end()).map(sum).collect(),
        }
    }
}

/// The weights of the cells of one line, and of the sums of the first of them.
#[derive(Debug)]
pub(super) struct Window {
    cells: Vec<Weights>,
    sums: Vec<Weights>,
    total: usize,
    /// `ln` of what all weights were divided by, and of the tilt.
    ln_scale: f64,
}

impl Window {
    /// The line of so many cells with this total. `None` where no tilt is found, as where a cell admits a few counts alone.
    pub fn new(cells: usize, total: usize, ln: &LnWeight<'_>) -> Option<Self> {
        let (mut tilt, mut modes) = tilted(cells, total, ln)?;
        // Modes may jump where means go steadily: the tilt is that at which the means add up.
        for _ in 0..REFINEMENTS {
            let windows: Vec<(Weights, f64)> = (0..cells)
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

    /// The line whose cells have these weights and what they were divided by, in logarithms.
    fn of(windows: Vec<(Weights, f64)>, total: usize, tilt: f64) -> Option<Self> {
        let cells = windows.len();
        let mut line = Self {
            cells: Vec::with_capacity(cells),
            sums: Vec::with_capacity(cells),
            total,
            ln_scale: -tilt * total as f64,
        };
        for (cell, (weights, ln_largest)) in windows.into_iter().enumerate() {
            let all = match line.sums.last() {
                None => weights.clone(),
                Some(before) => before.with(&weights, total),
            };
            let (sums, largest) = if cell + 1 < cells { all.scaled() } else { (all, 1.0) };
            line.ln_scale += ln_largest + largest.ln();
            line.cells.push(weights);
            line.sums.push(sums);
        }
        let is_possible = line.ln_evidence().is_finite();
        is_possible.then_some(line)
    }

    /// `ln` of the sum over all tables of the line of its multinomial probability times that of what was observed.
    pub fn ln_evidence(&self) -> f64 {
        let whole = self.sums[self.sums.len() - 1].at(self.total);
        ln_factorial(self.total as u64) + whole.ln() + self.ln_scale
    }

    /// A draw of all cells, in order.
    pub fn draw(&self, rng: &mut Stream) -> Vec<usize> {
        let mut drawn = vec![0; self.cells.len()];
        let mut left = self.total;
        for j in (1..self.cells.len()).rev() {
            drawn[j] = part(&self.cells[j], &self.sums[j - 1], left, rng);
            left -= drawn[j];
        }
        drawn[0] = left;
        drawn
    }

    /// The mean of every cell, in order.
    pub fn means(&self) -> Vec<f64> {
        let mut means = vec![0.0; self.cells.len()];
        let mut behind = Weights {
            low: self.total,
            of: vec![1.0],
        };
        for j in (0..self.cells.len()).rev() {
            let cell = &self.cells[j];
            let nothing = Weights { low: 0, of: vec![1.0] };
            let before = if j == 0 { &nothing } else { &self.sums[j - 1] };
            let others = behind.behind(before, cell);
            let (mut sum, mut weighed) = (0.0, 0.0);
            for (at, (w, other)) in cell.of.iter().zip(&others.of).enumerate() {
                sum += w * other;
                weighed += w * other * at as f64;
            }
            means[j] = cell.low as f64 + weighed / sum;
            if j > 0 {
                behind = behind.behind(cell, before).scaled().0;
            }
        }
        means
    }
}

/// A number `x` with probability in proportion to `of(x) before(s - x)`.
fn part(of: &Weights, before: &Weights, s: usize, rng: &mut Stream) -> usize {
    let low = of.low.max((s + 1).saturating_sub(before.end()));
    let end = of.end().min((s + 1).saturating_sub(before.low));
    let weight = |x: usize| of.of[x - of.low] * before.of[s - x - before.low];
    let mut left = (low..end).map(weight).sum::<f64>() * rng.random::<f64>();
    let mut last = low;
    for x in low..end {
        let weight = weight(x);
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
fn window(mode: usize, most: usize, ln: impl Fn(usize) -> f64) -> (Weights, f64) {
    let largest = ln(mode);
    let mut below = Vec::new();
    for x in (0..mode).rev() {
        match ln(x) - largest {
            small if small > -NEGLIGIBLE => below.push(small.exp()),
            _ => break,
        }
    }
    let low = mode - below.len();
    below.reverse();
    below.push(1.0);
    for x in mode + 1..=most {
        match ln(x) - largest {
            small if small > -NEGLIGIBLE => below.push(small.exp()),
            _ => break,
        }
    }
    (Weights { low, of: below }, largest)
}

/// Mean and variance of the sum of independent counts with these weights.
fn moments(windows: &[(Weights, f64)]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for (Weights { low, of }, _) in windows {
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
fn mode(near: usize, most: usize, ln: impl Fn(usize) -> f64) -> usize {
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
