//! An engine that writes down every conditional it is handed, and moves on with values of the test's choice.

use skellam::model::{Complete, Step};

/// What was handed over for one latent: a gamma for every entry.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// Which latent.
    pub latent: usize,
    /// The shape of every entry.
    pub shape: Vec<f64>,
    /// The rate of every entry.
    pub rate: Vec<f64>,
}

/// Records conditionals of gamma latents; `draw` makes new values from shape
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
        let [shape, rate] = of.parameters_of(0, x.len());
        for (i, x) in x.iter_mut().enumerate() {
            *x = (self.draw)(shape[i], rate[i]);
        }
        self.seen.push(Conditional { latent, shape, rate });
    }
}
