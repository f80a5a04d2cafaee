//! What a coordinate update reads and writes.

use std::sync::OnceLock;

use super::{Bound, CountRate, Factors, Step};
use crate::view::View;

/// The state of a sweep or an iteration while the latents are updated in turn.
pub struct State<'a> {
    pub(super) bound: &'a Bound,
    pub(super) x: &'a mut Factors,
    /// The counts on the entries of the latents.
    pub(super) counts: &'a mut Factors,
    pub(super) count_rates: &'a mut [CountRate],
    pub(super) step: &'a mut dyn Step,
    /// The cells of the table counts of generated rates, once they are drawn.
    pub(super) drawn: &'a DrawnTables,
    /// The weights of those of a latent in its own shape, of which some times are drawn.
    pub(super) weights_so_far: Vec<f64>,
}

/// The cells of the table counts of one sweep, those of each shape once they are drawn. They outlive the state, so that weights do.
#[derive(Default)]
pub struct DrawnTables(Vec<OnceLock<View>>);

impl DrawnTables {
    /// None are drawn.
    pub(super) fn of(shapes: usize) -> Self {
        Self(std::iter::repeat_with(OnceLock::new).take(shapes).collect())
    }

    pub(super) fn get(&self, shape: usize) -> Option<&View> {
        self.0[shape].get()
    }

    /// Table counts are drawn once a sweep.
    pub(super) fn set(&self, shape: usize, view: View) {
        let _ = self.0[shape].set(view);
    }
}

impl<'a> State<'a> {
    /// The state before the first update. `counts` receives the counts on the factors, or holds them already.
    pub fn new(
        bound: &'a Bound,
        x: &'a mut Factors,
        counts: &'a mut Factors,
        count_rates: &'a mut [CountRate],
        step: &'a mut dyn Step,
        drawn: &'a DrawnTables,
    ) -> Self {
        Self {
            bound,
            x,
            counts,
            count_rates,
            step,
            drawn,
            weights_so_far: Vec::new(),
        }
    }

    /// Whether this is an iteration of coordinate ascent, and not a sweep of Gibbs sampling.
    pub fn is_ascent(&self) -> bool {
        self.step.is_ascent()
    }
}

pub(super) fn add(more: &[f64], into: &mut [f64]) {
    into.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}
