//! The exact posterior, by convolution.
//!
//! Given the class counts the tables are independent, and so are the cells of a line but for their sum. With the parameters integrated out, `a` and `b` the concentrations of the priors and `N` people,
//!
//! ```text
//! w[k,i,j](x) = P(m[k,i,j] | x) Γ(b + x) / (Γ(b) x!)
//! g[k,i](s)   = s! Γ(Jb) / Γ(Jb + s) (w[k,i,1] * .. * w[k,i,J])(s)
//! h[i](s)     = Γ(a + s) / (Γ(a) s!) g[1,i](s) .. g[K,i](s)
//! evidence    = N! Γ(Ia) / Γ(Ia + N) (h[1] * .. * h[I])(N)
//! ```
//!
//! where `*` is convolution over `0..=N`. The same sums run backwards give posterior means, and independent exact draws
//! of the tables. Time is `O(K I J N²)`.

use skellam::math::distribution::dirichlet_draw;
use skellam::math::special::{ln_factorial, ln_gamma};
use skellam::math::streams::Stream;

use super::convolution::Sum;
use super::estimate::Estimate;
use super::model::{Parameters, Released, Tables};

/// Draws behind an interval. The true value and 399 draws are exchangeable: it is equally likely to be at any of 400 ranks,
/// and lies between the 20th and the 380th draw with probability 360/400, exactly.
const DRAWS: usize = 399;

/// The law of hidden tables given their release, the parameters integrated out under their priors.
#[derive(Clone, Debug)]
pub struct Hidden {
    lines: Vec<Sum>,
    classes: Sum,
    people: usize,
    ln_evidence: f64,
}

impl Hidden {
    /// By the sums above.
    pub fn integrated(released: &Released) -> Self {
        let (model, people) = (&released.model, released.model.people);
        let (a, b) = (model.class_prior, model.answer_prior);
        let rising = |a: f64, x: usize| ln_gamma(a + x as f64) - ln_gamma(a) - ln_factorial(x as u64);
        let total = |a: f64, s: usize| ln_factorial(s as u64) + ln_gamma(a) - ln_gamma(a + s as f64);
        let weights = |&value: &i64| {
            let mut weights = released.ln_likelihoods(value);
            weights.iter_mut().enumerate().for_each(|(x, w)| *w += rising(b, x));
            weights
        };
        let lines = released.values.chunks(model.answers);
        let lines: Vec<Sum> = lines
            .map(|cells| Sum::new(cells.iter().map(weights).collect()))
            .collect();
        let mut by_class = vec![(0..=people).map(|s| rising(a, s)).collect::<Vec<f64>>(); model.classes];
        for (line, sum) in lines.iter().enumerate() {
            let weights = by_class[model.class_of(line)].iter_mut().zip(sum.ln_totals());
            let all = b * model.answers as f64;
            weights
                .enumerate()
                .for_each(|(s, (h, of_line))| *h += of_line + total(all, s));
        }
        let classes = Sum::new(by_class);
        let ln_evidence = classes.ln_totals()[people] + total(a * model.classes as f64, people);
        Self {
            lines,
            classes,
            people,
            ln_evidence,
        }
    }

    /// Log probability of the release.
    pub fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// The posterior law of each class count.
    pub fn class_counts(&self) -> Vec<Vec<f64>> {
        self.classes.laws(self.people)
    }

    /// Tables drawn from the posterior.
    pub fn draw(&self, rng: &mut Stream) -> Tables {
        let n = self.classes.draw(self.people, rng);
        let lines = self.lines.iter().enumerate();
        let x = lines.flat_map(|(line, sum)| sum.draw(n[line % n.len()], rng)).collect();
        Tables { n, x }
    }
}

/// Posterior means of `p` and `q`, the parameters integrated out of `hidden`.
pub fn means(released: &Released, hidden: &Hidden) -> Parameters {
    let model = &released.model;
    let (a, b) = (model.class_prior, model.answer_prior);
    let (all_a, all_b) = (a * model.classes as f64, b * model.answers as f64);
    let counts = hidden.class_counts();
    let mean_of = |law: &Vec<f64>| law.iter().enumerate().map(|(s, w)| s as f64 * w).sum::<f64>();
    let p = counts
        .iter()
        .map(|law| (a + mean_of(law)) / (all_a + model.people as f64))
        .collect();
    let lines = hidden.lines.iter().enumerate();
    let q = lines.flat_map(|(line, sum)| {
        let law = &counts[model.class_of(line)];
        // E[(b + x) / (Jb + s)]: the mean of x given the sum s of its line, over the law of s.
        let share = |means: Vec<f64>| -> f64 {
            let terms = law.iter().zip(means).enumerate();
            terms
                .map(|(s, (weight, mean))| weight * (b + mean) / (all_b + s as f64))
                .sum()
        };
        sum.means().into_iter().map(share).collect::<Vec<f64>>()
    });
    Parameters { p, q: q.collect() }
}

/// Parameters drawn from the posterior: tables first, then their Dirichlet conditionals.
pub fn parameters(released: &Released, hidden: &Hidden, rng: &mut Stream) -> Parameters {
    let model = &released.model;
    let tables = hidden.draw(rng);
    let line = |prior: f64, counts: &[usize], rng: &mut Stream| -> Vec<f64> {
        let law: Vec<f64> = counts.iter().map(|&x| prior + x as f64).collect();
        let mut shares = vec![0.0; counts.len()];
        dirichlet_draw(&law, &mut shares, rng);
        shares
    };
    let p = line(model.class_prior, &tables.n, rng);
    let lines = tables.x.chunks(model.answers);
    let q = lines.flat_map(|counts| line(model.answer_prior, counts, rng)).collect();
    Parameters { p, q }
}

/// The posterior as it is: means, and intervals of independent draws.
pub fn estimate(released: &Released, rng: &mut Stream) -> Estimate {
    let hidden = Hidden::integrated(released);
    let draws: Vec<Parameters> = (0..DRAWS).map(|_| parameters(released, &hidden, rng)).collect();
    Estimate::of_draws(&means(released, &hidden), &draws)
}

#[cfg(test)]
mod tests;
