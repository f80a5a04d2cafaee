//! The augmented form of two-sided geometric noise: its bound, and its published step.

use skellam_release::channel::skellam_bessel::NoiseCounts;
use skellam_release::channel::{Augmentation, Channel, RateMoments, SkellamBessel, TwoSidedGeometric};
use special::Gamma;

fn grid() -> impl Iterator<Item = (TwoSidedGeometric, f64, i64)> {
    let alphas = [0.01, 0.37, 0.6, 0.95].into_iter();
    let cells = alphas.flat_map(|alpha| [1e-4, 0.3, 2.0, 50.0].into_iter().map(move |rate| (alpha, rate)));
    cells.flat_map(|(alpha, rate)| {
        [-300, -4, -1, 0, 1, 2, 9, 300]
            .into_iter()
            .map(move |c| (TwoSidedGeometric::new(alpha).unwrap(), rate, c))
    })
}

#[test]
fn the_bound_never_falls_and_never_exceeds_the_marginal() {
    for (channel, rate, c) in grid() {
        let exact = channel.ln_marginal(rate, c);
        let slack = 1e-12 * exact.abs().max(1.0);
        let mut factor = SkellamBessel::start_factor(&channel, c);
        let mut last = f64::NEG_INFINITY;
        for step in 0..200 {
            let bound = SkellamBessel::bound(&channel, rate, c, &factor) - rate;
            assert!(
                bound <= exact + slack,
                "{channel:?}, rate {rate}, c {c}, step {step}: {bound} > {exact}"
            );
            assert!(
                bound >= last - slack,
                "{channel:?}, rate {rate}, c {c}, step {step}: {bound} < {last}"
            );
            last = bound;
            SkellamBessel::expect(&channel, rate, c, &mut factor);
        }
    }
}

/// The bound written out: the sum over m term by term, the divergences of gamma laws from exponential ones as in a textbook.
#[test]
fn the_bound_is_what_it_says() {
    let ln_factorial = |n: f64| Gamma::ln_gamma(n + 1.0).0;
    for (channel, g, c) in grid() {
        let alpha = channel.alpha();
        let factor = NoiseCounts { plus: 0.7, minus: 2.2 };
        let geometric = |count: f64| alpha * Gamma::digamma(1.0 + count).exp();
        let (sum, minus) = (geometric(factor.plus) + g, geometric(factor.minus));
        let term = |m: i32| {
            let (up, down) = (f64::from(m) + c.max(0) as f64, f64::from(m) + (-c).max(0) as f64);
            up * sum.ln() + down * minus.ln() - ln_factorial(up) - ln_factorial(down)
        };
        let top = (0..600).map(term).fold(f64::NEG_INFINITY, f64::max);
        let block = top + (0..600).map(|m| (term(m) - top).exp()).sum::<f64>().ln();
        let rates: f64 = [factor.plus, factor.minus]
            .into_iter()
            .map(|count| {
                let (shape, rate, prior) = (1.0 + count, 1.0 / alpha, (1.0 - alpha) / alpha);
                let mean_ln = Gamma::digamma(shape) - rate.ln();
                let ln_q = shape * rate.ln() - ln_factorial(count) + count * mean_ln - shape;
                shape / rate + ln_q - (prior.ln() - prior * shape / rate)
            })
            .sum();
        let value = SkellamBessel::bound(&channel, g, c, &factor);
        assert!(
            (value - (block - rates)).abs() < 1e-11 * value.abs().max(1.0),
            "{channel:?}, {g}, {c}: {value}"
        );
    }
}

/// The gradient in ln g is the expected count, and at the fixed point the gradient in the factor vanishes.
#[test]
fn the_step_is_the_gradient_of_the_bound() {
    for (channel, g, c) in grid() {
        let start = NoiseCounts { plus: 0.4, minus: 1.3 };
        let h = 1e-4;
        let at = |t: f64| SkellamBessel::bound(&channel, g * f64::exp(t), c, &start);
        let gradient = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        let mut factor = start;
        let mean = g * SkellamBessel::expect(&channel, g, c, &mut factor);
        assert!(
            (gradient - mean).abs() < 1e-8 * (1.0 + mean + at(0.0).abs()),
            "{channel:?}, {g}, {c}: {gradient} {mean}"
        );
        for _ in 0..20_000 {
            SkellamBessel::expect(&channel, g, c, &mut factor);
        }
        let near = |plus: f64, minus: f64| {
            let moved = NoiseCounts {
                plus: factor.plus + plus,
                minus: factor.minus + minus,
            };
            SkellamBessel::bound(&channel, g, c, &moved)
        };
        let h = 1e-3;
        let scale = 1e-5 * (1.0 + near(0.0, 0.0).abs());
        assert!(
            ((near(h, 0.0) - near(-h, 0.0)) / (2.0 * h)).abs() < scale,
            "{channel:?}, {g}, {c}: plus"
        );
        assert!(
            ((near(0.0, h) - near(0.0, -h)) / (2.0 * h)).abs() < scale,
            "{channel:?}, {g}, {c}: minus"
        );
    }
}

/// VI18, appendix D, with the mode found by looking at every value.
#[test]
fn the_published_step_is_that_of_the_paper() {
    for (channel, mean, c) in grid() {
        let (alpha, variance) = (channel.alpha(), 0.2 * mean);
        let start = NoiseCounts { plus: 0.7, minus: 2.2 };
        let plus = alpha * Gamma::digamma(1.7_f64).exp();
        let minus = alpha * Gamma::digamma(3.2_f64).exp();
        let delta = |mean: f64, variance: f64| (mean.ln() - variance / (2.0 * mean * mean)).exp();
        let mu = delta(mean, variance);
        let q = minus * delta(mean + 1.7 * alpha, variance + 1.7 * alpha * alpha);
        let nu = c.unsigned_abs() as f64;
        let ln_weight = |m: f64| m * q.ln() - Gamma::ln_gamma(m + 1.0).0 - Gamma::ln_gamma(m + nu + 1.0).0;
        let mode = (0..2000)
            .map(f64::from)
            .max_by(|a, b| ln_weight(*a).total_cmp(&ln_weight(*b)))
            .unwrap();
        let total = mode + c.max(0) as f64;
        let mut factor = start;
        let y = SkellamBessel::published(&channel, RateMoments { mean, variance }, c, &mut factor);
        assert!(
            (y - total * mu / (mu + plus)).abs() < 1e-11 * (1.0 + total),
            "{channel:?}, {mean}, {c}: {y}"
        );
        assert!((factor.plus + y - total).abs() < 1e-11 * (1.0 + total));
        assert_eq!(factor.minus, mode + (-c).max(0) as f64);
    }
}
