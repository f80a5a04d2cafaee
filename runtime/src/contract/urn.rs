//! Urns: what tokens know of a latent that is integrated out, which is how many of them are on each of its entries.

use std::ops::Deref;

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
pub struct Urns {
    /// What each latent of a rate is.
    pub of: Vec<Option<UrnOf>>,
    /// Latents whose urns list which entries of a line have tokens.
    pub(crate) listed: Vec<usize>,
}

impl Urns {
    /// The urn of a latent of this shape. The entries along `last` are side by side. A simplex whose entries sum to one along `last` is read along no other
    /// index.
    ///
    /// # Panics
    ///
    /// If the latent is in no rate: generated code asks for no other.
    pub fn of<const N: usize>(&self, latent: usize, shape: [usize; N], last: usize) -> Urn<N> {
        match &self.of[latent] {
            Some(of) if self.listed.contains(&latent) => Urn::new(of, shape, last).listing(),
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
    /// Tokens on each entry, whole numbers; empty for a simplex, whose values tell them.
    n: Vec<f64>,
    /// Shapes or concentrations; none where values are fixed.
    a: Option<Shapes>,
    /// `1/(b + e)`; empty but for a gamma.
    scale: Vec<f64>,
    /// `ln b`, for the log joint of a gamma.
    ln_b: Vec<f64>,
    /// `(a + n) scale`: always computed from these three, so that nothing adds up but whole numbers.
    values: Vec<f64>,
    /// The lines of a simplex.
    lines: Option<LinesOf<N>>,
    /// For each line along the last index the entries with tokens in their order, and how many. Empty where nobody asks for them.
    on: Vec<Vec<(u32, u32)>>,
    /// The length of such a line.
    length: usize,
}

/// A number for each entry, or one for all: what is not read takes no room in a cache.
#[derive(Clone, Debug)]
pub(super) enum Shapes {
    Same(f64),
    Each(Vec<f64>),
}

impl Shapes {
    fn of(each: Vec<f64>) -> Self {
        match each.split_first() {
            Some((first, others)) if others.iter().all(|other| other == first) => Self::Same(*first),
            _ => Self::Each(each),
        }
    }

    /// Whether all lines of this length have the same shapes.
    fn repeat(&self, length: usize) -> bool {
        match self {
            Self::Same(_) => true,
            Self::Each(each) => each.chunks(length).all(|line| line == &each[..length]),
        }
    }

    #[inline]
    pub(super) fn at(&self, entry: usize) -> f64 {
        match self {
            Self::Same(all) => *all,
            Self::Each(each) => each[entry],
        }
    }
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
    /// `1/(a + n)`, side by side for those who draw along another index; empty where nobody does.
    inverse: Vec<f64>,
}

impl<const N: usize> LinesOf<N> {
    /// What a line holds: its tokens, and its concentrations.
    #[inline]
    fn held(&self, line: usize) -> f64 {
        self.a[line] + self.n[line]
    }
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
            n: Vec::new(),
            a: None,
            scale: Vec::new(),
            ln_b: Vec::new(),
            values: Vec::new(),
            lines: None,
            on: Vec::new(),
            length: shape.get(last).map_or(1, |length| *length),
        };
        match of {
            UrnOf::Fixed(values) => {
                urn.n = vec![0.0; size];
                urn.values = urn.laid_out(values);
            }
            UrnOf::Gamma([a, b], exposure) => {
                urn.n = vec![0.0; size];
                let a = urn.laid_out(a);
                let scale = b.iter().zip(exposure).map(|(b, e)| 1.0 / (b + e));
                urn.scale = urn.laid_out(&scale.collect::<Vec<_>>());
                urn.ln_b = urn.laid_out(&b.iter().map(|b| b.ln()).collect::<Vec<_>>());
                urn.values = a.iter().zip(&urn.scale).map(|(a, scale)| a * scale).collect();
                urn.a = Some(Shapes::of(a));
            }
            UrnOf::Simplex(a, along) => {
                urn.values = urn.laid_out(a);
                let (strides, number) = strides_of(Some(*along));
                let mut sums = vec![0.0; number];
                urn.each(|_, at, entry| sums[offset(at, &strides)] += urn.values[entry]);
                urn.a = Some(Shapes::of(urn.values.clone()));
                urn.lines = Some(LinesOf {
                    along: *along,
                    strides,
                    n: vec![0.0; number],
                    inverse: match *along == last {
                        true => Vec::new(),
                        false => sums.iter().map(|sum| 1.0 / sum).collect(),
                    },
                    a: sums,
                });
            }
        }
        urn
    }

    /// The same urn, which lists the entries with tokens if a line of entries is its shapes and these tokens times a number: where all lines have the same
    /// shapes, and a line has one scale.
    fn listing(mut self) -> Self {
        let shapes_repeat = self.a.as_ref().is_some_and(|a| a.repeat(self.length));
        let mut scales = self.scale.chunks(self.length);
        if shapes_repeat && scales.all(|line| line.iter().all(|scale| *scale == line[0])) {
            self.on = vec![Vec::new(); self.values.len() / self.length];
        }
        self
    }

    /// Calls `visit` with the row-major number of each entry, its indices, and where it lies here.
    fn each(&self, mut visit: impl FnMut(usize, &[usize; N], usize)) {
        let mut at = [0; N];
        for number in 0..self.shape.iter().product() {
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
        let tokens = self.tokens_on(entry) + n;
        let Some(a) = &self.a else {
            self.n[entry] = tokens;
            return;
        };
        let sum = a.at(entry) + tokens;
        if !self.on.is_empty() {
            let (line, k) = (&mut self.on[entry / self.length], (entry % self.length) as u32);
            match line.binary_search_by_key(&k, |of| of.0) {
                Ok(found) if tokens > 0.0 => line[found].1 = tokens as u32,
                Ok(found) => drop(line.remove(found)),
                Err(place) => line.insert(place, (k, tokens as u32)),
            }
        }
        match &mut self.lines {
            None => {
                self.n[entry] = tokens;
                self.values[entry] = sum * self.scale[entry];
            }
            Some(lines) => {
                self.values[entry] = sum;
                let line = offset(&at, &lines.strides);
                lines.n[line] += n;
                if let Some(inverse) = lines.inverse.get_mut(line) {
                    *inverse = 1.0 / (lines.a[line] + lines.n[line]);
                }
            }
        }
    }

    /// Tokens on an entry. Those of a simplex are what its value, rounded as it is, has more than the concentration: a whole number.
    #[inline]
    fn tokens_on(&self, entry: usize) -> f64 {
        match (&self.lines, &self.a) {
            (Some(_), Some(a)) => (self.values[entry] - a.at(entry) + 0.5) as i64 as f64,
            _ => self.n[entry],
        }
    }

    /// The weight of one entry.
    #[inline]
    pub fn at(&self, at: [usize; N]) -> f64 {
        let value = self.values[offset(&at, &self.strides)];
        match &self.lines {
            None => value,
            Some(lines) => value / lines.held(offset(&at, &lines.strides)),
        }
    }

    /// The weights of the entries along an index; its value in `at` is zero.
    #[inline]
    pub fn along(&self, at: [usize; N], index: usize) -> Along<'_> {
        let from = offset(&at, &self.strides);
        let entries = Strided {
            of: &self.values[from..],
            step: self.strides[index],
        };
        let (mut over, mut lines) = (1.0, None);
        if let Some(of) = &self.lines {
            let line = offset(&at, &of.strides);
            match of.along == index {
                true => over = of.held(line),
                false => {
                    lines = Some(Strided {
                        of: &of.inverse[line..],
                        step: of.strides[index],
                    })
                }
            }
        }
        let listed = match (&self.a, entries.step) {
            (Some(shapes), 1) if !self.on.is_empty() => Some(Listed {
                shapes,
                tokens: &self.on[from / self.length],
            }),
            _ => None,
        };
        Along {
            from,
            entries,
            over,
            lines,
            listed,
        }
    }
}

#[inline]
fn offset<const N: usize>(at: &[usize; N], strides: &[usize; N]) -> usize {
    (0..N).fold(0, |sum, axis| sum + at[axis] * strides[axis])
}

/// The weights of some entries of an urn along an index: a number for each, divided by what its line holds.
#[derive(Clone, Copy, Debug)]
pub struct Along<'a> {
    /// Where they begin: another number for every line.
    pub(super) from: usize,
    pub(super) entries: Strided<'a>,
    /// What all are divided by.
    pub(super) over: f64,
    pub(super) lines: Option<Strided<'a>>,
    /// Which have tokens, if the urn lists them.
    pub(super) listed: Option<Listed<'a>>,
}

/// The entries of a line as shapes, and tokens on few of them: each is in proportion to the sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'a> {
    pub shapes: &'a Shapes,
    /// Entries with tokens in their order, and how many.
    pub tokens: &'a [(u32, u32)],
}

/// Numbers that are `step` apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strided<'a> {
    of: &'a [f64],
    step: usize,
}

impl<'a> Strided<'a> {
    /// The numbers, if they are side by side.
    pub(super) fn slice(&self, length: usize) -> Option<&'a [f64]> {
        (self.step == 1).then(|| &self.of[..length])
    }

    #[inline]
    pub(super) fn at(&self, number: usize) -> f64 {
        self.of[number * self.step]
    }

    /// `out *= x`, number by number.
    pub(super) fn multiply(&self, out: &mut [f64]) {
        let numbers = self.of.iter().step_by(self.step.max(1));
        out.iter_mut().zip(numbers).for_each(|(out, x)| *out *= x);
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
        self.each(|number, _, entry| into[number] = self.tokens_on(entry));
    }

    fn ln_joint(&self) -> f64 {
        let Some(a) = &self.a else {
            let all = self.n.iter().zip(&self.values).filter(|(n, _)| **n > 0.0);
            return all.map(|(n, value)| n * value.ln()).sum();
        };
        let rising = |a: f64, n: f64| if n > 0.0 { ln_gamma(a + n) - ln_gamma(a) } else { 0.0 };
        let all = 0..self.values.len();
        let entries: f64 = all
            .clone()
            .map(|entry| rising(a.at(entry), self.tokens_on(entry)))
            .sum();
        match &self.lines {
            Some(lines) => entries - lines.a.iter().zip(&lines.n).map(|(a, n)| rising(*a, *n)).sum::<f64>(),
            None => {
                let exposed = all.map(|entry| {
                    let a = a.at(entry);
                    a * self.ln_b[entry] + (a + self.n[entry]) * self.scale[entry].ln()
                });
                entries + exposed.sum::<f64>()
            }
        }
    }

    fn moments(&self) -> [Vec<f64>; 2] {
        let [mut mean, mut variance] = [(); 2].map(|()| vec![0.0; self.values.len()]);
        self.each(|number, at, entry| {
            mean[number] = self.at(*at);
            variance[number] = match &self.lines {
                _ if self.a.is_none() => 0.0,
                None => mean[number] * self.scale[entry],
                Some(lines) => {
                    let line = offset(at, &lines.strides);
                    mean[number] * (1.0 - mean[number]) / (lines.held(line) + 1.0)
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
                let n = |at: [usize; 3]| {
                    [([1, 2, 0], 3.0), ([1, 0, 0], 1.0)]
                        .iter()
                        .find(|of| of.0 == at)
                        .map_or(0.0, |of| of.1)
                };
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
                let read_along = |axis: &usize| matches!(of, UrnOf::Simplex(..)) && last == 1 && *axis != 1;
                for axis in (0..3).filter(|axis| !read_along(axis)) {
                    for start in [[0, 0, 0], [1, 2, 0], [1, 0, 1]] {
                        let mut from = start;
                        from[axis] = 0;
                        let along = urn.along(from, axis);
                        let mut weights = vec![2.0 / along.over; [2, 3, 2][axis]];
                        along.entries.multiply(&mut weights);
                        along.lines.iter().for_each(|lines| lines.multiply(&mut weights));
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
