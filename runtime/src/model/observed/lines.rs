//! What counts with a known total are asked for besides: what was observed at any true count, and sums along an index.

use std::sync::Arc;

use crate::channel::Channel;
use crate::contract::Grid;
use crate::counts::{Mask, Observation};
use crate::error::{Error, TotalError};
use crate::model::{CountData, Rules};
use crate::release::ReleaseError;
use crate::total::Likelihood;
use crate::view::{Binding, Guards, Observations, View};

use super::{Observed, ObservedKind, constant_mask};

/// The observations of a count with their law.
struct Observing<C: Channel>(Observations<C>);

impl<C: Channel> Likelihood for Observing<C> {
    fn ln_likelihood(&self, cell: usize, y: u64) -> f64 {
        let Self(data) = self;
        let law = data.law.at(cell, &data.shape);
        // What cannot say was refused.
        law.ln_likelihood(y, data.store.at(cell)).unwrap_or(f64::NEG_INFINITY)
    }

    fn number(&self, cell: usize) -> f64 {
        self.0.store.at(cell).number()
    }

    fn is_log_concave(&self) -> bool {
        C::IS_LOG_CONCAVE
    }
}

fn observing<C: Channel>(data: &Observations<C>) -> Result<Arc<dyn Likelihood>, Error> {
    let can_say = data.law.at(0, &data.shape).ln_likelihood(0, data.store.at(0)).is_some();
    match can_say {
        true => Ok(Arc::new(Observing(data.clone()))),
        false => Err(Error::Total(TotalError::NoLikelihood {
            channel: C::text().name,
        })),
    }
}

impl<M: Channel> Observed<M> {
    /// What was observed at each cell, for any true count.
    pub(in crate::model) fn likelihood_of_cells(&self, name: &'static str) -> Result<Arc<dyn Likelihood>, Error> {
        match self.kind {
            ObservedKind::Released | ObservedKind::True => observing(&self.data),
            ObservedKind::Taken => Err(Error::Total(TotalError::Naive { count: name })),
        }
    }

    /// The view of a count of which tables are drawn; the cells of `closed` take no part.
    pub(in crate::model) fn table_view(
        &self,
        name: &'static str,
        grid: Grid,
        rules: &Rules<'_>,
        closed: &Mask,
    ) -> Result<View, Error> {
        if !self.data.store.unstored().is_empty() {
            let what = "lines of a known total are drawn whole";
            return Err(ReleaseError::Summed { what }.into());
        }
        let guards = Guards::new(&grid, rules.guards);
        let mean = self.mean_of_model(name, &grid, &guards)?;
        constant_mask(name, &grid, &guards, &self.data.mask, rules.constant)?;
        let binding = Binding {
            name,
            source: self.source.clone(),
            grid,
            guards,
            mean,
            augmented: false,
            drawn: true,
        };
        View::of_table(binding, closed, self.channel(), Some(self.likelihood_of_cells(name)?))
    }

    /// The sum of true counts along an index, for each line; `None` where they are not known.
    pub(in crate::model) fn sums(&self, axis: usize) -> Option<Vec<u64>> {
        if self.kind != ObservedKind::True {
            return None;
        }
        let data = &self.data;
        let (size, stride) = (data.shape[axis], data.shape[axis + 1..].iter().product::<usize>());
        let lines = data.shape.iter().product::<usize>() / size;
        let mut sums = vec![0; lines];
        for (cell, count) in data.store.iter() {
            sums[cell / (size * stride) * stride + cell % stride] += count.rounded().max(0) as u64;
        }
        Some(sums)
    }
}
