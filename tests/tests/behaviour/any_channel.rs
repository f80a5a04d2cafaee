//! One line of a known total through every channel of the prelude, with another law at every cell: the bound of coordinate ascent is that of plain
//! loops over every table, with the probability of each observation written out here.

use skellam::channel::{Channel, ChannelText, LogLinear, Unaugmented, Varying};
use skellam::infer::{Cavi, Progress};
use skellam::prelude::*;
use skellam::special::{digamma, ln_factorial};
use skellam_tests::statistics::ln_gamma;

/// People of the line, and the concentration of its simplex.
const TOTAL: i64 = 9;
const CONCENTRATION: f64 = 0.8;

/// The best bound of a Dirichlet and of a law of whole tables of three cells, whose observations have these probabilities given a count.
fn optimum(likelihood: impl Fn(usize, i64) -> f64) -> f64 {
    let a = CONCENTRATION;
    let firsts = (0..=TOTAL).flat_map(|x| (0..=TOTAL - x).map(move |y| [x, y, TOTAL - x - y]));
    let tables: Vec<([i64; 3], f64)> = firsts
        .map(|table| {
            let ways = ln_factorial(TOTAL as u64) - table.iter().map(|x| ln_factorial(*x as u64)).sum::<f64>();
            let seen: f64 = table.iter().enumerate().map(|(cell, x)| likelihood(cell, *x)).product();
            (table, seen * ways.exp())
        })
        .collect();
    let mut concentration = [a + TOTAL as f64 / 3.0; 3];
    let mut bound = 0.0;
    for _ in 0..5000 {
        let whole: f64 = concentration.iter().sum();
        let geometric = concentration.map(|c| (digamma(c) - digamma(whole)).exp());
        let (mut all, mut means) = (0.0, [0.0; 3]);
        for (table, weight) in &tables {
            let rates: f64 = table.iter().zip(geometric).map(|(x, g)| *x as f64 * g.ln()).sum();
            let weight = weight * rates.exp();
            all += weight;
            means
                .iter_mut()
                .zip(table)
                .for_each(|(mean, x)| *mean += weight * *x as f64);
        }
        let parts: f64 = concentration
            .iter()
            .map(|c| ln_gamma(a) - ln_gamma(*c) + (c - a) * (digamma(*c) - digamma(whole)))
            .sum();
        bound = all.ln() - (ln_gamma(whole) - ln_gamma(3.0 * a) + parts);
        concentration = means.map(|mean| a + mean / all);
    }
    bound
}

/// Declares one line that is observed through a channel, and finds the bound of what was observed.
macro_rules! line {
    ($model:ident, $channel:ident) => {
        skellam::model! {
            /// One line of counts, and a simplex.
            pub model $model {
                index words;
                total people;
                latent phi[v in words] ~ Dirichlet(concentration = 0.8, along = v);
                count y[v in words] ~ Multinomial(people, phi[v], along = v);
                release y by $channel;
            }
        }

        impl $model {
            fn bound(seen: Vec<<$channel as Channel>::Value>, laws: Vec<$channel>) -> Result<f64, Error> {
                let released = Released::<$channel>::assert_mechanism(vec![3], seen, Varying::Cell(laws)).unwrap();
                let settings = Cavi {
                    tol: 1e-13,
                    progress: Progress::Hidden,
                    ..Cavi::default()
                };
                let model = Self::new(&released).unwrap().people(TOTAL as u64);
                Ok(model.cavi(&settings)?.elbo.unwrap())
            }
        }
    };
}

line!(ByGeometric, TwoSidedGeometric);
line!(ByTruncated, TruncatedGeometric);
line!(ByLaplace, Laplace);
line!(ByContinuous, ContinuousLaplace);
line!(BySkellam, Skellam);
line!(ByAnswer, AtLeastOne);

fn compare(found: Result<f64, Error>, likelihood: impl Fn(usize, i64) -> f64) {
    let (found, expected) = (found.unwrap(), optimum(likelihood));
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
}

/// `P(tau)` of two-sided geometric noise.
fn geometric(alpha: f64, tau: f64) -> f64 {
    (1.0 - alpha) / (1.0 + alpha) * alpha.powf(tau.abs())
}

#[test]
fn two_sided_geometric() {
    let (alphas, seen) = ([0.2, 0.6, 0.9], [4, -2, 3]);
    let laws = alphas.map(|alpha| TwoSidedGeometric::new(alpha).unwrap());
    compare(ByGeometric::bound(seen.to_vec(), laws.to_vec()), |cell, x| {
        geometric(alphas[cell], (seen[cell] - x) as f64)
    });
}

#[test]
fn truncated_geometric() {
    let (alphas, seen) = ([0.2, 0.6, 0.9], [4, 0, 3]);
    let laws = alphas.map(|alpha| TruncatedGeometric::new(alpha).unwrap());
    compare(ByTruncated::bound(seen.to_vec(), laws.to_vec()), |cell, x| {
        let alpha = alphas[cell];
        match seen[cell] {
            // All noise that takes the count to zero or below.
            0 => alpha.powi(x as i32) / (1.0 + alpha),
            c => geometric(alpha, (c - x) as f64),
        }
    });
}

#[test]
fn laplace() {
    // On multiples of a quarter.
    let (scales, seen) = ([0.5, 2.0, 6.0], [4.25, -2.0, 3.5]);
    let laws = scales.map(|scale| Laplace::new(scale, 2).unwrap());
    compare(ByLaplace::bound(seen.to_vec(), laws.to_vec()), |cell, x| {
        geometric((-0.25 / scales[cell]).exp(), 4.0 * (seen[cell] - x as f64))
    });
}

#[test]
fn continuous_laplace() {
    let (scales, seen) = ([0.5, 2.0, 6.0], [4.3, -2.0, 3.5]);
    let laws = scales.map(|scale| ContinuousLaplace::new(scale).unwrap());
    compare(ByContinuous::bound(seen.to_vec(), laws.to_vec()), |cell, x| {
        let b: f64 = scales[cell];
        (-(seen[cell] - x as f64).abs() / b).exp() / (2.0 * b)
    });
}

#[test]
fn skellam_noise() {
    let (levels, seen) = ([0.3, 1.0, 4.0], [4, -2, 3]);
    let laws = levels.map(|lambda| Skellam::new(lambda).unwrap());
    compare(BySkellam::bound(seen.to_vec(), laws.to_vec()), |cell, x| {
        let lambda: f64 = levels[cell];
        let poisson = |n: i64| (n as f64 * lambda.ln() - lambda - ln_factorial(n as u64)).exp();
        let tau = seen[cell] - x;
        (tau.max(0)..60).map(|plus| poisson(plus) * poisson(plus - tau)).sum()
    });
}

#[test]
fn at_least_one() {
    let seen = [true, false, true];
    compare(ByAnswer::bound(seen.to_vec(), vec![AtLeastOne; 3]), |cell, x| {
        f64::from(u8::from((x >= 1) == seen[cell]))
    });
}

/// Noise that says what a release is, not how probable it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Silent(TwoSidedGeometric);

impl Channel for Silent {
    type Value = i64;
    type Augmentation = Unaugmented;

    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        self.0.ln_marginal(rate, c)
    }

    fn expect(&self, rate: f64, c: i64) -> f64 {
        self.0.expect(rate, c)
    }

    fn impute<R: rand::Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        self.0.impute(rate, c, rng)
    }

    fn observe<R: rand::Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
        self.0.observe(y, rng)
    }

    fn typical() -> Self {
        Self(TwoSidedGeometric::typical())
    }

    fn log_linear(&self, c: i64) -> Option<LogLinear> {
        self.0.log_linear(c)
    }

    fn zero_bound(&self, c: i64) -> Option<f64> {
        self.0.zero_bound(c)
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "Silent",
            ..TwoSidedGeometric::text()
        }
    }
}

line!(BySilence, Silent);

/// A channel that does not say how probable an observation is given its count cannot tell tables apart.
#[test]
fn a_channel_without_a_likelihood_is_refused() {
    let law = Silent(TwoSidedGeometric::new(0.5).unwrap());
    let said = BySilence::bound(vec![4, -2, 3], vec![law; 3]).unwrap_err().to_string();
    assert!(said.contains("does not say `ln_likelihood`"), "{said}");
}
