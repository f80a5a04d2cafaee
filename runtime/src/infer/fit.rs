//! What fits hand to their users: arrays, posteriors, warnings.

use std::marker::PhantomData;
use std::sync::Arc;

use ndarray::{Array1, Array2};

use crate::counts::Array;
use crate::error::Error;
use crate::family::{Family, Lines};
use crate::model::Latent;

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

impl FromArray for Array1<f64> {
    fn from_array(_: &[usize], data: &[f64]) -> Self {
        data.to_vec().into()
    }
}

impl FromArray for Array2<f64> {
    fn from_array(shape: &[usize], data: &[f64]) -> Self {
        match Array2::from_shape_vec([shape[0], shape[1]], data.to_vec()) {
            Ok(matrix) => matrix,
            Err(error) => unreachable!("there are as many numbers as the shape has cells: {error}"),
        }
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

/// What both kinds of posteriors hold: a family, its parameters entry by entry, and the values of a frozen latent.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    /// Names and sizes of the latent.
    pub latent: Latent,
    pub parameters: Arc<[Vec<f64>; 2]>,
    pub frozen: Option<Arc<[f64]>>,
    /// The position of the latent in the declaration, and the seed of the run: from these, draws follow.
    pub number: usize,
    pub seed: u64,
}

impl Parameters {
    fn array<T: FromArray>(&self, values: &[f64]) -> T {
        T::from_array(&self.latent.shape, values)
    }

    fn mean<T: FromArray>(&self) -> T {
        match &self.frozen {
            Some(values) => self.array(values),
            None => self.computed(|family, parameters, size, mean| {
                let mut geometric = vec![0.0; mean.len()];
                family.moments(parameters, size, mean, &mut geometric);
            }),
        }
    }

    pub(super) fn sd<T: FromArray>(&self) -> T {
        self.spread(f64::sqrt)
    }

    /// A function of the variance of every entry.
    fn spread<T: FromArray>(&self, of: impl Fn(f64) -> f64) -> T {
        match self.frozen {
            Some(_) => self.array(&vec![0.0; self.parameters[0].len()]),
            None => self.computed(|family, parameters, size, out| {
                family.variance(parameters, size, out);
                out.iter_mut().for_each(|variance| *variance = of(*variance));
            }),
        }
    }

    /// What the family computes of each line.
    fn computed<T: FromArray>(&self, compute: impl FnOnce(&dyn Family, [&[f64]; 2], usize, &mut [f64])) -> T {
        let lines = Lines::of(&self.latent.shape, self.latent.along);
        let parameters = self.parameters.each_ref().map(|of| lines.gather(of));
        let mut out = vec![0.0; parameters[0].len()];
        lines.gathered([&mut out], |[out]| {
            compute(self.latent.family, [&parameters[0], &parameters[1]], lines.size, out);
        });
        self.array(&out)
    }
}

/// Independent posteriors of one latent: of its entries gammas where its prior is a gamma, of its lines Dirichlets where they sum to one ([`Simplex`]). Those of a
/// frozen latent have no width: their means are the values that it was given, all parameters are infinite.
#[derive(Clone, Debug)]
pub struct Posterior<T, K = Gammas> {
    pub(super) of: Parameters,
    kind: PhantomData<(T, K)>,
}

/// Independent Dirichlet posteriors of the lines of one latent.
pub type Simplex<T> = Posterior<T, Dirichlets>;

/// Of a [`Posterior`]: each entry has a shape and a rate.
#[derive(Clone, Copy, Debug)]
pub struct Gammas;

/// Of a [`Posterior`]: each entry has a concentration.
#[derive(Clone, Copy, Debug)]
pub struct Dirichlets;

impl<T: FromArray, K> Posterior<T, K> {
    pub(crate) fn new(of: Parameters) -> Self {
        let kind = PhantomData;
        Self { of, kind }
    }

    /// Size of each index of the latent.
    pub fn dims(&self) -> &[usize] {
        &self.of.latent.shape
    }

    /// Whether the latent kept the values that it was given.
    pub fn is_frozen(&self) -> bool {
        self.of.frozen.is_some()
    }

    /// Posterior means, which sum to one along every line of a simplex; for a frozen latent, its values.
    ///
    /// # Errors
    /// None; a `Result` because the same call on a Gibbs fit fails where draws were not kept.
    pub fn mean(&self) -> Result<T, Error> {
        Ok(self.of.mean())
    }

    /// Posterior variances, on a simplex `m (1 - m) / (1 + sum a)` with `m` the mean; zero where the latent is frozen.
    pub fn variance(&self) -> T {
        self.of.spread(|variance| variance)
    }
}

impl<T: FromArray> Posterior<T> {
    /// Shapes of the posteriors; infinite where the latent is frozen.
    pub fn shape(&self) -> T {
        self.of.array(&self.of.parameters[0])
    }

    /// Rates (inverse scales) of the posteriors; infinite where the latent is frozen.
    pub fn rate(&self) -> T {
        self.of.array(&self.of.parameters[1])
    }
}

impl<T: FromArray> Simplex<T> {
    /// Concentrations of the Dirichlet posteriors; infinite where the latent is frozen.
    pub fn concentration(&self) -> T {
        self.of.array(&self.of.parameters[0])
    }
}
