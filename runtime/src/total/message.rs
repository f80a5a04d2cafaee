//! Weights of whole numbers in logarithms, and their convolutions.
//!
//! Own derivation: TOTALS, *Convolutions in logarithms*. Convolutions are plain sums relative to the largest weights (log-sum-exp where terms underflow).

use std::ops::{Range, RangeInclusive};

use rand::{Rng, RngExt};

use crate::special::{exp_in_place, ln_in_place};

use super::convolve::convolve;
use super::window::mode;

/// Terms smaller than this part of the largest, as an exponent, change no digit of a sum.
const NEGLIGIBLE: f64 = 40.0;
/// Sums of products below this have lost terms to underflow: they are formed again in logarithms.
const LEAST_SUM: f64 = 1e-280;

/// How much of the tails of weights is kept: what is above `e^-cut` of the largest weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tails {
    cut: f64,
}

impl Tails {
    /// Enough to see where weights are.
    pub const BULK: Self = Self { cut: 10.0 };
    /// Enough for tables at rates that suit what was observed.
    pub const NEAR: Self = Self { cut: 200.0 };
    /// Nearly as far as products of two weights can be formed.
    pub const FAR: Self = Self { cut: 600.0 };
    /// Everything.
    pub const ALL: Self = Self { cut: f64::INFINITY };

    /// Enough for so many cells below a total of at most `most` where all are tilted to where it is: what is cut off is then the same small part
    /// of the weight of every total.
    pub fn close(cells: f64, most: usize) -> Self {
        let cut = 35.0 + cells.ln() + 2.0 * (most as f64 + 1.0).ln();
        Self { cut }
    }

    /// How much of the weights of the numbers up to `most` is cut off at most, relative to what is left.
    pub fn largest_loss(self, most: usize) -> f64 {
        (most as f64 + 1.0) * (-self.cut).exp()
    }

    /// Whether sums that have lost terms to underflow are cut off.
    fn hide_underflow(self) -> bool {
        self.cut < -LEAST_SUM.ln()
    }
}

/// `ln w(x)` for the numbers `x` from `low` on; every other number has weight zero.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Message {
    pub low: usize,
    pub ln: Vec<f64>,
}

impl Message {
    /// Weight one at `x` alone.
    pub fn at(x: usize) -> Self {
        Self { low: x, ln: vec![0.0] }
    }

    /// The weights that `ln` gives the numbers of a range.
    pub fn over(range: RangeInclusive<usize>, ln: impl FnMut(usize) -> f64) -> Self {
        let low = *range.start();
        Self {
            low,
            ln: range.map(ln).collect(),
        }
        .trimmed()
    }

    /// Weights that are concave in the number, of the numbers up to `most` that are within the tails; the largest is looked for from
    /// `near` on.
    pub fn around(near: usize, most: usize, tails: Tails, ln: impl Fn(usize) -> f64) -> Self {
        let mode = mode(near, most, &ln);
        let least = ln(mode) - tails.cut;
        if least == f64::NEG_INFINITY {
            // All are wanted; or the cell admits few counts, and shows no slope by which they could be found.
            return Self::over(0..=most, ln);
        }
        let within = |x: usize| Some(ln(x)).filter(|ln| *ln >= least);
        let mut found: Vec<f64> = (0..mode).rev().map_while(within).collect();
        let low = mode - found.len();
        found.reverse();
        found.extend((mode..=most).map_while(within));
        Self { low, ln: found }.trimmed()
    }

    /// Times `e^(tilt x)`.
    pub fn tilt(&mut self, tilt: f64) {
        let low = self.low;
        (self.ln.iter_mut().enumerate()).for_each(|(at, ln)| *ln += tilt * (low + at) as f64);
    }

    /// How much larger the weights of `upper` are than these, which they are nowhere below, relative to all of these.
    pub fn excess(&self, upper: &Self) -> f64 {
        let more = |(at, &over): (usize, &f64)| match self.get(upper.low + at) {
            near if near >= over => f64::NEG_INFINITY,
            near => over + (-(near - over).exp()).ln_1p(),
        };
        let more: Vec<f64> = upper.ln.iter().enumerate().map(more).collect();
        (ln_sum(&more) - self.ln_sum()).exp()
    }

    /// `ln w(x)`.
    pub fn get(&self, x: usize) -> f64 {
        let at = x.checked_sub(self.low).and_then(|at| self.ln.get(at));
        at.copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// The numbers that have a weight.
    pub fn range(&self) -> Range<usize> {
        self.low..self.low + self.ln.len()
    }

    /// A number whose law these weights are.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        draw_among(self.range(), |x| self.get(x), rng)
    }

    /// `ln` of the sum of all weights.
    pub fn ln_sum(&self) -> f64 {
        ln_sum(&self.ln)
    }

    /// `ln` of the sum of concave weights of the numbers up to `most`, of which [`Message::around`] has left these, or more: what was cut off
    /// falls from number to number at least as fast as the last of these do, so a geometric series is above it.
    pub fn ln_sum_with_tails(&self, most: usize, tails: Tails) -> f64 {
        let (Some(first), Some(last)) = (self.ln.first(), self.ln.last()) else {
            return f64::NEG_INFINITY;
        };
        let least = largest(&self.ln) - tails.cut;
        let tail = |last: f64, before: Option<&f64>| {
            let falls = before.map_or(f64::INFINITY, |before| last - before).min(least - last);
            last + falls - (-falls.exp()).ln_1p()
        };
        let [second, last_but_one] = [1, self.ln.len().wrapping_sub(2)].map(|at| self.ln.get(at));
        let mut all = vec![self.ln_sum()];
        if self.low > 0 {
            all.push(tail(*first, second));
        }
        if self.range().end <= most {
            all.push(tail(*last, last_but_one));
        }
        ln_sum(&all)
    }

    /// Without the numbers at both ends that have no weight.
    fn trimmed(mut self) -> Self {
        let is_some = |ln: &f64| *ln > f64::NEG_INFINITY;
        let first = self.ln.iter().position(is_some).unwrap_or(self.ln.len());
        let end = self.ln.iter().rposition(is_some).map_or(first, |last| last + 1);
        self.ln.truncate(end);
        self.ln.drain(..first);
        self.low += first;
        self
    }

    /// Without the ends that are cut off.
    pub fn within(mut self, tails: Tails) -> Self {
        let least = largest(&self.ln) - tails.cut;
        self.ln
            .iter_mut()
            .filter(|ln| **ln < least)
            .for_each(|ln| *ln = f64::NEG_INFINITY);
        self.trimmed()
    }

    /// Weights of sums: `w(s) = sum_x self(x) other(s - x)` for `s` in `keep`.
    pub fn convolve(&self, other: &Self, keep: RangeInclusive<usize>, tails: Tails) -> Self {
        let low = (self.low + other.low).max(*keep.start());
        let high = (self.low + self.ln.len() + other.low + other.ln.len()).saturating_sub(2);
        if self.ln.is_empty() || other.ln.is_empty() || low > high.min(*keep.end()) {
            return Self { low, ln: Vec::new() };
        }
        let from = self.low + other.low;
        let outputs = low - from..high.min(*keep.end()) - from + 1;
        Self {
            low,
            ln: ln_convolve(&self.ln, &other.ln, outputs, tails),
        }
        .within(tails)
    }

    /// Weights of differences: `w(s) = sum_x of(x) self(s + x)` for the `s` in `keep`.
    pub fn correlate(&self, of: &Self, keep: Range<usize>, tails: Tails) -> Self {
        let low = keep.start;
        let (Some(highest), false) = ((of.low + of.ln.len()).checked_sub(1), self.ln.is_empty()) else {
            return Self { low, ln: Vec::new() };
        };
        if of.ln.is_empty() {
            return Self { low, ln: Vec::new() };
        }
        let reversed: Vec<f64> = of.ln.iter().rev().copied().collect();
        // Output number i is the weight of `self.low + i - highest`.
        let output = |s: usize| (s + highest).saturating_sub(self.low);
        let outputs = output(keep.start)..output(keep.end).min(self.ln.len() + reversed.len() - 1);
        if outputs.is_empty() {
            return Self { low, ln: Vec::new() };
        }
        Self {
            low: self.low + outputs.start - highest,
            ln: ln_convolve(&self.ln, &reversed, outputs, tails),
        }
        .trimmed()
    }

    /// The product of two weights at every number.
    pub fn times(&self, other: &Self) -> Self {
        let low = self.low.max(other.low);
        let end = self.range().end.min(other.range().end);
        let ln = (low..end.max(low)).map(|x| self.get(x) + other.get(x)).collect();
        Self { low, ln }
    }

    /// `sum_x x w(x) / sum_x w(x)`.
    pub fn mean(&self) -> f64 {
        self.moments(0.0)[0]
    }

    /// Mean and variance of a number whose law these weights are, times `e^(tilt x)`.
    pub fn moments(&self, tilt: f64) -> [f64; 2] {
        let tilted = self.ln.iter().enumerate().map(|(at, ln)| ln + tilt * at as f64);
        let tilted: Vec<f64> = tilted.collect();
        let weights = relative(&tilted, largest(&tilted));
        let [mut sum, mut first, mut second] = [0.0; 3];
        for (at, weight) in weights.iter().enumerate() {
            sum += weight;
            first += weight * at as f64;
            second += weight * at as f64 * at as f64;
        }
        let mean = first / sum;
        [self.low as f64 + mean, (second / sum - mean * mean).max(0.0)]
    }
}

/// Newton steps to the tilt at which means add up.
const MOST_STEPS: usize = 40;
/// A sum of less variance is one number.
pub(super) const LEAST_VARIANCE: f64 = 1e-12;

/// The tilt at which the means of counts with these weights add up to about `total`; the nearest that was found where there is none. Newton's
/// method on `K'(t) = total` (MATH, *Sums in pairs*), whose derivative is the variance of the sum.
pub(super) fn tilt_to(cells: &[Message], total: usize) -> f64 {
    let mut tilt: f64 = 0.0;
    for _ in 0..MOST_STEPS {
        let [mut gap, mut variance] = [-(total as f64), 0.0];
        for [mean, of_one] in cells.iter().map(|cell| cell.moments(tilt)) {
            gap += mean;
            variance += of_one;
        }
        // Written so that what is not a number ends the search.
        let goes_on = gap.abs() > 0.5 * variance.sqrt() && variance >= LEAST_VARIANCE;
        if !goes_on {
            return tilt;
        }
        tilt -= (gap / variance).clamp(-1.0, 1.0);
    }
    tilt
}

/// A number `x` with probability in proportion to `of(x) before(s - x)`.
pub(super) fn draw_part<R: Rng + ?Sized>(of: &Message, before: &Message, s: usize, rng: &mut R) -> usize {
    let part = |x: usize| of.get(x) + s.checked_sub(x).map_or(f64::NEG_INFINITY, |rest| before.get(rest));
    let low = of.low.max((s + 1).saturating_sub(before.range().end));
    let high = of.range().end.min((s + 1).saturating_sub(before.low));
    draw_among(low..high, part, rng)
}

/// A number of a range with probability in proportion to `e^ln`.
fn draw_among<R: Rng + ?Sized>(range: Range<usize>, ln: impl Fn(usize) -> f64, rng: &mut R) -> usize {
    let ln: Vec<f64> = range.clone().map(ln).collect();
    let weights = relative(&ln, largest(&ln));
    let mut left = weights.iter().sum::<f64>() * rng.random::<f64>();
    let mut last = range.start;
    for (x, weight) in range.zip(weights) {
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

/// `ln sum exp`.
fn ln_sum(ln: &[f64]) -> f64 {
    let largest = largest(ln);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    largest + relative(ln, largest).iter().sum::<f64>().ln()
}

fn largest(ln: &[f64]) -> f64 {
    ln.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Some entries of the convolution of two lists of weights in logarithms.
///
/// Relative to the largest of each list all weights are at most one, and sums of products are formed as they are; one that is so small
/// that terms underflowed is formed again in logarithms.
fn ln_convolve(a: &[f64], b: &[f64], outputs: Range<usize>, tails: Tails) -> Vec<f64> {
    let (top_a, top_b) = (largest(a), largest(b));
    if top_a == f64::NEG_INFINITY || top_b == f64::NEG_INFINITY {
        return vec![f64::NEG_INFINITY; outputs.len()];
    }
    let [scaled_a, scaled_b] = [(a, top_a), (b, top_b)].map(|(ln, top)| relative(ln, top));
    let sums = convolve(&scaled_a, &scaled_b, outputs.clone());
    let mut ln = sums.clone();
    ln_in_place(&mut ln);
    let places = outputs.zip(sums.into_iter().zip(ln));
    places
        .map(|(output, (sum, ln))| match sum > LEAST_SUM {
            true => ln + top_a + top_b,
            false if tails.hide_underflow() => f64::NEG_INFINITY,
            false => ln_sum_at(a, b, output),
        })
        .collect()
}

/// Weights relative to the largest, of which the logarithm is given.
fn relative(ln: &[f64], largest: f64) -> Vec<f64> {
    let mut weights: Vec<f64> = ln.iter().map(|ln| ln - largest).collect();
    exp_in_place(&mut weights);
    weights
}

/// One entry of a convolution in logarithms.
fn ln_sum_at(a: &[f64], b: &[f64], output: usize) -> f64 {
    let first = (output + 1).saturating_sub(b.len());
    let end = a.len().min(output + 1);
    let terms = || (first..end).map(|x| a[x] + b[output - x]);
    let largest = terms().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    let near = terms().filter(|term| term - largest > -NEGLIGIBLE);
    largest + near.map(|term| (term - largest).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;
    use rand::SeedableRng;

    fn message(low: usize, weights: &[f64]) -> Message {
        Message {
            low,
            ln: weights.iter().map(|w| w.ln()).collect(),
        }
    }

    #[test]
    fn a_convolution_weighs_sums_and_a_correlation_differences() {
        let (a, b) = (message(1, &[1.0, 2.0, 3.0]), message(2, &[5.0, 7.0]));
        let sums = a.convolve(&b, 0..=100, Tails::ALL);
        assert_eq!(sums.low, 3);
        let expected = [5.0, 17.0, 29.0, 21.0f64];
        for (found, expected) in sums.ln.iter().zip(expected) {
            assert!((found.exp() - expected).abs() < 1e-12, "{found}");
        }
        assert_eq!(a.convolve(&b, 4..=5, Tails::ALL).range(), 4..6);
        assert!(a.convolve(&b, 7..=9, Tails::ALL).ln.is_empty());
        // w(s) = sum_x b(x) a(s + x): a has 1..=3 and b 2..=3, so s is 0 or 1.
        let differences = a.correlate(&b, 0..9, Tails::ALL);
        let expected = [2.0 * 5.0 + 3.0 * 7.0, 3.0 * 5.0f64];
        assert_eq!(differences.range(), 0..2);
        assert_eq!(a.correlate(&b, 1..2, Tails::ALL).range(), 1..2);
        for (found, expected) in differences.ln.iter().zip(expected) {
            assert!((found.exp() - expected).abs() < 1e-12, "{found}");
        }
    }

    /// A Poisson law cut at e^-10, at both ends and at zero.
    #[test]
    fn tails_are_bounded() {
        for rate in [0.5f64, 4.0, 300.0] {
            let ln = |x: usize| x as f64 * rate.ln() - crate::special::ln_factorial(x as u64) - rate;
            let cut = Message::around(rate as usize, 10_000, Tails::BULK, ln);
            let [near, bound] = [cut.ln_sum(), cut.ln_sum_with_tails(10_000, Tails::BULK)];
            assert!(near < -1e-9 && bound > -1e-12 && bound < 1e-3, "{rate}: {near} {bound}");
            let all = Message::over(0..=400, ln);
            assert_eq!(all.ln_sum_with_tails(400, Tails::ALL), all.ln_sum());
        }
    }

    /// Weights down to exp(-5000) keep their digits.
    #[test]
    fn what_underflows_is_formed_in_logarithms() {
        let steep = Message::over(0..=500, |x| -10.0 * x as f64);
        let rising = Message::over(0..=500, |x| 10.0 * x as f64 - 5000.0);
        let sums = steep.convolve(&rising, 0..=1000, Tails::ALL);
        for s in [0, 3, 400, 500, 700, 1000] {
            let first = s.max(500) - 500;
            let terms: Vec<f64> = (first..=s.min(500))
                .map(|x| -10.0 * x as f64 + 10.0 * (s - x) as f64 - 5000.0)
                .collect();
            let expected = ln_sum(&terms);
            assert!((sums.get(s) - expected).abs() < 1e-12 * expected.abs().max(1.0), "{s}");
        }
    }

    /// Shares of 40,000 draws within five standard errors, which fails by chance once in 400,000 times.
    #[test]
    fn a_part_is_drawn_by_its_weight() {
        let (of, before) = (message(0, &[1.0, 2.0, 3.0]), message(1, &[4.0, 1.0]));
        let mut rng = Stream::seed_from_u64(3);
        let mut seen = [0.0; 3];
        for _ in 0..40_000 {
            seen[draw_part(&of, &before, 3, &mut rng)] += 1.0;
        }
        // 3 = 1 + 2 or 2 + 1.
        let share = 2.0 * 1.0 / (2.0 * 1.0 + 3.0 * 4.0);
        let error = f64::sqrt(share * (1.0 - share) / 40_000.0);
        assert_eq!(seen[0], 0.0);
        assert!((seen[1] / 40_000.0 - share).abs() < 5.0 * error, "{seen:?}");
    }
}
