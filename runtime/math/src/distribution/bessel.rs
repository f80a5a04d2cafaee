//! The Bessel law: the smaller of two Poisson counts given their difference.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};

use super::ParameterError;
use crate::special::{Debye, bessel_mean, hypergeometric, is_large, ln_bessel_i, ln_poisson_pmf, reciprocal};

/// `P(n) = (a/2)^(2n+nu) / (I_nu(a) n! (n+nu)!)` on `n = 0, 1, ..`, of order `nu` and argument `a`.
///
/// Yuan and Kalbfleisch, *On the Bessel distribution and related problems* (2000). If `X ~ Poisson(x)` and
/// `Y ~ Poisson(y)`, then `min(X, Y)` given `X - Y = d` has order `|d|` and argument `2 sqrt(x y)`. The converse is how
/// probabilities are computed here: with `s = sqrt(nu^2 + a^2)`,
///
/// ```text
/// P(n) = Pois(n; (s - nu)/2) Pois(n + nu; (s + nu)/2) C,     ln C near ln(2 pi s) / 2
/// ```
///
/// where nothing cancels, even at an argument of 1e8. Checked for orders to 1e6 and arguments in `[1e-12, 1e8]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bessel {
    order: u64,
    argument: f64,
}

impl Bessel {
    /// The law of the given order and argument.
    ///
    /// # Errors
    /// [`ParameterError::Order`] above 2^53, [`ParameterError::Argument`] unless positive and at most 1e15.
    pub fn new(order: u64, argument: f64) -> Result<Self, ParameterError> {
        if order > 1 << 53 {
            return Err(ParameterError::Order(order));
        }
        if !(argument > 0.0 && argument <= MOST_ARGUMENT) {
            return Err(ParameterError::Argument(argument));
        }
        Ok(Self { order, argument })
    }

    /// `P(n)`.
    pub fn pmf(&self, n: u64) -> f64 {
        self.ln_pmf(n).exp()
    }

    /// `ln P(n)`.
    pub fn ln_pmf(&self, n: u64) -> f64 {
        let pair = Pair::new(self.order, self.argument);
        pair.ln_weight(n) + pair.ln_constant()
    }

    /// `(a/2) I_{nu+1}(a) / I_nu(a)`.
    pub fn mean(&self) -> f64 {
        bessel_mean(self.order, self.argument)
    }

    /// The variance, without the cancellation of `a^2/4 - nu mean - mean^2`.
    ///
    /// `E[n(n-1)] = mean_nu mean_{nu+1}`, hence `mean_nu (1 + mean_{nu+1} - mean_nu)`. For large `s` the difference of
    /// the means is taken between their leading parts and between their corrections, each of order one.
    pub fn variance(&self) -> f64 {
        let (nu, a) = (self.order as f64, self.argument);
        let mean = self.mean();
        if !is_large(nu, a) {
            return mean * (1.0 + bessel_mean(self.order + 1, a) - mean);
        }
        let (here, next) = (Debye::new(nu, a), Debye::new(nu + 1.0, a));
        let correction = |debye: Debye| 0.5 * a * (a / debye.s) * debye.deficit;
        // (s' - (nu + 1))/2 - (s - nu)/2 with s' - s = (2 nu + 1) / (s' + s).
        let leading = 0.5 * ((2.0 * nu + 1.0) / (next.s + here.s) - 1.0);
        mean * (1.0 + leading - (correction(next) - correction(here)))
    }

    /// The most probable value, `floor((sqrt(a^2 + nu^2) - nu) / 2)`; the larger of two (VI18, theorem 2).
    pub fn mode(&self) -> u64 {
        mode(self.order, self.argument)
    }
}

impl Distribution<u64> for Bessel {
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        bessel_draw(self.order, self.argument, rng)
    }
}

/// See [`Bessel::mode`].
#[inline]
pub fn mode(order: u64, argument: f64) -> u64 {
    let nu = order as f64;
    smaller_rate(nu, argument) as u64
}

/// `(sqrt(a^2 + nu^2) - nu) / 2` without cancellation.
#[inline]
fn smaller_rate(nu: f64, argument: f64) -> f64 {
    // An argument whose square underflows is its own root.
    let s = (nu * nu + argument * argument).sqrt().max(argument);
    0.5 * argument * (argument / (s + nu))
}

/// Up to here doubles tell neighbouring counts apart.
const MOST_ARGUMENT: f64 = 1e15;

/// Up to this value of `a^2 / (4 (nu + 1))`, a bound of the mean, draws are by inversion from zero.
const INVERSION: f64 = 12.0;

/// A draw of the Bessel law; exact, at a cost bounded in both parameters. Assumes what [`Bessel::new`] checks, but that a chain whose
/// rates run off must come to its end, where they are refused: beyond the largest argument the draw is the mode, from which the law
/// deviates by a fraction of 1e-7 there.
#[inline]
pub fn bessel_draw<R: Rng + ?Sized>(order: u64, argument: f64, rng: &mut R) -> u64 {
    let q = 0.25 * argument * argument;
    let lead = q * reciprocal(order + 1);
    if lead > INVERSION {
        if argument > MOST_ARGUMENT {
            return mode(order, argument).min(1 << 62);
        }
        return by_rejection(order, argument, rng);
    }
    let u: f64 = rng.random();
    // 1 / P(0) = sum q^n / (n! (nu+1)..(nu+n)) <= exp(lead), so P(0) >= 1 - lead: in private data most draws end here.
    if u < 1.0 - lead {
        return 0;
    }
    by_inversion(order, q, u)
}

fn by_inversion(order: u64, q: f64, u: f64) -> u64 {
    let mut left = u * hypergeometric(order, q);
    let (mut n, mut term) = (0, 1.0);
    while term > 1e-20 {
        if left < term {
            return n;
        }
        left -= term;
        n += 1;
        term *= q * (reciprocal(n) * reciprocal(order + n));
    }
    // A remainder of rounding, of probability 1e-16, that no term covers.
    0
}

/// Devroye, *Simulating Bessel random variables* (2002), section 3: a log-concave law on the integers with mode `m` and
/// `p = P(m)` lies below `p min(1, exp(1 - p |n - m|))`, and about four draws from that envelope yield one.
fn by_rejection<R: Rng + ?Sized>(order: u64, argument: f64, rng: &mut R) -> u64 {
    let pair = Pair::new(order, argument);
    let centre = mode(order, argument);
    let at_mode = pair.ln_weight(centre);
    let p = (at_mode + pair.ln_constant()).exp();
    let flat = 1.0 + 0.5 * p;
    loop {
        // Distance from the mode in units of 1/p: uniform on [0, flat), or beyond with an exponential tail.
        let distance = if rng.random::<f64>() * (1.0 + flat) < flat {
            flat * rng.random::<f64>()
        } else {
            let tail: f64 = Exp1.sample(rng);
            flat + tail
        };
        let steps = (distance / p).round() as u64;
        let candidate = if rng.random::<bool>() {
            centre.checked_add(steps)
        } else {
            centre.checked_sub(steps)
        };
        let Some(n) = candidate else { continue };
        let envelope = (flat - distance).exp().min(1.0);
        if rng.random::<f64>() * envelope <= (pair.ln_weight(n) - at_mode).exp() {
            return n;
        }
    }
}

/// The law as a product of two Poisson probabilities.
#[derive(Clone, Copy, Debug)]
struct Pair {
    order: u64,
    argument: f64,
    /// Rates of the smaller and of the larger count; their product is `a^2/4`, their difference the order.
    smaller: f64,
    larger: f64,
}

impl Pair {
    fn new(order: u64, argument: f64) -> Self {
        let nu = order as f64;
        let s = nu.hypot(argument);
        Pair {
            order,
            argument,
            smaller: 0.5 * argument * (argument / (s + nu)),
            larger: 0.5 * (s + nu),
        }
    }

    #[inline]
    fn ln_weight(&self, n: u64) -> f64 {
        ln_poisson_pmf(n, self.smaller) + ln_poisson_pmf(n.saturating_add(self.order), self.larger)
    }

    /// `ln C`: in the uniform expansion of I the exponents cancel term by term against those of the two Poisson laws.
    fn ln_constant(&self) -> f64 {
        let nu = self.order as f64;
        if is_large(nu, self.argument) {
            let debye = Debye::new(nu, self.argument);
            return 0.5 * (std::f64::consts::TAU * debye.s).ln() - debye.sum.ln();
        }
        let s = self.smaller + self.larger;
        let tilt = if self.order == 0 {
            0.0
        } else {
            nu * (0.5 * self.argument / self.larger).ln()
        };
        s + tilt - ln_bessel_i(self.order, self.argument)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::goodness::discrete_p;
    use crate::special::reference::{check, rows};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn moments_and_probabilities_match_fifty_digit_references() {
        for row in rows("bessel.tsv") {
            let law = Bessel::new(row.integer(0), row.float(1)).unwrap();
            assert!(
                (law.mean() / row.float(4) - 1.0).abs() < 1e-14,
                "{row:?}: mean {}",
                law.mean()
            );
            assert!(
                (law.variance() / row.float(5) - 1.0).abs() < 3e-13,
                "{row:?}: variance {}",
                law.variance()
            );
            // At an argument of 1e8 the rounding of the two rates alone moves a logarithm of -14 by 2e-12.
            check(&row, law.ln_pmf(row.integer(6)), row.float(7), 3e-13);
        }
    }

    #[test]
    fn mode_is_the_most_probable_value_and_near_the_mean() {
        for order in 0..40 {
            for step in 1..120 {
                let law = Bessel::new(order, step as f64 * 1.37).unwrap();
                let mode = law.mode();
                assert!((law.mean() - mode as f64).abs() <= 1.0);
                let here = law.ln_pmf(mode);
                assert!(here >= law.ln_pmf(mode + 1) - 1e-12);
                assert!(mode == 0 || here >= law.ln_pmf(mode - 1) - 1e-12);
            }
        }
    }

    fn enumerated(law: &Bessel) -> (u64, Vec<f64>) {
        let width = (12.0 * law.variance().sqrt() + 30.0) as u64;
        let first = law.mode().saturating_sub(width);
        (first, (first..=law.mode() + width).map(|n| law.pmf(n)).collect())
    }

    /// Chi-square, 1e-6 per case. A draw from the neighbouring order is the mutant, wherever the two laws differ enough.
    #[test]
    fn draws_follow_the_law_and_a_wrong_order_does_not() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(51);
        let mut caught = 0;
        for order in [0_u64, 1, 2, 5, 40, 254, 255, 1000, 1_000_000] {
            for argument in [
                1e-12, 1e-3, 0.3, 1.1, 4.1, 6.9, 7.0, 30.0, 63.0, 65.0, 300.0, 1e4, 7e3, 1e6, 1e8,
            ] {
                let law = Bessel::new(order, argument).unwrap();
                let (first, p) = enumerated(&law);
                assert!(
                    (p.iter().sum::<f64>() - 1.0).abs() < 1e-9,
                    "order {order}, argument {argument}"
                );
                let draws: Vec<u64> = (0..40_000).map(|_| law.sample(&mut rng)).collect();
                assert!(
                    discrete_p(&draws, first, &p) > 1e-6,
                    "order {order}, argument {argument}"
                );
                let shift = 0.5 * argument / (order as f64).hypot(argument) / law.variance().sqrt();
                if shift > 0.1 && law.mean() > 0.5 {
                    let mutant: Vec<u64> = (0..40_000)
                        .map(|_| bessel_draw(order + 1, argument, &mut rng))
                        .collect();
                    assert!(
                        discrete_p(&mutant, first, &p) < 1e-6,
                        "order {order}, argument {argument}: mutant"
                    );
                    caught += 1;
                }
            }
        }
        assert!(caught > 20, "{caught} mutants");
    }

    #[test]
    fn refuses_what_is_no_parameter() {
        for argument in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e16] {
            assert!(matches!(Bessel::new(1, argument), Err(ParameterError::Argument(_))));
        }
        assert_eq!(Bessel::new(u64::MAX, 1.0), Err(ParameterError::Order(u64::MAX)));
    }
}
