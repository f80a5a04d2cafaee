//! Random rounding to multiples of five: the law as inference sees it, and the draw. It has a file of its own, as it is longer than the
//! example and is copied without it.

use rand::{CryptoRng, Rng, RngExt};
use skellam::channel::{Channel, ChannelText, LogLinear, NoiseText, Unaugmented};
use skellam::release::{Mechanism, Promise, ReleaseError};
use skellam::special::ln_poisson_pmf;

/// Unbiased random rounding to base five, as statistical offices publish tables: `5q + s` becomes `5q` with probability
/// `1 - s/5`, else `5(q + 1)`. Law and mechanism in one, as there are no parameters.
///
/// It promises no differential privacy. A release of `c` shuts out every count that is five or more away, and a multiple of
/// five is released as it is, so the probability of some releases falls from positive to zero when one person joins or
/// leaves: no epsilon bounds that ratio. With a delta nothing is gained: 1 is released as 5 with probability 1/5, and 0
/// never, so delta is at least 1/5 whatever epsilon is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundedToFive;

/// The counts that may have become `c`, nine of them at most, with their probabilities given `c` up to a common factor.
struct Window {
    /// The least of them.
    low: u64,
    /// The largest weight is one, up to rounding.
    weights: [f64; 9],
    len: usize,
    sum: f64,
    /// Logarithm of what the weights were divided by.
    ln_scale: f64,
}

impl Window {
    /// `None` where `c` is not a multiple of five, or negative.
    fn new(rate: f64, c: i64) -> Option<Self> {
        if c % 5 != 0 {
            return None;
        }
        let c = u64::try_from(c).ok()?;
        let low = c.saturating_sub(4);
        let len = (c + 5 - low) as usize;
        // Logarithms of Poisson probabilities relative to that of `low`, by ratios of neighbours: differences of the
        // logarithms themselves would cancel where those are 1e12. Log space, as nine ratios of 1e-300 underflow.
        let mut ln = [0.0; 9];
        let mut relative = 0.0;
        for (i, ln) in ln[..len].iter_mut().enumerate() {
            let y = low + i as u64;
            if i > 0 {
                relative += rate.ln() - (y as f64).ln();
            }
            *ln = relative + (1.0 - y.abs_diff(c) as f64 / 5.0).ln();
        }
        let top = (0..len).max_by(|&a, &b| ln[a].total_cmp(&ln[b]))?;
        let mut weights = [0.0; 9];
        for (weight, ln_weight) in weights.iter_mut().zip(&ln[..len]) {
            *weight = (ln_weight - ln[top]).exp();
        }
        let y = low + top as u64;
        Some(Self {
            low,
            weights,
            len,
            sum: weights[..len].iter().sum(),
            ln_scale: ln_poisson_pmf(y, rate) + (1.0 - y.abs_diff(c) as f64 / 5.0).ln(),
        })
    }
}

impl Channel for RoundedToFive {
    type Value = i64;
    type Augmentation = Unaugmented;

    fn admits(&self, c: i64) -> bool {
        c >= 0 && c % 5 == 0
    }

    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        Window::new(rate, c).map_or(f64::NEG_INFINITY, |window| window.ln_scale + window.sum.ln())
    }

    fn expect(&self, rate: f64, c: i64) -> f64 {
        Window::new(rate, c).map_or(0.0, |window| {
            let above: f64 = (0..window.len).map(|i| i as f64 * window.weights[i]).sum();
            window.low as f64 + above / window.sum
        })
    }

    fn slope(&self, rate: f64, c: i64) -> f64 {
        (self.expect(rate, c) / rate).min(f64::MAX)
    }

    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        let Some(window) = Window::new(rate, c) else {
            return 0;
        };
        let mut left = rng.random::<f64>() * window.sum;
        let mut last = 0;
        for (i, &weight) in window.weights[..window.len].iter().enumerate() {
            if weight > 0.0 {
                last = i;
                left -= weight;
                if left < 0.0 {
                    break;
                }
            }
        }
        window.low + last as u64
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
        round(y, rng) as i64
    }

    fn typical() -> Self {
        Self
    }

    /// Nowhere: a rounded zero may stand for any count from 0 to 4.
    fn log_linear(&self, _: i64) -> Option<LogLinear> {
        None
    }

    // P(y = 0 | r, 0) = 1 / (1 + 4/5 r + 3/10 r^2 + 1/15 r^3 + 1/120 r^4), and each term is at most that of exp(4/5 r).
    fn zero_bound(&self, c: i64) -> Option<f64> {
        (c == 0).then_some(0.8)
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "RoundedToFive",
            law: "P({c} | {y}) = 1 − |{c} − {y}|/5 where |{c} − {y}| < 5,  {c} a multiple of 5",
            law_latex: r"P({c} \mid {y}) = 1 - |{c} - {y}| / 5, \quad |{c} - {y}| < 5, \quad {c} \in 5\mathbb{N}",
            linear: None,
            impute: &["P({y}) ∝ {mu}^{y} / {y}! · (1 − |{c} − {y}|/5) where |{c} − {y}| < 5"],
            impute_latex: &[r"P({y} \mid {mu}, {c}) \propto \frac{{mu}^{{y}}}{{y}!}\,(1 - |{c} - {y}|/5)"],
            expect: &["q({y}) ∝ {g}^{y} / {y}! · (1 − |{c} − {y}|/5) where |{c} − {y}| < 5, and E[{y}] is its mean"],
            expect_latex: &[
                r"\mathbb{E}[{y}] = \frac{\sum_n n\,{g}^n/n!\,(1 - |{c} - n|/5)}{\sum_n {g}^n/n!\,(1 - |{c} - n|/5)}",
            ],
            noise: NoiseText::Summed,
            source: "unbiased random rounding; summed over {y} directly",
        }
    }
}

impl Mechanism for RoundedToFive {
    type Law = Self;

    fn law(&self) -> Result<Self, ReleaseError> {
        Ok(Self)
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, rng: &mut R) -> Option<i64> {
        i64::try_from(round(u64::try_from(count).ok()?, rng)).ok()
    }

    fn promise(&self) -> Promise {
        Promise::None
    }
}

/// Up with probability `s / 5`, in integers: no floating-point number decides.
fn round<R: Rng + ?Sized>(y: u64, rng: &mut R) -> u64 {
    let rest = y % 5;
    let up = rest > 0 && below_five(rng) < rest;
    y - rest + 5 * u64::from(up)
}

/// Uniform on 0 to 4: three bits, and again where they say 5, 6 or 7. The rest of a division would favour small values.
fn below_five<R: Rng + ?Sized>(rng: &mut R) -> u64 {
    loop {
        let bits = rng.next_u64() >> 61;
        if bits < 5 {
            return bits;
        }
    }
}
