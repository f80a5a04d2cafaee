//! Posteriors of models with at most four free numbers, by the trapezoidal rule over all of them at once.
//!
//! Gammas are integrated in their logarithm, pairs that sum to one in their logit: there the integrands are
//! analytic and vanish at both ends, so that the rule converges geometrically. A step of 0.5 has an error of about
//! `exp(-pi^2 / 0.5) = 3e-9`.

use std::f64::consts::E;

/// A free number of a model.
#[derive(Clone, Copy, Debug)]
pub enum Free {
    /// A positive entry, (latent, entry).
    Entry(usize, usize),
    /// Two entries of a latent that sum to one, (latent, first, second).
    Pair(usize, usize, usize),
}

/// A tiny model: where its free numbers are, and plain functions of the latents.
pub struct Tiny<'a> {
    /// The free numbers.
    pub free: &'a [Free],
    /// Lengths of the latents.
    pub lengths: &'a [usize],
    /// Log prior density of the latents, pairs with respect to their first entry.
    pub ln_prior: &'a dyn Fn(&[Vec<f64>]) -> f64,
    /// What is averaged, rates of all cells first.
    pub rates: &'a dyn Fn(&[Vec<f64>]) -> Vec<f64>,
    /// Log likelihood of the data at these rates.
    pub ln_likelihood: &'a dyn Fn(&[f64]) -> f64,
}

const STEP: f64 = 0.5;

impl Tiny<'_> {
    /// Log evidence, and posterior means of the rates.
    pub fn posterior(&self) -> (f64, Vec<f64>) {
        let mut x: Vec<Vec<f64>> = self.lengths.iter().map(|n| vec![1.0; *n]).collect();
        let mut sums = (0.0, vec![0.0; (self.rates)(&x).len()]);
        self.sum(self.free, 0.0, &mut x, &mut sums);
        let (mass, means) = sums;
        let volume = STEP.powi(self.free.len() as i32);
        ((mass * volume).ln(), means.into_iter().map(|m| m / mass).collect())
    }

    fn sum(&self, free: &[Free], ln_measure: f64, x: &mut Vec<Vec<f64>>, sums: &mut (f64, Vec<f64>)) {
        match free {
            [] => {
                let rates = (self.rates)(x);
                let mass = ((self.ln_prior)(x) + (self.ln_likelihood)(&rates) + ln_measure).exp();
                sums.0 += mass;
                sums.1
                    .iter_mut()
                    .zip(&rates)
                    .for_each(|(sum, rate)| *sum += mass * rate);
            }
            [Free::Entry(latent, entry), rest @ ..] => {
                for i in -28..9 {
                    let ln = f64::from(i) * STEP;
                    x[*latent][*entry] = ln.exp();
                    self.sum(rest, ln_measure + ln, x, sums);
                }
            }
            [Free::Pair(latent, first, second), rest @ ..] => {
                for i in -28..29 {
                    let odds = E.powf(f64::from(i) * STEP);
                    let [p, q] = [odds / (1.0 + odds), 1.0 / (1.0 + odds)];
                    (x[*latent][*first], x[*latent][*second]) = (p, q);
                    self.sum(rest, ln_measure + (p * q).ln(), x, sums);
                }
            }
        }
    }
}
