//! Independent counts of which the sum is known.
//!
//! Everything is in logarithms: at a large budget the weight of a count falls by a factor of `exp(epsilon / 2)` with each
//! step away from what was released, and after a few hundred steps no floating-point number holds it.

use rand::{Rng, RngExt};
use skellam::math::special::exp_in_place;

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
    pub fn draw<R: Rng + ?Sized>(&self, sum: usize, rng: &mut R) -> Vec<usize> {
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
fn categorical<R: Rng + ?Sized>(terms: &mut [f64], rng: &mut R) -> usize {
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

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use skellam::math::streams::Stream;

    use super::*;

    fn three() -> Sum {
        let weights = [
            [0.3, 0.0, 2.0, 0.5, 1.0],
            [1.0, 0.2, 0.1, 0.0, 0.7],
            [0.9, 0.4, 0.6, 0.1, 0.05],
        ];
        Sum::new(
            weights
                .iter()
                .map(|w| w.iter().map(|w: &f64| w.ln()).collect())
                .collect(),
        )
    }

    /// Every way to add up to a sum, with its weight.
    fn ways(sum: usize) -> Vec<([usize; 3], f64)> {
        let parts = three().weights;
        let all = (0..=sum).flat_map(|a| (0..=sum - a).map(move |b| [a, b, sum - a - b]));
        all.map(|x| (x, (0..3).map(|j| parts[j][x[j]].exp()).product()))
            .collect()
    }

    #[test]
    fn sums_and_means_are_those_of_an_enumeration() {
        let parts = three();
        let means = parts.means();
        (0..5).for_each(|sum| {
            let total: f64 = ways(sum).iter().map(|(_, w)| w).sum();
            assert!((parts.ln_totals()[sum] - total.ln()).abs() < 1e-14);
            let laws = parts.laws(sum);
            for (j, means) in means.iter().enumerate() {
                let mean = ways(sum).iter().map(|(x, w)| x[j] as f64 * w).sum::<f64>() / total;
                assert!((means[sum] - mean).abs() < 1e-14, "{j} {sum}");
                for (x, law) in laws[j].iter().enumerate() {
                    let weight = ways(sum)
                        .iter()
                        .filter(|(way, _)| way[j] == x)
                        .map(|(_, w)| w)
                        .sum::<f64>();
                    assert!((law - weight / total).abs() < 1e-14, "{j} {sum} {x}");
                }
            }
        });
    }

    /// 20,000 draws, each frequency within 5 standard errors: false positives below 1e-5.
    #[test]
    fn draws_follow_the_joint_law() {
        let (parts, mut rng) = (three(), Stream::seed_from_u64(3));
        let draws: Vec<Vec<usize>> = (0..20_000).map(|_| parts.draw(4, &mut rng)).collect();
        let total: f64 = ways(4).iter().map(|(_, w)| w).sum();
        for (way, weight) in ways(4) {
            let share = draws.iter().filter(|draw| **draw == way).count() as f64 / 20_000.0;
            let law = weight / total;
            let error = (law * (1.0 - law) / 20_000.0).sqrt();
            assert!((share - law).abs() <= 5.0 * error, "{way:?}: {share} for {law}");
        }
    }

    /// Weights that fall by 5 a step over 500 steps leave the range of floating-point numbers twice over.
    #[test]
    fn nothing_underflows() {
        let steep = |peak: i64| {
            (0..=500i64)
                .map(|x| -5.0 * (x - peak).abs() as f64)
                .collect::<Vec<f64>>()
        };
        let parts = Sum::new(vec![steep(500), steep(500), steep(500)]);
        // One count of 500 and two of 0 weigh 2 * 2500 in logarithms, and so does every other way to get there.
        let ways = 501.0f64 * 502.0 / 2.0;
        assert!((parts.ln_totals()[500] - (ways.ln() - 5000.0)).abs() < 1e-9);
        let means = parts.means();
        assert!(means.iter().all(|mean| (mean[500] - 500.0 / 3.0).abs() < 1e-9));
    }
}
