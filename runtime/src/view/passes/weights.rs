//! The exposure weights of all cells: what most of them weigh, in closed form, and corrections at those that weigh otherwise.

use crate::contract::{At, Entries, Rate};
use crate::view::View;
use crate::view::weights::Base;

use super::along::each_along;
use super::corrections::{EachOf, correct_left, correct_right, settle};

/// Adds what cells that weigh otherwise add to the exposures of a row, or of a column, to an array of exposures: the indices of the
/// position, `Σ (w − base) x` of the other operand there, and the array.
pub type Correct<'a, const N: usize> = dyn Fn(At, &[f64], &mut Entries<N, &mut [f64]>) + Sync + 'a;

/// The exposure weights of the cells of a count.
///
/// Most cells weigh [`CellWeights::base`] times [`CellWeights::at`] of each of their indices, so that sums over all of them are
/// products of sums. Where blocks of cells are weighed whole the base is zero, and the corrections are everything; unless
/// all cells weigh one, and there is nothing to correct.
#[derive(Clone, Copy)]
pub struct CellWeights<'a> {
    view: &'a View,
    base: f64,
    /// The index along which laws vary, with the weights of its values.
    along: Option<(usize, &'a [f64])>,
    corrects: bool,
}

impl std::fmt::Debug for CellWeights<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CellWeights")
            .field("count", &self.view.name())
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}

impl<'a> CellWeights<'a> {
    pub(super) fn new(view: &'a View, corrects: bool) -> Self {
        let (base, along) = match &view.cells.weights.base {
            _ if view.dense && !(corrects && view.weighs_one()) => (0.0, None),
            Base::Uniform(weight) => (*weight, None),
            Base::Axis { axis, weights, .. } => (1.0, Some((*axis, &weights[..]))),
            Base::Cells(_) => unreachable!("cells with laws of their own are weighed in blocks"),
        };
        Self {
            view,
            base,
            along,
            corrects,
        }
    }

    /// The same weight for every cell of the grid.
    pub(super) fn same(view: &'a View, weight: f64) -> Self {
        Self {
            view,
            base: weight,
            along: None,
            corrects: false,
        }
    }

    /// What most cells weigh, but for the factors of their indices.
    #[inline]
    pub fn base(&self) -> f64 {
        self.base
    }

    /// The factor of a value of an index of the count, which is named by its position. It is one but along one index at most: that along
    /// which laws vary.
    #[inline]
    pub fn at(&self, axis: usize, value: usize) -> f64 {
        match self.along {
            Some((along, weights)) if along == axis => weights[value],
            _ => 1.0,
        }
    }

    /// Adds to the closed form of an exposure what cells that weigh otherwise add through the left operand: `each` is called with
    /// rows and `Σ_columns (w − base) right[column, ·]`.
    pub fn correct_left<const N: usize>(&self, rate: &dyn Rate, exposure: &mut Entries<N>, each: &Correct<'_, N>) {
        self.correct(correct_left, rate, exposure, each);
    }

    /// The same through the right operand: columns and `Σ_rows (w − base) left[row, ·]`. A column may be passed several times.
    pub fn correct_right<const N: usize>(&self, rate: &dyn Rate, exposure: &mut Entries<N>, each: &Correct<'_, N>) {
        self.correct(correct_right, rate, exposure, each);
    }

    /// The same where `each` takes the array with its two indices in the other order, so that what a column adds to is side by side.
    pub fn correct_right_turned(&self, rate: &dyn Rate, exposure: &mut Entries<2>, each: &Correct<'_, 2>) {
        if self.corrects {
            let mut turned = exposure.turned();
            self.correct(correct_right, rate, &mut turned, each);
            *exposure = turned.turned();
        }
    }

    /// Adds to sums along the line where the index `axis` has `value` what its cells that weigh otherwise add: `each` is called with each of
    /// them and with `w − base`.
    pub fn correct_along<const N: usize>(
        &self,
        axis: usize,
        value: usize,
        sums: &mut Entries<N>,
        each: &dyn Fn(At, f64, &mut Entries<N>),
    ) {
        if self.corrects {
            each_along(self.view, axis, value, &mut |at, by| each(at, by, sums));
            settle(sums.inner_mut());
        }
    }

    fn correct<const N: usize>(
        &self,
        side: impl Fn(&View, &dyn Rate, &mut [f64], &EachOf<'_>),
        rate: &dyn Rate,
        exposure: &mut Entries<N>,
        each: &Correct<'_, N>,
    ) {
        if self.corrects {
            let shape = exposure.shape();
            side(self.view, rate, exposure.inner_mut(), &|at, e, exposure| {
                each(at, e, &mut Entries::new(shape, exposure));
            });
        }
    }
}
