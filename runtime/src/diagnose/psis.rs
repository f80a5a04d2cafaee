//! Pareto-smoothed importance sampling (Vehtari et al. 2024), as leave-one-out prediction needs it.

/// Logarithms of importance weights whose largest ones are replaced by the quantiles of a generalised Pareto law that is fitted to them, normalised to sum to one;
/// and the shape `k` of the law: infinite where too few weights are in the tail, and minus infinity where all are equal.
pub(super) fn smoothed(mut ln_weights: Vec<f64>, relative_efficiency: f64) -> (Vec<f64>, f64) {
    let n = ln_weights.len();
    let largest = ln_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    ln_weights.iter_mut().for_each(|x| *x -= largest);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| ln_weights[a].total_cmp(&ln_weights[b]));
    // A fifth of the draws, or three times the square root of what they are worth (Vehtari et al. 2024, section 3.1).
    let tail = (n as f64 / 5.0)
        .min(3.0 * (n as f64 / relative_efficiency).sqrt())
        .ceil() as usize;
    if ln_weights.iter().all(|x| *x == 0.0) {
        // All draws say the same: nothing is to be smoothed, and nothing is doubtful.
        return (vec![-(n as f64).ln(); n], f64::NEG_INFINITY);
    }
    let cut = n
        .checked_sub(tail + 1)
        .map_or(f64::NEG_INFINITY, |at| ln_weights[order[at]]);
    let cut = cut.max(f64::MIN_POSITIVE.ln());
    // Weights that equal the cut are none of the tail.
    let first = order.partition_point(|&at| ln_weights[at] <= cut);
    let in_tail = &order[first..];
    let mut k = f64::INFINITY;
    if in_tail.len() > LEAST_TAIL {
        let excess: Vec<f64> = in_tail.iter().map(|&at| ln_weights[at].exp() - cut.exp()).collect();
        let law = Pareto::fitted(&excess);
        k = law.k;
        if k.is_finite() {
            for (rank, &at) in in_tail.iter().enumerate() {
                let p = (rank as f64 + 0.5) / in_tail.len() as f64;
                ln_weights[at] = (law.quantile(p) + cut.exp()).ln().min(0.0);
            }
        }
    }
    let total = ln_sum_exp(&ln_weights);
    ln_weights.iter_mut().for_each(|x| *x -= total);
    (ln_weights, k)
}

/// A law is fitted to more weights than these.
const LEAST_TAIL: usize = 4;

/// `ln sum exp`, without overflow.
pub(super) fn ln_sum_exp(values: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !largest.is_finite() {
        return largest;
    }
    largest + values.iter().map(|x| (x - largest).exp()).sum::<f64>().ln()
}

/// A generalised Pareto law of excesses over a threshold, of shape `k` and scale `sigma`.
struct Pareto {
    k: f64,
    sigma: f64,
}

impl Pareto {
    /// The law of some excesses in ascending order, by the quasi-Bayesian estimate of Zhang and Stephens (2009): the mean of `b = -k / sigma` over a grid, each weighed by its
    /// profile likelihood; and `k` drawn to one half as by ten more excesses (Vehtari et al. 2024, appendix C).
    fn fitted(excess: &[f64]) -> Self {
        let n = excess.len() as f64;
        let grid = 30 + n.sqrt() as usize;
        let (quartile, largest) = (excess[(n / 4.0 + 0.5) as usize - 1], excess[excess.len() - 1]);
        let of_b = |b: f64| excess.iter().map(|x| (-b * x).ln_1p()).sum::<f64>() / n;
        let b = |i: usize| 1.0 / largest + (1.0 - (grid as f64 / (i as f64 + 0.5)).sqrt()) / (3.0 * quartile);
        let all: Vec<(f64, f64)> = (0..grid)
            .map(|i| {
                let (b, k) = (b(i), of_b(b(i)));
                (b, n * ((-b / k).ln() - k - 1.0))
            })
            .collect();
        let lns: Vec<f64> = all.iter().map(|(_, ln)| *ln).collect();
        let total = ln_sum_exp(&lns);
        let weighed = all
            .iter()
            .map(|(b, ln)| (b, (ln - total).exp()))
            .filter(|(_, weight)| *weight >= 10.0 * f64::EPSILON);
        let (sum, mass) = weighed.fold((0.0, 0.0), |(sum, mass), (b, weight)| (sum + b * weight, mass + weight));
        let b = sum / mass;
        let k = of_b(b);
        Self {
            sigma: -k / b,
            k: (n * k + 10.0 * 0.5) / (n + 10.0),
        }
    }

    fn quantile(&self, p: f64) -> f64 {
        let ln = (-p).ln_1p();
        match self.k.abs() < f64::EPSILON {
            true => -self.sigma * ln,
            false => self.sigma * (-self.k * ln).exp_m1() / self.k,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Excesses at the quantiles of a law give that law back, but for the pull of `k` to one half.
    #[test]
    fn the_law_of_excesses_is_found() {
        for (k, sigma) in [(0.3, 2.0), (-0.2, 0.5), (0.9, 1.0)] {
            let of = Pareto { k, sigma };
            let excess: Vec<f64> = (0..20_000)
                .map(|i| of.quantile((f64::from(i) + 0.5) / 20_000.0))
                .collect();
            let found = Pareto::fitted(&excess);
            assert!((found.k - k).abs() < 0.01, "{} for {k}", found.k);
            assert!((found.sigma / sigma - 1.0).abs() < 0.01, "{} for {sigma}", found.sigma);
        }
    }

    #[test]
    fn weights_sum_to_one_and_keep_their_order() {
        let raw: Vec<f64> = (0..200)
            .map(|i| f64::from(i % 50) * 0.2 + f64::from(i) * 1e-3)
            .collect();
        let (weights, k) = smoothed(raw.clone(), 1.0);
        assert!((ln_sum_exp(&weights)).abs() < 1e-12 && k.is_finite());
        let mut order: Vec<usize> = (0..200).collect();
        order.sort_by(|&a, &b| raw[a].total_cmp(&raw[b]));
        assert!(order.windows(2).all(|pair| weights[pair[0]] <= weights[pair[1]]));
        // Equal weights have no tail.
        let (even, k) = smoothed(vec![3.0; 100], 1.0);
        assert!(k == f64::NEG_INFINITY && even.iter().all(|w| (w + 100f64.ln()).abs() < 1e-12));
    }
}
