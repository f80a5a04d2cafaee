//! What might have been observed of a count: replicas through its channel.

use std::sync::Arc;

use crate::channel::{Channel, Observation};
use crate::counts::{Mask, Store, Stored};
use crate::distribution::poisson;
use crate::error::Error;
use crate::release::ReleaseError;
use crate::streams::Stream;
use crate::view::{LEAST_RATE, Observations};

use super::super::Source;
use super::{Observed, ObservedKind};

/// The data of one count, whatever its mechanism: what was observed, and what might have been.
pub trait Replicated: Sync {
    /// Size of each index.
    fn shape(&self) -> &[usize];

    /// The cells that inference does not see.
    fn mask(&self) -> &Mask;

    /// What was observed at some cells, as numbers.
    ///
    /// # Errors
    /// Values of which only the sum is known.
    fn values(&self, cells: &[usize]) -> Result<Vec<f64>, Error>;

    /// What might be observed at some cells where they have these `rates`, through the channel: those of the plus side and those of the
    /// minus side of a difference, none of the latter for any other count.
    fn replicate(&self, cells: &[usize], rates: [&[f64]; 2], rng: &mut Stream, into: &mut Vec<f64>);

    /// The log probability of what was observed at each of some cells where they have these `rates`, the true counts summed out; of a continuous law, the log density.
    fn ln_likelihood(&self, cells: &[usize], rates: [&[f64]; 2], into: &mut Vec<f64>);
}

/// A count to be checked: its name, the index sets of its indices, and its data.
pub type Target<'a> = (&'static str, Vec<&'static str>, &'a dyn Replicated);

impl<M: Channel> Replicated for Observed<M> {
    fn shape(&self) -> &[usize] {
        &self.data.shape
    }

    fn mask(&self) -> &Mask {
        &self.data.mask
    }

    fn values(&self, cells: &[usize]) -> Result<Vec<f64>, Error> {
        let mut values = values(&self.data, cells)?;
        if self.kind == ObservedKind::Taken {
            // A reader who takes releases for counts takes negative ones for zero.
            values.iter_mut().for_each(|value| *value = value.max(0.0));
        }
        Ok(values)
    }

    fn replicate(&self, cells: &[usize], [rates, _]: [&[f64]; 2], rng: &mut Stream, into: &mut Vec<f64>) {
        replicate(&self.data, cells, rates, rng, into);
    }

    fn ln_likelihood(&self, cells: &[usize], [rates, _]: [&[f64]; 2], into: &mut Vec<f64>) {
        let data = &self.data;
        into.clear();
        into.extend(cells.iter().zip(rates).map(|(&cell, &rate)| {
            let law = data.law.at(cell, &data.shape);
            law.ln_marginal(rate.max(LEAST_RATE), data.store.at(cell))
        }));
    }
}

impl<M: Channel> Observed<M> {
    /// Data like these, drawn through the channel given the true counts. Where only some cells are stored, those are that do not hold the default value.
    pub(in crate::model) fn drawn(&self, counts: &[[u64; 2]], rng: &mut Stream) -> Result<Self, Error> {
        let data = &self.data;
        let mut value = |cell: usize| data.law.at(cell, &data.shape).observe(counts[cell][0], rng);
        let store = match &data.store {
            Store::Dense(_) => Store::Dense(Arc::new((0..counts.len()).map(value).collect())),
            Store::Sparse(_, unstored) if unstored.is_empty() => {
                let all = (0..counts.len()).map(|cell| (cell as u64, value(cell)));
                let kept: Vec<_> = all.filter(|(_, value)| *value != M::Value::default()).collect();
                let stored = Stored::collect(&data.shape, kept.len(), kept.into_iter(), "drawn data", "draw fewer")?;
                Store::Sparse(stored, *unstored)
            }
            Store::Sparse(..) => return Err(summed("data are drawn cell by cell")),
        };
        let data = Observations {
            store,
            shape: data.shape.clone(),
            law: data.law.clone(),
            mask: data.mask.clone(),
        };
        Ok(Self::new(data, self.kind, Source::drawn()).in_forms(self.forms.clone()))
    }
}

fn summed(what: &'static str) -> Error {
    ReleaseError::Summed { what }.into()
}

fn values<C: Channel>(data: &Observations<C>, cells: &[usize]) -> Result<Vec<f64>, Error> {
    if !data.store.unstored().is_empty() {
        return Err(summed("a predictive check compares every value"));
    }
    Ok(match &data.store {
        Store::Dense(values) => cells.iter().map(|&cell| values[cell].number()).collect(),
        store => cells.iter().map(|&cell| store.at(cell).number()).collect(),
    })
}

fn replicate<C: Channel>(
    data: &Observations<C>,
    cells: &[usize],
    rates: &[f64],
    rng: &mut Stream,
    into: &mut Vec<f64>,
) {
    into.clear();
    into.extend(cells.iter().zip(rates).map(|(&cell, &rate)| {
        let law = data.law.at(cell, &data.shape);
        law.observe(poisson(rate, rng), rng).number()
    }));
}
