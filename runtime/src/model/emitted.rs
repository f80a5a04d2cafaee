//! What generated code says of a model: plain functions of what is known and of a number for each entry of each latent.

use std::borrow::Cow;

use crate::contract::{Adjoint, Grid, Rate, Tokens, Urns};
use crate::counts::Array;
use crate::view::CellWeights;

use super::{CountCost, CountSpec, Factors, Spec};

/// What does not change while inference runs, beside the data. All lists are in the order of the declaration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// Sizes of the index sets.
    pub sizes: Vec<usize>,
    /// The scalar hyperparameters.
    pub hypers: Vec<f64>,
    /// The known arrays: data, then hyperparameters with indices.
    pub arrays: Vec<Array>,
}

impl Known {
    /// The same with the entries of arrays squared.
    pub(super) fn squared(&self) -> Self {
        Self {
            arrays: self.arrays.iter().map(Array::squared).collect(),
            ..self.clone()
        }
    }
}

/// What generated code reads: what is known, and a number for each entry of each latent. These are its value, its mean, or the
/// counts that fell on it.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// What is known.
    pub known: &'a Known,
    /// The numbers of the latents.
    pub x: &'a Factors,
}

impl<'a> Reading<'a> {
    /// Sizes of the index sets, of which there are `N`.
    pub fn sizes<const N: usize>(&self) -> [usize; N] {
        std::array::from_fn(|set| self.known.sizes[set])
    }

    /// The scalar hyperparameters, of which there are `N`.
    pub fn hypers<const N: usize>(&self) -> [f64; N] {
        std::array::from_fn(|hyper| self.known.hypers[hyper])
    }

    /// The numbers of a latent, the last index fastest.
    pub fn latent(&self, latent: usize) -> &'a [f64] {
        &self.x[latent]
    }

    /// The entries of a known array, the last index fastest.
    pub fn array(&self, array: usize) -> &'a [f64] {
        self.known.arrays[array].as_slice()
    }
}

/// Makes the adjoint of the rate of a count, which adds to arrays.
type MakeAdjoint = for<'a> fn(usize, Reading<'a>, &'a mut [Vec<f64>]) -> Box<dyn Adjoint + 'a>;

/// The functions that were generated for a model. Counts and latents are numbers in the order of the declaration.
#[derive(Clone, Copy, Debug)]
pub struct Emitted {
    /// The rate of a count.
    pub rate: for<'a> fn(usize, Reading<'a>) -> Box<dyn Rate + 'a>,
    /// The adjoint of that rate, which adds to the arrays of the latents.
    pub counts: MakeAdjoint,
    /// The exposure of every entry of a latent in all counts, whose cells have the weights that are given; nothing where it is in no
    /// rate.
    pub exposure: for<'a, 'w> fn(usize, Reading<'a>, &'w [CellWeights<'w>]) -> Vec<f64>,
    /// The sum of the rates of a count by the weights of its cells, where these are a product over indices; for each value of one of
    /// its indices, if one is given.
    pub level: for<'a, 'w> fn(usize, Reading<'a>, Option<usize>, &'w CellWeights<'w>) -> Vec<f64>,
    /// The parameters of the prior of a latent, entry by entry, at the values of its parents.
    pub prior: for<'a> fn(usize, Reading<'a>) -> [Vec<f64>; 2],
    /// How the cells of each count are cut in rows and columns.
    pub sides: &'static [Sides],
    /// Tokens with all latents of the rates integrated out; else why there are none: the end of a sentence.
    pub tokens: Result<ByTokens, &'static str>,
}

/// How tokens are made.
#[derive(Clone, Copy, Debug)]
pub struct ByTokens {
    /// The latents that are integrated out.
    pub integrated: &'static [usize],
    /// Tokens in urns that are empty.
    pub empty: for<'a> fn(Reading<'a>, &Urns) -> Box<dyn Tokens>,
}

/// How the cells of a count are cut in rows and columns. Indices are positions in [`CountSpec::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The indices of rows.
    pub rows: &'static [usize],
    /// The indices of columns.
    pub cols: &'static [usize],
    /// For each term of the rate, the indices that are summed; the terms stand side by side.
    pub inner: &'static [&'static [usize]],
    /// For each term, the indices that the operand of a row is summed over; nothing where all operands are products.
    pub below: &'static [&'static [usize]],
    /// The latents that the right operand reaches, by number.
    pub right: &'static [usize],
    /// Whether a clause `i < j` of `where` is kept to by sums over all cells in closed form, such as the level and exposures.
    pub is_ordered: bool,
    /// Whether operands of columns read indices of rows: each is formed at a cell, and there are no blocks.
    pub by_cell: bool,
}

impl Sides {
    /// A rate whose operands are products, of rows alone and of columns alone.
    pub const PRODUCTS: Self = Self {
        rows: &[],
        cols: &[],
        inner: &[],
        below: &[],
        right: &[],
        is_ordered: false,
        by_cell: false,
    };

    /// The layout of the cells of `count` where the index sets have these sizes.
    pub(super) fn grid(&self, count: &CountSpec, sizes: &[usize]) -> Grid {
        let size = |var: &usize| sizes[count.vars[*var]];
        let shape: Vec<usize> = (0..count.free).map(|var| size(&var)).collect();
        let inner = self.inner.iter().map(|vars| vars.iter().map(size).product::<usize>());
        Grid::new(&shape, self.rows, self.cols, inner.sum())
    }

    /// What it costs. A copy of the latents has `entries` numbers: operands are formed where they are needed, and are not held.
    pub(crate) fn cost(&self, spec: &Spec, count: &CountSpec, sizes: &[usize]) -> CountCost {
        // As floats, which do not overflow: nobody has checked the sizes.
        let size = |var: &usize| sizes[count.vars[*var]] as f64;
        let volume = |vars: &[usize]| vars.iter().map(size).product::<f64>();
        let (rows, cols) = (volume(self.rows), volume(self.cols));
        let inner: f64 = self.inner.iter().map(|vars| volume(vars)).sum();
        let entries = |sets: &[usize]| sets.iter().map(|&set| sizes[set] as f64).product::<f64>();
        let sums = self.inner.iter().zip(self.below);
        let below: f64 = sums.map(|(inner, below)| rows * volume(inner) * volume(below)).sum();
        let names = |vars: &[usize]| -> Vec<&str> { vars.iter().map(|&var| spec.sets[count.vars[var]]).collect() };
        let side = |what: &str, vars: &[usize]| match vars {
            [] => format!("one {}", what.trim_end_matches('s')),
            vars => format!("{what} {}", names(vars).join(" x ")),
        };
        CountCost {
            sides: Cow::Owned(format!(
                "{}, {}, {inner} products a cell",
                side("rows", self.rows),
                side("columns", self.cols)
            )),
            product: [rows, cols, inner],
            root: rows * cols * inner,
            below,
            memory: spec.latents.iter().map(|latent| entries(latent.sets)).sum(),
            by_cell: self.by_cell,
        }
    }
}
