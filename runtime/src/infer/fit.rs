//! What fits hand to their users: draws, posteriors, warnings.

use std::fmt;

use nalgebra::{DMatrix, DVector};

use crate::counts::Array;
use crate::model::Lines;

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

/// Independent gamma posteriors of the entries of one latent. Those of a frozen latent have no width: their
/// means are the values that it was given, shapes and rates are infinite.
#[derive(Clone, Debug)]
pub struct Posterior<T> {
    dims: Vec<usize>,
    shape: Vec<f64>,
    rate: Vec<f64>,
    frozen: Option<Vec<f64>>,
    kind: std::marker::PhantomData<T>,
}

impl<T: FromArray> Posterior<T> {
    pub(crate) fn new(dims: Vec<usize>, shape: Vec<f64>, rate: Vec<f64>, frozen: Option<Vec<f64>>) -> Self {
        Self {
            dims,
            shape,
            rate,
            frozen,
            kind: std::marker::PhantomData,
        }
    }

    /// Size of each index of the latent.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Whether the latent kept the values that it was given.
    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// Posterior means; of a frozen latent its values.
    pub fn mean(&self) -> T {
        if let Some(values) = &self.frozen {
            return T::from_array(&self.dims, values);
        }
        let mean: Vec<f64> = self.shape.iter().zip(&self.rate).map(|(s, r)| s / r).collect();
        T::from_array(&self.dims, &mean)
    }

    /// Posterior variances; zero where the latent is frozen.
    pub fn variance(&self) -> T {
        if self.is_frozen() {
            return T::from_array(&self.dims, &vec![0.0; self.shape.len()]);
        }
        let variance: Vec<f64> = self.shape.iter().zip(&self.rate).map(|(s, r)| s / (r * r)).collect();
        T::from_array(&self.dims, &variance)
    }

    /// Shapes of the gamma posteriors; infinite where the latent is frozen.
    pub fn shape(&self) -> T {
        T::from_array(&self.dims, &self.shape)
    }

    /// Rates (inverse scales) of the gamma posteriors; infinite where the latent is frozen.
    pub fn rate(&self) -> T {
        T::from_array(&self.dims, &self.rate)
    }
}

/// Independent Dirichlet posteriors of the lines of one latent. Those of a frozen latent have no width: their
/// means are the values that it was given, concentrations are infinite.
#[derive(Clone, Debug)]
pub struct Simplex<T> {
    dims: Vec<usize>,
    lines: Lines,
    concentration: Vec<f64>,
    frozen: Option<Vec<f64>>,
    kind: std::marker::PhantomData<T>,
}

impl<T: FromArray> Simplex<T> {
    pub(crate) fn new(dims: Vec<usize>, along: usize, concentration: Vec<f64>, frozen: Option<Vec<f64>>) -> Self {
        Self {
            lines: Lines::new(&dims, along),
            dims,
            concentration,
            frozen,
            kind: std::marker::PhantomData,
        }
    }

    /// Size of each index of the latent.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Whether the latent kept the values that it was given.
    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// Posterior means, which sum to one along every line; of a frozen latent its values.
    pub fn mean(&self) -> T {
        match &self.frozen {
            Some(values) => T::from_array(&self.dims, values),
            None => self.of_lines(|a, total| a / total),
        }
    }

    /// Posterior variances, `m (1 - m) / (1 + sum a)` with `m` the mean; zero where the latent is frozen.
    pub fn variance(&self) -> T {
        if self.is_frozen() {
            return T::from_array(&self.dims, &vec![0.0; self.concentration.len()]);
        }
        self.of_lines(|a, total| a * (total - a) / (total * total * (total + 1.0)))
    }

    /// Concentrations of the Dirichlet posteriors; infinite where the latent is frozen.
    pub fn concentration(&self) -> T {
        T::from_array(&self.dims, &self.concentration)
    }

    /// Each entry from its concentration and the sum of its line's.
    fn of_lines(&self, value: impl Fn(f64, f64) -> f64) -> T {
        let mut out = vec![0.0; self.concentration.len()];
        for line in 0..self.lines.len() {
            let entries = self.lines.entries(line);
            let total: f64 = entries.clone().map(|e| self.concentration[e]).sum();
            entries.for_each(|e| out[e] = value(self.concentration[e], total));
        }
        T::from_array(&self.dims, &out)
    }
}

/// The noise has explained the releases: the fitted rates are far below what was observed on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collapse {
    /// The count.
    pub count: &'static str,
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
    pub fn detect(count: &'static str, mean_rate: f64, mean_observation: f64, standard_error: f64) -> Option<Self> {
        let telling = mean_observation > Self::ERRORS * standard_error;
        (telling && mean_rate < Self::FRACTION * mean_observation).then_some(Self {
            count,
            mean_rate,
            mean_observation,
        })
    }
}

impl fmt::Display for Collapse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the fit of `{}` has collapsed: its mean rate is {:.3e} where the mean release is {:.3e}. At this noise, \
             explaining every release as noise scores best, from any start; restarts will not help. Try Gibbs, which averages over \
             explanations instead of choosing one, or a release with a larger epsilon / N",
            self.count, self.mean_rate, self.mean_observation
        )
    }
}
