//! What an estimator says: means, and intervals that hold 90 % of the posterior.

use skellam::model::family::{Dirichlet, Family};

use super::model::{Model, Parameters};

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Posterior mean.
    pub mean: f64,
    /// 5 % of the posterior lie below.
    pub low: f64,
    /// 5 % of the posterior lie above.
    pub high: f64,
}

/// All parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Of the shares of the classes.
    pub p: Vec<Entry>,
    /// Of the shares of the answers, by cell.
    pub q: Vec<Entry>,
    /// Of a chain: how many independent draws of `p` its draws are worth.
    pub effective: Option<f64>,
    /// What keeps a fit from being believed.
    pub doubts: Vec<String>,
}

impl Estimate {
    /// Of a posterior in which `p` and the lines of `q` are Dirichlet with these concentrations.
    pub fn of_dirichlets(model: &Model, p: &[f64], q: &[f64]) -> Self {
        Self {
            p: entries(p),
            q: q.chunks(model.answers).flat_map(entries).collect(),
            effective: None,
            doubts: Vec::new(),
        }
    }

    /// Of draws of the posterior, with means that are known besides. With `B` draws the interval lies between those of
    /// rank `(B + 1) / 20` from either end.
    pub fn of_draws(means: &Parameters, draws: &[Parameters]) -> Self {
        let entries = |of: fn(&Parameters) -> &Vec<f64>| {
            let entry = |(i, &mean): (usize, &f64)| {
                let mut values: Vec<f64> = draws.iter().map(|draw| of(draw)[i]).collect();
                values.sort_by(f64::total_cmp);
                let rank = ((values.len() + 1) / 20).max(1);
                Entry {
                    mean,
                    low: values[rank - 1],
                    high: values[values.len() - rank],
                }
            };
            of(means).iter().enumerate().map(entry).collect()
        };
        Self {
            p: entries(|parameters| &parameters.p),
            q: entries(|parameters| &parameters.q),
            effective: None,
            doubts: Vec::new(),
        }
    }

    /// The means alone.
    pub fn means(&self) -> Parameters {
        let means = |entries: &[Entry]| entries.iter().map(|entry| entry.mean).collect();
        Parameters {
            p: means(&self.p),
            q: means(&self.q),
        }
    }
}

/// Means and quantiles of the coordinates of a Dirichlet.
fn entries(concentration: &[f64]) -> Vec<Entry> {
    let total: f64 = concentration.iter().sum();
    let entry = |i: usize| Entry {
        mean: concentration[i] / total,
        low: quantile(concentration, i, 0.05),
        high: quantile(concentration, i, 0.95),
    };
    (0..concentration.len()).map(entry).collect()
}

/// The value below which a share of the law of a coordinate lies, by bisection to 1e-9.
fn quantile(concentration: &[f64], i: usize, share: f64) -> f64 {
    if concentration.len() == 1 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        match Dirichlet.distribution([concentration, &[]], i, middle) < share {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beta(1, b) has the quantiles `1 - (1 - u)^(1/b)`, and Beta(a, 1) has `u^(1/a)`.
    #[test]
    fn intervals_are_quantiles_of_beta_laws() {
        for b in [0.2f64, 1.0, 2.0, 37.5, 1000.0] {
            let [one, rest] = [0, 1].map(|i| entries(&[1.0, b])[i]);
            for (found, u) in [(one.low, 0.05f64), (one.high, 0.95)] {
                assert!((found - (1.0 - (1.0 - u).powf(1.0 / b))).abs() < 2e-9, "{b}: {found}");
            }
            for (found, u) in [(rest.low, 0.05f64), (rest.high, 0.95)] {
                assert!((found - u.powf(1.0 / b)).abs() < 2e-9, "{b}: {found}");
            }
            assert!((one.mean - 1.0 / (1.0 + b)).abs() < 1e-15);
        }
        let Entry { mean, low, high } = entries(&[3.0])[0];
        assert_eq!([mean, low, high], [1.0; 3]);
    }

    /// Ranks 20 and 380 of 399.
    #[test]
    fn intervals_of_draws_are_ranks() {
        let draw = |i: usize| Parameters {
            p: vec![i as f64],
            q: vec![-(i as f64)],
        };
        let draws: Vec<Parameters> = (1..=399).rev().map(draw).collect();
        let Estimate { p, q, .. } = Estimate::of_draws(&draw(5), &draws);
        assert_eq!([p[0].mean, p[0].low, p[0].high], [5.0, 20.0, 380.0]);
        assert_eq!([q[0].mean, q[0].low, q[0].high], [-5.0, -380.0, -20.0]);
    }
}
