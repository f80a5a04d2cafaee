//! Counts of two or three indices whose rate is a product of an array for each index.

use std::ops::Range;

use rand::{RngExt, SeedableRng};

use crate::channel::{Channel, Unaugmented, Varying};
use crate::contract::{Adjoint, At, Entries, Grid, Parts, Rate};
use crate::counts::{Mask, Observation, Store, index_at};
use crate::streams::Stream;
use crate::view::{Binding, CellWeights, Forms, Guard, Guards, Mean, Observations, Source, View};

/// How a count is laid out, and what is observed.
#[derive(Clone)]
pub(super) struct Case<C: Channel> {
    pub shape: Vec<usize>,
    pub rows: Vec<usize>,
    pub cols: Vec<usize>,
    pub inner: usize,
    pub guards: Vec<Guard>,
    pub law: Varying<C>,
    pub held_out: f64,
}

impl<C: Channel> Case<C> {
    pub fn new(shape: &[usize], rows: &[usize], cols: &[usize], inner: usize, law: Varying<C>) -> Self {
        Self {
            shape: shape.to_vec(),
            rows: rows.to_vec(),
            cols: cols.to_vec(),
            inner,
            guards: Vec::new(),
            law,
            held_out: 0.0,
        }
    }

    pub fn grid(&self) -> Grid {
        Grid::new(&self.shape, &self.rows, &self.cols, self.inner)
    }

    pub fn cells(&self) -> usize {
        self.shape.iter().product()
    }

    /// The view of what `value` says is observed at each cell.
    pub fn view(&self, mut value: impl FnMut(usize, &mut Stream) -> C::Value) -> View
    where
        C::Value: Observation,
    {
        let mut rng = Stream::seed_from_u64(7);
        let values: Vec<C::Value> = (0..self.cells()).map(|cell| value(cell, &mut rng)).collect();
        let held: Vec<usize> = (0..self.cells()).filter(|_| rng.random_bool(self.held_out)).collect();
        let observed = Observations {
            shape: self.shape.clone(),
            store: Store::Dense(values.into()),
            law: self.law.clone(),
            mask: Mask::at(&self.shape, held).unwrap(),
        };
        let grid = self.grid();
        let binding = Binding {
            name: "y",
            source: Source::default(),
            guards: Guards::new(&grid, &self.guards),
            grid,
            mean: Mean::default(),
            augmented: false,
            drawn: false,
        };
        binding.of(&observed, &Forms::with::<Unaugmented>()).unwrap()
    }

    /// An array for each index.
    pub fn arrays(&self) -> Vec<Vec<f64>> {
        let mut rng = Stream::seed_from_u64(3);
        let mut array = |size: &usize| (0..size * self.inner).map(|_| rng.random::<f64>() + 0.05).collect();
        self.shape.iter().map(&mut array).collect()
    }

    /// The rate of a cell.
    pub fn rate(&self, arrays: &[Vec<f64>], cell: usize) -> f64 {
        let index = index_at(&self.shape, cell);
        let of = |k: usize| {
            let axes = index.iter().zip(arrays);
            axes.map(|(value, array)| array[value * self.inner + k])
                .product::<f64>()
        };
        (0..self.inner).map(of).sum()
    }

    pub fn zeros(&self) -> Vec<Vec<f64>> {
        self.shape.iter().map(|size| vec![0.0; size * self.inner]).collect()
    }

    pub fn product<'a>(&'a self, arrays: &'a [Vec<f64>]) -> Product<'a, C> {
        Product { case: self, arrays }
    }

    pub fn counts<'n>(&self, into: &'n mut [Vec<f64>]) -> Counts<'n> {
        Counts {
            rows: self.rows.clone(),
            cols: self.cols.clone(),
            inner: self.inner,
            into,
        }
    }
}

/// `μ = Σ_k Π_axis x[axis][value, k]`.
pub(super) struct Product<'a, C: Channel> {
    case: &'a Case<C>,
    arrays: &'a [Vec<f64>],
}

impl<C: Channel> Product<'_, C> {
    fn multiply(&self, axes: &[usize], at: At, out: &mut [f64]) {
        let inner = self.case.inner;
        let line = |axis: usize| &self.arrays[axis][at[axis] * inner..][..inner];
        out.copy_from_slice(line(axes[0]));
        for &axis in &axes[1..] {
            out.iter_mut().zip(line(axis)).for_each(|(out, x)| *out *= x);
        }
    }
}

impl<C: Channel> Rate for Product<'_, C> {
    fn inner(&self) -> usize {
        self.case.inner
    }

    fn left(&self, at: At, left: &mut [f64]) {
        self.multiply(&self.case.rows, at, left);
    }

    fn right(&self, at: At, right: &mut [f64]) {
        self.multiply(&self.case.cols, at, right);
    }
}

/// Counts of every array.
pub(super) struct Counts<'n> {
    rows: Vec<usize>,
    cols: Vec<usize>,
    inner: usize,
    into: &'n mut [Vec<f64>],
}

impl Counts<'_> {
    fn add(&mut self, axes: &[usize], at: At, k: Range<usize>, n: &[f64]) {
        for &axis in axes {
            let line = &mut self.into[axis][at[axis] * self.inner..][k.clone()];
            line.iter_mut().zip(n).for_each(|(sum, n)| *sum += n);
        }
    }
}

impl Adjoint for Counts<'_> {
    fn left(&mut self, at: At, k: Range<usize>, n: &[f64], _: &mut Parts) {
        self.add(&self.rows.clone(), at, k, n);
    }

    fn right(&mut self, at: At, k: Range<usize>, n: &[f64], _: &mut Parts) {
        self.add(&self.cols.clone(), at, k, n);
    }
}

/// The exposure of an array in closed form.
pub(super) fn closed_exposure<C: Channel>(
    case: &Case<C>,
    w: CellWeights<'_>,
    arrays: &[Vec<f64>],
    axis: usize,
) -> Entries<2> {
    let of = |axis: usize| Entries::new([case.shape[axis], case.inner], &arrays[axis][..]);
    let others = (0..case.shape.len()).filter(|other| *other != axis);
    let sums: Vec<Entries<1>> = others
        .map(|other| of(other).sum::<1>(0, |value| w.at(other, value)))
        .collect();
    Entries::of([case.shape[axis], case.inner], |[value, k]| {
        w.base() * w.at(axis, value) * sums.iter().map(|sum| sum[[k]]).product::<f64>()
    })
}

/// The exposure of an array as generated code computes it.
pub(super) fn exposure<C: Channel>(case: &Case<C>, view: &View, arrays: &[Vec<f64>], axis: usize) -> Vec<f64> {
    let w = view.cell_weights(true);
    let of = |axis: usize| Entries::new([case.shape[axis], case.inner], &arrays[axis][..]);
    let mut exposure = closed_exposure(case, w, arrays, axis);
    let (product, is_row) = (case.product(arrays), case.rows.contains(&axis));
    let beside = if is_row { &case.rows } else { &case.cols };
    let each = |at: At, e: &[f64], exposure: &mut Entries<2, &mut [f64]>| {
        for (k, e) in e.iter().enumerate() {
            let neighbours = beside.iter().filter(|other| **other != axis);
            exposure[[at[axis], k]] += e * neighbours.map(|&other| of(other)[[at[other], k]]).product::<f64>();
        }
    };
    match is_row {
        true => w.correct_left(&product, &mut exposure, &each),
        false => w.correct_right(&product, &mut exposure, &each),
    }
    exposure.into_inner()
}

/// `Σ base μ`, by the value of an index.
pub(super) fn closed_level<C: Channel>(case: &Case<C>, view: &View, arrays: &[Vec<f64>], by: usize) -> Vec<f64> {
    let (w, inner) = (view.cell_weights(false), case.inner);
    let of = |axis: usize| Entries::new([case.shape[axis], inner], &arrays[axis][..]);
    let of_value = |value: usize| -> f64 {
        let of_k = |k: usize| -> f64 {
            let sum = |axis: usize| -> f64 {
                let values = if axis == by {
                    value..value + 1
                } else {
                    0..case.shape[axis]
                };
                values.map(|value| w.at(axis, value) * of(axis)[[value, k]]).sum()
            };
            (0..case.shape.len()).map(sum).product()
        };
        w.base() * (0..inner).map(of_k).sum::<f64>()
    };
    (0..case.shape[by]).map(of_value).collect()
}
