//! A family whose update is a user's own.

use super::{Family, Invalid, Reference};
use crate::streams::Stream;

/// A custom update of one latent, named in a declaration: `update theta by Mine;`.
///
/// Every method has the conjugate update for its default, so that an implementation changes what it must
/// and no more. A draw may be anything that leaves the complete conditional invariant (a slice sampler, a
/// Metropolis step from the current values); `skellam_check::check` judges it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an update of a latent",
    label = "not an update",
    note = "what stands behind `update .. by` is a value whose type implements `Update`: `impl Update for {Self} {{}}`, with the \
            methods that are to differ from the derived update"
)]
pub trait Update: Sync {
    /// Gibbs, gamma latents: overwrites `x`, which holds the current values. The complete conditional of
    /// entry `i` is `Gamma(shape[i], rate[i])`. Called on blocks of entries, each with a stream of its own.
    fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
        super::Gamma.draw([&mut shape.to_vec(), &mut rate.to_vec()], 1, x, rng);
    }

    /// CAVI, gamma latents: `shape` and `rate` hold the conjugate parameters of every entry's posterior,
    /// which may be overwritten by others.
    fn ascend(&self, shape: &mut [f64], rate: &mut [f64]) {
        let _ = (shape, rate);
    }

    /// Gibbs, Dirichlet latents: overwrites the current point `x` of one simplex, whose complete conditional
    /// is `Dirichlet(concentration)`.
    fn draw_simplex(&self, concentration: &[f64], x: &mut [f64], rng: &mut Stream) {
        crate::distribution::dirichlet_draw(concentration, x, rng);
    }

    /// CAVI, Dirichlet latents: `concentration` holds the conjugate parameters of one simplex, which may be
    /// overwritten by others.
    fn ascend_simplex(&self, concentration: &mut [f64]) {
        let _ = concentration;
    }
}

/// `family` with the draws of `update`. Everything else is as the family has it; what the update makes of conjugate parameters is asked
/// of [`Custom::ascend`].
#[derive(Clone, Copy)]
pub struct Custom<'a> {
    /// The family that the conditional is of.
    pub family: &'a dyn Family,
    /// The update.
    pub update: &'a dyn Update,
}

impl std::fmt::Debug for Custom<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Custom({})", self.family.name())
    }
}

impl Custom<'_> {
    /// Lets the update overwrite the conjugate parameters of all lines.
    pub fn ascend(family: &dyn Family, update: &dyn Update, [first, second]: [&mut [f64]; 2], size: usize) {
        match family.has_lines() {
            true => first
                .chunks_exact_mut(size)
                .for_each(|line| update.ascend_simplex(line)),
            false => update.ascend(first, second),
        }
    }
}

impl Family for Custom<'_> {
    fn name(&self) -> &'static str {
        self.family.name()
    }

    fn parameters(&self) -> &'static [&'static str] {
        self.family.parameters()
    }

    fn has_lines(&self) -> bool {
        self.family.has_lines()
    }

    fn has_scale(&self) -> bool {
        self.family.has_scale()
    }

    fn invalid(&self, line: &[f64]) -> Option<Invalid> {
        self.family.invalid(line)
    }

    fn overflow(&self, parameters: [&[f64]; 2]) -> Option<(usize, f64)> {
        self.family.overflow(parameters)
    }

    fn draw(&self, [first, second]: [&mut [f64]; 2], size: usize, x: &mut [f64], rng: &mut Stream) {
        match self.has_lines() {
            true => {
                let lines = first.chunks_exact(size).zip(x.chunks_exact_mut(size));
                lines.for_each(|(parameter, line)| self.update.draw_simplex(parameter, line, rng));
            }
            false => self.update.draw(first, second, x, rng),
        }
    }

    fn moments(&self, parameters: [&[f64]; 2], size: usize, mean: &mut [f64], geometric: &mut [f64]) {
        self.family.moments(parameters, size, mean, geometric);
    }

    fn variance(&self, parameters: [&[f64]; 2], size: usize, into: &mut [f64]) {
        self.family.variance(parameters, size, into);
    }

    fn around(&self, mean: &[f64], size: usize, parameters: [&mut [f64]; 2], geometric: &mut [f64]) {
        self.family.around(mean, size, parameters, geometric);
    }

    fn level(&self) -> usize {
        self.family.level()
    }

    fn divergence(&self, posterior: [&[f64]; 2], prior: Reference<'_>) -> f64 {
        self.family.divergence(posterior, prior)
    }

    fn surprise(&self, x: &[f64], prior: Reference<'_>) -> f64 {
        self.family.surprise(x, prior)
    }

    fn distribution(&self, parameters: [&[f64]; 2], i: usize, x: f64) -> f64 {
        self.family.distribution(parameters, i, x)
    }

    fn update(&self) -> Option<&dyn Update> {
        Some(self.update)
    }
}
