//! Draws from `p u - sum over powers e of B_e exp(e u)`, the law of a scale along a symmetry.
//!
//! With powers 1 and -1 alone, `exp(u)` is generalised inverse Gaussian. Any such density is log-concave: it lies below
//! its tangents, and two of them with a flat top between make an envelope (Devroye 1986, section VII.2), from which a
//! draw is accepted about four times in five.

use rand::{Rng, RngExt};

use crate::model::Symmetry;

/// Powers from `-MOST` to `MOST`.
pub(super) const POWERS: usize = 2 * Symmetry::MOST as usize + 1;

/// The density; `B[e + MOST]` belongs to the power `e`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScaleLaw {
    pub linear: f64,
    pub sums: [f64; POWERS],
}

/// Bisection and Newton steps, after which a double has no digits left to find.
const MOST_STEPS: usize = 200;
/// Beyond this the scale leaves the range of doubles.
const FARTHEST: f64 = 1000.0;

impl ScaleLaw {
    /// The log density, its first and its second derivative.
    fn at(&self, u: f64) -> [f64; 3] {
        let mut all = [self.linear * u, self.linear, 0.0];
        for (i, b) in self.sums.iter().enumerate().filter(|(_, b)| **b > 0.0) {
            let power = i as f64 - f64::from(Symmetry::MOST);
            let part = b * (power * u).exp();
            all[0] -= part;
            all[1] -= power * part;
            all[2] -= power * power * part;
        }
        all
    }

    /// Where the density is largest; `None` if that is out of range.
    fn mode(&self) -> Option<f64> {
        let (mut low, mut high) = (-1.0, 1.0);
        while self.at(low)[1] <= 0.0 {
            low *= 2.0;
            if low < -FARTHEST {
                return None;
            }
        }
        while self.at(high)[1] >= 0.0 {
            high *= 2.0;
            if high > FARTHEST {
                return None;
            }
        }
        let mut u = 0.5 * (low + high);
        for _ in 0..MOST_STEPS {
            let [_, slope, curvature] = self.at(u);
            if slope > 0.0 {
                low = u;
            } else {
                high = u;
            }
            let newton = u - slope / curvature;
            let next = if newton > low && newton < high {
                newton
            } else {
                0.5 * (low + high)
            };
            if (next - u).abs() <= 1e-12 * u.abs().max(1.0) {
                return Some(next);
            }
            u = next;
        }
        Some(u)
    }

    /// A draw of `u`; `None` where the law has no mode within reach of doubles, and scales had better stay.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<f64> {
        let mode = self.mode()?;
        let [top, _, curvature] = self.at(mode);
        let width = (2.0 / -curvature).sqrt();
        if !(top.is_finite() && width.is_finite() && width > 0.0) {
            return None;
        }
        let [left, right] = [mode - width, mode + width];
        let ([at_left, up, _], [at_right, down, _]) = (self.at(left), self.at(right));
        // Where the tangents reach the top.
        let (start, end) = (left + (top - at_left) / up, right + (top - at_right) / down);
        let masses = [1.0 / up, end - start, -1.0 / down];
        let all: f64 = masses.iter().sum();
        if !(all.is_finite() && masses.iter().all(|mass| *mass >= 0.0)) {
            return None;
        }
        loop {
            let (which, v): (f64, f64) = (rng.random::<f64>() * all, 1.0 - rng.random::<f64>());
            let (u, envelope) = if which < masses[0] {
                (start + v.ln() / up, top + v.ln())
            } else if which < masses[0] + masses[1] {
                (start + v * (end - start), top)
            } else {
                (end + v.ln() / down, top + v.ln())
            };
            let w: f64 = 1.0 - rng.random::<f64>();
            if w.ln() <= self.at(u)[0] - envelope {
                return Some(u);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::{Purpose, Streams};

    const ZERO: usize = Symmetry::MOST as usize;

    fn law(linear: f64, parts: &[(i32, f64)]) -> ScaleLaw {
        let mut sums = [0.0; POWERS];
        for &(power, b) in parts {
            sums[(ZERO as i32 + power) as usize] = b;
        }
        ScaleLaw { linear, sums }
    }

    /// Largest distance, in standard errors, of the shares of 100 000 draws in ten bins from those of `expected`, summed
    /// on a grid.
    fn distance(drawn: &ScaleLaw, expected: &ScaleLaw) -> f64 {
        const DRAWS: usize = 100_000;
        let mode = expected.mode().unwrap();
        let width = (1.0 / -expected.at(mode)[2]).sqrt();
        let (low, step) = (mode - 60.0 * width, 120.0 * width / 1e5);
        let heights: Vec<f64> = (0..100_000)
            .map(|i| (expected.at(low + step * (f64::from(i) + 0.5))[0] - expected.at(mode)[0]).exp())
            .collect();
        let total: f64 = heights.iter().sum();
        let mut draws: Vec<f64> = {
            let mut rng = Streams::new(5, 0).open(Purpose::Moves, 0, 0);
            (0..DRAWS).map(|_| drawn.draw(&mut rng).unwrap()).collect()
        };
        draws.sort_by(f64::total_cmp);
        let (mut sum, mut next, mut largest) = (0.0, 1, 0.0f64);
        for (i, height) in heights.iter().enumerate() {
            sum += height / total;
            while next < 10 && sum >= f64::from(next) / 10.0 {
                let edge = low + step * (i as f64 + 1.0);
                let share = draws.partition_point(|u| *u < edge) as f64 / DRAWS as f64;
                largest = largest.max((share - sum).abs() / (sum * (1.0 - sum) / DRAWS as f64).sqrt());
                next += 1;
            }
        }
        largest
    }

    /// Nine shares within 5 standard errors for each of five laws: false positives 3e-5. The mutant's `p` is off by one.
    #[test]
    fn draws_have_the_law() {
        let cases = [
            law(2.5, &[(1, 3.0), (-1, 0.4)]),
            law(-40.0, &[(1, 300.0), (-1, 700.0)]),
            law(0.0, &[(1, 1e-3), (-1, 1e-3)]),
            law(1.5, &[(1, 2.0), (-1, 1.0), (-2, 0.5)]),
            law(3.0, &[(2, 5.0), (-1, 1e-6)]),
        ];
        for case in &cases {
            let z = distance(case, case);
            assert!(z < 5.0, "{case:?}: {z}");
        }
        let off_by_one = ScaleLaw {
            linear: 3.5,
            ..cases[0]
        };
        assert!(distance(&off_by_one, &cases[0]) > 5.0);
    }

    #[test]
    fn a_law_out_of_reach_is_not_drawn() {
        let mut rng = Streams::new(5, 0).open(Purpose::Moves, 0, 0);
        assert_eq!(law(1.0, &[(-1, 1.0)]).draw(&mut rng), None);
        assert_eq!(law(1.0, &[(1, f64::INFINITY), (-1, 1.0)]).draw(&mut rng), None);
    }
}
