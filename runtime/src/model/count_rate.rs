//! The rate of one count while inference runs: generated functions at some values of the latents. Operands are formed where they are
//! needed, and dropped.

use std::sync::Arc;

use crate::contract::{Adjoint, At, Grid, Handing, Hands, Rate, dot, indices_of};
use crate::view::{CellWeights, Guards};

use super::{Emitted, Factors, Known, Reading};

/// The rate of one count at some values of the latents.
#[derive(Clone, Debug)]
pub struct CountRate {
    emitted: &'static Emitted,
    known: Arc<Known>,
    count: usize,
    x: Factors,
    form: OperandForm,
    /// Known arrays with their entries squared; made when squares are first set.
    squared: Option<Arc<Known>>,
}

/// What is made of the operands once they are formed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum OperandForm {
    /// Nothing.
    Plain,
    /// They are squared.
    Squared,
    /// They are formed of squares: that of a row is a sum, whose square is not the sum of squares.
    OfSquares,
    /// The left one is multiplied by a number.
    Raised(f64),
}

impl CountRate {
    /// The rates of a count where the latents are those of `x`.
    pub(super) fn new(emitted: &'static Emitted, known: &Arc<Known>, count: usize, x: Factors) -> Self {
        Self {
            emitted,
            known: Arc::clone(known),
            count,
            x,
            form: OperandForm::Plain,
            squared: None,
        }
    }

    /// Takes the values of all latents.
    pub fn set(&mut self, x: &Factors) {
        self.form = OperandForm::Plain;
        self.x
            .iter_mut()
            .zip(x.iter())
            .for_each(|(own, x)| own.copy_from_slice(x));
    }

    /// Takes values whose squares are given: the operands, known factors among them, are squared once they are formed; where one is a
    /// sum, everything is squared before.
    pub fn set_squares(&mut self, squares: &Factors) {
        if !self.emitted.sides[self.count].below.is_empty() {
            self.set(squares);
            self.form = OperandForm::OfSquares;
            self.squared.get_or_insert_with(|| Arc::new(self.known.squared()));
            return;
        }
        self.form = OperandForm::Squared;
        for (own, squares) in self.x.iter_mut().zip(squares.iter()) {
            own.iter_mut()
                .zip(squares)
                .for_each(|(own, square)| *own = square.sqrt());
        }
    }

    /// Takes the values of some entries of a latent.
    pub(super) fn set_entries(&mut self, latent: usize, entries: &[usize], x: &[f64]) {
        for (&entry, x) in entries.iter().zip(x) {
            self.x[latent][entry] = *x;
        }
    }

    /// Takes the values of one latent.
    pub(crate) fn set_latent(&mut self, latent: usize, x: &[f64]) {
        self.x[latent].copy_from_slice(x);
    }

    /// Multiplies all rates by a number, until values are set anew.
    pub fn raise(&mut self, by: f64) {
        self.form = OperandForm::Raised(by);
    }

    fn reading(&self) -> Reading<'_> {
        let squared = self.squared.as_ref().filter(|_| self.form == OperandForm::OfSquares);
        Reading {
            known: squared.unwrap_or(&self.known),
            x: &self.x,
        }
    }

    /// The rate.
    pub(super) fn rate(&self) -> Box<dyn Rate + '_> {
        let rate = (self.emitted.rate)(self.count, self.reading());
        match self.form {
            OperandForm::Plain => rate,
            form => Box::new(Changed { rate, form }),
        }
    }

    /// The adjoint of the rate, and which latents it reaches from the right.
    pub(super) fn handing(&self) -> Handing<'_> {
        Handing {
            to: self,
            right: self.emitted.sides[self.count].right,
        }
    }

    /// The sum of the rates by the weights of cells where these are a product over indices; by the value of one index, if asked.
    pub(super) fn level(&self, by: Option<usize>, weights: &CellWeights<'_>) -> Vec<f64> {
        (self.emitted.level)(self.count, self.reading(), by, weights)
    }

    /// By how much the values that another one of the same count was given are off, relative to the largest of each latent; not a number
    /// if one is.
    pub fn off(&self, other: &Self) -> f64 {
        if self.form != other.form {
            return f64::INFINITY;
        }
        let mut largest = 0.0;
        for (own, other) in self.x.iter().zip(other.x.iter()) {
            let size = other.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            for gap in own.iter().zip(other).map(|(own, other)| (own - other).abs() / size) {
                // `max` would drop what is not a number.
                if gap > largest || gap.is_nan() {
                    largest = gap;
                }
            }
        }
        largest
    }

    /// Calls `visit` with the position among `cells`, and the rate, of each of them; these are row-major positions in the data. The
    /// rate is zero where `where` has no cell. Beside it is that of the minus side of a difference; zero for other counts.
    pub(crate) fn each(
        &self,
        grid: &Grid,
        guards: &Guards,
        cells: impl IntoIterator<Item = usize>,
        mut visit: impl FnMut(usize, [f64; 2]),
    ) {
        let (rate, shape) = (self.rate(), grid.shape());
        let [mut left, mut right] = [(); 2].map(|()| vec![0.0; rate.inner()]);
        let mut formed = None;
        for (at, cell) in cells.into_iter().enumerate() {
            let (row, col) = grid.place(cell);
            if !guards.holds(row, col) {
                visit(at, [0.0; 2]);
                continue;
            }
            let index = indices_of(&shape, cell);
            // Consecutive cells are mostly of one row.
            if formed.replace(row) != Some(row) {
                rate.left(index, &mut left);
            }
            rate.right(index, &mut right);
            let half = rate.plus();
            visit(
                at,
                [dot(&left[..half], &right[..half]), dot(&left[half..], &right[half..])],
            );
        }
    }
}

impl Hands for CountRate {
    fn adjoint<'n>(&'n self, to: &'n mut [Vec<f64>]) -> Box<dyn Adjoint + 'n> {
        (self.emitted.counts)(self.count, self.reading(), to)
    }
}

/// A rate whose operands are changed once they are formed.
struct Changed<'a> {
    rate: Box<dyn Rate + 'a>,
    form: OperandForm,
}

impl Rate for Changed<'_> {
    fn inner(&self) -> usize {
        self.rate.inner()
    }

    fn plus(&self) -> usize {
        self.rate.plus()
    }

    fn left(&self, at: At, left: &mut [f64]) {
        self.rate.left(at, left);
        match self.form {
            OperandForm::Plain => {}
            OperandForm::OfSquares => self.rate.square_numbers(left),
            OperandForm::Squared => left.iter_mut().for_each(|x| *x *= *x),
            OperandForm::Raised(by) => left.iter_mut().for_each(|x| *x *= by),
        }
    }

    fn right(&self, at: At, right: &mut [f64]) {
        self.rate.right(at, right);
        if self.form == OperandForm::Squared {
            right.iter_mut().for_each(|x| *x *= *x);
        }
    }
}

/// Adds everything that an operand is given to one number.
pub(super) struct Total;

impl Hands for Total {
    fn adjoint<'n>(&'n self, to: &'n mut [Vec<f64>]) -> Box<dyn Adjoint + 'n> {
        Box::new(Adding(to))
    }
}

/// See [`Total`].
struct Adding<'n>(&'n mut [Vec<f64>]);

impl Adjoint for Adding<'_> {
    fn left(&mut self, _: At, _: std::ops::Range<usize>, n: &[f64], _: &mut crate::contract::Parts) {
        self.0[0][0] += n.iter().sum::<f64>();
    }

    fn right(&mut self, _: At, _: std::ops::Range<usize>, _: &[f64], _: &mut crate::contract::Parts) {}
}
