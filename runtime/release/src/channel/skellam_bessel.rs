//! Two-sided geometric noise with auxiliary variables: Skellam noise whose rates are exponential.
//!
//! Schein, Wu, Schofield, Zhou and Wallach (ICML 2019), eq. 9-16:
//!
//! ```text
//! c = y + g+ - g-,   g+- ~ Poisson(lam+-),   lam+- ~ Exponential(rate (1 - alpha)/alpha)
//! m ~ Bessel(|c|, 2 sqrt(lam- (lam+ + r))),  g- = m + max(-c, 0),  y + g+ = m + max(c, 0)
//! lam+- | g+-  ~  Gamma(1 + g+-, rate 1/alpha)
//! ```
//!
//! The paper prints the posterior rate as `alpha/(1-alpha) + 1`, which reads the mean of the exponential law as its rate;
//! `(1-alpha)/alpha + 1` is `1/alpha`.

use rand::Rng;
use rand_distr::{Distribution, Exp1};

use super::{Augmentation, Numbers, RateMoments, TwoSidedGeometric};
use crate::distribution::{bessel_draw, bessel_mode, binomial, gamma_draw, poisson};
use crate::special::{bessel_mean, digamma, ln_bessel_i, ln_gamma};

/// The augmented form of [`TwoSidedGeometric`]. Every cell is visited, whatever its sign.
#[derive(Clone, Copy, Debug)]
pub struct SkellamBessel;

/// Rates of the two Poisson parts of the noise at one cell, in a Gibbs chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseRates {
    /// Rate of what the noise adds.
    pub plus: f64,
    /// Rate of what it takes away.
    pub minus: f64,
}

/// Expected counts of the two parts of the noise at one cell: `q(lam+-) = Gamma(1 + E[g+-], rate 1/alpha)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseCounts {
    /// `E[g+]`.
    pub plus: f64,
    /// `E[g-]`.
    pub minus: f64,
}

impl Numbers for NoiseRates {
    const LEN: usize = 2;

    fn put(&self, into: &mut Vec<f64>) {
        into.extend([self.plus, self.minus]);
    }

    fn take(from: &[f64]) -> Self {
        Self {
            plus: from[0],
            minus: from[1],
        }
    }
}

impl Numbers for NoiseCounts {
    const LEN: usize = 2;

    fn put(&self, into: &mut Vec<f64>) {
        into.extend([self.plus, self.minus]);
    }

    fn take(from: &[f64]) -> Self {
        Self {
            plus: from[0],
            minus: from[1],
        }
    }
}

impl Augmentation<TwoSidedGeometric> for SkellamBessel {
    type State = NoiseRates;
    type Factor = NoiseCounts;

    const SUPPORTED: bool = true;

    fn visits(_: &TwoSidedGeometric, _: i64) -> bool {
        true
    }

    fn start<R: Rng + ?Sized>(channel: &TwoSidedGeometric, _: i64, rng: &mut R) -> NoiseRates {
        let mean = prior_mean(channel.alpha());
        let mut draw = || (mean * Distribution::<f64>::sample(&Exp1, rng)).max(f64::MIN_POSITIVE);
        NoiseRates {
            plus: draw(),
            minus: draw(),
        }
    }

    #[inline]
    fn impute<R: Rng + ?Sized>(
        channel: &TwoSidedGeometric,
        rate: f64,
        c: i64,
        state: &mut NoiseRates,
        rng: &mut R,
    ) -> u64 {
        gibbs_step(rate, c, state, 1.0 / channel.alpha(), rng)
    }

    fn observe<R: Rng + ?Sized>(_: &TwoSidedGeometric, y: u64, state: &NoiseRates, rng: &mut R) -> i64 {
        let (plus, minus) = (poisson(state.plus, rng), poisson(state.minus, rng));
        (y as i64).saturating_add_unsigned(plus).saturating_sub_unsigned(minus)
    }

    fn start_factor(channel: &TwoSidedGeometric, _: i64) -> NoiseCounts {
        let mean = prior_mean(channel.alpha());
        NoiseCounts {
            plus: mean,
            minus: mean,
        }
    }

    #[inline]
    fn expect(channel: &TwoSidedGeometric, g: f64, c: i64, factor: &mut NoiseCounts) -> f64 {
        let (plus, minus) = geometric_rates(channel.alpha(), factor);
        let sum = plus + g;
        let m = bessel_mean(c.unsigned_abs(), 2.0 * (minus * sum).sqrt());
        let per_rate = (m + positive(c)) / sum;
        *factor = NoiseCounts {
            plus: per_rate * plus,
            minus: m + negative(c),
        };
        per_rate
    }

    /// `ln sum_m S^{y+} G[lam-]^{g-} / (y+! g-!)  -  E lam+  -  E lam-  -  KL of both rates`, with `S = G[lam+] + g`: the
    /// block `q(m, y, g+)` at its optimum given the factor, so that adding `-E[mu]` bounds `ln P(c)` from below.
    fn bound(channel: &TwoSidedGeometric, g: f64, c: i64, factor: &NoiseCounts) -> f64 {
        let alpha = channel.alpha();
        let (plus, minus) = geometric_rates(alpha, factor);
        let sum = plus + g;
        // sum_m S^(m+c) G^m / (m! (m+c)!) = (S/G)^(c/2) I_c(2 sqrt(S G)), and the same with |c| for a negative c.
        let block = 0.5 * c as f64 * (sum / minus).ln() + ln_bessel_i(c.unsigned_abs(), 2.0 * (sum * minus).sqrt());
        block - rate_terms(alpha, factor.plus) - rate_terms(alpha, factor.minus)
    }

    fn published(channel: &TwoSidedGeometric, rate: RateMoments, c: i64, factor: &mut NoiseCounts) -> f64 {
        published_step(rate, c, factor, channel.alpha())
    }
}

/// The published step of a cell (VI18, eq. 6, 7 and 27, by the delta method): updates the expected noise and returns `E[y]`.
#[inline]
#[doc(hidden)]
pub fn published_step(rate: RateMoments, c: i64, factor: &mut NoiseCounts, alpha: f64) -> f64 {
    let (plus, minus) = geometric_rates(alpha, factor);
    let mu = delta_method(rate.mean, rate.variance);
    // q(lam+) has mean alpha (1 + g+) and variance alpha^2 (1 + g+).
    let shape = 1.0 + factor.plus;
    let sum = delta_method(alpha * shape + rate.mean, alpha * alpha * shape + rate.variance);
    let m = bessel_mode(c.unsigned_abs(), 2.0 * (minus * sum).sqrt()) as f64;
    let total = m + positive(c);
    let y = total * (mu / (mu + plus));
    *factor = NoiseCounts {
        plus: total - y,
        minus: m + negative(c),
    };
    y
}

/// One Gibbs step of a cell: `m`, its split into `y` and `g+`, and both noise rates, given their posterior rate (`1 / alpha`
/// in the channel itself; a test of the misprint passes another). Returns `y`.
#[doc(hidden)]
#[inline]
pub fn gibbs_step<R: Rng + ?Sized>(rate: f64, c: i64, state: &mut NoiseRates, posterior_rate: f64, rng: &mut R) -> u64 {
    let sum = state.plus + rate;
    let m = bessel_draw(c.unsigned_abs(), 2.0 * (state.minus * sum).sqrt(), rng);
    let total = m + c.max(0) as u64;
    let minus = m + c.min(0).unsigned_abs();
    let y = binomial(total, rate / sum, rng);
    let mut draw = |count: u64| (gamma_draw(1.0 + count as f64, rng) / posterior_rate).max(f64::MIN_POSITIVE);
    *state = NoiseRates {
        plus: draw(total - y),
        minus: draw(minus),
    };
    y
}

/// Mean of the prior of a noise rate, and so of the noise count that it drives.
fn prior_mean(alpha: f64) -> f64 {
    alpha / (1.0 - alpha)
}

/// `G[lam+-] = exp(E ln lam+-)` of `Gamma(1 + E[g+-], rate 1/alpha)`.
#[inline]
fn geometric_rates(alpha: f64, factor: &NoiseCounts) -> (f64, f64) {
    (
        alpha * digamma(1.0 + factor.plus).exp(),
        alpha * digamma(1.0 + factor.minus).exp(),
    )
}

/// `max(c, 0)`.
#[inline]
fn positive(c: i64) -> f64 {
    c.max(0) as f64
}

/// `E lam + KL(q(lam) || prior)` for `q = Gamma(1 + count, rate 1/alpha)` and the exponential prior of rate
/// `b = (1-alpha)/alpha`. With `A = 1 + count`:
/// `KL = -ln alpha - ln Gamma(A) + count psi(A) - A - ln b + (1 - alpha) A`, and `E lam = alpha A` leaves `-A + A = 0`.
fn rate_terms(alpha: f64, count: f64) -> f64 {
    let shape = 1.0 + count;
    count * digamma(shape) - ln_gamma(shape) - (1.0 - alpha).ln()
}

/// `max(-c, 0)`; the negation itself would overflow at the smallest integer.
#[inline]
fn negative(c: i64) -> f64 {
    c.min(0).unsigned_abs() as f64
}

/// `exp(E ln X)` by `E ln X ~ ln E X - V X / (2 (E X)^2)` (VI18, eq. 30 and 31).
#[inline]
pub fn delta_method(mean: f64, variance: f64) -> f64 {
    // Divided twice: the square of a small mean underflows.
    mean * (-0.5 * variance / mean / mean).exp()
}
