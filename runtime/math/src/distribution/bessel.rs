//! The Bessel law: the smaller of two Poisson counts given their difference.
//!
//! `P(n) = (a/2)^(2n+nu) / (I_nu(a) n! (n+nu)!)` on `n = 0, 1, ..`, of order `nu` and argument `a`.
//!
//! Yuan and Kalbfleisch, *On the Bessel distribution and related problems* (2000). If `X ~ Poisson(x)` and
//! `Y ~ Poisson(y)`, then `min(X, Y)` given `X - Y = d` has order `|d|` and argument `2 sqrt(x y)`. The converse is how
//! probabilities are computed here: with `s = sqrt(nu^2 + a^2)`,
//!
//! ```text
//! P(n) = Pois(n; (s - nu)/2) Pois(n + nu; (s + nu)/2) C,     ln C near ln(2 pi s) / 2
//! ```
//!
//! where nothing cancels, even at an argument of 1e8. Checked for orders to 1e6 and arguments in `[1e-12, 1e8]`.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};

use crate::special::{Debye, hypergeometric, is_large, ln_bessel_i, ln_poisson_pmf, reciprocal};

/// The most probable value, `floor((sqrt(a^2 + nu^2) - nu) / 2)`; the larger of two (VI18, theorem 2).
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

/// A draw of the Bessel law; exact, at a cost bounded in both parameters, for orders of at most 2^53 and positive arguments. A chain whose
/// rates run off must come to its end, where they are refused: beyond an argument of 1e15 the draw is the mode, from which the law
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
    use crate::special::bessel_mean;
    use crate::special::reference::{check, rows};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn ln_pmf(order: u64, argument: f64, n: u64) -> f64 {
        let pair = Pair::new(order, argument);
        pair.ln_weight(n) + pair.ln_constant()
    }

    #[test]
    fn probabilities_match_fifty_digit_references() {
        for row in rows("bessel.tsv") {
            // At an argument of 1e8 the rounding of the two rates alone moves a logarithm of -14 by 2e-12.
            let found = ln_pmf(row.integer(0), row.float(1), row.integer(6));
            check(&row, found, row.float(7), 3e-13);
        }
    }

    #[test]
    fn mode_is_the_most_probable_value_and_near_the_mean() {
        for order in 0..40 {
            for step in 1..120 {
                let argument = step as f64 * 1.37;
                let mode = mode(order, argument);
                assert!((bessel_mean(order, argument) - mode as f64).abs() <= 1.0);
                let here = ln_pmf(order, argument, mode);
                assert!(here >= ln_pmf(order, argument, mode + 1) - 1e-12);
                assert!(mode == 0 || here >= ln_pmf(order, argument, mode - 1) - 1e-12);
            }
        }
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
                let at = format!("order {order}, argument {argument}");
                // E[n(n-1)] is the product of the means of this order and of the next.
                let mean = bessel_mean(order, argument);
                let spread = (mean * (1.0 + bessel_mean(order + 1, argument) - mean)).max(0.0).sqrt();
                let (mode, width) = (mode(order, argument), (12.0 * spread + 30.0) as u64);
                let first = mode.saturating_sub(width);
                let p: Vec<f64> = (first..=mode + width)
                    .map(|n| ln_pmf(order, argument, n).exp())
                    .collect();
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{at}");
                let mut drawn =
                    |order: u64| -> Vec<u64> { (0..40_000).map(|_| bessel_draw(order, argument, &mut rng)).collect() };
                assert!(discrete_p(&drawn(order), first, &p) > 1e-6, "{at}");
                let shift = 0.5 * argument / (order as f64).hypot(argument) / spread;
                if shift > 0.1 && mean > 0.5 {
                    assert!(discrete_p(&drawn(order + 1), first, &p) < 1e-6, "{at}: mutant");
                    caught += 1;
                }
            }
        }
        assert!(caught > 20, "{caught} mutants");
    }
}
