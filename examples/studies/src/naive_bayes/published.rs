//! The published variational algorithm: Karwa, Kifer and Slavković, *Private posterior distributions from variational
//! approximations* (2016).
//!
//! The posterior of `(tables, p, q)` is approximated by `q(n) q(x | n) q(p) q(q)`: class counts multinomial with shares
//! `theta`, tables multinomial given these with shares `theta[k, i, ·]`, and Dirichlet parameters. The absolute value in the
//! law of the noise is bounded below by a square, once for each cell, and all of this is raised in turns.
//!
//! The paper has Laplace noise of scale `b = 2 / epsilon`, density `exp(-|m - x| / b) / 2b`. At whole numbers the two-sided
//! geometric law is `(1 - alpha) / (1 + alpha) exp(-|m - x| / b)` with the same `b`, as `alpha = exp(-epsilon / 2)`: the two
//! likelihoods differ by a constant alone, and so the posteriors are one. With the constant of the geometric law the bound
//! here is one of `Hidden::ln_evidence`, with nothing left out.
//!
//! What is printed in the paper, and what is done here:
//!
//! 1. Equations 2 and 7 have `+ E[q(beta)]`; the entropy is `- E[ln q(beta)]`.
//! 2. They have `alpha E[ln p]` for the priors, in the appendix once and in the text twice; it is `(alpha - 1) E[ln p]`, as
//!    the line before the expectations are taken says. Followed literally it adds 1 to every concentration of a posterior.
//! 3. Equations 4 and 5 add an `a_i` that is nowhere defined. Conjugate updates have no such term.
//! 4. The bounds are said to be equal at `alpha = 1 / beta`; it is `alpha = b / E[beta]`.
//! 5. `beta` is a Rayleigh variable where it is introduced, the standard deviation of a normal. In equations 7 to 9 it is the
//!    inverse of a variance in units of `b^2`, which is what can be computed with: its inverse is exponential of mean 2.
//! 6. Equations 2 and 7 leave out constants (`- ln 2b` for each cell, and normalisers of the priors) and are called the
//!    lower bound. They are back here, or there would be nothing to compare with the evidence.
//! 7. Equation 13 writes `nu_0` for the step `s_0`, and no brace says that it is one of two cases.
//!
//! Epsilon is that of one table; a release of `K` tables costs `K` times as much, which the paper says once and its figure does
//! not. Its experiments look at squared errors alone: neither is any interval checked, though valid inference is the claim,
//! nor is the prior mean among the estimators.

use skellam::math::special::{digamma, ln_gamma};

use super::estimate::{Estimate, clamped};
use super::model::Released;
use super::simplex::Objective;

/// A rise of the bound in one round below which it is done: the convergence criterion of the paper, whose tolerance is not
/// told.
const TOLERANCE: f64 = 1e-8;
/// Rounds at most.
const ROUNDS: usize = 20_000;
/// Steps of the ascent over each simplex in a round.
const STEPS: usize = 10;
/// Weight of equal shares in the start: naive shares may be zero, where the ascent could never leave.
const INSIDE: f64 = 0.01;

/// The state of the ascent.
#[derive(Debug)]
struct Ascent<'a> {
    released: &'a Released,
    /// Scale of the noise.
    b: f64,
    /// Shares of the classes in `q(n)`.
    classes: Vec<f64>,
    /// Shares of the answers in `q(x | n)`, by cell.
    answers: Vec<f64>,
    /// Mean of `q(beta)` of each cell, by which its square counts.
    squares: Vec<f64>,
    /// Concentrations of `q(p)`.
    p: Vec<f64>,
    /// Concentrations of `q(q)`, by cell.
    q: Vec<f64>,
}

impl<'a> Ascent<'a> {
    /// From the naive shares, as in the paper.
    fn new(released: &'a Released) -> Self {
        let model = &released.model;
        let [n, x] = clamped(released);
        let mut ascent = Self {
            released,
            b: -1.0 / released.noise.alpha().ln(),
            classes: shares(&n),
            answers: x.chunks(model.answers).flat_map(shares).collect(),
            squares: vec![1.0; model.cells()],
            p: n,
            q: x,
        };
        ascent.update_squares();
        ascent.update_dirichlets();
        ascent
    }

    /// One round of all updates.
    fn round(&mut self) {
        self.update_squares();
        self.update_dirichlets();
        self.update_answers();
        self.update_dirichlets();
        self.update_classes();
    }

    /// Rounds until the bound rises no more; returns the bound.
    fn climb(&mut self) -> f64 {
        let mut bound = self.bound();
        for _ in 0..ROUNDS {
            self.round();
            let next = self.bound();
            let rise = next - bound;
            bound = next;
            if rise < TOLERANCE {
                break;
            }
        }
        bound
    }

    /// Number of people, as it is computed with.
    fn people(&self) -> f64 {
        self.released.model.people as f64
    }

    /// Share of the class of each cell.
    fn class_share(&self, cell: usize) -> f64 {
        let model = &self.released.model;
        self.classes[model.class_of(cell / model.answers)]
    }

    /// `E[(m - x)^2]` of a cell: marginally `x ~ Binomial(N, theta[i] theta[k, i, j])`.
    fn square(&self, cell: usize) -> f64 {
        let (m, share) = (
            self.released.values[cell] as f64,
            self.class_share(cell) * self.answers[cell],
        );
        let mean = self.people() * share;
        (m - mean).powi(2) + mean * (1.0 - share)
    }

    /// Equation 3.
    fn update_squares(&mut self) {
        self.squares = (0..self.squares.len())
            .map(|cell| best(self.square(cell), self.b))
            .collect();
    }

    /// Equations 4 and 5, without `a_i`.
    fn update_dirichlets(&mut self) {
        let model = &self.released.model;
        let people = self.people();
        self.p = self
            .classes
            .iter()
            .map(|share| model.class_prior + people * share)
            .collect();
        self.q = (0..self.q.len())
            .map(|cell| model.answer_prior + people * self.class_share(cell) * self.answers[cell])
            .collect();
    }

    /// Equation 6, for each feature and class.
    fn update_answers(&mut self) {
        let (people, size) = (self.people(), self.released.model.answers);
        for line in 0..self.answers.len() / size {
            let cells = line * size..(line + 1) * size;
            let logs = ln_means(&self.q[cells.clone()]);
            let share = self.class_share(cells.start);
            let expected = people * share;
            let terms = cells.clone().zip(logs).map(|(cell, log)| {
                let slope = slope(self.squares[cell], self.b);
                let m = self.released.values[cell] as f64;
                [
                    -people * (people - 1.0) * share * share * slope / 2.0,
                    expected * (slope * (m - 0.5) + log),
                    -expected,
                ]
            });
            let objective = Objective { terms: terms.collect() };
            objective.ascend(&mut self.answers[cells], STEPS);
        }
    }

    /// The problem below equation 6, for the classes.
    fn update_classes(&mut self) {
        let (people, model) = (self.people(), self.released.model);
        let mut terms: Vec<[f64; 3]> = ln_means(&self.p)
            .into_iter()
            .map(|log| [0.0, people * log, -people])
            .collect();
        for line in 0..self.answers.len() / model.answers {
            let cells = line * model.answers..(line + 1) * model.answers;
            let logs = ln_means(&self.q[cells.clone()]);
            let term = &mut terms[model.class_of(line)];
            for (cell, log) in cells.zip(logs) {
                let (share, m) = (self.answers[cell], self.released.values[cell] as f64);
                let slope = slope(self.squares[cell], self.b);
                term[0] -= people * (people - 1.0) * share * share * slope / 2.0;
                term[1] += people * share * (slope * (m - 0.5) + log - share.ln());
            }
        }
        Objective { terms }.ascend(&mut self.classes, STEPS);
    }

    /// The bound of the log evidence, equation 7 with its slips corrected and its constants in place.
    fn bound(&self) -> f64 {
        let model = &self.released.model;
        let noise = self.released.noise.ln_pmf(0);
        let cells = 0..self.answers.len();
        let cells = cells.map(|cell| noise + minorizer(self.squares[cell], self.square(cell), self.b));
        let mut bound: f64 = cells.sum();
        bound += self.people() * gain(&self.classes, &self.p) - divergence(&self.p, model.class_prior);
        let lines = self.answers.chunks(model.answers).zip(self.q.chunks(model.answers));
        for (line, (shares, q)) in lines.enumerate() {
            let expected = self.people() * self.classes[model.class_of(line)];
            bound += expected * gain(shares, q) - divergence(q, model.answer_prior);
        }
        bound
    }
}

/// Shares that are proportional to counts, a little nearer to each other, so that none is zero.
fn shares(counts: &[f64]) -> Vec<f64> {
    let (total, number) = (counts.iter().sum::<f64>(), counts.len() as f64);
    let share = |count: &f64| match total > 0.0 {
        true => (1.0 - INSIDE) * count / total + INSIDE / number,
        false => 1.0 / number,
    };
    counts.iter().map(share).collect()
}

/// `E[ln p[i]]` of a Dirichlet.
fn ln_means(concentration: &[f64]) -> Vec<f64> {
    let total = digamma(concentration.iter().sum());
    concentration.iter().map(|&a| digamma(a) - total).collect()
}

/// What one person adds to the bound: `sum over i of theta[i] (E[ln p[i]] - ln theta[i])`.
fn gain(shares: &[f64], concentration: &[f64]) -> f64 {
    let terms = shares.iter().zip(ln_means(concentration));
    terms.map(|(share, log)| share * (log - share.ln())).sum()
}

/// Kullback–Leibler divergence of a Dirichlet from the symmetric one of the prior.
fn divergence(concentration: &[f64], prior: f64) -> f64 {
    let (number, total) = (concentration.len() as f64, concentration.iter().sum::<f64>());
    let entries = concentration.iter().zip(ln_means(concentration));
    let entries = entries.map(|(&a, log)| ln_gamma(prior) - ln_gamma(a) + (a - prior) * log);
    ln_gamma(total) - ln_gamma(number * prior) + entries.sum::<f64>()
}

/// The mean of `q(beta)` at which the bound of a cell with `E[d^2] = square` is highest.
fn best(square: f64, b: f64) -> f64 {
    // A cell that is certain, of one class with one answer, may have no error at all.
    b / square.sqrt().max(1e-150)
}

/// What `-d^2 / 2` is multiplied by.
fn slope(mean: f64, b: f64) -> f64 {
    mean / (b * b)
}

/// The bound of `-E|d| / b` for a cell with `E[d^2] = square`: Laplace noise as a normal mixture, with `q(beta)` inverse Gaussian of this mean
/// and shape 1.
fn minorizer(mean: f64, square: f64, b: f64) -> f64 {
    // E[1 / beta] = 1 / mean + 1, and E[ln p(d, beta)] - E[ln q(beta)] = -ln 2b - mean E[d^2] / (2 b^2) - E[1 / beta] / 2 + 1 / 2, as the
    // terms in E[ln beta] and ln 2 pi are those of q. The constant -ln 2b belongs to the Laplace law.
    -0.5 * slope(mean, b) * square - 1.0 / (2.0 * mean)
}

/// Means and intervals of the published algorithm.
pub fn estimate(released: &Released) -> Estimate {
    let mut ascent = Ascent::new(released);
    ascent.climb();
    Estimate::of_dirichlets(&released.model, &ascent.p, &ascent.q)
}

#[cfg(test)]
mod tests;
