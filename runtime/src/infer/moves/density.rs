//! The log density of some latents given the others and the data, true counts summed out.

use crate::model::{Factors, Latent, Model};
use crate::special::{deviance_of_product, exp_in_place, ln_in_place};

use super::Place;
use super::plan::is_moved;

/// The log density of the logarithms of those latents that joint moves move, up to a constant:
///
/// ```text
/// sum over counts of ln P(observations | rates)  +  sum over entries of a ln x - b x
/// ```
///
/// `(a, b)` is the entry's prior at the present values of the latents in it; `a - 1` became `a` by the logarithm.
pub struct LogDensity {
    /// Which latents, and where the entries of each start among all that move.
    latents: Vec<(usize, usize)>,
    len: usize,
    shape: Vec<f64>,
    rate: Vec<f64>,
    /// Whether `rate` follows from latents.
    has_parents: bool,
    is_set: bool,
    /// Derivatives with respect to every latent, or to its logarithm where rates are generated functions.
    derivative: Factors,
}

impl LogDensity {
    /// The density of `model`, of which `latents` are the latents.
    pub fn new(model: &dyn Model, latents: &[Latent]) -> Self {
        let (mut moved, mut len, mut has_parents) = (Vec::new(), 0, false);
        for (i, latent) in latents.iter().enumerate() {
            if is_moved(latent) && model.frozen(i).is_none() {
                moved.push((i, len));
                len += latent.shape.iter().product::<usize>();
                has_parents |= latent.has_parents;
            }
        }
        Self {
            latents: moved,
            len,
            shape: vec![0.0; len],
            rate: vec![0.0; len],
            has_parents,
            is_set: false,
            derivative: model.factors(),
        }
    }

    /// How many entries move.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Takes the priors at the present values of the latents in them.
    pub fn set_prior(&mut self, model: &dyn Model, x: &Factors) {
        if self.is_set && !self.has_parents {
            return;
        }
        self.is_set = true;
        for (&(latent, start), len) in self.latents.iter().zip(lengths(&self.latents, self.len)) {
            let prior = model.prior(latent, x);
            self.shape[start..start + len].copy_from_slice(prior.shape());
            self.rate[start..start + len].copy_from_slice(prior.rate());
        }
    }

    /// The logarithms of the entries that move, at `x`.
    pub fn logarithms(&self, x: &Factors, into: &mut [f64]) {
        for (&(latent, start), len) in self.latents.iter().zip(lengths(&self.latents, self.len)) {
            into[start..start + len].copy_from_slice(&x[latent]);
        }
        ln_in_place(into);
    }

    /// Copies the entries that move out of `x`.
    pub(super) fn save(&self, x: &Factors, into: &mut [f64]) {
        for (&(latent, start), len) in self.latents.iter().zip(lengths(&self.latents, self.len)) {
            into[start..start + len].copy_from_slice(&x[latent]);
        }
    }

    /// Copies them back.
    pub(super) fn load(&self, from: &[f64], x: &mut Factors) {
        for (&(latent, start), len) in self.latents.iter().zip(lengths(&self.latents, self.len)) {
            x[latent].copy_from_slice(&from[start..start + len]);
        }
    }

    /// A first guess of the variances of the logarithms: those of gammas with as many counts, `psi'(a + n)` roughly.
    pub(super) fn spread(&self, counts: &Factors, into: &mut [f64]) {
        self.save(counts, into);
        for (value, a) in into.iter_mut().zip(&self.shape) {
            let shape = a + *value;
            *value = (1.0 + shape) / (shape * shape);
        }
    }

    /// The density where the entries that move have the logarithms `point`, which the factors get; its derivative, if wanted,
    /// goes to `gradient`. Without `score` the density is not computed.
    pub(super) fn at(&mut self, place: &mut Place<'_>, point: &[f64], gradient: &mut [f64], score: bool) -> f64 {
        for (&(latent, start), len) in self.latents.iter().zip(lengths(&self.latents, self.len)) {
            let x = &mut place.x[latent];
            x.copy_from_slice(&point[start..start + len]);
            exp_in_place(x);
            // Nothing may be divided by a zero.
            x.iter_mut().for_each(|x| *x = x.max(f64::MIN_POSITIVE));
        }
        place.set_rates();
        self.here(place, gradient, score)
    }

    /// [`LogDensity::at`] where the factors are.
    pub(super) fn here(&mut self, place: &mut Place<'_>, gradient: &mut [f64], score: bool) -> f64 {
        let mut density = 0.0;
        self.derivative.fill(0.0);
        for (view, count_rate) in place.model.views().into_iter().zip(place.count_rates.iter_mut()) {
            density += count_rate.pull_likelihood(view, score, &mut self.derivative);
        }
        let bound = place.model.bound();
        for &(latent, start) in &self.latents {
            let exposure = bound.base_exposure(latent, place.x);
            for (at, (x, derivative)) in place.x[latent].iter().zip(&self.derivative[latent]).enumerate() {
                let entry = start + at;
                let (a, b) = (self.shape[entry], self.rate[entry]);
                // The derivative is one by the logarithm, but for what is known in closed form.
                gradient[entry] = a + derivative - x * (b + exposure.get(at).unwrap_or(&0.0));
                if score {
                    // a ln x - b x, up to a constant: at large shapes both are far larger than what a step changes.
                    density -= deviance_of_product(a, b, *x);
                }
            }
        }
        density
    }

    /// The density and its derivative at a point, whose rates are made anew, for tests.
    #[doc(hidden)]
    pub fn evaluate(&mut self, model: &dyn Model, x: &mut Factors, point: &[f64], gradient: &mut [f64]) -> f64 {
        let mut count_rates = model.count_rates();
        let mut place = Place {
            model,
            x,
            count_rates: &mut count_rates,
        };
        self.at(&mut place, point, gradient, true)
    }
}

/// How many entries each latent has, from where they start.
fn lengths(latents: &[(usize, usize)], all: usize) -> impl Iterator<Item = usize> {
    let ends = latents.iter().skip(1).map(|(_, start)| *start).chain([all]);
    latents.iter().zip(ends).map(|((_, start), end)| end - start)
}
