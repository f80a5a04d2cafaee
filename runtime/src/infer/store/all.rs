//! The draws of a latent in all chains, after the run.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::on_disk::{OnDisk, StoredArray};
use super::{ChainDraws, InMemory};
use crate::error::Error;
use crate::file::SavedError;
use crate::memory::with_room;

/// Numbers that are held at a time of what is read from a store: 4 MiB.
const AT_A_TIME: usize = 1 << 19;

/// Every draw of a latent, or of the rates of some cells: (chain, draw, ..), in memory or in a store on disk.
#[derive(Clone, Debug)]
pub struct AllDraws {
    source: HeldIn,
    pub(in crate::infer) chains: usize,
    pub(in crate::infer) draws: usize,
    width: usize,
}

#[derive(Clone, Debug)]
enum HeldIn {
    /// Row-major.
    Memory(Vec<f64>),
    /// An array of a store, and which of its chains these are.
    Disk(Arc<StoredArray>, Vec<usize>),
}

impl AllDraws {
    pub(in crate::infer) fn in_memory(values: Vec<f64>, [chains, draws]: [usize; 2]) -> Self {
        Self {
            width: values.len() / (chains * draws).max(1),
            source: HeldIn::Memory(values),
            chains,
            draws,
        }
    }

    pub(super) fn stored(array: Arc<StoredArray>, width: usize, chains: &[usize], draws: usize) -> Self {
        Self {
            source: HeldIn::Disk(array, chains.to_vec()),
            chains: chains.len(),
            draws,
            width,
        }
    }

    /// All numbers, (chain, draw, ..), row-major; `None` where they are in a store on disk.
    pub fn as_slice(&self) -> Option<&[f64]> {
        match &self.source {
            HeldIn::Memory(values) => Some(values),
            HeldIn::Disk(..) => None,
        }
    }

    /// All numbers, (chain, draw, ..), row-major: those in a store are read.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; the store cannot be read.
    pub fn to_vec(&self) -> Result<Cow<'_, [f64]>, Error> {
        if let Some(values) = self.as_slice() {
            return Ok(values.into());
        }
        let of_chain = self.draws.saturating_mul(self.width);
        let instead =
            "read the store with a tool that reads it in parts, or take draws, means and quantiles of entries";
        let mut values = with_room(self.chains.saturating_mul(of_chain), "all draws of a latent", instead)?;
        values.resize(self.chains * of_chain, 0.0);
        for (chain, into) in values.chunks_exact_mut(of_chain.max(1)).enumerate() {
            self.chain(chain).read(0..self.draws, 0..self.width, into)?;
        }
        Ok(values.into())
    }

    /// All draws of one entry, (chain, draw); nothing where there is no such entry.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn entry(&self, entry: usize) -> Result<Vec<f64>, Error> {
        let entries = if entry < self.width { vec![entry] } else { Vec::new() };
        Ok(self.entries(entries, |values| values.to_vec())?.concat())
    }

    /// What `of` makes of the draws, (chain, draw), of each of some entries.
    pub(in crate::infer) fn entries<R>(
        &self,
        entries: Vec<usize>,
        mut of: impl FnMut(&mut [f64]) -> R,
    ) -> Result<Vec<R>, Error> {
        let (mut values, number) = (vec![0.0; self.chains * self.draws], entries.len());
        let mut columns = self.columns(entries);
        let each = (0..number).map(|at| {
            columns.read(at, &mut values)?;
            Ok(of(&mut values))
        });
        each.collect()
    }

    /// The draws of one chain.
    pub(in crate::infer) fn chain(&self, chain: usize) -> Box<dyn ChainDraws + '_> {
        let (width, draws) = (self.width, self.draws);
        match &self.source {
            HeldIn::Memory(values) => Box::new(InMemory::new(
                &values[chain * draws * width..][..draws * width],
                width,
                draws,
            )),
            HeldIn::Disk(array, chains) => Box::new(OnDisk::new(Arc::clone(array), chains[chain], draws)),
        }
    }

    /// What there is of one chain alone.
    pub(in crate::infer) fn of_chain(&self, chain: usize) -> Self {
        let of_chain = self.draws * self.width;
        let source = match &self.source {
            HeldIn::Memory(values) => HeldIn::Memory(values[chain * of_chain..][..of_chain].to_vec()),
            HeldIn::Disk(array, chains) => HeldIn::Disk(Arc::clone(array), vec![chains[chain]]),
        };
        Self {
            source,
            chains: 1,
            ..*self
        }
    }

    /// One draw.
    pub(in crate::infer) fn put(&self, [chain, draw]: [usize; 2], into: &mut [f64]) -> Result<(), SavedError> {
        self.chain(chain).read(draw..draw + 1, 0..self.width, into)
    }

    /// Goes through the draws of some chains in order, until `visit` has seen enough.
    pub(in crate::infer) fn each(
        &self,
        chains: Range<usize>,
        mut visit: impl FnMut(&[f64]) -> bool,
    ) -> Result<(), SavedError> {
        let mut one = vec![0.0; self.width];
        for chain in chains {
            let draws = self.chain(chain);
            for draw in 0..self.draws {
                draws.read(draw..draw + 1, 0..self.width, &mut one)?;
                if !visit(&one) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Some entries, one after another, over all chains and draws.
    pub(in crate::infer) fn columns(&self, entries: Vec<usize>) -> Columns<'_> {
        Columns {
            of: self,
            entries,
            held: 0..0,
            block: Vec::new(),
        }
    }
}

/// Entries of a latent over all chains and draws. As many neighbours as make a few megabytes are read at once.
pub(in crate::infer) struct Columns<'a> {
    of: &'a AllDraws,
    entries: Vec<usize>,
    /// Which of the entries are held, (chain, draw, entry).
    held: Range<usize>,
    block: Vec<f64>,
}

impl Columns<'_> {
    /// The entry at this position of the list, (chain, draw).
    pub fn read(&mut self, at: usize, into: &mut [f64]) -> Result<(), SavedError> {
        if !self.held.contains(&at) {
            self.hold(at)?;
        }
        let (width, at) = (self.held.len(), at - self.held.start);
        (into.iter_mut().zip(self.block.chunks_exact(width))).for_each(|(x, draw)| *x = draw[at]);
        Ok(())
    }

    fn hold(&mut self, at: usize) -> Result<(), SavedError> {
        let (of, first) = (self.of, self.entries[at]);
        let number = of.chains * of.draws;
        let most = (AT_A_TIME / number.max(1)).max(1);
        let neighbours = self.entries[at..].iter().zip(first..).take(most);
        let width = neighbours.take_while(|(entry, next)| *entry == next).count();
        // Nothing is held if it cannot be read.
        self.held = 0..0;
        self.block.resize(number * width, 0.0);
        for (chain, block) in self.block.chunks_exact_mut((of.draws * width).max(1)).enumerate() {
            of.chain(chain).read(0..of.draws, first..first + width, block)?;
        }
        self.held = at..at + width;
        Ok(())
    }
}
