//! Independent counts of which the sum is known.
//!
//! Everything is in logarithms: at a large budget the weight of a count falls by a factor of `exp(epsilon / 2)` with each
//! step away from what was released, and after a few hundred steps no floating-point number holds it.

use rand::RngExt;
use skellam::math::special::exp_in_place;
use skellam::math::streams::Stream;

/// Counts with weights, one list of weights `0..=most` for each, and what is known of their sum.
#[derive(Clone, Debug)]
pub struct Sum {
    /// Log weights by part, then count.
    weights: Vec<Vec<f64>>,
    /// `ahead[j][s]`: log weight of the parts before `j` adding up to `s`.
    ahead: Vec<Vec<f64>>,
}

impl Sum {
    /// Of parts with these log weights, all of one length.
    pub fn new(weights: Vec<Vec<f64>>) -> Self {
        let length = weights.first().map_or(1, Vec::len);
        let mut ahead = vec![nothing(length)];
        for weights in &weights {
            let next = convolve(&ahead[ahead.len() - 1], weights);
            ahead.push(next);
        }
        Self { weights, ahead }
    }

    /// The log weight of every sum.
    pub fn ln_totals(&self) -> &[f64] {
        &self.ahead[self.weights.len()]
    }

    /// For each part, the log weight of every sum of all the others.
    pub fn others(&self) -> Vec<Vec<f64>> {
        let mut behind = nothing(self.ln_totals().len());
        let mut others = Vec::with_capacity(self.weights.len());
        for j in (0..self.weights.len()).rev() {
            others.push(convolve(&self.ahead[j], &behind));
            if j > 0 {
                behind = convolve(&self.weights[j], &behind);
            }
        }
        others.reverse();
        others
    }

    /// For each part, its mean given every sum; 0 where the sum is impossible.
    pub fn means(&self) -> Vec<Vec<f64>> {
        let parts = self.weights.iter().zip(self.others());
        let mean_of = |(weights, others): (&Vec<f64>, Vec<f64>)| {
            let times_count: Vec<f64> = weights.iter().enumerate().map(|(x, w)| w + (x as f64).ln()).collect();
            let sums = convolve(&times_count, &others);
            let ratios = sums.iter().zip(self.ln_totals());
            ratios
                .map(|(sum, total)| {
                    if *total == f64::NEG_INFINITY {
                        0.0
                    } else {
                        (sum - total).exp()
                    }
                })
                .collect()
        };
        parts.map(mean_of).collect()
    }

    /// For each part, the law of its count given the sum.
    pub fn laws(&self, sum: usize) -> Vec<Vec<f64>> {
        let parts = self.weights.iter().zip(self.others());
        let law_of = |(weights, others): (&Vec<f64>, Vec<f64>)| -> Vec<f64> {
            let here = weights.iter().enumerate();
            here.map(|(x, w)| match x <= sum {
                true => (w + others[sum - x] - self.ln_totals()[sum]).exp(),
                false => 0.0,
            })
            .collect()
        };
        parts.map(law_of).collect()
    }

    /// A joint draw of all parts given their sum, from the last to the first.
    pub fn draw(&self, sum: usize, rng: &mut Stream) -> Vec<usize> {
        let mut counts = vec![0; self.weights.len()];
        let mut left = sum;
        let mut terms = Vec::with_capacity(sum + 1);
        for j in (1..counts.len()).rev() {
            terms.clear();
            let before = self.ahead[j][..=left].iter().rev();
            terms.extend(
                self.weights[j]
                    .iter()
                    .zip(before)
                    .map(|(weight, before)| weight + before),
            );
            counts[j] = categorical(&mut terms, rng);
            left -= counts[j];
        }
        if let Some(first) = counts.first_mut() {
            *first = left;
        }
        counts
    }
}

/// The log weights of a sum of no counts.
fn nothing(length: usize) -> Vec<f64> {
    let mut weights = vec![f64::NEG_INFINITY; length];
    weights[0] = 0.0;
    weights
}

fn is_nothing(weights: &[f64]) -> bool {
    weights[0] == 0.0 && weights[1..].iter().all(|w| *w == f64::NEG_INFINITY)
}

/// `out[s] = ln(sum over x of exp(a[x] + b[s - x]))`, for sums within the length of both.
fn convolve(a: &[f64], b: &[f64]) -> Vec<f64> {
    // At either end of the parts there is nothing to be added: two in five of all convolutions of three parts.
    if is_nothing(a) {
        return b.to_vec();
    }
    if is_nothing(b) {
        return a.to_vec();
    }
    let backwards: Vec<f64> = b.iter().rev().copied().collect();
    let mut terms = Vec::with_capacity(a.len());
    let sums = (0..a.len()).map(|s| {
        terms.clear();
        terms.extend(a[..=s].iter().zip(&backwards[b.len() - 1 - s..]).map(|(a, b)| a + b));
        ln_sum_exp(&mut terms)
    });
    sums.collect()
}

/// `ln(sum of exp(term))`; the terms are overwritten by numbers that are proportional to their exponentials, the largest 1.
fn ln_sum_exp(terms: &mut [f64]) -> f64 {
    let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top == f64::NEG_INFINITY {
        return top;
    }
    terms.iter_mut().for_each(|term| *term -= top);
    exp_in_place(terms);
    top + terms.iter().sum::<f64>().ln()
}

/// A place, with probability proportional to the exponential of what stands there.
fn categorical(terms: &mut [f64], rng: &mut Stream) -> usize {
    ln_sum_exp(terms);
    let mut target = rng.random::<f64>() * terms.iter().sum::<f64>();
    let mut last = 0;
    for (place, &weight) in terms.iter().enumerate() {
        if weight > 0.0 {
            last = place;
            if target < weight {
                break;
            }
            target -= weight;
        }
    }
    last
}
