//! An engine that writes down every conditional it is handed, and moves on with values of the test's choice.

use skellam::model::{DirichletPrior, GammaPrior, Part, Step};

/// What was handed over for one latent: all entries `Gamma(prior shape + counts, prior rate + exposure)`.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// Which latent.
    pub latent: usize,
    /// Prior shape, the same for every entry.
    pub shape: f64,
    /// Prior rate, the same for every entry.
    pub rate: f64,
    /// Counts of every entry.
    pub counts: Vec<f64>,
    /// Exposure of every entry.
    pub exposure: Vec<f64>,
}

/// Records conditionals of gamma latents with one prior for all entries; `draw` makes new values from shape
/// and rate of an entry.
pub struct Capture<F> {
    /// In the order in which they came.
    pub seen: Vec<Conditional>,
    draw: F,
}

impl<F: FnMut(f64, f64) -> f64> Capture<F> {
    /// Nothing seen yet.
    pub fn new(draw: F) -> Self {
        Self { seen: Vec::new(), draw }
    }
}

impl<F: FnMut(f64, f64) -> f64> Step for Capture<F> {
    fn gamma(&mut self, part: Part<'_>, prior: &GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]) {
        let (shape, rate) = (prior.shape.at(0), prior.rate.at(0));
        for (i, x) in x.iter_mut().enumerate() {
            *x = (self.draw)(shape + counts[i], rate + exposure[i]);
        }
        self.seen.push(Conditional {
            latent: part.latent,
            shape,
            rate,
            counts: counts.to_vec(),
            exposure: exposure.to_vec(),
        });
    }

    fn dirichlet(&mut self, latent: usize, _: &DirichletPrior, _: &[f64], _: &mut [f64]) {
        unreachable!("latent {latent} of these tests is a gamma")
    }
}
