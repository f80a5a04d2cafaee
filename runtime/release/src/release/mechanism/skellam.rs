//! The difference of two Poisson counts as noise.

use rand::CryptoRng;
use serde::{Deserialize, Serialize};

use super::Mechanism;
use super::poisson::PoissonCount;
use crate::channel::Skellam;
use crate::release::{BudgetError, Delta, IntoRatio, Promise, Ratio, ReleaseError};
use crate::special::ln_skellam_pmf;

/// `y + g+ - g-` with `g+, g- ~ Poisson(lambda)`, drawn exactly.
///
/// Its tails fall faster than exponentially, so no epsilon bounds the loss everywhere: what it promises has a `delta`,
/// the hockey-stick divergence between two counts `n` apart, `sum_z max(0, S(z) - exp(epsilon) S(z - n))`, which is
/// summed here. It holds for observations that differ by `n` in all, in however many counts: the logarithm of the law is
/// concave, and then a difference that is spread over several counts loses no more than one in a single count (proved on
/// the page on mathematics of the book). Where counts have noise of several lambdas, each is as if released with that of the least and
/// given more of it, so that the largest epsilon and delta hold of all ([`Mechanism::ORDERED`]). A draw takes about a microsecond, whatever `lambda` is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StatedSkellam")]
pub struct SkellamNoise {
    lambda: Ratio,
    n: u64,
    epsilon: Ratio,
    #[serde(skip_serializing)]
    count: PoissonCount,
    #[serde(skip_serializing)]
    delta: f64,
    #[serde(skip_serializing)]
    accepted: Delta,
}

/// The mechanism as a file states it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedSkellam {
    lambda: Ratio,
    n: u64,
    epsilon: Ratio,
}

impl TryFrom<StatedSkellam> for SkellamNoise {
    type Error = BudgetError;

    fn try_from(StatedSkellam { lambda, n, epsilon }: StatedSkellam) -> Result<Self, BudgetError> {
        Self::new(lambda, n, epsilon)
    }
}

/// Largest lambda: up to here products of integers in the sampler stay below 128 bits.
const LARGEST: f64 = 1e6;
/// Largest `n`, seventy standard deviations of the largest noise: the sum for delta has about as many terms.
const MOST_PRECISE: u64 = 100_000;

impl SkellamNoise {
    /// Noise of variance `2 lambda`, whose promise is stated for counts that differ by `n` and a loss of `epsilon`.
    ///
    /// Little noise for a large `n` has a large delta. It is not released above 1e-3 unless
    /// [`SkellamNoise::accepting_delta`] asks for it, and promises nothing where it is computed as 1.
    ///
    /// # Errors
    /// `n` is 0 or above 100,000; `lambda` or `epsilon` is not a positive ratio; lambda is outside `[1e-3, 1e6]`.
    pub fn new(lambda: impl IntoRatio, n: u64, epsilon: impl IntoRatio) -> Result<Self, BudgetError> {
        let lambda = (lambda.into_ratio()).map_err(|error| BudgetError::Noise(format!("lambda: {error}")))?;
        let epsilon = epsilon.into_ratio()?;
        precise(n)?;
        let in_scale = Some(lambda).filter(|lambda| (1e-3..=LARGEST).contains(&lambda.to_f64()));
        let count = in_scale.and_then(PoissonCount::new).ok_or_else(|| {
            let why = "it must lie between 1e-3 and 1e6, where products in the sampler fit into 128 bits";
            BudgetError::out_of_range("lambda of Skellam noise", lambda.to_f64(), why)
        })?;
        let delta = hockey_stick(lambda.to_f64(), n, epsilon.to_f64());
        Ok(Self {
            lambda,
            n,
            epsilon,
            count,
            delta,
            accepted: Delta::ACCEPTED_BY_DEFAULT,
        })
    }

    /// Accepts a delta of up to `most`, which is needed to release with one above [`Delta::ACCEPTED_BY_DEFAULT`].
    ///
    /// # Errors
    /// `most` is not strictly between 0 and 1.
    pub fn accepting_delta(self, most: f64) -> Result<Self, BudgetError> {
        let accepted = Delta::new(most)?;
        Ok(Self { accepted, ..self })
    }

    /// The least noise, to a hundredth of lambda, that promises `(n, epsilon)` except with probability `delta`.
    ///
    /// # Errors
    /// Those of [`SkellamNoise::new`]; `delta` is not in `(0, 1)`; no noise with lambda up to `1e6` is enough.
    pub fn promising(n: u64, epsilon: impl IntoRatio, delta: f64) -> Result<Self, BudgetError> {
        let epsilon = epsilon.into_ratio()?;
        precise(n)?;
        let delta = Delta::new(delta)?.get();
        // In hundredths: exact ratios, and finer is of no use.
        let enough = |hundredths: i64| hockey_stick(hundredths as f64 / 100.0, n, epsilon.to_f64()) <= delta;
        let most = (100.0 * LARGEST) as i64;
        let mut high = 1;
        while !enough(high) {
            if high >= most {
                return Err(BudgetError::Noise(format!(
                    "no Skellam noise up to lambda = {LARGEST:e} promises ({n}, {epsilon}) except with probability {delta:e}: \
                     ask for a larger epsilon or delta, or a smaller n"
                )));
            }
            high = (2 * high).min(most);
        }
        let least = first(high / 2, high, enough);
        Self::new((least as u64, 100), n, epsilon)
    }

    /// The rate of either Poisson count.
    pub fn lambda(&self) -> Ratio {
        self.lambda
    }

    /// About how many terms the sum for delta has.
    pub(in crate::release) fn terms(&self) -> u64 {
        64 + (32.0 * (2.0 * self.lambda.to_f64()).sqrt()) as u64
    }

    /// Probability by which the bound of epsilon may be exceeded, rounded up; 1 where nothing is promised.
    pub fn delta(&self) -> f64 {
        self.delta
    }
}

impl Mechanism for SkellamNoise {
    type Law = Skellam;
    const ORDERED: bool = true;

    fn law(&self) -> Result<Skellam, ReleaseError> {
        Skellam::new(self.lambda.to_f64()).map_err(ReleaseError::Law)
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, rng: &mut R) -> Option<i64> {
        let plus = i128::from(self.count.draw(rng));
        let noise = plus - i128::from(self.count.draw(rng));
        i64::try_from(noise + i128::from(count)).ok()
    }

    fn promise(&self) -> Promise {
        let Self { n, epsilon, .. } = *self;
        Delta::new(self.delta).map_or(Promise::None, |delta| Promise::Approximate { n, epsilon, delta })
    }

    fn accepted_delta(&self) -> Delta {
        self.accepted
    }
}

/// `Ok` where delta can be summed for counts that differ by `n`.
fn precise(n: u64) -> Result<(), BudgetError> {
    match n {
        0 => Err(BudgetError::no_precision()),
        1..=MOST_PRECISE => Ok(()),
        _ => {
            let why =
                "the delta of Skellam noise is summed for N of at most 100000, far beyond what its noise can hide";
            Err(BudgetError::out_of_range("N", n, why))
        }
    }
}

/// The first integer above `low` for which something holds that holds for `high`, and from the first on.
fn first(mut low: i64, mut high: i64, holds: impl Fn(i64) -> bool) -> i64 {
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match holds(middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    high
}

/// `sum_z max(0, S(z) - exp(epsilon) S(z - n))` for Skellam noise `S` of variance `2 lambda`, rounded up.
///
/// `S` is log-concave, so `S(z) / S(z - n)` falls with `z`: the sum runs downwards from the last `z` at which it is above
/// `exp(epsilon)`. It is symmetric, so the shift the other way gives the same.
fn hockey_stick(lambda: f64, n: u64, epsilon: f64) -> f64 {
    let shift = n as i64;
    let ln_pmf = |z: i64| ln_skellam_pmf(z, lambda, lambda);
    let excess = |z: i64| (ln_pmf(z), ln_pmf(z - shift) + epsilon);
    let above = |z: i64| ln_pmf(z) > ln_pmf(z - shift) + epsilon;
    // What lies above has a probability below exp(-100), by Chernoff's bound, and where the sum begins so high it is nearly one.
    let most = 60 + (15.0 * (2.0 * lambda).sqrt()) as i64;
    let (mut sum, mut z) = (0.0, most);
    if most >= shift || !above(most) {
        // The ratio is one at z = n / 2, so the last z above lies below that.
        let (mut high, mut step) = (shift.min(most), 1i64);
        while !above(high - step) {
            high -= step;
            step = step.saturating_mul(2);
            if step > 1 << 40 {
                return f64::MIN_POSITIVE;
            }
        }
        z = first(high - step, high, |z| !above(z)) - 1;
    }
    loop {
        let (here, there) = excess(z);
        let term = here.exp() * -(there - here).exp_m1();
        sum += term;
        // Far below zero the terms fall faster than a geometric series; near it they may still rise.
        // A term that underflows does not end the sum either: with little noise the first ones do, half-way to the other count.
        if term <= 1e-18 * sum && (z as f64) < -(2.0 * lambda).sqrt() {
            break;
        }
        z -= 1;
    }
    // Rounding of the terms, and what was left out. A probability, and never none: what underflows is not zero.
    (sum * (1.0 + 1e-9)).clamp(f64::MIN_POSITIVE, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum over all z, term by term.
    fn directly(lambda: f64, n: i64, epsilon: f64) -> f64 {
        let reach = 40 + (30.0 * lambda.sqrt()) as i64 + n;
        let pmf = |z: i64| ln_skellam_pmf(z, lambda, lambda).exp();
        let terms = (-reach..=reach).map(|z| (pmf(z) - epsilon.exp() * pmf(z - n)).max(0.0));
        terms.sum()
    }

    #[test]
    fn delta_is_the_sum_over_everything() {
        for (lambda, n, epsilon) in [(0.5, 1, 1.0), (10.0, 3, 0.5), (200.0, 4, 1.0), (3.0, 20, 2.0)] {
            let (fast, slow) = (hockey_stick(lambda, n, epsilon), directly(lambda, n as i64, epsilon));
            assert!(
                (fast / slow - 1.0).abs() < 1e-8,
                "{lambda} {n} {epsilon}: {fast} {slow}"
            );
        }
    }

    /// Half-way between the two counts both probabilities underflow, and a sum that ended there was zero: noise of
    /// lambda = 0.01 was said to hide a difference of 400.
    #[test]
    fn little_noise_hides_no_large_difference() {
        assert!(hockey_stick(0.01, 400, 1.0) > 0.99);
        assert!(hockey_stick(1e-3, 100_000, 1.0) > 0.99);
        let noise = SkellamNoise::promising(100, 1, 1e-6).unwrap();
        assert!(noise.lambda().to_f64() > 1e4, "{}", noise.lambda());
        let error = SkellamNoise::promising(100_001, 1, 1e-6).unwrap_err();
        assert!(error.to_string().starts_with("N is 100001: the delta"), "{error}");
    }

    /// No noise keeps a pure promise: what underflows is a small probability, and a ledger without delta refuses it.
    #[test]
    fn delta_is_a_probability_and_never_none() {
        assert!(SkellamNoise::new(1, 1, 50).unwrap().delta() > 0.0);
        assert_eq!(hockey_stick(0.01, 400, 1.0), 1.0);
        let error = SkellamNoise::promising(1, (1u64, 1_000_000_000u64), 1e-6).unwrap_err();
        assert!(matches!(error, BudgetError::Noise(_)), "{error}");
    }

    /// Noise of variance 0.02 was said to hide a difference of 400 "except with probability 1", which holds for everything.
    #[test]
    fn a_delta_of_one_is_no_promise() {
        let noise = SkellamNoise::new("0.01", 400, 1).unwrap();
        assert_eq!((noise.delta(), noise.promise()), (1.0, Promise::None));
        let noise = SkellamNoise::new("0.3", 1, 1).unwrap();
        assert_eq!(noise.promise().delta().unwrap().get(), noise.delta());
        assert_eq!(noise.accepted_delta().get(), 1e-3);
        assert_eq!(noise.accepting_delta(0.5).unwrap().accepted_delta().get(), 0.5);
        for most in [f64::NAN, 0.0, 1.0, 2.0] {
            assert!(
                matches!(
                    noise.accepting_delta(most),
                    Err(BudgetError::OutOfRange { name: "delta", .. })
                ),
                "{most}"
            );
        }
    }

    #[test]
    fn the_least_noise_that_keeps_a_promise() {
        let noise = SkellamNoise::promising(2, 1, 1e-6).unwrap();
        assert!(noise.delta() <= 1e-6);
        let less = noise.lambda().to_f64() - 0.01;
        assert!(hockey_stick(less, 2, 1.0) > 1e-6);
        assert!(matches!(
            SkellamNoise::promising(2, 1, 0.0),
            Err(BudgetError::OutOfRange { name: "delta", .. })
        ));
        assert!(matches!(
            SkellamNoise::new(2_000_000, 1, 1),
            Err(BudgetError::OutOfRange { value, .. }) if value == "2000000"
        ));
    }

    /// A difference of n that is spread over several counts loses no more than one of n in a single count, which the
    /// book proves. Here by convolution of the losses, for every way of splitting up to 4.
    #[test]
    fn a_split_difference_loses_less() {
        for (lambda, epsilon) in [(1.0, 0.5), (6.0, 0.5), (6.0, 1.5), (20.0, 1.0)] {
            for parts in [
                &[1u64, 1][..],
                &[2, 1],
                &[1, 1, 1],
                &[3, 1],
                &[2, 2],
                &[2, 1, 1],
                &[1, 1, 1, 1],
            ] {
                let whole = hockey_stick(lambda, parts.iter().sum(), epsilon);
                // (log ratio, probability) of every outcome of the counts that differ.
                let mut losses = vec![(0.0f64, 1.0f64)];
                let reach = 25 + (9.0 * lambda.sqrt()) as i64;
                for &part in parts {
                    let one: Vec<(f64, f64)> = (-reach..=reach)
                        .map(|z| {
                            let here = ln_skellam_pmf(z, lambda, lambda);
                            (here - ln_skellam_pmf(z - part as i64, lambda, lambda), here.exp())
                        })
                        .filter(|&(_, p)| p > 1e-9)
                        .collect();
                    losses = losses
                        .iter()
                        .flat_map(|&(a, p)| one.iter().map(move |&(b, q)| (a + b, p * q)))
                        .filter(|&(_, p)| p > 1e-9)
                        .collect();
                }
                let split: f64 = losses
                    .iter()
                    .map(|&(loss, p)| p * (1.0 - (epsilon - loss).exp()).max(0.0))
                    .sum();
                assert!(split <= whole, "{lambda} {epsilon} {parts:?}: {split} > {whole}");
            }
        }
    }
}
