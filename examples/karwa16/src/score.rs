//! Estimates against the truth.

use super::estimate::{Entry, Estimate};
use super::model::{Model, Parameters};

/// Of an estimate, given what the data were drawn with, each of `p` and then of `q`: the squared distance of the means from the truth (of `q`,
/// the mean over its lines), the share of the parameters that lie in their intervals, and the mean width of these.
pub fn score(model: &Model, estimate: &Estimate, truth: &Parameters) -> [f64; 6] {
    let lines = (model.features * model.classes) as f64;
    let [of_p, of_q] = [(&estimate.p, &truth.p, 1.0), (&estimate.q, &truth.q, lines)].map(|(entries, truth, lines)| {
        let [mut squares, mut covered, mut width] = [0.0; 3];
        for (Entry { mean, low, high }, truth) in entries.iter().zip(truth) {
            squares += (mean - truth).powi(2);
            covered += f64::from(u8::from((low..=high).contains(&truth)));
            width += high - low;
        }
        let number = entries.len() as f64;
        [squares / lines, covered / number, width / number]
    });
    [of_p[0], of_q[0], of_p[1], of_q[1], of_p[2], of_q[2]]
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Mean {
    /// For independent values; the error of a single one is unknown, and NaN.
    pub fn of(values: &[f64]) -> Self {
        let number = values.len() as f64;
        let value = values.iter().sum::<f64>() / number;
        let squares: f64 = values.iter().map(|v| (v - value).powi(2)).sum();
        Self {
            value,
            error: (squares / (number * (number - 1.0))).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_distances_and_coverage_a_share() {
        let model = Model::new(10, [2, 1, 2]).unwrap();
        let entry = |mean| Entry {
            mean,
            low: 0.2,
            high: 0.6,
        };
        let estimate = Estimate {
            p: [0.5, 0.5].map(entry).to_vec(),
            q: [0.25, 0.75, 1.0, 0.0].map(entry).to_vec(),
            effective: None,
            doubts: Vec::new(),
        };
        let truth = Parameters {
            p: vec![0.4, 0.7],
            q: vec![0.25, 0.75, 0.5, 0.5],
        };
        let found = score(&model, &estimate, &truth);
        let expected = [0.05, 0.25, 0.5, 0.75, 0.4, 0.4];
        assert!(
            found.iter().zip(expected).all(|(s, e)| (s - e).abs() < 1e-12),
            "{found:?}"
        );
        let mean = Mean::of(&[1.0, 2.0, 3.0]);
        assert!((mean.value - 2.0).abs() < 1e-15 && (mean.error - (1.0f64 / 3.0).sqrt()).abs() < 1e-15);
    }
}
