//! What becomes of numbers that were pulled back to the operands.

use crate::contract::{Adjoint, At, Handing, Parts};
use crate::streams::Stream;

/// Takes numbers of the operands at several positions, one after another; they may be overwritten.
pub(super) trait Receive {
    /// Those of rows, beside the left operand there.
    fn rows(&mut self, places: &[At], operand: &[f64], n: &mut [f64]);

    /// Those of columns, beside the right operand.
    fn cols(&mut self, places: &[At], operand: &[f64], n: &mut [f64]);
}

/// Nothing is pulled back.
pub(super) struct Nothing;

impl Receive for Nothing {
    fn rows(&mut self, _: &[At], _: &[f64], _: &mut [f64]) {}

    fn cols(&mut self, _: &[At], _: &[f64], _: &mut [f64]) {}
}

/// Hands counts down that were drawn; means and derivatives, which come as derivatives with respect to the operands, after they are
/// multiplied by these.
pub(super) struct HandDown<'a> {
    to: Box<dyn Adjoint + 'a>,
    parts: Parts,
    inner: usize,
    drawn: bool,
}

impl<'a> HandDown<'a> {
    /// Means or derivatives.
    pub fn expected(to: &Handing<'a>, inner: usize, into: &'a mut [Vec<f64>]) -> Self {
        Self {
            to: to.to.adjoint(into),
            parts: Parts::expected(),
            inner,
            drawn: false,
        }
    }

    /// Counts, which `rng` divides at inner nodes.
    pub fn drawn(to: &Handing<'a>, inner: usize, into: &'a mut [Vec<f64>], rng: Stream) -> Self {
        Self {
            parts: Parts::drawn(rng),
            drawn: true,
            ..Self::expected(to, inner, into)
        }
    }

    /// Hands the numbers of inner nodes down, after all others.
    pub fn finish(mut self) {
        self.to.finish(&mut self.parts);
    }

    fn times(&self, operand: &[f64], n: &mut [f64]) {
        if !self.drawn {
            n.iter_mut().zip(operand).for_each(|(n, x)| *n *= x);
        }
    }
}

impl Receive for HandDown<'_> {
    fn rows(&mut self, places: &[At], operand: &[f64], n: &mut [f64]) {
        self.times(operand, n);
        self.to.lefts(places, self.inner, n, &mut self.parts);
    }

    fn cols(&mut self, places: &[At], operand: &[f64], n: &mut [f64]) {
        self.times(operand, n);
        self.to.rights(places, self.inner, n, &mut self.parts);
    }
}

/// Calls a function with the numbers of each position.
pub(super) struct Each<'a> {
    pub each: &'a mut dyn FnMut(At, &[f64]),
    pub inner: usize,
}

impl Each<'_> {
    fn call(&mut self, places: &[At], n: &[f64]) {
        let lines = places.iter().zip(n.chunks_exact(self.inner.max(1)));
        lines.for_each(|(at, n)| (self.each)(*at, n));
    }
}

impl Receive for Each<'_> {
    fn rows(&mut self, places: &[At], _: &[f64], n: &mut [f64]) {
        self.call(places, n);
    }

    fn cols(&mut self, places: &[At], _: &[f64], n: &mut [f64]) {
        self.call(places, n);
    }
}
