//! An engine that writes down every conditional it is handed, and moves on with values of the test's choice.

use skellam::model::{Complete, Step};

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
    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        let latent = of.part.latent;
        assert!(of.family.has_scale(), "latent {latent} of these tests is a gamma");
        let (shape, rate) = (of.prior.shape().at(0), of.prior.rate().at(0));
        for (i, x) in x.iter_mut().enumerate() {
            *x = (self.draw)(shape + of.counts[i], rate + of.exposure[i]);
        }
        self.seen.push(Conditional {
            latent,
            shape,
            rate,
            counts: of.counts.to_vec(),
            exposure: of.exposure.to_vec(),
        });
    }
}
