//! Draws from `p u - sum over powers e of B_e exp(e u)`, the law of a scale along a symmetry.
//!
//! With powers 1 and -1 alone, `exp(u)` is generalised inverse Gaussian. Any such density is log-concave: it lies below
//! its tangents, and two of them with a flat top between make an envelope (Devroye 1986, section VII.2), from which a
//! draw is accepted about four times in five.

use rand::{Rng, RngExt};

use crate::model::Symmetry;
use crate::special::exp_m1_minus;

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
/// Candidates for a draw. One in five is refused: so many only where numbers are out of range.
const MOST_CANDIDATES: usize = 1000;

impl ScaleLaw {
    /// The first and the second derivative of the log density.
    fn slopes(&self, u: f64) -> [f64; 2] {
        let parts = self.parts(u);
        parts.fold([self.linear, 0.0], |[first, second], (e, part)| {
            [first - e * part, second - e * e * part]
        })
    }

    /// Each power with its `B exp(e u)`.
    fn parts(&self, u: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
        let sums = self.sums.iter().enumerate().filter(|(_, b)| **b > 0.0);
        sums.map(move |(i, b)| {
            let power = i as f64 - f64::from(Symmetry::MOST);
            (power, b * (power * u).exp())
        })
    }

    /// Where the density is largest; `None` if that is out of range.
    fn mode(&self) -> Option<f64> {
        let (mut low, mut high) = (-1.0, 1.0);
        while self.slopes(low)[0] <= 0.0 {
            low *= 2.0;
            if low < -FARTHEST {
                return None;
            }
        }
        while self.slopes(high)[0] >= 0.0 {
            high *= 2.0;
            if high > FARTHEST {
                return None;
            }
        }
        let mut u = 0.5 * (low + high);
        for _ in 0..MOST_STEPS {
            let [slope, curvature] = self.slopes(u);
            if slope > 0.0 {
                low = u;
            } else {
                high = u;
            }
            let newton = u - slope / curvature;
            let next = if newton >= low && newton <= high {
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

    /// The law around its mode: there the linear term is that of the parts, and `p v - sum of b (exp(e v) - 1)` at a distance of `v` is minus a sum of `b (exp(e v) - 1 - e v)`, of
    /// which nothing cancels however large the `b` are.
    fn around(&self, mode: f64) -> AtMode {
        let mut around = AtMode {
            parts: [(0.0, 0.0); POWERS],
        };
        around
            .parts
            .iter_mut()
            .zip(self.parts(mode))
            .for_each(|(part, b)| *part = b);
        around
    }

    /// A draw of `u`; `None` where the law has no mode within reach of doubles, and scales had better stay.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<f64> {
        let mode = self.mode()?;
        Some(mode + self.around(mode).draw(rng)?)
    }
}

/// Powers and what stands with them at the mode.
struct AtMode {
    parts: [(f64, f64); POWERS],
}

impl AtMode {
    /// The log density at a distance from the mode, less that at the mode.
    fn at(&self, v: f64) -> f64 {
        -self.parts.iter().map(|(e, b)| b * exp_m1_minus(e * v)).sum::<f64>()
    }

    /// Its derivative.
    fn slope(&self, v: f64) -> f64 {
        -self.parts.iter().map(|(e, b)| e * b * (e * v).exp_m1()).sum::<f64>()
    }

    /// A draw of the distance.
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<f64> {
        let curvature: f64 = self.parts.iter().map(|(e, b)| e * e * b).sum();
        let width = (2.0 / curvature).sqrt();
        if !(width.is_finite() && width > 0.0) {
            return None;
        }
        let (up, down) = (self.slope(-width), self.slope(width));
        // Where the tangents reach the top.
        let (start, end) = (-width - self.at(-width) / up, width - self.at(width) / down);
        let masses = [1.0 / up, end - start, -1.0 / down];
        let all: f64 = masses.iter().sum();
        if !(all.is_finite() && masses.iter().all(|mass| *mass >= 0.0)) {
            return None;
        }
        for _ in 0..MOST_CANDIDATES {
            let (which, v): (f64, f64) = (rng.random::<f64>() * all, 1.0 - rng.random::<f64>());
            let (at, envelope) = if which < masses[0] {
                (start + v.ln() / up, v.ln())
            } else if which < masses[0] + masses[1] {
                (start + v * (end - start), 0.0)
            } else {
                (end + v.ln() / down, v.ln())
            };
            let w: f64 = 1.0 - rng.random::<f64>();
            if w.ln() <= self.at(at) - envelope {
                return Some(at);
            }
        }
        None
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
        let width = (1.0 / -expected.slopes(mode)[1]).sqrt();
        let around = expected.around(mode);
        let (low, step) = (-60.0 * width, 120.0 * width / 1e5);
        let heights: Vec<f64> = (0..100_000)
            .map(|i| around.at(low + step * (f64::from(i) + 0.5)).exp())
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
                let edge = mode + low + step * (i as f64 + 1.0);
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

    /// The law of the scale of a gamma of shape 2e18 against one of shape 3: its density has no digits left at 1e18, differences from its mode have all. Ten thousand draws
    /// within 5 standard errors of the mean and of the variance, `1/B` each (false positives 1e-6), and as fast as any.
    #[test]
    fn parts_of_any_size_are_drawn() {
        let mut rng = Streams::new(5, 0).open(Purpose::Moves, 0, 0);
        for b in [1e10, 1e18, 1e24] {
            let law = law(3.0 - b, &[(-1, b), (1, 3.0)]);
            let draws: Vec<f64> = (0..10_000).map(|_| law.draw(&mut rng).unwrap() * b.sqrt()).collect();
            let mean = draws.iter().sum::<f64>() / 1e4;
            let variance = draws.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 1e4;
            assert!(
                mean.abs() < 0.05 && (variance - 1.0).abs() < 0.08,
                "{b:e}: {mean} {variance}"
            );
        }
    }

    #[test]
    fn a_law_out_of_reach_is_not_drawn() {
        let mut rng = Streams::new(5, 0).open(Purpose::Moves, 0, 0);
        assert_eq!(law(1.0, &[(-1, 1.0)]).draw(&mut rng), None);
        assert_eq!(law(1.0, &[(1, f64::INFINITY), (-1, 1.0)]).draw(&mut rng), None);
    }
}
