//! What is counted, under which priors, and what is seen of it.

use skellam::math::distribution::TwoSidedGeometricNoise;

use super::Failure;

/// The exact posterior takes time proportional to the square of the number of people.
const MOST_PEOPLE: usize = 10_000;

/// Naive Bayes: each of `people` has a class and answers every feature.
///
/// The class counts are `n ~ Multinomial(people, p)`, and within class `i` the answers to feature `k` are counted by
/// `x[k, i, ·] ~ Multinomial(n[i], q[k, i, ·])`, independently. Priors are `p ~ Dirichlet(class_prior, ..)` and
/// `q[k, i, ·] ~ Dirichlet(answer_prior, ..)`. Cells are row-major in (feature, class, answer).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// `N`, which is public.
    pub people: usize,
    /// Number of classes.
    pub classes: usize,
    /// Number of features, each of which is a table.
    pub features: usize,
    /// Number of answers to each feature.
    pub answers: usize,
    /// Concentration of the prior of `p`.
    pub class_prior: f64,
    /// Concentration of the prior of every line of `q`.
    pub answer_prior: f64,
}

impl Model {
    /// Under uniform priors.
    ///
    /// # Errors
    ///
    /// Nobody, or more people than the exact posterior is made for.
    pub fn new(people: usize, [classes, features, answers]: [usize; 3]) -> Result<Self, Failure> {
        if !(1..=MOST_PEOPLE).contains(&people) {
            return Err(format!("{people} people: give a number from 1 to {MOST_PEOPLE}").into());
        }
        Ok(Self {
            people,
            classes,
            features,
            answers,
            class_prior: 1.0,
            answer_prior: 1.0,
        })
    }

    /// That of the simulated tables.
    ///
    /// # Errors
    ///
    /// Those of [`Model::new`].
    pub fn simulated(people: usize) -> Result<Self, Failure> {
        Self::new(people, [2, 5, 3])
    }

    /// Number of cells of all tables together.
    pub fn cells(&self) -> usize {
        self.features * self.classes * self.answers
    }

    /// The class of a line; lines are numbered in the order of their cells, one for each feature and class.
    pub fn class_of(&self, line: usize) -> usize {
        line % self.classes
    }
}

/// What a table is drawn with.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Shares of the classes.
    pub p: Vec<f64>,
    /// Shares of the answers, by cell.
    pub q: Vec<f64>,
}

/// True counts, which nobody sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// People in each class.
    pub n: Vec<usize>,
    /// People who gave each answer, by cell.
    pub x: Vec<usize>,
}

/// What is seen: every cell with two-sided geometric noise. The class counts are not released.
///
/// The number of people is public, so two data sets are neighbours if one person's record differs. That moves two cells
/// of each table by one, and noise of `alpha = exp(-epsilon / 2)` makes the release of one table `epsilon`-private. There
/// are `features` tables, and each person is in all of them: the whole release is `features * epsilon`-private. As in the
/// paper, `epsilon` is that of one table.
#[derive(Clone, Debug, PartialEq)]
pub struct Released {
    /// What was counted.
    pub model: Model,
    /// Law of the noise of a cell.
    pub noise: TwoSidedGeometricNoise,
    /// The released cells.
    pub values: Vec<i64>,
}

impl Released {
    /// The noise of a table that is `epsilon`-private.
    ///
    /// # Errors
    ///
    /// An epsilon that is not a positive number, or so far from 1 that `alpha` is 0 or 1.
    pub fn noise(epsilon: f64) -> Result<TwoSidedGeometricNoise, Failure> {
        // Below 1e-12 the digits of 1 - alpha are gone.
        if !(1e-12..=1000.0).contains(&epsilon) {
            return Err(format!("epsilon {epsilon}: give a number from 1e-12 to 1000").into());
        }
        Ok(TwoSidedGeometricNoise::new((-epsilon / 2.0).exp())?)
    }

    /// `ln P(value | count)` of a cell for every count from 0 to the number of people.
    pub fn ln_likelihoods(&self, value: i64) -> Vec<f64> {
        let counts = 0..=self.model.people as i64;
        counts.map(|x| self.noise.ln_pmf(value.saturating_sub(x))).collect()
    }
}
