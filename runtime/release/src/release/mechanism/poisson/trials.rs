//! Poisson counts by rejection around their mode, at a cost that does not grow with the rate.
//!
//! With `lambda = p / q` and `m` the largest integer up to it, the weight of a count relative to
//! that of `m` is a product of ratios of integers, none above one:
//!
//! ```text
//! right   f(j) = P(m + j) / P(m) = prod_{i = 1..j} lambda / (m + i)           lambda < m + 1
//! left    f(j) = P(m - j) / P(m) = prod_{i = 1..j} (m - i + 1) / lambda       m <= lambda, none left of zero
//! ```
//!
//! The proposal draws a side, and a distance `j >= 0` of weight `h(j) = 1` up to `w` and `(1 - 1/c)^(j - w)` beyond, with
//! `w = floor(sqrt(m)) + 1` and `c = ceil((m + w + 1) / w)`: an integer below `w` with weight `w` in all, or `w` and a geometric
//! variable with weight `c` in all.
//!
//! `f <= h`, factor by factor. Up to `w` the factors of `h` are one. Beyond, `i >= w + 1`, those of `f` are at most `1 - 1/c`,
//! since `1/c <= w / (m + w + 1)`: on the right `1 - lambda / (m + i) = x / (x + lambda)` with `x = m + i - lambda > i - 1 >= w`,
//! which rises with `x` and is above `w / (w + lambda) > w / (m + w + 1)`; on the left `1 - (m - i + 1) / lambda` is at least
//! `(i - 1) / lambda`, and that at least `w / lambda > w / (m + w + 1)`. So `f(j) / h(j)` is a product of ratios up to one, and the proposal is accepted if none of `j` trials
//! fails, which [`none_fails`] asks of one stretch after the other. Accepted distances have weight `f`; the mode, which lies on both
//! sides, counts on the right alone.
//!
//! `2 (w + c)` is about `4 sqrt(lambda)`, and the weights `f` sum to about `sqrt(2 pi lambda)`: three proposals in five are accepted.

use rand::Rng;

use crate::release::Ratio;
use crate::release::uniform::{below, none_fails};

/// Counts of a rate up to 2^20.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Trials {
    /// The rate is `p / q`.
    p: u128,
    q: u128,
    /// The largest integer up to the rate.
    mode: u64,
    /// Distances up to which the envelope is flat.
    flat: u64,
    /// Beyond, it falls by `1 - 1/c` a step.
    c: u64,
}

/// On which side of the mode.
#[derive(Clone, Copy, Debug)]
enum SideOfMode {
    Left,
    Right,
}

impl Trials {
    /// Counts of the given rate; `None` where it is above 2^20, beyond which products might pass 128 bits.
    pub fn new(rate: Ratio) -> Option<Self> {
        let mode = rate.numerator() / rate.denominator();
        if mode > 1 << 20 {
            return None;
        }
        let flat = mode.isqrt() + 1;
        Some(Self {
            p: rate.numerator().into(),
            q: rate.denominator().into(),
            mode,
            flat,
            c: (mode + flat + 1).div_ceil(flat),
        })
    }

    /// One count.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        loop {
            let side = match rng.next_u64() >> 63 {
                1 => SideOfMode::Left,
                _ => SideOfMode::Right,
            };
            let at = below(self.flat + self.c, rng);
            let distance = match at < self.flat {
                true => at,
                false => self.flat + self.geometric(rng),
            };
            if let Some(count) = self.propose(side, distance, rng) {
                return count;
            }
        }
    }

    /// The count at this distance, if it is one and is accepted.
    fn propose<R: Rng + ?Sized>(&self, side: SideOfMode, distance: u64, rng: &mut R) -> Option<u64> {
        let count = match side {
            // The mode counts on the right.
            SideOfMode::Left if distance == 0 => return None,
            SideOfMode::Left => self.mode.checked_sub(distance)?,
            SideOfMode::Right => self.mode + distance,
        };
        self.accepts(side, distance, rng).then_some(count)
    }

    /// `P(x)` proportional to `(1 - 1/c)^x`: how many runs of `c` trials pass, and a rest below `c` that is accepted with its
    /// weight.
    fn geometric<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        let failure = |_| (1, u128::from(self.c));
        let rest = loop {
            let rest = below(self.c, rng);
            if none_fails(rest, failure, rng) {
                break rest;
            }
        };
        let mut runs = 0;
        // Each goes on with probability below exp(-1): far fewer than the 2^40 that would pass 64 bits.
        while none_fails(self.c, failure, rng) {
            runs += 1;
        }
        runs * self.c + rest
    }

    /// True with probability `f / h`: the trials up to `flat` and those beyond, in stretches as long as [`none_fails`] takes.
    fn accepts<R: Rng + ?Sized>(&self, side: SideOfMode, distance: u64, rng: &mut R) -> bool {
        let mut done = 0;
        while done < distance {
            let end = if done < self.flat { self.flat } else { u64::MAX };
            let mut trials = distance.min(end) - done;
            // Failures grow likelier away from the mode: the last of a stretch is its likeliest.
            while trials > 1 && {
                let (a, b) = self.failure(side, done + trials);
                a * u128::from(trials) > b
            } {
                trials = trials.div_ceil(2);
            }
            if !none_fails(trials, |i| self.failure(side, done + i), rng) {
                return false;
            }
            done += trials;
        }
        true
    }

    /// With which probability, as a ratio, the `i`-th factor of `f / h` lets a proposal fail.
    ///
    /// No product passes 128 bits, times `i` trials included: `q c` is below 2^67, since `q <= 2^64 / m` and `c <= sqrt(m) + 3`, and
    /// `m + i` below 2^30 but for a geometric variable of half a million draws. On the left `p c` is below 2^75, and `i <= m`.
    fn failure(&self, side: SideOfMode, i: u64) -> (u128, u128) {
        let (mode, i_wide) = (u128::from(self.mode), u128::from(i));
        let (share, of) = match side {
            SideOfMode::Right => (self.p, self.q * (mode + i_wide)),
            SideOfMode::Left => (self.q * (mode + 1 - i_wide), self.p),
        };
        if i <= self.flat {
            return (of - share, of);
        }
        let c = u128::from(self.c);
        (of * (c - 1) - share * c, of * (c - 1))
    }
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha12Rng;
    use rand::SeedableRng;

    use super::super::Parts;
    use super::super::tests::p_value;
    use super::*;

    fn count(numerator: u64, denominator: u64) -> Trials {
        Trials::new(Ratio::new(numerator, denominator).unwrap()).unwrap()
    }

    /// Chi-square at level 1e-4 for each of eleven rates: a false alarm in 900 seeds. Ratios with many digits take the 128-bit
    /// path.
    #[test]
    fn draws_are_poisson() {
        let mut rng = ChaCha12Rng::seed_from_u64(5);
        let large = 1 << 60;
        for (numerator, denominator) in [
            (1, 3),
            (1, 1),
            (7, 2),
            (40, 1),
            (4099, 100),
            (large / 7, large),
            (large - 1, large / 12),
            (1000, 1),
            (1_234_567, 100),
            (100_000_001, 1000),
            (1_000_000, 1),
        ] {
            let law = count(numerator, denominator);
            let draws: Vec<u64> = (0..300_000).map(|_| law.draw(&mut rng)).collect();
            let p = p_value(numerator as f64 / denominator as f64, &draws);
            assert!(p > 1e-4, "{numerator}/{denominator}: {p}");
        }
    }

    /// What the test above would not let pass: the mode from both sides, a tail of steps, one that is accepted as if it were
    /// flat, and a rate that is off by a fiftieth of a standard deviation.
    #[test]
    fn mutants_are_caught() {
        let mut rng = ChaCha12Rng::seed_from_u64(6);
        let side = |rng: &mut ChaCha12Rng| {
            if below(2, rng) == 0 {
                SideOfMode::Left
            } else {
                SideOfMode::Right
            }
        };
        let p_of = |rate: u64, draw: &mut dyn FnMut(&Trials, &mut ChaCha12Rng) -> Option<u64>| {
            let (law, mut rng) = (count(rate, 1), ChaCha12Rng::seed_from_u64(6));
            let mut draws = Vec::new();
            while draws.len() < 300_000 {
                draws.extend(draw(&law, &mut rng));
            }
            p_value(rate as f64, &draws)
        };
        let distance = |law: &Trials, tail: u64, rng: &mut ChaCha12Rng| {
            let at = below(law.flat + law.c, rng);
            if at < law.flat { at } else { law.flat + tail }
        };
        let faithful = p_of(1000, &mut |law, rng| {
            let tail = law.geometric(rng);
            law.propose(side(rng), distance(law, tail, rng), rng)
        });
        let mode_twice = p_of(1000, &mut |law, rng| {
            let tail = law.geometric(rng);
            match (side(rng), distance(law, tail, rng)) {
                (SideOfMode::Left, 0) => Some(law.mode),
                (side, distance) => law.propose(side, distance, rng),
            }
        });
        let steps = p_of(1000, &mut |law, rng| {
            let tail = law.geometric(rng) / law.c * law.c + below(law.c, rng);
            law.propose(side(rng), distance(law, tail, rng), rng)
        });
        let as_if_flat = p_of(1000, &mut |law, rng| {
            let tail = law.geometric(rng);
            let flat = Trials { flat: u64::MAX, ..*law };
            flat.propose(side(rng), distance(law, tail, rng), rng)
        });
        assert!(faithful > 1e-4, "{faithful}");
        for mutant in [mode_twice, steps, as_if_flat] {
            assert!(mutant < 1e-9, "{mode_twice} {steps} {as_if_flat}");
        }
        let off = count(1_000_020, 1);
        let draws: Vec<u64> = (0..300_000).map(|_| off.draw(&mut rng)).collect();
        assert!(p_value(1e6, &draws) < 1e-6);
    }

    /// Every stretch keeps the bound of [`none_fails`], which asserts it, far out on both sides; and no weight of the envelope
    /// is below that of the law.
    #[test]
    fn the_envelope_dominates() {
        let mut rng = ChaCha12Rng::seed_from_u64(8);
        for law in [
            count(1, u64::MAX),
            count(999, 1000),
            count(1, 1),
            count(99, 7),
            count(1_000_000, 1),
            count(u64::MAX, 1 << 44),
        ] {
            for i in (1..40).chain([law.flat, law.flat + 1, law.flat + 2, 20 * law.flat, 1 << 20]) {
                let sides = [Some(SideOfMode::Right), (i <= law.mode).then_some(SideOfMode::Left)];
                for side in sides.into_iter().flatten() {
                    let (a, b) = law.failure(side, i);
                    assert!(a <= b, "{law:?} {side:?} {i}");
                    law.accepts(side, i, &mut rng);
                }
            }
        }
        assert_eq!(Trials::new(Ratio::new(1 << 21, 1).unwrap()), None);
    }

    /// Value-breaking changes show here.
    #[test]
    fn the_same_seed_gives_the_same_counts() {
        let mut rng = ChaCha12Rng::seed_from_u64(0);
        let draws = [count(1, 2), count(100, 1), count(1_000_000, 1)].map(|law| [(); 4].map(|()| law.draw(&mut rng)));
        assert_eq!(
            draws,
            [
                [3, 1, 0, 1],
                [104, 112, 113, 92],
                [1_000_938, 999_411, 1_000_570, 1_000_055]
            ]
        );
    }

    /// Nanoseconds a draw, for the documentation: `cargo test -p skellam-release --lib time_of_a_draw -- --ignored --nocapture`.
    #[test]
    #[ignore = "a measurement"]
    fn time_of_a_draw() {
        let mut rng = chacha20::ChaCha20Rng::seed_from_u64(0);
        for rate in [1u64, 4, 100, 10_000, 1_000_000] {
            let law = count(rate * 100 + 1, 100);
            let (draws, start) = (300_000, std::time::Instant::now());
            let sum: u64 = (0..draws).map(|_| law.draw(&mut rng)).sum();
            let ns = start.elapsed().as_nanos() as f64 / f64::from(draws);
            println!("lambda {rate}: {ns:.0} ns, mean {}", sum as f64 / f64::from(draws));
            let parts = Parts::new(Ratio::new(rate * 100 + 1, 100).unwrap()).unwrap();
            let (draws, start) = (3_000_000 / rate.clamp(10, 1_000_000), std::time::Instant::now());
            let sum: u64 = (0..draws).map(|_| parts.draw(&mut rng)).sum();
            let ns = start.elapsed().as_nanos() as f64 / draws as f64;
            println!("    by parts {ns:.0} ns, mean {}", sum as f64 / draws as f64);
        }
    }
}
