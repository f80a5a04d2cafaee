//! Estimators that know nothing of the noise, need not know of it, or know nothing else.

use super::Failure;
use super::estimate::Estimate;
use super::estimators::Estimator;
use super::model::{Model, Released, Tables};

/// Counts that need not be whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Clamped {
    /// By class; they sum to the number of people.
    pub n: Vec<f64>,
    /// By cell; lines sum to the count of their class.
    pub x: Vec<f64>,
}

impl Clamped {
    /// Released cells put between 0 and the number of people, then scaled so that all tables agree on the class counts,
    /// as the paper does it. A class count is a share of what is left in all tables together.
    pub fn new(released: &Released) -> Self {
        let model = &released.model;
        let people = model.people as f64;
        let inside: Vec<f64> = released.values.iter().map(|&m| (m as f64).clamp(0.0, people)).collect();
        let mut n = vec![0.0; model.classes];
        for (line, cells) in inside.chunks(model.answers).enumerate() {
            n[model.class_of(line)] += cells.iter().sum::<f64>();
        }
        scale(&mut n, people);
        let mut x = inside;
        for (line, cells) in x.chunks_mut(model.answers).enumerate() {
            scale(cells, n[model.class_of(line)]);
        }
        Self { n, x }
    }
}

/// Scales numbers to a total; equal ones if there is nothing to scale.
fn scale(values: &mut [f64], total: f64) {
    let (sum, number) = (values.iter().sum::<f64>(), values.len() as f64);
    values.iter_mut().for_each(|value| match sum > 0.0 {
        true => *value *= total / sum,
        false => *value = total / number,
    });
}

/// The posterior given counts, as if they were true.
fn given_counts(model: &Model, n: &[f64], x: &[f64]) -> Estimate {
    let p: Vec<f64> = n.iter().map(|n| model.class_prior + n).collect();
    let q: Vec<f64> = x.iter().map(|x| model.answer_prior + x).collect();
    Estimate::of_dirichlets(model, &p, &q)
}

/// Clamped noisy tables plugged in for the true ones.
pub struct Naive;

impl Estimator for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn estimate(&self, released: &Released) -> Result<Estimate, Failure> {
        let Clamped { n, x } = Clamped::new(released);
        Ok(given_counts(&released.model, &n, &x))
    }
}

/// As it is called in tables.
pub const NON_PRIVATE: &str = "non-private";

/// The Bayes estimate from the true tables: what noise costs is measured against it.
pub struct NonPrivate<'a>(pub &'a Tables);

impl Estimator for NonPrivate<'_> {
    fn name(&self) -> &'static str {
        NON_PRIVATE
    }

    fn estimate(&self, released: &Released) -> Result<Estimate, Failure> {
        let [n, x] = [&self.0.n, &self.0.x].map(|counts| counts.iter().map(|&n| n as f64).collect::<Vec<f64>>());
        Ok(given_counts(&released.model, &n, &x))
    }
}

/// The prior, which looks at nothing: a release that is worth its name must beat it.
pub struct Prior;

impl Estimator for Prior {
    fn name(&self) -> &'static str {
        "prior"
    }

    fn estimate(&self, released: &Released) -> Result<Estimate, Failure> {
        let model = &released.model;
        Ok(given_counts(
            model,
            &vec![0.0; model.classes],
            &vec![0.0; model.cells()],
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn released(values: [i64; 8]) -> Released {
        Released {
            model: Model::new(10, [2, 2, 2]).unwrap(),
            noise: Released::noise(1.0).unwrap(),
            values: values.to_vec(),
        }
    }

    #[test]
    fn clamped_tables_agree() {
        // Clamped: 3 0 | 10 1, then 6 0 | 0 0; 9 of 20 in the first class.
        let Clamped { n, x } = Clamped::new(&released([3, -2, 40, 1, 6, -1, 0, -7]));
        let expected = [4.5, 5.5, 4.5, 0.0, 5.0, 0.5, 4.5, 0.0, 2.75, 2.75];
        let off = n.iter().chain(&x).zip(expected).map(|(x, e)| (x - e).abs());
        assert!(off.fold(0.0, f64::max) < 1e-12, "{n:?} {x:?}");
        // With nothing left all are alike.
        assert_eq!(Clamped::new(&released([-1; 8])).x, [2.5; 8]);
    }

    /// Without noise, and where tables agree, clamping changes nothing.
    #[test]
    fn true_tables_stay_as_they_are() {
        let tables = Tables {
            n: vec![7, 3],
            x: vec![3, 4, 1, 2, 7, 0, 0, 3],
        };
        let released = released([3, 4, 1, 2, 7, 0, 0, 3]);
        let [naive, exact] = [&Naive as &dyn Estimator, &NonPrivate(&tables)].map(|e| e.estimate(&released).unwrap());
        assert_eq!(naive, exact);
        assert_eq!(exact.means().p, [8.0 / 12.0, 4.0 / 12.0]);
        assert_eq!(exact.means().q[..2], [4.0 / 9.0, 5.0 / 9.0]);
        assert_eq!(Prior.estimate(&released).unwrap().means().q, [0.5; 8]);
    }
}
