//! What an estimator says: means, and intervals that hold 90 % of the posterior.

use skellam::model::family::{Dirichlet, Family};

use super::model::{Model, Parameters, Released, Tables};

/// A posterior mean, and the values below which 5 % and 95 % of the posterior lie.
type Entry = [f64; 3];

/// All parameters.
#[derive(Debug)]
pub struct Estimate {
    /// Of the shares of the classes.
    pub p: Vec<Entry>,
    /// Of the shares of the answers, by cell.
    pub q: Vec<Entry>,
}

impl Estimate {
    /// Of a posterior in which `p` and the lines of `q` are Dirichlet with these concentrations.
    pub fn of_dirichlets(model: &Model, p: &[f64], q: &[f64]) -> Self {
        Self {
            p: entries(p),
            q: q.chunks(model.answers).flat_map(entries).collect(),
        }
    }

    /// Of draws of the posterior, with means that are known besides. With `B` draws the interval lies between those of rank `(B + 1) / 20` from either end.
    pub fn of_draws(means: &Parameters, draws: &[Parameters]) -> Self {
        let entries = |of: fn(&Parameters) -> &Vec<f64>| {
            let entry = |(i, &mean): (usize, &f64)| {
                let mut values: Vec<f64> = draws.iter().map(|draw| of(draw)[i]).collect();
                values.sort_by(f64::total_cmp);
                let rank = values.len().div_ceil(20);
                [mean, values[rank - 1], values[values.len() - rank]]
            };
            of(means).iter().enumerate().map(entry).collect()
        };
        Self {
            p: entries(|parameters| &parameters.p),
            q: entries(|parameters| &parameters.q),
        }
    }

    /// The posterior given counts, as if they were true: those that nobody sees, releases, or none at all.
    pub fn given(model: &Model, [n, x]: &[Vec<f64>; 2]) -> Self {
        let plus = |prior: f64, counts: &[f64]| counts.iter().map(|n| prior + n).collect::<Vec<f64>>();
        Self::of_dirichlets(model, &plus(model.class_prior, n), &plus(model.answer_prior, x))
    }

    /// Squared distances of the means from the truth (of `q`, the mean over its lines), and the shares of parameters that lie in their intervals: `[p, q]` of each.
    pub fn against(&self, model: &Model, truth: &Parameters) -> [[f64; 2]; 2] {
        let lines = (model.features * model.classes) as f64;
        let of = |entries: &[Entry], truth: &[f64], lines: f64| {
            let pairs = || entries.iter().zip(truth);
            let squares: f64 = pairs().map(|([mean, ..], truth)| (mean - truth).powi(2)).sum();
            let covered = pairs().filter(|([_, low, high], truth)| (low..=high).contains(truth));
            [squares / lines, covered.count() as f64 / truth.len() as f64]
        };
        let (p, q) = (of(&self.p, &truth.p, 1.0), of(&self.q, &truth.q, lines));
        [[p[0], q[0]], [p[1], q[1]]]
    }
}

/// True counts as numbers, by class and by cell.
pub fn counts(tables: &Tables) -> [Vec<f64>; 2] {
    [&tables.n, &tables.x].map(|counts| counts.iter().map(|&n| n as f64).collect())
}

/// Released cells put between 0 and the number of people, then scaled so that all tables agree on the class counts, as the paper does it: counts by class and by cell. A class
/// count is a share of what is left in all tables together.
pub fn clamped(released: &Released) -> [Vec<f64>; 2] {
    let model = &released.model;
    let people = model.people as f64;
    let mut x: Vec<f64> = released.values.iter().map(|&m| (m as f64).clamp(0.0, people)).collect();
    let mut n = vec![0.0; model.classes];
    for (line, cells) in x.chunks(model.answers).enumerate() {
        n[model.class_of(line)] += cells.iter().sum::<f64>();
    }
    scale(&mut n, people);
    for (line, cells) in x.chunks_mut(model.answers).enumerate() {
        scale(cells, n[model.class_of(line)]);
    }
    [n, x]
}

/// Scales numbers to a total; equal ones if there is nothing to scale.
fn scale(values: &mut [f64], total: f64) {
    let (sum, number) = (values.iter().sum::<f64>(), values.len() as f64);
    values.iter_mut().for_each(|value| match sum > 0.0 {
        true => *value *= total / sum,
        false => *value = total / number,
    });
}

/// Means and quantiles of the coordinates of a Dirichlet.
fn entries(concentration: &[f64]) -> Vec<Entry> {
    let total: f64 = concentration.iter().sum();
    let quantile = |i, share| quantile(concentration, i, share);
    let entry = |i: usize| [concentration[i] / total, quantile(i, 0.05), quantile(i, 0.95)];
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

    /// Beta(1, b) has the quantiles `1 - (1 - u)^(1/b)`; ranks 20 and 380 of 399 draws.
    #[test]
    fn intervals_are_quantiles() {
        for b in [0.2f64, 1.0, 37.5, 1000.0] {
            let [mean, low, high] = entries(&[1.0, b])[0];
            for (found, u) in [(low, 0.05f64), (high, 0.95)] {
                assert!((found - (1.0 - (1.0 - u).powf(1.0 / b))).abs() < 2e-9, "{b}: {found}");
            }
            assert!((mean - 1.0 / (1.0 + b)).abs() < 1e-15);
        }
        let draw = |i: usize| Parameters {
            p: vec![i as f64],
            q: vec![-(i as f64)],
        };
        let draws: Vec<Parameters> = (1..=399).rev().map(draw).collect();
        let Estimate { p, q } = Estimate::of_draws(&draw(5), &draws);
        assert_eq!([p[0], q[0]], [[5.0, 20.0, 380.0], [-5.0, -380.0, -20.0]]);
    }
}
