//! What fits hand to their users: draws, posteriors, warnings.

use std::fmt;

use nalgebra::{DMatrix, DVector};

use crate::counts::Array;

/// A shape in which arrays of one rank are handed out: a number, a vector, a matrix, or an [`Array`].
pub trait FromArray {
    /// From row-major data.
    fn from_array(shape: &[usize], data: &[f64]) -> Self;
}

impl FromArray for f64 {
    fn from_array(_: &[usize], data: &[f64]) -> Self {
        data[0]
    }
}

impl FromArray for DVector<f64> {
    fn from_array(_: &[usize], data: &[f64]) -> Self {
        DVector::from_column_slice(data)
    }
}

impl FromArray for DMatrix<f64> {
    fn from_array(shape: &[usize], data: &[f64]) -> Self {
        DMatrix::from_row_slice(shape[0], shape[1], data)
    }
}

impl FromArray for Array {
    fn from_array(shape: &[usize], data: &[f64]) -> Self {
        match Array::new(shape.to_vec(), data.to_vec()) {
            Ok(array) => array,
            Err(error) => unreachable!("engines hand out as many numbers as the shape has cells: {error}"),
        }
    }
}

/// Kept draws of one latent, (chain, draw, ..). `T` is what one draw looks like.
#[derive(Clone, Debug)]
pub struct Draws<T> {
    shape: Vec<usize>,
    chains: usize,
    draws: usize,
    data: Vec<f64>,
    kind: std::marker::PhantomData<T>,
}

impl<T: FromArray> Draws<T> {
    pub(crate) fn new(shape: Vec<usize>, [chains, draws]: [usize; 2], data: Vec<f64>) -> Self {
        Self {
            shape,
            chains,
            draws,
            data,
            kind: std::marker::PhantomData,
        }
    }

    /// Number of chains.
    pub fn num_chains(&self) -> usize {
        self.chains
    }

    /// Kept draws of each chain.
    pub fn num_draws(&self) -> usize {
        self.draws
    }

    /// Size of each index of the latent.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// All draws, (chain, draw, ..), row-major.
    pub fn as_slice(&self) -> &[f64] {
        &self.data
    }

    /// One draw; `None` if there is no such chain or draw.
    pub fn draw(&self, chain: usize, draw: usize) -> Option<T> {
        let size: usize = self.shape.iter().product();
        let at = (chain * self.draws + draw) * size;
        let exists = chain < self.chains && draw < self.draws;
        exists.then(|| T::from_array(&self.shape, &self.data[at..at + size]))
    }

    /// Mean over chains and draws, entry by entry. Components of a factorization may have changed places
    /// between chains; means over one chain are safer.
    pub fn mean(&self) -> T {
        let size: usize = self.shape.iter().product();
        let mut mean = vec![0.0; size];
        for draw in self.data.chunks_exact(size) {
            mean.iter_mut().zip(draw).for_each(|(m, x)| *m += x);
        }
        let n = (self.chains * self.draws) as f64;
        mean.iter_mut().for_each(|m| *m /= n);
        T::from_array(&self.shape, &mean)
    }
}

/// Independent gamma posteriors of the entries of one latent.
#[derive(Clone, Debug)]
pub struct Posterior<T> {
    dims: Vec<usize>,
    shape: Vec<f64>,
    rate: Vec<f64>,
    kind: std::marker::PhantomData<T>,
}

impl<T: FromArray> Posterior<T> {
    pub(crate) fn new(dims: Vec<usize>, shape: Vec<f64>, rate: Vec<f64>) -> Self {
        Self {
            dims,
            shape,
            rate,
            kind: std::marker::PhantomData,
        }
    }

    /// Size of each index of the latent.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Posterior means.
    pub fn mean(&self) -> T {
        let mean: Vec<f64> = self.shape.iter().zip(&self.rate).map(|(s, r)| s / r).collect();
        T::from_array(&self.dims, &mean)
    }

    /// Posterior variances.
    pub fn variance(&self) -> T {
        let variance: Vec<f64> = self.shape.iter().zip(&self.rate).map(|(s, r)| s / (r * r)).collect();
        T::from_array(&self.dims, &variance)
    }

    /// Shapes of the gamma posteriors.
    pub fn shape(&self) -> T {
        T::from_array(&self.dims, &self.shape)
    }

    /// Rates (inverse scales) of the gamma posteriors.
    pub fn rate(&self) -> T {
        T::from_array(&self.dims, &self.rate)
    }
}

/// The noise has explained the releases: the fitted rates are far below what was observed on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collapse {
    /// Mean of the fitted rates over all cells.
    pub mean_rate: f64,
    /// Mean of the observations.
    pub mean_observation: f64,
}

impl Collapse {
    /// A fit has collapsed when its mean rate is below this fraction of the mean observation.
    const FRACTION: f64 = 1.0 / 3.0;
    /// A mean observation within this many standard errors of zero says nothing.
    const ERRORS: f64 = 4.0;

    /// Compares a fit with its data.
    pub fn detect(mean_rate: f64, mean_observation: f64, standard_error: f64) -> Option<Self> {
        let telling = mean_observation > Self::ERRORS * standard_error;
        (telling && mean_rate < Self::FRACTION * mean_observation).then_some(Self {
            mean_rate,
            mean_observation,
        })
    }
}

impl fmt::Display for Collapse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the fit has collapsed: its mean rate is {:.3e} where the mean release is {:.3e}. At this noise, explaining \
             every release as noise scores best, from any start; restarts will not help. Try Gibbs, which averages over \
             explanations instead of choosing one, or a release with a larger epsilon / N",
            self.mean_rate, self.mean_observation
        )
    }
}
