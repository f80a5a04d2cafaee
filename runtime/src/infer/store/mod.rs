//! Where draws are kept: in memory, or in a folder on disk to which they are written as they are made.

mod all;
mod folder;
mod on_disk;

pub use all::AllDraws;
pub(super) use folder::{DrawsFolder, DrawsWriter, Places};

use std::fmt::Debug;
use std::ops::Range;

use crate::file::SavedError;

/// The draws of one quantity in one chain, in the order in which they were made. A quantity is a latent, or the rates of some cells: as many
/// numbers at every draw.
pub(super) trait ChainDraws: Debug + Send {
    /// Draws so far.
    fn number(&self) -> usize;

    /// Copies some entries of some draws, (draw, entry), row-major. `into` has room for just these.
    ///
    /// # Errors
    /// The store cannot be read.
    fn read(&self, draws: Range<usize>, entries: Range<usize>, into: &mut [f64]) -> Result<(), SavedError>;
}

/// The same while the chain runs.
pub(super) trait Growing: ChainDraws {
    /// Adds a draw.
    ///
    /// # Errors
    /// The store cannot be written.
    fn append(&mut self, draw: &[f64]) -> Result<(), SavedError>;

    /// Has all draws so far where they outlive the machine.
    ///
    /// # Errors
    /// The store cannot be written.
    fn sync(&mut self) -> Result<(), SavedError>;
}

/// Draws in memory: in `values` is room for all of them.
#[derive(Debug)]
pub(super) struct InMemory<V> {
    values: V,
    width: usize,
    number: usize,
}

impl<V> InMemory<V> {
    /// The first `number` draws, of `width` numbers each.
    pub fn new(values: V, width: usize, number: usize) -> Self {
        Self { values, width, number }
    }
}

impl<V: AsRef<[f64]> + Debug + Send> ChainDraws for InMemory<V> {
    fn number(&self) -> usize {
        self.number
    }

    fn read(&self, draws: Range<usize>, entries: Range<usize>, into: &mut [f64]) -> Result<(), SavedError> {
        let values = self.values.as_ref();
        for (draw, into) in draws.zip(into.chunks_exact_mut(entries.len().max(1))) {
            into.copy_from_slice(&values[draw * self.width..][entries.clone()]);
        }
        Ok(())
    }
}

impl Growing for InMemory<&mut [f64]> {
    fn append(&mut self, draw: &[f64]) -> Result<(), SavedError> {
        self.values[self.number * self.width..][..self.width].copy_from_slice(draw);
        self.number += 1;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), SavedError> {
        Ok(())
    }
}
