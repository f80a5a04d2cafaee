//! The prior of a latent at given values of its parents, and how its entries lie on lines.

use std::borrow::Cow;

use crate::parallel::each_of;

use super::{BLOCK, Family, Reference};

/// How far from one a line may sum: rounding over a million entries, and no more.
pub(crate) const SUM_TOLERANCE: f64 = 1e-9;

/// How the entries of a latent lie on lines: `outer` times `inner` of them, each of `size` entries
/// that lie `inner` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Product of the sizes of the indices before the one that the line runs along.
    pub outer: usize,
    /// Size of that index.
    pub size: usize,
    /// Product of the sizes of the indices after it.
    pub inner: usize,
}

impl Lines {
    /// Lines along index `along` of an array of `shape`.
    pub fn new(shape: &[usize], along: usize) -> Self {
        Self {
            outer: shape[..along].iter().product(),
            size: shape[along],
            inner: shape[along + 1..].iter().product(),
        }
    }

    /// Lines of one entry each.
    pub fn apart(entries: usize) -> Self {
        Self {
            outer: entries,
            size: 1,
            inner: 1,
        }
    }

    /// Lines along an index of an array of `shape`, or of one entry each.
    pub fn of(shape: &[usize], along: Option<usize>) -> Self {
        match along {
            Some(along) => Self::new(shape, along),
            None => Self::apart(shape.iter().product()),
        }
    }

    /// How many there are.
    pub fn number(&self) -> usize {
        self.outer * self.inner
    }

    /// Lines that share a random stream, or are computed together.
    pub fn per_block(&self) -> usize {
        (BLOCK / self.size).max(1)
    }

    /// The entries of line `line`, in order.
    pub fn entries(&self, line: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let first = line / self.inner * self.size * self.inner + line % self.inner;
        let step = self.inner;
        (0..self.size).map(move |i| first + i * step)
    }

    /// The entry that is number `at`, line after line.
    pub fn entry(&self, at: usize) -> usize {
        let line = at / self.size;
        line / self.inner * self.size * self.inner + line % self.inner + at % self.size * self.inner
    }

    /// The values of an array, line after line.
    pub fn gather<'a>(&self, array: &'a [f64]) -> Cow<'a, [f64]> {
        if self.inner == 1 {
            return Cow::Borrowed(array);
        }
        let lines = (0..self.number()).flat_map(|line| self.entries(line).map(|e| array[e]));
        Cow::Owned(lines.collect())
    }

    /// The inverse of [`Lines::gather`].
    pub fn scatter(&self, gathered: &[f64], array: &mut [f64]) {
        if self.inner == 1 {
            array.copy_from_slice(gathered);
            return;
        }
        for (line, values) in gathered.chunks_exact(self.size).enumerate() {
            for (entry, value) in self.entries(line).zip(values) {
                array[entry] = *value;
            }
        }
    }

    /// Calls `each` with the values of arrays line after line, and puts what it leaves back in its place.
    pub fn gathered<const N: usize>(&self, arrays: [&mut [f64]; N], each: impl FnOnce([&mut [f64]; N])) {
        if self.inner == 1 {
            return each(arrays);
        }
        let mut copies = arrays.each_ref().map(|array| self.gather(array).into_owned());
        each(copies.each_mut().map(|copy| &mut copy[..]));
        for (copy, array) in copies.iter().zip(arrays) {
            self.scatter(copy, array);
        }
    }

    /// The values at the entries of `number` lines from line `first` on, line after line.
    pub fn slice<'a>(&self, array: &'a [f64], first: usize, number: usize) -> Cow<'a, [f64]> {
        if self.inner == 1 {
            return Cow::Borrowed(&array[first * self.size..(first + number) * self.size]);
        }
        let lines = (first..first + number).flat_map(|line| self.entries(line).map(|e| array[e]));
        Cow::Owned(lines.collect())
    }
}

/// The prior of a latent: a family and its parameters.
#[derive(Clone, Debug)]
pub struct Prior {
    /// The law.
    pub family: &'static dyn Family,
    /// What counts are added to, and what exposure is added to: of every entry.
    pub parameters: [Vec<f64>; 2],
    /// Which entries depend on each other, if any do.
    pub lines: Option<Lines>,
}

impl PartialEq for Prior {
    fn eq(&self, other: &Self) -> bool {
        *self.family == *other.family && self.parameters == other.parameters && self.lines == other.lines
    }
}

/// The terms of some lines, by the number of the first and how many there are, given what their priors say.
type Terms<'t> = dyn for<'a> Fn(usize, usize, &dyn Fn(usize) -> Reference<'a>) -> Vec<f64> + Sync + 't;

impl Prior {
    /// The first parameter: the shape of a gamma.
    pub fn shape(&self) -> &[f64] {
        &self.parameters[0]
    }

    /// The second parameter: the rate of a gamma.
    pub fn rate(&self) -> &[f64] {
        &self.parameters[1]
    }

    /// The parameters of some entries.
    pub fn at(&self, entries: &[usize]) -> [Vec<f64>; 2] {
        self.parameters
            .each_ref()
            .map(|of| entries.iter().map(|&entry| of[entry]).collect())
    }

    /// How `entries` of them lie on lines.
    pub fn lines(&self, entries: usize) -> Lines {
        self.lines.unwrap_or_else(|| Lines::apart(entries))
    }

    /// `-E ln p(x) - H(q)` over all lines, where `q` has the parameters `posterior`: KL from the prior where that is fixed. The prior is
    /// this one at the means of the latents in it, and `geometric` at their geometric means.
    pub fn divergence(&self, geometric: &Prior, posterior: [&[f64]; 2]) -> f64 {
        let lines = self.lines(posterior[0].len());
        self.sum_over_lines(geometric, lines, &|first, number, prior| {
            let posterior = posterior.map(|of| lines.slice(of, first, number));
            let size = lines.size;
            let line = |i: usize| [0, 1].map(|p: usize| &posterior[p][i * size..(i + 1) * size]);
            (0..number).map(|i| self.family.divergence(line(i), prior(i))).collect()
        })
    }

    /// `-E ln p(x)` over all lines where the entries are known to be `x`: only the prior varies.
    pub fn surprise(&self, geometric: &Prior, x: &[f64]) -> f64 {
        let lines = self.lines(x.len());
        self.sum_over_lines(geometric, lines, &|first, number, prior| {
            let x = lines.slice(x, first, number);
            let line = |i: usize| &x[i * lines.size..(i + 1) * lines.size];
            (0..number).map(|i| self.family.surprise(line(i), prior(i))).collect()
        })
    }

    /// The sum of terms, one for each line. Blocks are collected, then added in order: a parallel sum would depend on the number of
    /// threads.
    fn sum_over_lines(&self, geometric: &Prior, lines: Lines, terms: &Terms<'_>) -> f64 {
        let (all, per_block, size) = (lines.number(), lines.per_block(), lines.size);
        let block = |block: usize| -> Vec<f64> {
            let first = block * per_block;
            let number = per_block.min(all - first);
            let mean = self
                .parameters
                .each_ref()
                .map(|values| lines.slice(values, first, number));
            let at_geometric = lines.slice(&geometric.parameters[1], first, number);
            let line = |i: usize| i * size..(i + 1) * size;
            let reference = |i: usize| Reference {
                mean: [&mean[0][line(i)], &mean[1][line(i)]],
                geometric: &at_geometric[line(i)],
            };
            let terms = terms(first, number, &reference);
            match self.family.has_lines() {
                true => terms,
                false => vec![terms.iter().sum()],
            }
        };
        let sums = each_of(0..all.div_ceil(per_block), block);
        sums.iter().flatten().sum()
    }
}
