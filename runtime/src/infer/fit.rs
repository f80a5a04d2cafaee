//! What fits hand to their users: arrays, posteriors, warnings.

use std::fmt;
use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use crate::counts::Array;
use crate::error::Error;
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

/// Independent gamma posteriors of the entries of one latent. Those of a frozen latent have no width: their
/// means are the values that it was given, shapes and rates are infinite.
#[derive(Clone, Debug)]
pub struct Posterior<T> {
    dims: Vec<usize>,
    /// Shapes and rates.
    parameters: Arc<[Vec<f64>; 2]>,
    frozen: Option<Arc<[f64]>>,
    kind: std::marker::PhantomData<T>,
}

impl<T: FromArray> Posterior<T> {
    pub(crate) fn new(dims: Vec<usize>, parameters: Arc<[Vec<f64>; 2]>, frozen: Option<Arc<[f64]>>) -> Self {
        Self {
            dims,
            parameters,
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
    ///
    /// # Errors
    /// None: a `Result` so that the same call works on fits of either engine, of which one may not have kept its draws.
    pub fn mean(&self) -> Result<T, Error> {
        if let Some(values) = &self.frozen {
            return Ok(T::from_array(&self.dims, values));
        }
        let [shape, rate] = &*self.parameters;
        let mean: Vec<f64> = shape.iter().zip(rate).map(|(s, r)| s / r).collect();
        Ok(T::from_array(&self.dims, &mean))
    }

    /// Posterior variances; zero where the latent is frozen.
    pub fn variance(&self) -> T {
        if self.is_frozen() {
            return T::from_array(&self.dims, &vec![0.0; self.parameters[0].len()]);
        }
        let [shape, rate] = &*self.parameters;
        let variance: Vec<f64> = shape.iter().zip(rate).map(|(s, r)| s / (r * r)).collect();
        T::from_array(&self.dims, &variance)
    }

    /// Shapes of the gamma posteriors; infinite where the latent is frozen.
    pub fn shape(&self) -> T {
        T::from_array(&self.dims, &self.parameters[0])
    }

    /// Rates (inverse scales) of the gamma posteriors; infinite where the latent is frozen.
    pub fn rate(&self) -> T {
        T::from_array(&self.dims, &self.parameters[1])
    }
}

/// Independent Dirichlet posteriors of the lines of one latent. Those of a frozen latent have no width: their
/// means are the values that it was given, concentrations are infinite.
#[derive(Clone, Debug)]
pub struct Simplex<T> {
    dims: Vec<usize>,
    lines: Lines,
    /// Concentrations, and nothing that counts.
    parameters: Arc<[Vec<f64>; 2]>,
    frozen: Option<Arc<[f64]>>,
    kind: std::marker::PhantomData<T>,
}

impl<T: FromArray> Simplex<T> {
    pub(crate) fn new(
        dims: Vec<usize>,
        along: usize,
        parameters: Arc<[Vec<f64>; 2]>,
        frozen: Option<Arc<[f64]>>,
    ) -> Self {
        Self {
            lines: Lines::new(&dims, along),
            dims,
            parameters,
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
    ///
    /// # Errors
    /// None: a `Result` so that the same call works on fits of either engine, of which one may not have kept its draws.
    pub fn mean(&self) -> Result<T, Error> {
        Ok(match &self.frozen {
            Some(values) => T::from_array(&self.dims, values),
            None => self.of_lines(|a, total| a / total),
        })
    }

    /// Posterior variances, `m (1 - m) / (1 + sum a)` with `m` the mean; zero where the latent is frozen.
    pub fn variance(&self) -> T {
        if self.is_frozen() {
            return T::from_array(&self.dims, &vec![0.0; self.parameters[0].len()]);
        }
        self.of_lines(|a, total| a * (total - a) / (total * total * (total + 1.0)))
    }

    /// Concentrations of the Dirichlet posteriors; infinite where the latent is frozen.
    pub fn concentration(&self) -> T {
        T::from_array(&self.dims, &self.parameters[0])
    }

    /// Each entry from its concentration and the sum of its line's.
    fn of_lines(&self, value: impl Fn(f64, f64) -> f64) -> T {
        let concentration = &self.parameters[0];
        let mut out = vec![0.0; concentration.len()];
        for line in 0..self.lines.len() {
            let entries = self.lines.entries(line);
            let total: f64 = entries.clone().map(|e| concentration[e]).sum();
            entries.for_each(|e| out[e] = value(concentration[e], total));
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
