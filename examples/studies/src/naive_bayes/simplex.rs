//! Ascent on the simplex: a first-order interior point method (Tseng, Bomze and Schachinger 2011), as in section 7.2 of
//! Karwa, Kifer and Slavković (2016).

/// Share of the way to the border that a step may go at most: shares stay above zero.
const REACH: f64 = 0.99;
/// Factor between the steps that are tried (`nu` of the paper).
const SHORTER: f64 = 0.5;
/// Share of the rise that the slope promises which a step must bring (`sigma` of the paper).
const RISE: f64 = 0.1;

/// `sum over j of A[j] t[j]^2 + B[j] t[j] + C[j] t[j] ln t[j]`, with `A` and `C` nowhere positive, so that it is concave.
#[derive(Debug)]
pub struct Objective {
    /// `[A, B, C]` of each coordinate.
    pub terms: Vec<[f64; 3]>,
}

impl Objective {
    fn value(&self, at: &[f64]) -> f64 {
        let terms = self.terms.iter().zip(at);
        terms.map(|([a, b, c], &t)| (a * t + b + c * t.ln()) * t).sum()
    }

    fn slopes(&self, at: &[f64]) -> Vec<f64> {
        let terms = self.terms.iter().zip(at);
        terms
            .map(|([a, b, c], &t)| 2.0 * a * t + b + c * (t.ln() + 1.0))
            .collect()
    }

    /// Takes at most so many steps from `at`, a point within the simplex; none of them lowers the value.
    pub fn ascend(&self, at: &mut [f64], steps: usize) {
        let mut value = self.value(at);
        for _ in 0..steps {
            let slopes = self.slopes(at);
            // Equation 11: slopes less their mean, so that the direction W r stays in the simplex.
            let mean: f64 = slopes.iter().zip(&*at).map(|(slope, t)| slope * t).sum();
            let r: Vec<f64> = slopes.iter().map(|slope| slope - mean).collect();
            let promise: f64 = r.iter().zip(&*at).map(|(r, t)| r * r * t).sum();
            let steepest = r.iter().copied().fold(0.0, f64::min);
            if !(promise > 1e-13 * (1.0 + value.abs()) && steepest < 0.0) {
                return;
            }
            // Equation 13, whose bound is -1 over the least of d[j] / t[j] = r[j].
            let mut step = -REACH / steepest;
            let moved = loop {
                let next: Vec<f64> = at.iter().zip(&r).map(|(t, r)| t + step * t * r).collect();
                let found = self.value(&next);
                // Equation 12.
                if found >= value + RISE * step * promise {
                    break Some((next, found));
                }
                step *= SHORTER;
                if step < 1e-18 {
                    break None;
                }
            };
            let Some((next, found)) = moved else { return };
            // Sums of shares drift by rounding.
            let total: f64 = next.iter().sum();
            at.iter_mut()
                .zip(next)
                .for_each(|(t, next)| *t = (next / total).max(f64::MIN_POSITIVE));
            value = found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where `A = 0` and `C = -1` the maximum is `t[j]` proportional to `exp(B[j])`.
    #[test]
    fn entropy_alone_is_a_softmax() {
        let b: [f64; 4] = [0.3, -2.0, 1.5, 0.0];
        let objective = Objective {
            terms: b.iter().map(|&b| [0.0, b, -1.0]).collect(),
        };
        let mut at = [0.25; 4];
        objective.ascend(&mut at, 10_000);
        let total: f64 = b.iter().map(|b| b.exp()).sum();
        at.iter()
            .zip(b)
            .for_each(|(t, b)| assert!((t - b.exp() / total).abs() < 1e-5, "{at:?}"));
    }

    /// Every step rises, and at the end all slopes are alike: the condition of a maximum inside.
    #[test]
    fn steps_rise_to_where_slopes_are_alike() {
        let objective = Objective {
            terms: vec![[-300.0, 40.0, -20.0], [-10.0, 50.0, -20.0], [0.0, -60.0, -20.0]],
        };
        let mut at = [0.98, 0.01, 0.01];
        let mut value = objective.value(&at);
        for _ in 0..5000 {
            objective.ascend(&mut at, 1);
            let next = objective.value(&at);
            assert!(next >= value - 1e-12 * value.abs());
            value = next;
        }
        let slopes = objective.slopes(&at);
        assert!(
            slopes.iter().all(|s| (s - slopes[0]).abs() < 1e-3 * slopes[0].abs()),
            "{slopes:?} at {at:?}"
        );
        assert!((at.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
