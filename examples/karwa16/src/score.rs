//! Estimates against the truth.

use super::estimate::{Entry, Estimate};
use super::model::{Model, Parameters};

/// Of `p` first, then of `q`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Squared distance of the means from the truth; of `q`, the mean over its lines.
    pub error: [f64; 2],
    /// Share of the parameters that lie in their intervals.
    pub coverage: [f64; 2],
    /// Mean width of the intervals.
    pub width: [f64; 2],
}

impl Score {
    /// Of an estimate, given what the data were drawn with.
    pub fn of(model: &Model, estimate: &Estimate, truth: &Parameters) -> Self {
        let lines = (model.features() * model.classes()) as f64;
        let parts = [(&estimate.p, &truth.p, 1.0), (&estimate.q, &truth.q, lines)];
        let mean = |of: &dyn Fn(&Entry, f64) -> f64, entries: &[Entry], truth: &[f64]| {
            let values = entries.iter().zip(truth).map(|(entry, &truth)| of(entry, truth));
            values.sum::<f64>() / entries.len() as f64
        };
        Self {
            error: parts.map(|(entries, truth, lines)| {
                let squared = mean(&|entry, truth| (entry.mean - truth).powi(2), entries, truth);
                squared * entries.len() as f64 / lines
            }),
            coverage: parts.map(|(entries, truth, _)| {
                mean(
                    &|entry, truth| f64::from(u8::from((entry.low..=entry.high).contains(&truth))),
                    entries,
                    truth,
                )
            }),
            width: parts.map(|(entries, truth, _)| mean(&|entry, _| entry.high - entry.low, entries, truth)),
        }
    }

    /// Everything that is measured, as one list.
    pub fn values(&self) -> [f64; 6] {
        let [[a, b], [c, d], [e, f]] = [self.error, self.coverage, self.width];
        [a, b, c, d, e, f]
    }
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
            p: vec![entry(0.5), entry(0.5)],
            q: vec![entry(0.25), entry(0.75), entry(1.0), entry(0.0)],
            effective: None,
            doubts: Vec::new(),
        };
        let truth = Parameters {
            p: vec![0.4, 0.7],
            q: vec![0.25, 0.75, 0.5, 0.5],
        };
        let score = Score::of(&model, &estimate, &truth);
        let expected = [0.05, 0.25, 0.5, 0.75, 0.4, 0.4];
        score
            .values()
            .iter()
            .zip(expected)
            .for_each(|(s, e)| assert!((s - e).abs() < 1e-12, "{score:?}"));
    }

    #[test]
    fn standard_errors_are_those_of_a_mean() {
        let mean = Mean::of(&[1.0, 2.0, 3.0]);
        assert!((mean.value - 2.0).abs() < 1e-15 && (mean.error - (1.0f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!(Mean::of(&[1.0]).error.is_nan());
    }
}
