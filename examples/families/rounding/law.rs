//! The law of a rounded count, as inference sees it: what it needs of `P(c | y)` summed over the counts `y` that may have become `c`.

use rand::Rng;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use skellam::channel::{Channel, ChannelText, LogLinear, Unaugmented};
use skellam::math::special::ln_poisson_pmf;

use super::RoundedToFive;

/// The least count that may have become `c`; the probabilities given `c` of the nine counts from there on, up to a common factor; and
/// `ln P(c)`. All of the channel follows from these. `c` is a multiple of five, as data with others are refused.
fn candidates(rate: f64, c: i64) -> (u64, [f64; 9], f64) {
    let c = c.unsigned_abs();
    let low = c.saturating_sub(4);
    let becomes_c = |y: u64| (1.0 - y.abs_diff(c) as f64 / 5.0).max(0.0);
    // Logarithms of Poisson probabilities relative to that of `low`, by ratios of neighbours: differences of the
    // logarithms themselves would cancel where those are 1e12. Log space, as nine ratios of 1e-300 underflow.
    let (mut ln, mut relative) = ([0.0; 9], 0.0);
    for (y, ln) in (low..).zip(&mut ln) {
        relative += if y > low { rate.ln() - (y as f64).ln() } else { 0.0 };
        *ln = relative + becomes_c(y).ln();
    }
    let (y, largest) = (low..).zip(ln).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
    let weights = ln.map(|ln| (ln - largest).exp());
    let ln_marginal = ln_poisson_pmf(y, rate) + becomes_c(y).ln() + weights.iter().sum::<f64>().ln();
    (low, weights, ln_marginal)
}

impl Channel for RoundedToFive {
    type Value = i64;
    type Augmentation = Unaugmented;

    fn admits(&self, c: i64) -> bool {
        c >= 0 && c % 5 == 0
    }

    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        candidates(rate, c).2
    }

    fn expect(&self, rate: f64, c: i64) -> f64 {
        let (low, weights, _) = candidates(rate, c);
        let above: f64 = (0..9).map(|i| i as f64 * weights[i]).sum();
        low as f64 + above / weights.iter().sum::<f64>()
    }

    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        let (low, weights, _) = candidates(rate, c);
        // The largest weight is one: there always is such a law.
        WeightedIndex::new(weights).map_or(c.unsigned_abs(), |law| low + law.sample(rng) as u64)
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
        round(y, rng) as i64
    }

    fn typical() -> Self {
        Self
    }

    // Nowhere: a rounded zero may stand for any count from 0 to 4.
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
            linear: None,
            impute: &["P({y}) ∝ {mu}^{y} / {y}! · (1 − |{c} − {y}|/5) where |{c} − {y}| < 5"],
            expect: &["q({y}) ∝ {g}^{y} / {y}! · (1 − |{c} − {y}|/5) where |{c} − {y}| < 5, and E[{y}] is its mean"],
            augmented: None,
            source: "unbiased random rounding; summed over {y} directly",
        }
    }
}

/// Up with probability `s / 5`, in integers: no floating-point number decides. Three bits are drawn until they say 0 to 4, which
/// are then uniform; the rest of a division would favour small values.
pub fn round<R: Rng + ?Sized>(y: u64, rng: &mut R) -> u64 {
    let rest = y % 5;
    let mut bits = std::iter::repeat_with(|| rng.next_u64() >> 61);
    let up = rest > 0 && bits.find(|&bits| bits < 5).is_some_and(|uniform| uniform < rest);
    y - rest + 5 * u64::from(up)
}
