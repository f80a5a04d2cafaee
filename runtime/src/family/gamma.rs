//! Gamma priors: entries are independent and positive.

use special::Gamma as _;

use super::{Family, Reference};
use crate::distribution::ln_gamma_draw;
use crate::special::{
    deviance_of_product, digamma, digamma_in_place, exp_in_place, ln_gamma, ln_gamma_above_tangent, ln_gamma_rest,
    ln_in_place,
};
use crate::streams::Stream;

/// `Gamma(shape, rate)`, entry by entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gamma;

impl Family for Gamma {
    fn name(&self) -> &'static str {
        "Gamma"
    }

    fn has_scale(&self) -> bool {
        true
    }

    fn overflow(&self, [shape, rate]: [&[f64]; 2]) -> Option<(usize, f64)> {
        // Draws and geometric means can be smaller than any double and are raised to the least; a mean that small comes of a
        // rate that has overflowed.
        let mut means = shape.iter().zip(rate).map(|(shape, rate)| shape / rate).enumerate();
        means.find(|(_, mean)| !mean.is_normal())
    }

    fn draw(&self, [shape, rate]: [&mut [f64]; 2], _: usize, x: &mut [f64], rng: &mut Stream) {
        ln_in_place(rate);
        // Log space: at shape 0.001 half the draws are smaller than the smallest double.
        for ((x, &mut shape), ln_rate) in x.iter_mut().zip(shape).zip(&*rate) {
            *x = ln_gamma_draw(shape, rng) - ln_rate;
        }
        exp_in_place(x);
        x.iter_mut().for_each(|x| *x = x.max(f64::MIN_POSITIVE));
    }

    fn moments(&self, [shape, rate]: [&[f64]; 2], _: usize, mean: &mut [f64], geometric: &mut [f64]) {
        for (mean, (shape, rate)) in mean.iter_mut().zip(shape.iter().zip(rate)) {
            *mean = shape / rate;
        }
        // exp(psi(shape) - ln rate), in passes that vectorise.
        let mut ln_rate = rate.to_vec();
        ln_in_place(&mut ln_rate);
        geometric.copy_from_slice(shape);
        digamma_in_place(geometric);
        let logs = geometric.iter_mut().zip(&ln_rate);
        logs.for_each(|(g, ln_rate)| *g -= ln_rate);
        exp_in_place(geometric);
        // exp(psi(0.001)) is 1e-435: nothing may be divided by a zero.
        geometric.iter_mut().for_each(|g| *g = g.max(f64::MIN_POSITIVE));
    }

    fn variance(&self, [shape, rate]: [&[f64]; 2], _: usize, into: &mut [f64]) {
        for (variance, (shape, rate)) in into.iter_mut().zip(shape.iter().zip(rate)) {
            *variance = shape / (rate * rate);
        }
    }

    fn around(&self, mean: &[f64], _: usize, [shape, rate]: [&mut [f64]; 2], geometric: &mut [f64]) {
        shape.fill(1.0);
        let geometric_of_one = digamma(1.0).exp();
        for ((rate, geometric), mean) in rate.iter_mut().zip(geometric).zip(mean) {
            (*rate, *geometric) = (1.0 / mean, mean * geometric_of_one);
        }
    }

    /// A sum of differences: at shapes of 1e12 each logarithm of a gamma function is near 1e13, and the whole near zero.
    fn divergence(&self, [shape, rate]: [&[f64]; 2], prior: Reference<'_>) -> f64 {
        let (s, r, [a, b, ln_raised]) = (shape[0], rate[0], at(prior));
        ln_gamma_above_tangent(a, s) + deviance_of_product(a, a * b, 1.0 / r) + (s - a) * (b - r) / r + a * ln_raised
    }

    /// What is infinite at an entry of zero, which a frozen latent may have, is left out: it does not vary with the prior.
    fn surprise(&self, x: &[f64], prior: Reference<'_>) -> f64 {
        let (x, [a, b, ln_raised]) = (x[0], at(prior));
        let rest = match x > 0.0 {
            true => ln_gamma_rest(a) + deviance_of_product(a, b, x) + x.ln(),
            false => ln_gamma(a) - a * b.ln(),
        };
        rest + a * ln_raised
    }

    fn distribution(&self, [shape, rate]: [&[f64]; 2], i: usize, x: f64) -> f64 {
        (x * rate[i]).inc_gamma(shape[i])
    }
}

/// Shape, mean rate, and by how much the logarithm of that exceeds the mean logarithm of the rate.
fn at(prior: Reference<'_>) -> [f64; 3] {
    let [a, b] = prior.mean.map(|parameter| parameter[0]);
    [a, b, b.ln() - prior.geometric[0].ln()]
}
