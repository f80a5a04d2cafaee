//! How many components? The held-out score over a list of numbers.

use std::fmt;

/// The held-out score of a count for several numbers of components, or of anything else that is varied. `Display` prints a table.
///
/// ```
/// use skellam::diagnose::HeldOutCurve;
/// use skellam::prelude::*;
///
/// model! {
///     model Topics {
///         index docs, words, topics;
///         latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
///         latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
///         count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
///     }
/// }
///
/// let values: Vec<i64> = (0..48).map(|cell| if cell / 8 % 2 == cell % 2 { 5 } else { 0 }).collect();
/// let counts = Counts::dense(vec![6, 8], values)?.hold_out(&Mask::random(&[6, 8], 0.2, 1)?)?;
/// let settings = Gibbs { num_tune: 100, num_draws: 50, progress: Progress::Hidden, ..Gibbs::default() };
/// let curve = HeldOutCurve::over(&[1, 2, 4], "y", |k| Topics::new(&counts)?.topics(k).gibbs(&settings))?;
/// assert_eq!(curve.best().unwrap().components, 2);
/// println!("{curve}");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOutCurve {
    count: String,
    points: Vec<HeldOutPoint>,
}

/// The score of one fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOutPoint {
    /// Number of components.
    pub components: usize,
    /// The fit's `held_out_score`.
    pub score: f64,
    /// Its `held_out_error`: the Monte Carlo error of the score; `None` for a single chain.
    pub error: Option<f64>,
    /// Seconds that the fit took.
    pub seconds: f64,
}

impl HeldOutCurve {
    /// The scores of `count`, in order.
    pub(crate) fn new(count: &str, points: Vec<HeldOutPoint>) -> Self {
        Self {
            count: count.to_owned(),
            points,
        }
    }

    /// The count whose cells are scored.
    pub fn count(&self) -> &str {
        &self.count
    }

    /// A point for each number, in the order of the list.
    pub fn points(&self) -> &[HeldOutPoint] {
        &self.points
    }

    /// The point of the best score.
    pub fn best(&self) -> Option<&HeldOutPoint> {
        self.points.iter().max_by(|a, b| a.score.total_cmp(&b.score))
    }

    /// The fewest components whose score is within two Monte Carlo errors of the best: the runs do not tell these two apart.
    pub fn fewest(&self) -> Option<&HeldOutPoint> {
        let best = self.best()?;
        let near = |point: &&HeldOutPoint| {
            let error = point.error.unwrap_or(0.0).hypot(best.error.unwrap_or(0.0));
            point.score >= best.score - 2.0 * error
        };
        self.points.iter().filter(near).min_by_key(|point| point.components)
    }
}

impl fmt::Display for HeldOutCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "held-out score of `{}` (mean log predictive probability of a cell)",
            self.count
        )?;
        writeln!(
            f,
            "{:>10}   {:>10}   {:>10}   {:>8}",
            "components", "score", "MC error", "seconds"
        )?;
        for point in &self.points {
            let error = point
                .error
                .map_or_else(|| "-".to_owned(), |error| format!("{error:.4}"));
            let best = if self.best() == Some(point) { "  best" } else { "" };
            writeln!(
                f,
                "{:>10}   {:>10.4}   {error:>10}   {:>8.1}{best}",
                point.components, point.score, point.seconds
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_and_the_fewest_that_are_as_good() {
        let point = |components, score, error| HeldOutPoint {
            components,
            score,
            error,
            seconds: 1.0,
        };
        let curve = HeldOutCurve {
            count: "y".to_owned(),
            points: vec![
                point(8, -1.00, Some(0.01)),
                point(2, -1.50, Some(0.01)),
                point(4, -1.02, Some(0.01)),
                point(16, -1.20, None),
            ],
        };
        assert_eq!(curve.best().unwrap().components, 8);
        assert_eq!(curve.fewest().unwrap().components, 4);
        let text = curve.to_string();
        assert!(text.contains("  best") && text.lines().count() == 6, "{text}");
    }
}
