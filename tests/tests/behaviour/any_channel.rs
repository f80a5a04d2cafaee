//! One line of a known total through every channel of the prelude, with another law at every cell: the bound of coordinate ascent, and the posterior
//! means of Gibbs sampling, are those of plain loops over every table, with the probability of each observation written out here.

use skellam::channel::{Channel, ChannelText, LogLinear, Unaugmented, Varying};
use skellam::infer::{Cavi, Gibbs, Progress};
use skellam::math::special::{digamma, ln_factorial};
use skellam::prelude::*;
use skellam_tests::statistics::{batch_means, ln_gamma};

/// People of the line, and the concentration of its simplex.
const TOTAL: i64 = 9;
const CONCENTRATION: f64 = 0.8;

/// Every table of three cells that adds up to the total, and how often it arises from even shares times the probability of what was seen.
fn tables(likelihood: impl Fn(usize, i64) -> f64) -> Vec<([i64; 3], f64)> {
    let firsts = (0..=TOTAL).flat_map(|x| (0..=TOTAL - x).map(move |y| [x, y, TOTAL - x - y]));
    firsts
        .map(|table| {
            let ways = ln_factorial(TOTAL as u64) - table.iter().map(|x| ln_factorial(*x as u64)).sum::<f64>();
            let seen: f64 = table.iter().enumerate().map(|(cell, x)| likelihood(cell, *x)).product();
            (table, seen * ways.exp())
        })
        .collect()
}

/// The posterior mean of the simplex: that of a Dirichlet given each table, weighed by the table's probability with the simplex integrated out.
fn posterior_means(likelihood: impl Fn(usize, i64) -> f64) -> [f64; 3] {
    let (a, mut means, mut all) = (CONCENTRATION, [0.0; 3], 0.0);
    for (table, weight) in tables(likelihood) {
        let weight = weight * table.iter().map(|x| ln_gamma(a + *x as f64)).sum::<f64>().exp();
        all += weight;
        let given = table.map(|x| (a + x as f64) / (3.0 * a + TOTAL as f64));
        means.iter_mut().zip(given).for_each(|(mean, x)| *mean += weight * x);
    }
    means.map(|mean| mean / all)
}

/// The best bound of a Dirichlet and of a law of whole tables of three cells, whose observations have these probabilities given a count.
fn optimum(likelihood: impl Fn(usize, i64) -> f64) -> f64 {
    let a = CONCENTRATION;
    let tables = tables(likelihood);
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

/// What both engines say of one line.
struct Found {
    bound: f64,
    /// Draws of the simplex, cell after cell.
    draws: Vec<f64>,
}

/// Declares one line that is observed through a channel, and fits what was observed.
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
            fn found(seen: Vec<<$channel as Channel>::Value>, laws: Vec<$channel>) -> Result<Found, Error> {
                let released = Released::<$channel>::assert_mechanism(vec![3], seen, Varying::Cell(laws)).unwrap();
                let model = Self::new(&released).unwrap().people(TOTAL as u64);
                let ascent = Cavi {
                    tol: 1e-13,
                    progress: Progress::Hidden,
                    ..Cavi::default()
                };
                let sampling = Gibbs {
                    num_tune: 200,
                    num_draws: 20_000,
                    num_chains: Some(1),
                    thin: Some(1),
                    seed: 1,
                    progress: Progress::Hidden,
                    ..Gibbs::default()
                };
                Ok(Found {
                    bound: model.cavi(&ascent)?.elbo.unwrap(),
                    draws: model.gibbs(&sampling)?.phi.as_slice().unwrap().to_vec(),
                })
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

/// The bound to 1e-6, and three means of 20,000 draws within 4.5 standard errors of 40 batches: false positives 2e-4 for a channel, at Student's law.
fn compare(found: Result<Found, Error>, likelihood: impl Fn(usize, i64) -> f64) {
    let (found, expected) = (found.unwrap(), optimum(&likelihood));
    assert!((found.bound - expected).abs() < 1e-6, "{} {expected}", found.bound);
    let z = |likelihood: &dyn Fn(usize, i64) -> f64| {
        let expected = posterior_means(likelihood);
        let of_cell = |cell: usize| {
            let chain: Vec<f64> = found.draws.iter().skip(cell).step_by(3).copied().collect();
            let (mean, variance) = batch_means(&chain, 40);
            ((mean - expected[cell]) / variance.sqrt()).abs()
        };
        (0..3).map(of_cell).fold(0.0, f64::max)
    };
    let right = z(&likelihood);
    assert!(right < 4.5, "{right}");
    // The mutant has one person more in the first cell than the release was made of.
    let wrong = z(&|cell, x| likelihood(cell, x + i64::from(cell == 0)));
    assert!(wrong > 9.0, "{wrong}");
}

/// `P(tau)` of two-sided geometric noise.
fn geometric(alpha: f64, tau: f64) -> f64 {
    (1.0 - alpha) / (1.0 + alpha) * alpha.powf(tau.abs())
}

#[test]
fn two_sided_geometric() {
    let (alphas, seen) = ([0.2, 0.6, 0.9], [4, -2, 3]);
    let laws = alphas.map(|alpha| TwoSidedGeometric::new(alpha).unwrap());
    compare(ByGeometric::found(seen.to_vec(), laws.to_vec()), |cell, x| {
        geometric(alphas[cell], (seen[cell] - x) as f64)
    });
}

#[test]
fn truncated_geometric() {
    let (alphas, seen) = ([0.2, 0.6, 0.9], [4, 0, 3]);
    let laws = alphas.map(|alpha| TruncatedGeometric::new(alpha).unwrap());
    compare(ByTruncated::found(seen.to_vec(), laws.to_vec()), |cell, x| {
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
    compare(ByLaplace::found(seen.to_vec(), laws.to_vec()), |cell, x| {
        geometric((-0.25 / scales[cell]).exp(), 4.0 * (seen[cell] - x as f64))
    });
}

#[test]
fn continuous_laplace() {
    let (scales, seen) = ([0.5, 2.0, 6.0], [4.3, -2.0, 3.5]);
    let laws = scales.map(|scale| ContinuousLaplace::new(scale).unwrap());
    compare(ByContinuous::found(seen.to_vec(), laws.to_vec()), |cell, x| {
        let b: f64 = scales[cell];
        (-(seen[cell] - x as f64).abs() / b).exp() / (2.0 * b)
    });
}

#[test]
fn skellam_noise() {
    let (levels, seen) = ([0.3, 1.0, 4.0], [4, -2, 3]);
    let laws = levels.map(|lambda| Skellam::new(lambda).unwrap());
    compare(BySkellam::found(seen.to_vec(), laws.to_vec()), |cell, x| {
        let lambda: f64 = levels[cell];
        let poisson = |n: i64| (n as f64 * lambda.ln() - lambda - ln_factorial(n as u64)).exp();
        let tau = seen[cell] - x;
        (tau.max(0)..60).map(|plus| poisson(plus) * poisson(plus - tau)).sum()
    });
}

#[test]
fn at_least_one() {
    let seen = [true, false, true];
    compare(ByAnswer::found(seen.to_vec(), vec![AtLeastOne; 3]), |cell, x| {
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
    let said = BySilence::found(vec![4, -2, 3], vec![law; 3])
        .err()
        .unwrap()
        .to_string();
    assert!(said.contains("has no `ln_likelihood`"), "{said}");
}
