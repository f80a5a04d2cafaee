//! Posterior predictive draws, and checks by them.
//!
//! ```text
//! factors of a draw --forward--> rates of some cells --Poisson--> counts --channel--> replica --> statistics
//! ```
//!
//! Replicas are made of the draws that a fit has kept ([`from_draws`]), or of the chains while they run ([`Running`]), where
//! draws are too large to be kept.

mod cells;
mod kept;
mod running;

pub use kept::{draws_at, from_draws};
pub use running::{Running, checked};

use crate::counts::Mask;
use crate::error::Error;

use super::streams::Stream;

/// Settings of a predictive check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictive {
    /// Replicas, at most: they are made of as many draws, at equal distances over all chains.
    pub num_replicas: usize,
    /// Cells that take part, at most. Of a larger table whole rows (slices of the first mode) at equal distances are taken,
    /// and cells at equal distances where one row is too large.
    pub most_cells: usize,
    /// Seed of the replicas.
    pub seed: u64,
}

impl Default for Predictive {
    fn default() -> Self {
        Self {
            num_replicas: 200,
            most_cells: 1 << 22,
            seed: 1,
        }
    }
}

impl Predictive {
    fn check(&self) -> Result<(), Error> {
        for (setting, value) in [("num_replicas", self.num_replicas), ("most_cells", self.most_cells)] {
            if value == 0 {
                return Err(Error::ZeroSetting { setting });
            }
        }
        Ok(())
    }
}

/// The data of one count, whatever its mechanism: what was observed, and what might have been.
pub trait Replicated: Sync {
    /// Size of each index.
    fn shape(&self) -> &[usize];

    /// The cells that inference does not see.
    fn mask(&self) -> &Mask;

    /// What was observed at some cells, as numbers.
    ///
    /// # Errors
    /// Values of which only the sum is known.
    fn values(&self, cells: &[usize]) -> Result<Vec<f64>, Error>;

    /// What might be observed at some cells where they have these `rates`, through the channel.
    fn replicate(&self, cells: &[usize], rates: &[f64], rng: &mut Stream, into: &mut Vec<f64>);
}

/// A count to be checked: its name, the index sets of its indices, and its data.
pub type Target<'a> = (&'static str, Vec<&'static str>, &'a dyn Replicated);
