//! What is kept from one quantity to the next: a transform, normal scores, buffers.

use std::collections::BTreeMap;

use rustfft::algorithm::Radix4;
use rustfft::num_complex::Complex;

/// Buffers and tables of the diagnostics.
#[derive(Default)]
pub struct Workspace {
    /// The Fourier transform of the length that was asked for last, a power of two.
    pub(super) transform: Option<Radix4<f64>>,
    pub(super) series: Vec<Complex<f64>>,
    pub(super) power: Vec<Complex<f64>>,
    pub(super) scratch: Vec<Complex<f64>>,
    pub(super) order: Vec<(f64, usize)>,
    /// Normal scores by twice the rank, for each number of values.
    pub(super) scores: BTreeMap<usize, Vec<f64>>,
}

/// Sequences of equal length, one after the other.
pub struct Sequences {
    pub values: Vec<f64>,
    pub length: usize,
}

impl Sequences {
    /// The first and the last half of each chain; the middle draw of an odd number is left out.
    pub fn halves(draws: &[f64], num_chains: usize) -> Self {
        let num = draws.len() / num_chains;
        let length = num / 2;
        let chains = || draws.chunks_exact(num);
        let first = chains().flat_map(|chain| &chain[..length]);
        let last = chains().flat_map(|chain| &chain[num - length..]);
        Self {
            values: first.chain(last).copied().collect(),
            length,
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.length)
    }

    pub fn count(&self) -> usize {
        self.values.len() / self.length
    }
}
