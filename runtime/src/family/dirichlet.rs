//! Dirichlet priors: entries along one index sum to one.

use special::Beta as _;

use super::{Family, Invalid, Reference, SUM_TOLERANCE};
use crate::distribution::dirichlet_draw;
use crate::special::{
    deviance_of_product, digamma, digamma_in_place, exp_in_place, ln_gamma_above_tangent, ln_gamma_rest,
};
use crate::streams::Stream;

/// `Dirichlet(concentration)`, line by line. Exposure is the same all along a line, so it says nothing: the second parameter stays
/// what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dirichlet;

impl Family for Dirichlet {
    fn name(&self) -> &'static str {
        "Dirichlet"
    }

    fn parameters(&self) -> &'static [&'static str] {
        &["concentration"]
    }

    fn has_lines(&self) -> bool {
        true
    }

    fn invalid(&self, line: &[f64]) -> Option<Invalid> {
        if let Some(entry) = line.iter().position(|x| !(*x > 0.0 && *x < f64::INFINITY)) {
            return Some(Invalid::Entry(entry));
        }
        let sum: f64 = line.iter().sum();
        ((sum - 1.0).abs() > SUM_TOLERANCE).then_some(Invalid::Sum(sum))
    }

    fn draw(&self, [concentration, _]: [&mut [f64]; 2], size: usize, x: &mut [f64], rng: &mut Stream) {
        let lines = concentration.chunks_exact(size).zip(x.chunks_exact_mut(size));
        lines.for_each(|(concentration, line)| dirichlet_draw(concentration, line, rng));
    }

    /// `a / sum a` and `exp(psi(a) - psi(sum a))`.
    fn moments(&self, [concentration, _]: [&[f64]; 2], size: usize, mean: &mut [f64], geometric: &mut [f64]) {
        mean.copy_from_slice(concentration);
        geometric.copy_from_slice(concentration);
        digamma_in_place(geometric);
        for (mean, geometric) in mean.chunks_exact_mut(size).zip(geometric.chunks_exact_mut(size)) {
            let total: f64 = mean.iter().sum();
            let psi = digamma(total);
            mean.iter_mut().for_each(|a| *a /= total);
            geometric.iter_mut().for_each(|g| *g -= psi);
        }
        exp_in_place(geometric);
        // As for gammas: nothing may be divided by a zero.
        geometric.iter_mut().for_each(|g| *g = g.max(f64::MIN_POSITIVE));
    }

    /// `a (A - a) / (A^2 (A + 1))`, where `A` is the sum of the line.
    fn variance(&self, [concentration, _]: [&[f64]; 2], size: usize, into: &mut [f64]) {
        for (variance, line) in into.chunks_exact_mut(size).zip(concentration.chunks_exact(size)) {
            let total: f64 = line.iter().sum();
            for (variance, a) in variance.iter_mut().zip(line) {
                *variance = a * (total - a) / (total * total * (total + 1.0));
            }
        }
    }

    fn around(&self, mean: &[f64], size: usize, [concentration, one]: [&mut [f64]; 2], geometric: &mut [f64]) {
        for (a, mean) in concentration.iter_mut().zip(mean) {
            *a = mean * size as f64;
        }
        one.fill(1.0);
        let mut again = mean.to_vec();
        self.moments([concentration, one], size, &mut again, geometric);
    }

    fn level(&self) -> usize {
        0
    }

    /// A sum of differences, as for gammas: terms of the size of the concentrations are left out.
    fn divergence(&self, [concentration, _]: [&[f64]; 2], prior: Reference<'_>) -> f64 {
        let (mut total, mut prior_total, mut entries) = (0.0, 0.0, 0.0);
        for (a, e) in concentration.iter().zip(prior.mean[0]) {
            total += a;
            prior_total += e;
            entries += ln_gamma_above_tangent(*e, *a);
        }
        entries - ln_gamma_above_tangent(prior_total, total)
    }

    fn surprise(&self, x: &[f64], prior: Reference<'_>) -> f64 {
        let concentration = prior.mean[0];
        let total: f64 = concentration.iter().sum();
        let entries = concentration.iter().zip(x).map(|(&a, x)| {
            let x = x.max(f64::MIN_POSITIVE);
            ln_gamma_rest(a) + deviance_of_product(a, total, x) + x.ln()
        });
        entries.sum::<f64>() - ln_gamma_rest(total)
    }

    /// Entries of a Dirichlet are beta.
    fn distribution(&self, [concentration, _]: [&[f64]; 2], i: usize, x: f64) -> f64 {
        let a = concentration[i];
        let b = concentration.iter().sum::<f64>() - a;
        x.clamp(0.0, 1.0).inc_beta(a, b, a.ln_beta(b))
    }
}
