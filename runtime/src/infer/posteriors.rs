//! Variational posteriors of every latent: how they are updated, and how far they are from their priors.

use crate::family::{Custom, Family};
use crate::model::{Complete, Factors, Latent, Lines, Model, Prior, Step};
use crate::parallel::each_of;

use super::custom::Fault;

/// The posteriors, latent by latent. For a simplex `shape` is the concentration and `rate` one; for a frozen
/// latent both are infinite.
#[derive(Clone, Debug, Default)]
pub(super) struct Posteriors {
    pub shape: Vec<Vec<f64>>,
    pub rate: Vec<Vec<f64>>,
    /// `exp(E ln x)`.
    pub geometric: Vec<Vec<f64>>,
    kinds: Vec<PosteriorKind>,
    /// Whether it has been updated: the values of a start are not a posterior.
    updated: Vec<bool>,
    /// The first conditional out of the range of doubles, or the first fault of a custom update.
    pub fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug)]
enum PosteriorKind {
    Of(&'static dyn Family, Lines),
    Frozen,
}

impl Posteriors {
    /// Posteriors that say as much as one count does around `mean`; frozen latents at their values.
    pub fn around(model: &dyn Model, latents: &[Latent], mean: &Factors) -> Self {
        let mut out = Self::default();
        for ((i, latent), mean) in latents.iter().enumerate().zip(mean.iter()) {
            let (mut shape, mut rate) = (vec![f64::INFINITY; mean.len()], vec![f64::INFINITY; mean.len()]);
            let mut geometric = mean.to_vec();
            let kind = match model.frozen(i) {
                Some(_) => PosteriorKind::Frozen,
                None => PosteriorKind::Of(latent.family, Lines::of(&latent.shape, latent.along)),
            };
            if let PosteriorKind::Of(family, lines) = kind {
                let mean = lines.gather(mean);
                lines.gathered([&mut shape, &mut rate, &mut geometric], |[shape, rate, geometric]| {
                    family.around(&mean, lines.size, [shape, rate], geometric);
                });
            }
            out.geometric.push(geometric);
            out.shape.push(shape);
            out.rate.push(rate);
            out.kinds.push(kind);
            out.updated.push(false);
        }
        out
    }

    /// Whether the latent keeps the values that it was given.
    pub fn is_frozen(&self, latent: usize) -> bool {
        matches!(self.kinds[latent], PosteriorKind::Frozen)
    }

    /// Whether every latent has been updated, and so has a bound.
    pub fn is_set(&self) -> bool {
        (0..self.kinds.len()).all(|latent| self.updated[latent] || self.is_frozen(latent))
    }

    /// Shape, rate and geometric mean of every entry of a latent, by name.
    pub fn parameters(&self, latent: usize) -> [(&'static str, &[f64]); 3] {
        [
            ("shape", &self.shape[latent]),
            ("rate", &self.rate[latent]),
            ("geometric", &self.geometric[latent]),
        ]
    }

    /// The same, to be written.
    pub fn parameters_mut(&mut self, latent: usize) -> [(&'static str, &mut [f64]); 3] {
        [
            ("shape", &mut self.shape[latent]),
            ("rate", &mut self.rate[latent]),
            ("geometric", &mut self.geometric[latent]),
        ]
    }

    /// Marks the parameters that were written as posteriors, not a start.
    pub fn all_updated(&mut self) {
        self.updated.fill(true);
    }

    /// Overwrites the parameters of a latent's posterior; means go to `x`. A frozen latent has none.
    pub fn set(&mut self, latent: usize, shape: &[f64], rate: &[f64], x: &mut [f64]) {
        let PosteriorKind::Of(family, lines) = self.kinds[latent] else {
            return;
        };
        self.shape[latent].copy_from_slice(shape);
        if family.parameters().len() > 1 {
            self.rate[latent].copy_from_slice(rate);
        }
        self.updated[latent] = true;
        lines.gathered(self.arrays(latent, x), |[shape, rate, geometric, x]| {
            moments(family, lines, [shape, rate, geometric, x]);
        });
    }

    /// `E x^2` and `(E x)^2` of every entry of a latent whose means are `mean`.
    pub fn squares(&self, latent: usize, mean: &[f64], second: &mut [f64], squared: &mut [f64]) {
        second.fill(0.0);
        if let PosteriorKind::Of(family, lines) = self.kinds[latent] {
            let parameters = [&self.shape[latent], &self.rate[latent]].map(|of| lines.gather(of));
            lines.gathered([second], |[second]| {
                family.variance([&parameters[0], &parameters[1]], lines.size, second);
            });
        }
        for ((second, squared), m) in second.iter_mut().zip(squared).zip(mean) {
            *squared = m * m;
            *second += *squared;
        }
    }

    /// What the bound loses for a latent: `-E ln p - H(q)`. `priors` are its prior at the means of its
    /// parents and at their geometric means; `mean` is its own.
    pub fn divergence(&self, latent: usize, [at_mean, geometric]: [&Prior; 2], mean: &[f64]) -> f64 {
        match self.kinds[latent] {
            PosteriorKind::Frozen => at_mean.surprise(geometric, mean),
            PosteriorKind::Of(..) => at_mean.divergence(geometric, [&self.shape[latent], &self.rate[latent]]),
        }
    }

    /// Both parameters, geometric means, and `x`.
    fn arrays<'a>(&'a mut self, latent: usize, x: &'a mut [f64]) -> [&'a mut [f64]; 4] {
        [
            &mut self.shape[latent],
            &mut self.rate[latent],
            &mut self.geometric[latent],
            x,
        ]
    }
}

/// Means and geometric means from the parameters, block by block.
fn moments(family: &dyn Family, lines: Lines, [shape, rate, geometric, x]: [&mut [f64]; 4]) {
    blocks(lines, [shape, rate, geometric, x], |_, [shape, rate, geometric, x]| {
        family.moments([shape, rate], lines.size, x, geometric);
    });
}

/// Calls `each` with the first line of every block and its part of arrays that lie line after line.
fn blocks(lines: Lines, arrays: [&mut [f64]; 4], each: impl Fn(usize, [&mut [f64]; 4]) + Sync) {
    let size = lines.per_block() * lines.size;
    if arrays[0].len() <= size {
        // Slices come by the thousand: a job for each would cost more than its entries.
        return each(0, arrays);
    }
    let [shape, rate, geometric, x] = arrays.map(|array| array.chunks_mut(size));
    let blocks = shape.zip(rate).zip(geometric.zip(x)).enumerate();
    each_of(blocks, |(block, ((shape, rate), (geometric, x)))| {
        each(block * lines.per_block(), [shape, rate, geometric, x]);
    });
}

/// The parameters of the conditional, or those of a custom update, and their moments.
fn ascend(of: &Complete<'_>, arrays: [&mut [f64]; 4]) -> Option<Fault> {
    let (family, lines, part) = (of.family, of.lines, of.part);
    let parameters = |first: usize, shape: &mut [f64], rate: &mut [f64]| {
        let [one, other] = of.parameters_of(first, shape.len() / lines.size);
        shape.copy_from_slice(&one);
        rate.copy_from_slice(&other);
    };
    let mut fault = None;
    lines.gathered(arrays, |[shape, rate, geometric, x]| {
        let Some(update) = family.update() else {
            blocks(
                lines,
                [shape, rate, geometric, x],
                |first, [shape, rate, geometric, x]| {
                    parameters(first, shape, rate);
                    family.moments([shape, rate], lines.size, x, geometric);
                },
            );
            let overflow = family.overflow([shape, rate]);
            fault = overflow.map(|(at, mean)| Fault::in_mean(part, lines, at, mean));
            if family.is_of_a_user() {
                fault = fault.or_else(|| Fault::outside(of, x));
                // Nothing may be divided by a zero.
                geometric.iter_mut().for_each(|g| *g = g.max(f64::MIN_POSITIVE));
            }
            return;
        };
        parameters(0, shape, rate);
        Custom::ascend(family, update, [shape, rate], lines.size);
        fault = Fault::in_entries(part, lines, shape).or(Fault::in_entries(part, lines, rate));
        moments(family, lines, [shape, rate, geometric, x]);
    });
    fault
}

impl Step for Posteriors {
    fn is_ascent(&self) -> bool {
        true
    }

    fn wants(&self, latent: usize) -> bool {
        !self.is_frozen(latent)
    }

    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        let latent = of.part.latent;
        if !self.wants(latent) {
            return;
        }
        self.updated[latent] = true;
        let fault = match of.part.slice {
            None => ascend(of, self.arrays(latent, x)),
            Some(slice) => {
                // Those of a slice are copied out and put back.
                let mut copies = [const { Vec::new() }; 3].map(|_: Vec<f64>| vec![0.0; slice.entries.len()]);
                let [shape, rate, geometric] = copies.each_mut().map(|copy| &mut copy[..]);
                let fault = ascend(of, [shape, rate, geometric, x]);
                for (i, &entry) in slice.entries.iter().enumerate() {
                    [
                        self.shape[latent][entry],
                        self.rate[latent][entry],
                        self.geometric[latent][entry],
                    ] = copies.each_ref().map(|copy| copy[i]);
                }
                fault
            }
        };
        self.fault = self.fault.or(fault);
    }
}
