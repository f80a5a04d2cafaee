//! What a released count tells about its rate: Fisher information, and the price of privacy.

use thiserror::Error;

use super::Channel;
use crate::counts::Observation;

/// The Fisher information of a channel that cannot be computed.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum InformationError {
    /// A rate that is not positive and finite.
    #[error("a rate of {0} has no information: give a positive, finite rate")]
    Rate(f64),
    /// No rates at all.
    #[error("the price of privacy is an average over rates, and there are none: give at least one")]
    NoRates,
    /// The probabilities of the observations do not add up to one.
    #[error(
        "at a rate of {rate} the probabilities of the observations of `{channel}` that were summed add up to {mass}, not to one: \
         the channel is not the law of its data, its noise is too wide, or its `grain` leaves observations out"
    )]
    Mass {
        /// The channel.
        channel: &'static str,
        /// The rate.
        rate: f64,
        /// The sum of the probabilities.
        mass: f64,
    },
}

/// The largest Fisher information that one release can have about its rate, if the probability of every release changes by a
/// factor of at most `exp(epsilon)` when the count changes by one: `(1 - exp(-epsilon)) (exp(epsilon) - 1) = 4 sinh^2(epsilon / 2)`.
///
/// The score lies in `[exp(-epsilon) - 1, exp(epsilon) - 1]` and has mean zero, so its variance is at most the product of the two
/// ends' distances from zero (Bhatia and Davis 2000, *A better bound on the variance*). [`TwoSidedGeometric`](super::TwoSidedGeometric)
/// attains the bound as the rate goes to zero. Without noise the information is `1 / rate`.
///
/// ```
/// use skellam_release::channel::{Channel, TwoSidedGeometric, most_information};
/// let most = most_information(1.0);
/// let law = TwoSidedGeometric::new((-1.0_f64).exp())?;
/// assert!((most - 1.0862).abs() < 1e-4 && law.information(0.01)? < most);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn most_information(epsilon: f64) -> f64 {
    4.0 * (0.5 * epsilon).sinh().powi(2)
}

/// How many times more documents are needed with the noise of `law` than without it, for equal precision.
///
/// The rates are those of the cells. The estimated parameter is a common factor `exp(b)` of these rates: a count tells `rate` about
/// `b`, and a release `rate^2 information(rate)`. The price is the ratio of the two sums; at one rate it is `1 / (rate information)`.
///
/// ```
/// use skellam_release::channel::{TwoSidedGeometric, price};
/// // The mean of a corpus of e-mails, at epsilon / N = 1.
/// let law = TwoSidedGeometric::new((-1.0_f64).exp())?;
/// assert!((price(&law, &[0.00875])? - 107.0).abs() < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`InformationError`]: no rate, or those of [`Channel::information`].
pub fn price<C: Channel>(law: &C, rates: &[f64]) -> Result<f64, InformationError> {
    Ok(told(law, rates.iter().map(|&rate| [rate, 1.0]))?[1])
}

/// The mean information of a release about its rate, and [`price`], over rates each with a number of cells: `[rate, cells]`.
///
/// # Errors
/// Those of [`price`].
pub fn told<C: Channel>(law: &C, rates: impl IntoIterator<Item = [f64; 2]>) -> Result<[f64; 2], InformationError> {
    let [mut all, mut exact, mut released, mut sum] = [0.0; 4];
    for [rate, cells] in rates {
        let information = law.information(rate)?;
        all += cells;
        exact += cells * rate;
        released += cells * rate * rate * information;
        sum += cells * information;
    }
    match all > 0.0 {
        true => Ok([sum / all, exact / released]),
        false => Err(InformationError::NoRates),
    }
}

/// Units without anything in them after which a sum ends.
const EMPTY: usize = 64;
/// What is nothing, relative to the sum so far.
const NEGLIGIBLE: f64 = 1e-18;
/// Units on either side of the rate that are visited at most.
const MOST_UNITS: usize = 1 << 22;
/// Above this rate the sum takes some units only. They lie close enough that a Poisson law is smooth between them: the Fourier
/// transform of its probabilities is at most `exp(-2 pi^2 rate / stride^2)` where the sum would err, which underflows.
const SMOOTH: f64 = 1e6;

/// The variance of the score, which is `slope - 1`, by a sum over all observations from the rate outwards.
pub(super) fn by_sums<C: Channel>(law: &C, rate: f64) -> Result<f64, InformationError> {
    if !(rate > 0.0 && rate.is_finite()) {
        return Err(InformationError::Rate(rate));
    }
    let stride = if rate > SMOOTH {
        (rate.sqrt() / 64.0).floor()
    } else {
        1.0
    };
    let grain = law.grain();
    let unit = |from: f64| {
        let values = grain.iter().filter_map(|&(at, weight)| {
            let c = C::Value::of_number(from + at)?;
            let probability = stride * weight * law.ln_marginal(rate, c).exp();
            // Weights of a grain may be negative.
            (probability != 0.0).then(|| [probability, probability * (law.slope(rate, c) - 1.0).powi(2)])
        });
        values.fold([0.0; 2], |sum, of| [sum[0] + of[0], sum[1] + of[1]])
    };
    let mut sums = [0.0; 2];
    for (first, step) in [(rate.floor(), stride), (rate.floor() - stride, -stride)] {
        let mut empty = 0;
        for number in 0..MOST_UNITS {
            let of = unit(first + number as f64 * step);
            let mut is_empty = true;
            for (sum, of) in sums.iter_mut().zip(of) {
                *sum += of;
                is_empty &= of <= NEGLIGIBLE * *sum;
            }
            empty = if is_empty { empty + 1 } else { 0 };
            if empty == EMPTY {
                break;
            }
        }
    }
    let [mass, information] = sums;
    if (mass - 1.0).abs() < 1e-9 {
        Ok(information)
    } else {
        Err(InformationError::Mass {
            channel: C::text().name,
            rate,
            mass,
        })
    }
}

/// Points and weights of [`Channel::grain`] for a law with density proportional to `exp(-|c - y| / scale)`, on the multiples of
/// one over `points`, or at all real numbers.
///
/// Between integers a marginal is smooth over a `scale`. Where more points than nodes lie on a panel of at most that width, the sum
/// over them, or the integral, is that of the polynomial through Chebyshev nodes: with `S_k` the sum of the Chebyshev polynomial `T_k`,
/// node `i` weighs `(S_0 + 2 sum_k S_k T_k(node)) / NODES`.
pub(super) fn grain(scale: f64, points: Option<usize>) -> Vec<(f64, f64)> {
    const NODES: usize = 16;
    let panels = (1.0 / scale).ceil().max(1.0) as usize;
    let panels = panels.next_power_of_two();
    let each = match points {
        Some(points) if points <= NODES * panels => {
            return (0..points).map(|at| (at as f64 / points as f64, 1.0)).collect();
        }
        Some(points) => Some(points / panels),
        None => None,
    };
    let angle = |x: f64| (2.0 * x - 1.0).acos();
    let sum = |k: usize| match each {
        Some(each) => {
            let angles = (0..each).map(|at| angle(at as f64 / each as f64));
            angles.map(|angle| (k as f64 * angle).cos()).sum()
        }
        // The integral over [-1, 1], of which a panel is a part.
        None if k % 2 == 1 => 0.0,
        None => 1.0 / (1.0 - (k * k) as f64) / panels as f64,
    };
    let sums: Vec<f64> = (0..NODES).map(sum).collect();
    let nodes = (0..NODES).map(|i| {
        let angle = (i as f64 + 0.5) * std::f64::consts::PI / NODES as f64;
        let rest = sums.iter().enumerate().skip(1);
        let rest: f64 = rest.map(|(k, sum)| 2.0 * sum * (k as f64 * angle).cos()).sum();
        (0.5 * (1.0 + angle.cos()), (sums[0] + rest) / NODES as f64)
    });
    let nodes: Vec<(f64, f64)> = nodes.collect();
    let panel = |panel: usize| {
        let nodes = nodes.iter();
        nodes.map(move |&(at, weight)| ((panel as f64 + at) / panels as f64, weight))
    };
    (0..panels).flat_map(panel).collect()
}

#[cfg(test)]
mod tests;
