//! The exact posterior, by convolution.
//!
//! Given the class counts the tables are independent, and given the parameters so are the cells of a line except for their
//! sum. With `a` and `b` the concentrations of the priors and `N` people,
//!
//! ```text
//! w[k,i,j](x) = P(m[k,i,j] | x) r(x)                        r(x) = q^x / x!,   or integrated  Γ(b + x) / (Γ(b) x!)
//! g[k,i](s)   = c(s) (w[k,i,1] * .. * w[k,i,J])(s)          c(s) = s!,         or integrated  s! Γ(Jb) / Γ(Jb + s)
//! h[i](s)     = r'(s) g[1,i](s) .. g[K,i](s)                r'(s) = p^s / s!,  or integrated  Γ(a + s) / (Γ(a) s!)
//! evidence    = c' (h[1] * .. * h[I])(N)                    c' = N!,           or integrated  N! Γ(Ia) / Γ(Ia + N)
//! ```
//!
//! where `*` is convolution over `0..=N`. The same sums run backwards give posterior means, and independent exact draws
//! of the tables. Time is `O(K I J N²)`.

use skellam::math::distribution::dirichlet_draw;
use skellam::math::special::{ln_factorial, ln_gamma};
use skellam::math::streams::Stream;

use super::Failure;
use super::convolution::Sum;
use super::estimate::Estimate;
use super::estimators::Estimator;
use super::model::{Parameters, Released, Tables};

/// Draws behind an interval. The true value and 399 draws are exchangeable: it is equally likely to be at any of 400 ranks,
/// and lies between the 20th and the 380th draw with probability 360/400, exactly.
pub const DRAWS: usize = 399;

/// The law of hidden tables given their release, at fixed parameters or with these integrated out.
#[derive(Clone, Debug)]
pub struct Hidden {
    lines: Vec<Sum>,
    classes: Sum,
    people: usize,
    ln_evidence: f64,
}

impl Hidden {
    /// With the parameters integrated out under their priors.
    pub fn integrated(released: &Released) -> Self {
        let model = &released.model;
        let rising = |a: f64| move |x: usize| ln_gamma(a + x as f64) - ln_gamma(a) - ln_factorial(x as u64);
        let total = |a: f64| move |s: usize| ln_factorial(s as u64) + ln_gamma(a) - ln_gamma(a + s as f64);
        let (a, b) = (model.class_prior, model.answer_prior);
        Self::new(
            released,
            |_, x| rising(b)(x),
            total(b * model.answers as f64),
            |_, s| rising(a)(s),
            total(a * model.classes as f64),
        )
    }

    /// Given the parameters.
    pub fn given(released: &Released, parameters: &Parameters) -> Self {
        let power = |share: f64, x: usize| match x {
            // A share of 0 to the power of 0 is 1.
            0 => 0.0,
            x => x as f64 * share.ln() - ln_factorial(x as u64),
        };
        Self::new(
            released,
            |cell, x| power(parameters.q[cell], x),
            |s| ln_factorial(s as u64),
            |class, s| power(parameters.p[class], s),
            |s| ln_factorial(s as u64),
        )
    }

    /// From `ln r`, `ln c`, `ln r'` and `ln c'`.
    fn new(
        released: &Released,
        answer: impl Fn(usize, usize) -> f64,
        answers: impl Fn(usize) -> f64,
        class: impl Fn(usize, usize) -> f64,
        classes: impl Fn(usize) -> f64,
    ) -> Self {
        let (model, people) = (&released.model, released.model.people);
        let weights = |(cell, &value): (usize, &i64)| {
            let mut weights = released.ln_likelihoods(value);
            weights.iter_mut().enumerate().for_each(|(x, w)| *w += answer(cell, x));
            weights
        };
        let mut cells = released.values.iter().enumerate().map(weights);
        let lines = model.cells() / model.answers;
        let lines: Vec<Sum> = (0..lines)
            .map(|_| Sum::new(cells.by_ref().take(model.answers).collect()))
            .collect();
        let mut by_class: Vec<Vec<f64>> = (0..model.classes)
            .map(|i| (0..=people).map(|s| class(i, s)).collect())
            .collect();
        for (line, sum) in lines.iter().enumerate() {
            let weights = by_class[model.class_of(line)].iter_mut().zip(sum.ln_totals());
            weights.enumerate().for_each(|(s, (h, total))| *h += total + answers(s));
        }
        let by_class = Sum::new(by_class);
        let ln_evidence = by_class.ln_totals()[people] + classes(people);
        Self {
            lines,
            classes: by_class,
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

/// As it is called in tables.
pub const NAME: &str = "exact";

/// The posterior as it is.
pub struct Exact {
    /// Where the draws behind the intervals come from.
    pub rng: Stream,
}

impl Estimator for Exact {
    fn name(&self) -> &'static str {
        NAME
    }

    fn estimate(&self, released: &Released) -> Result<Estimate, Failure> {
        let hidden = Hidden::integrated(released);
        let mut rng = self.rng.clone();
        let draws: Vec<Parameters> = (0..DRAWS).map(|_| parameters(released, &hidden, &mut rng)).collect();
        Ok(Estimate::of_draws(&means(released, &hidden), &draws))
    }
}

#[cfg(test)]
mod tests;
