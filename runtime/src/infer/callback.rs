//! Partial results of a run, handed to whoever asks while it lasts.

use std::fmt;
use std::sync::Arc;

/// What a chain, or a variational start, has found so far.
pub struct Partial<'a> {
    /// Which chain or start, from 0.
    pub chain: usize,
    /// Its sweeps or iterations so far.
    pub sweep: usize,
    /// How many it will make at most.
    pub sweeps: usize,
    /// Gibbs: the log joint density of every draw that was kept. CAVI: the bound, every time that it was evaluated.
    pub ln_joint: &'a [f64],
    pub(super) mean: &'a dyn Fn(&str) -> Option<Vec<f64>>,
}

impl Partial<'_> {
    /// The mean of a latent so far, row-major: over the draws of this chain, or under the present posterior. `None` if there is
    /// no such latent, or if neither its draws nor its moments are kept.
    pub fn mean(&self, latent: &str) -> Option<Vec<f64>> {
        (self.mean)(latent)
    }
}

impl fmt::Debug for Partial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (f.debug_struct("Partial"))
            .field("chain", &self.chain)
            .field("sweep", &self.sweep)
            .field("sweeps", &self.sweeps)
            .field("ln_joint", &self.ln_joint)
            .finish_non_exhaustive()
    }
}

/// A function that is called with partial results: after every draw that is kept, or whenever the bound is evaluated. It is
/// called from one thread at a time, and the chain that called it waits for it.
///
/// ```
/// use skellam::prelude::*;
///
/// let interrupt = Interrupt::default();
/// let enough = interrupt.clone();
/// let callback = Callback::new(move |partial| {
///     if partial.ln_joint.last().is_some_and(|ln_joint| *ln_joint > -100.0) {
///         enough.request();
///     }
/// });
/// let settings = Gibbs { callback: Some(callback), interrupt, ..Default::default() };
/// ```
#[derive(Clone)]
pub struct Callback(Arc<dyn Fn(&Partial<'_>) + Send + Sync>);

impl Callback {
    /// Calls `function`.
    pub fn new(function: impl Fn(&Partial<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(function))
    }

    pub(super) fn call(&self, partial: &Partial<'_>) {
        (self.0)(partial);
    }
}

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback")
    }
}
