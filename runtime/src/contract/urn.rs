//! Urns: what tokens know of a latent that is integrated out, which is how many of them are on each of its entries.

use std::ops::Deref;

use multiversion::multiversion;

use super::Entries;
use crate::special::ln_gamma;

/// What a factor of a rate is while tokens are drawn.
#[derive(Clone, Debug)]
pub enum UrnOf {
    /// A gamma latent, integrated out: the shape and the rate of the prior of each entry, and its exposure.
    Gamma([Vec<f64>; 2], Vec<f64>),
    /// A simplex, integrated out: the concentration of each entry, and the position of the index along which entries sum to one.
    Simplex(Vec<f64>, usize),
    /// Values that do not change with the tokens.
    Fixed(Vec<f64>),
}

/// The urns of a model before any token is in them, by latent.
#[derive(Clone, Debug)]
pub struct Urns(pub Vec<Option<UrnOf>>);

impl Urns {
    /// The urn of a latent of this shape. The entries along `last` are side by side.
    ///
    /// # Panics
    ///
    /// If the latent is in no rate: generated code asks for no other.
    pub fn of<const N: usize>(&self, latent: usize, shape: [usize; N], last: usize) -> Urn<N> {
        match &self.0[latent] {
            Some(of) => Urn::new(of, shape, last),
            None => unreachable!("a latent of a rate has an urn"),
        }
    }

    /// The urn of a known array.
    pub fn known<const N: usize, S: Deref<Target = [f64]>>(&self, array: &Entries<N, S>, last: usize) -> Urn<N> {
        Urn::new(&UrnOf::Fixed(array.numbers().to_vec()), array.shape(), last)
    }
}

/// The entries of one factor of a rate with the tokens on them. A token is on an entry with the posterior mean of that entry, given all other
/// tokens, for its weight: `(a + n)/(b + e)` of a gamma with exposure `e`, `(c + n)/Σ(c + n)` of a simplex.
#[derive(Clone, Debug)]
pub struct Urn<const N: usize> {
    shape: [usize; N],
    /// How far apart neighbours along each index are.
    strides: [usize; N],
    /// Tokens on each entry, whole numbers.
    n: Vec<f64>,
    /// Shapes or concentrations; empty where values are fixed.
    a: Vec<f64>,
    /// `1/(b + e)`; empty but for a gamma.
    scale: Vec<f64>,
    /// `ln b`, for the log joint of a gamma.
    ln_b: Vec<f64>,
    /// `(a + n) scale`: always computed from these three, so that nothing adds up but whole numbers.
    values: Vec<f64>,
    /// The lines of a simplex.
    lines: Option<LinesOf<N>>,
}

/// The lines of a simplex, each along one index.
#[derive(Clone, Debug)]
struct LinesOf<const N: usize> {
    along: usize,
    strides: [usize; N],
    /// Tokens on each line.
    n: Vec<f64>,
    /// The concentrations of each line, summed.
    a: Vec<f64>,
    /// `1/(a + n)`
    inverse: Vec<f64>,
}

impl<const N: usize> Urn<N> {
    fn new(of: &UrnOf, shape: [usize; N], last: usize) -> Self {
        // Nothing lies between neighbours along the last index; otherwise indices keep their order.
        let strides_of = |left_out: Option<usize>| {
            let (mut strides, mut so_far) = ([0; N], 1);
            let others = (0..N).rev().filter(|axis| *axis != last);
            for axis in (last < N).then_some(last).into_iter().chain(others) {
                if left_out != Some(axis) {
                    strides[axis] = so_far;
                    so_far *= shape[axis];
                }
            }
            (strides, so_far)
        };
        let (strides, size) = strides_of(None);
        let mut urn = Self {
            shape,
            strides,
            n: vec![0.0; size],
            a: Vec::new(),
            scale: Vec::new(),
            ln_b: Vec::new(),
            values: Vec::new(),
            lines: None,
        };
        match of {
            UrnOf::Fixed(values) => urn.values = urn.laid_out(values),
            UrnOf::Gamma([a, b], exposure) => {
                urn.a = urn.laid_out(a);
                let scale = b.iter().zip(exposure).map(|(b, e)| 1.0 / (b + e));
                urn.scale = urn.laid_out(&scale.collect::<Vec<_>>());
                urn.ln_b = urn.laid_out(&b.iter().map(|b| b.ln()).collect::<Vec<_>>());
                urn.values = urn.a.iter().zip(&urn.scale).map(|(a, scale)| a * scale).collect();
            }
            UrnOf::Simplex(a, along) => {
                urn.a = urn.laid_out(a);
                urn.values.clone_from(&urn.a);
                let (strides, number) = strides_of(Some(*along));
                let mut sums = vec![0.0; number];
                urn.each(|_, at, entry| sums[offset(at, &strides)] += urn.a[entry]);
                urn.lines = Some(LinesOf {
                    along: *along,
                    strides,
                    n: vec![0.0; number],
                    inverse: sums.iter().map(|sum| 1.0 / sum).collect(),
                    a: sums,
                });
            }
        }
        urn
    }

    /// Calls `visit` with the row-major number of each entry, its indices, and where it lies here.
    fn each(&self, mut visit: impl FnMut(usize, &[usize; N], usize)) {
        let mut at = [0; N];
        for number in 0..self.n.len() {
            visit(number, &at, offset(&at, &self.strides));
            for axis in (0..N).rev() {
                at[axis] += 1;
                if at[axis] < self.shape[axis] {
                    break;
                }
                at[axis] = 0;
            }
        }
    }

    fn laid_out(&self, numbers: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; numbers.len()];
        self.each(|number, _, entry| out[entry] = numbers[number]);
        out
    }

    /// Puts `n` tokens on an entry; takes them away if `n` is negative.
    #[inline]
    pub fn add(&mut self, at: [usize; N], n: f64) {
        let entry = offset(&at, &self.strides);
        self.n[entry] += n;
        if self.a.is_empty() {
            return;
        }
        let sum = self.a[entry] + self.n[entry];
        match &mut self.lines {
            None => self.values[entry] = sum * self.scale[entry],
            Some(lines) => {
                self.values[entry] = sum;
                let line = offset(&at, &lines.strides);
                lines.n[line] += n;
                lines.inverse[line] = 1.0 / (lines.a[line] + lines.n[line]);
            }
        }
    }

    /// The weight of one entry.
    #[inline]
    pub fn at(&self, at: [usize; N]) -> f64 {
        let value = self.values[offset(&at, &self.strides)];
        match &self.lines {
            None => value,
            Some(lines) => value * lines.inverse[offset(&at, &lines.strides)],
        }
    }

    /// The weights of the entries along an index; its value in `at` is zero.
    #[inline]
    pub fn along(&self, at: [usize; N], index: usize) -> Along<'_> {
        let entries = Strided {
            of: &self.values[offset(&at, &self.strides)..],
            step: self.strides[index],
        };
        let (mut by, mut lines) = (1.0, None);
        if let Some(of) = &self.lines {
            let line = offset(&at, &of.strides);
            match of.along == index {
                true => by = of.inverse[line],
                false => {
                    lines = Some(Strided {
                        of: &of.inverse[line..],
                        step: of.strides[index],
                    })
                }
            }
        }
        Along { entries, by, lines }
    }
}

#[inline]
fn offset<const N: usize>(at: &[usize; N], strides: &[usize; N]) -> usize {
    (0..N).fold(0, |sum, axis| sum + at[axis] * strides[axis])
}

/// The weights of some entries of an urn along an index: a number for each, divided by what its line holds.
#[derive(Clone, Copy, Debug)]
pub struct Along<'a> {
    entries: Strided<'a>,
    by: f64,
    lines: Option<Strided<'a>>,
}

/// Numbers that are `step` apart.
#[derive(Clone, Copy, Debug)]
struct Strided<'a> {
    of: &'a [f64],
    step: usize,
}

impl Strided<'_> {
    fn multiply(&self, out: &mut [f64]) {
        match self.step {
            1 => multiply_by(out, &self.of[..out.len()]),
            step => {
                let numbers = self.of.iter().step_by(step.max(1));
                out.iter_mut().zip(numbers).for_each(|(out, x)| *out *= x);
            }
        }
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn multiply_by(out: &mut [f64], x: &[f64]) {
    out.iter_mut().zip(x).for_each(|(out, x)| *out *= x);
}

/// `weights = number · Π factors`, entry by entry.
pub fn weigh(weights: &mut [f64], number: f64, factors: &[Along<'_>]) {
    let number = factors.iter().fold(number, |number, factor| number * factor.by);
    weights.fill(number);
    for factor in factors {
        factor.entries.multiply(weights);
        if let Some(lines) = &factor.lines {
            lines.multiply(weights);
        }
    }
}

/// What is asked of the urn of a latent once tokens are in it, whatever its indices. Entries are row-major.
pub trait Counted {
    /// Tokens on each entry.
    fn numbers(&self, into: &mut [f64]);

    /// What the urn adds to the log density of all tokens: of a gamma or simplex, the integral over its values; of fixed values, the logarithm of the
    /// entry of each token.
    fn ln_joint(&self) -> f64;

    /// Mean and variance of each entry given the tokens.
    fn moments(&self) -> [Vec<f64>; 2];
}

impl<const N: usize> Counted for Urn<N> {
    fn numbers(&self, into: &mut [f64]) {
        self.each(|number, _, entry| into[number] = self.n[entry]);
    }

    fn ln_joint(&self) -> f64 {
        if self.a.is_empty() {
            let all = self.n.iter().zip(&self.values).filter(|(n, _)| **n > 0.0);
            return all.map(|(n, value)| n * value.ln()).sum();
        }
        let rising = |a: f64, n: f64| if n > 0.0 { ln_gamma(a + n) - ln_gamma(a) } else { 0.0 };
        let entries: f64 = self.a.iter().zip(&self.n).map(|(a, n)| rising(*a, *n)).sum();
        match &self.lines {
            Some(lines) => entries - lines.a.iter().zip(&lines.n).map(|(a, n)| rising(*a, *n)).sum::<f64>(),
            None => {
                let (sums, scales) = (self.a.iter().zip(&self.n), self.scale.iter().zip(&self.ln_b));
                let exposed = sums.zip(scales).map(|((a, n), (scale, ln_b))| a * ln_b + (a + n) * scale.ln());
                entries + exposed.sum::<f64>()
            }
        }
    }

    fn moments(&self) -> [Vec<f64>; 2] {
        let [mut mean, mut variance] = [(); 2].map(|()| vec![0.0; self.n.len()]);
        self.each(|number, at, entry| {
            mean[number] = self.at(*at);
            variance[number] = match &self.lines {
                _ if self.a.is_empty() => 0.0,
                None => mean[number] * self.scale[entry],
                Some(lines) => {
                    let line = offset(at, &lines.strides);
                    mean[number] * (1.0 - mean[number]) / (lines.a[line] + lines.n[line] + 1.0)
                }
            };
        });
        [mean, variance]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights along every index, in either layout, are those of single entries; they are the posterior means.
    #[test]
    fn weights_are_posterior_means() {
        let a: Vec<f64> = (0..12).map(|i| 0.5 + f64::from(i)).collect();
        let rates: Vec<f64> = (0..12).map(|i| 1.0 + f64::from(i % 5)).collect();
        for last in 0..3 {
            for of in [
                UrnOf::Simplex(a.clone(), 1),
                UrnOf::Gamma([a.clone(), rates.clone()], vec![2.0; 12]),
                UrnOf::Fixed(a.clone()),
            ] {
                let mut urn = Urn::new(&of, [2, 3, 2], last);
                urn.add([1, 2, 0], 4.0);
                urn.add([1, 0, 0], 1.0);
                urn.add([1, 2, 0], -1.0);
                let n = |at: [usize; 3]| [([1, 2, 0], 3.0), ([1, 0, 0], 1.0)].iter().find(|of| of.0 == at).map_or(0.0, |of| of.1);
                let number = |[i, j, k]: [usize; 3]| 6 * i + 2 * j + k;
                let mean = |[i, j, k]: [usize; 3]| match &of {
                    UrnOf::Fixed(x) => x[number([i, j, k])],
                    UrnOf::Gamma(..) => (a[number([i, j, k])] + n([i, j, k])) / (rates[number([i, j, k])] + 2.0),
                    UrnOf::Simplex(..) => {
                        let line: f64 = (0..3).map(|j| a[number([i, j, k])] + n([i, j, k])).sum();
                        (a[number([i, j, k])] + n([i, j, k])) / line
                    }
                };
                let moments = urn.moments();
                let mut counted = [0.0; 12];
                urn.numbers(&mut counted);
                for axis in 0..3 {
                    for start in [[0, 0, 0], [1, 2, 0], [1, 0, 1]] {
                        let mut from = start;
                        from[axis] = 0;
                        let mut weights = vec![0.0; [2, 3, 2][axis]];
                        weigh(&mut weights, 2.0, &[urn.along(from, axis)]);
                        for (value, weight) in weights.iter().enumerate() {
                            let mut at = from;
                            at[axis] = value;
                            assert!((weight - 2.0 * mean(at)).abs() < 1e-12, "{of:?} {at:?}");
                            assert!((urn.at(at) - mean(at)).abs() < 1e-12 && moments[0][number(at)] == urn.at(at));
                            assert_eq!(counted[number(at)], n(at));
                        }
                    }
                }
            }
        }
    }
}
