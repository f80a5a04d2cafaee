//! People with hidden classes, tables of their answers, and a release of these.

use rand::RngExt;
use skellam::math::distribution::{TwoSidedGeometricNoise, dirichlet_draw, thin};
use skellam::math::streams::Stream;

use crate::Failure;

/// Naive Bayes: each of `people` has a class and answers every feature.
///
/// The class counts are `n ~ Multinomial(people, p)`, and within class `i` the answers to feature `k` are counted by
/// `x[k, i, ·] ~ Multinomial(n[i], q[k, i, ·])`. Priors are `p ~ Dirichlet(class_prior, ..)` and `q[k, i, ·] ~ Dirichlet(answer_prior, ..)`.
/// Cells are row-major in (feature, class, answer).
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// `N`, which is public.
    pub people: usize,
    pub classes: usize,
    /// Each is a table.
    pub features: usize,
    pub answers: usize,
    /// Concentration of the prior of `p`.
    pub class_prior: f64,
    /// Concentration of the prior of every line of `q`.
    pub answer_prior: f64,
}

/// What a table is drawn with.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// Shares of the classes.
    pub p: Vec<f64>,
    /// Shares of the answers, by cell.
    pub q: Vec<f64>,
}

/// True counts, which nobody sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// People in each class.
    pub n: Vec<usize>,
    /// People who gave each answer, by cell.
    pub x: Vec<usize>,
}

/// What is seen: every cell with two-sided geometric noise. The class counts are not released.
///
/// The number of people is public, so two data sets are neighbours if one person's record differs. That moves two cells of each table by one, and noise of
/// `alpha = exp(-epsilon / 2)` makes the release of one table `epsilon`-private. As in the paper, `epsilon` is that of one table; a release of `K` tables costs `K` times as much.
#[derive(Clone, Debug)]
pub struct Released {
    pub model: Model,
    /// The law of the noise of a cell.
    pub noise: TwoSidedGeometricNoise,
    /// The released cells.
    pub values: Vec<i64>,
}

impl Model {
    /// Under uniform priors.
    pub fn new(people: usize, [classes, features, answers]: [usize; 3]) -> Self {
        Self {
            people,
            classes,
            features,
            answers,
            class_prior: 1.0,
            answer_prior: 1.0,
        }
    }

    /// Number of cells of all tables together.
    pub fn cells(&self) -> usize {
        self.features * self.classes * self.answers
    }

    /// The class of a line; lines are numbered in the order of their cells, one for each feature and class.
    pub fn class_of(&self, line: usize) -> usize {
        line % self.classes
    }

    /// Parameters from the prior.
    pub fn parameters(&self, rng: &mut Stream) -> Parameters {
        let mut p = vec![0.0; self.classes];
        dirichlet_draw(&vec![self.class_prior; self.classes], &mut p, rng);
        let (law, mut q) = (vec![self.answer_prior; self.answers], vec![0.0; self.cells()]);
        for line in q.chunks_mut(self.answers) {
            dirichlet_draw(&law, line, rng);
        }
        Parameters { p, q }
    }

    /// True counts of people who follow the parameters.
    pub fn tables(&self, parameters: &Parameters, rng: &mut Stream) -> Tables {
        let n = multinomial(self.people, &parameters.p, rng);
        let lines = parameters.q.chunks(self.answers).enumerate();
        let x = lines.flat_map(|(line, q)| multinomial(n[self.class_of(line)], q, rng));
        Tables { x: x.collect(), n }
    }

    /// The tables with noise in every cell. A simulation: whoever knows the seed can take the noise off again.
    pub fn release(&self, tables: &Tables, epsilon: f64, rng: &mut Stream) -> Result<Released, Failure> {
        let noise = TwoSidedGeometricNoise::new((-epsilon / 2.0).exp())?;
        let noisy = |&x: &usize| (x as i64).saturating_add(rng.sample(noise));
        Ok(Released {
            model: *self,
            noise,
            values: tables.x.iter().map(noisy).collect(),
        })
    }
}

impl Released {
    /// `ln P(value | count)` of a cell for every count from 0 to the number of people.
    pub fn ln_likelihoods(&self, value: i64) -> Vec<f64> {
        let counts = 0..=self.model.people as i64;
        counts.map(|x| self.noise.ln_pmf(value.saturating_sub(x))).collect()
    }
}

/// Counts of `total` people over shares that sum to one.
fn multinomial(total: usize, shares: &[f64], rng: &mut Stream) -> Vec<usize> {
    let mut counts = vec![0; shares.len()];
    let split = thin(total as u64, shares, shares.iter().sum(), rng, |k, n| {
        counts[k] += n as usize
    });
    split.unwrap_or_else(|_| unreachable!("shares of a Dirichlet draw sum to one"));
    counts
}
