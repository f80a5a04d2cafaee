//! What a model takes as the data of a count: releases, true counts, releases taken for counts.
//!
//! What is not generic here is compiled here, and not in the crate of every model.

use std::sync::Arc;

use crate::channel::{
    Channel, Exact, GeometricCell, Naive, Skellam, SkellamCell, TruncatedCell, TruncatedGeometric, TwoSidedGeometric,
    Varying,
};
use crate::counts::{Counts, Observation, Store, Stored, Unstored};
use crate::error::Error;
use crate::release::Released;
use crate::view::{Form, Forms, GeometricSteps, Observations, Steps};

use super::super::{CountData, Source};
use super::{Kind, Observed};

impl Observed<Exact> {
    /// True counts, observed exactly.
    ///
    /// # Errors
    ///
    /// There is no memory for a copy of them.
    pub fn exact(counts: &Counts) -> Result<Self, Error> {
        let cells = counts.iter_nonzero().map(|(cell, count)| (cell as u64, count));
        let stored = Stored::collect(counts.shape(), counts.num_nonzero(), cells, COPY[0], COPY[1])?;
        let data = Observations {
            shape: counts.shape().to_vec(),
            store: Store::Sparse(stored, Unstored::default()),
            law: Varying::Uniform(Exact),
            mask: counts.mask().clone(),
        };
        Ok(Self::new(data, Kind::True, Source::exact()))
    }
}

impl Observed<Naive> {
    /// Releases taken for counts, negative ones for zero.
    ///
    /// # Errors
    ///
    /// There is no memory for a copy of them.
    pub fn naive<M: Channel>(released: &Released<M>) -> Result<Self, Error> {
        let store = match released.store() {
            Store::Dense(values) => Store::Dense(Observation::nearest(values)),
            Store::Sparse(cells, _) => {
                let rounded = cells.iter().map(|(cell, value)| (cell as u64, value.rounded()));
                let stored = Stored::collect(released.shape(), cells.len(), rounded, COPY[0], COPY[1])?;
                Store::Sparse(stored, Unstored::default())
            }
        };
        let data = Observations {
            shape: released.shape().to_vec(),
            store,
            law: Varying::Uniform(Naive),
            mask: released.mask().clone(),
        };
        Ok(Self::new(data, Kind::Taken, Source::released(released.provenance())))
    }
}

/// [`Observed::exact`] without its type.
///
/// # Errors
///
/// Those of [`Observed::exact`].
pub fn exact(counts: &Counts) -> Result<Arc<dyn CountData>, Error> {
    Ok(Observed::exact(counts)?.shared())
}

/// [`Observed::naive`] without its type.
///
/// # Errors
///
/// Those of [`Observed::naive`].
pub fn naive<M: Channel>(released: &Released<M>) -> Result<Arc<dyn CountData>, Error> {
    Ok(taken(Observed::naive(released)?))
}

fn taken(observed: Observed<Naive>) -> Arc<dyn CountData> {
    observed.shared()
}

fn geometric(released: &Released<TwoSidedGeometric>, steps: GeometricSteps) -> Arc<dyn CountData> {
    let (collapsed, augmented) = steps.forms();
    let forms = Forms::new(collapsed, Some(augmented));
    Observed::released(released).in_forms(forms).shared()
}

/// What was released by a law of which nothing is kept, by `steps`.
fn collapsed<C: Channel>(released: &Released<C>, steps: Steps<C>) -> Arc<dyn CountData> {
    let forms = Forms::new::<(), ()>(Form::collapsed().by(steps), None);
    Observed::released(released).in_forms(forms).shared()
}

/// A release as a generated file sees it: where the law is the one for which `S` writes out the steps of a cell, those steps are the
/// augmented form. Where a custom law has the same name, method resolution takes the second implementation, and the
/// channel's form is run.
pub trait SeenAugmented<S> {
    /// The data of a count.
    fn seen_by(self, cell: S) -> Arc<dyn CountData>;
}

impl<S: GeometricCell> SeenAugmented<S> for &Released<TwoSidedGeometric> {
    fn seen_by(self, _: S) -> Arc<dyn CountData> {
        geometric(self, GeometricSteps::of::<S>())
    }
}

impl<M: Channel, S> SeenAugmented<S> for &&Released<M> {
    fn seen_by(self, _: S) -> Arc<dyn CountData> {
        Observed::released(self).shared()
    }
}

/// The same where the steps of `S` are the collapsed form: nothing of the noise is kept, as its level is known. A trait of its own, so that
/// a law of one kind under the name of the other is resolved to the channel's form too.
pub trait SeenCollapsed<S> {
    /// The data of a count.
    fn seen_by(self, cell: S) -> Arc<dyn CountData>;
}

impl<S: SkellamCell> SeenCollapsed<S> for &Released<Skellam> {
    fn seen_by(self, _: S) -> Arc<dyn CountData> {
        collapsed(self, Steps::<Skellam>::of::<S>())
    }
}

impl<M: Channel, S> SeenCollapsed<S> for &&Released<M> {
    fn seen_by(self, _: S) -> Arc<dyn CountData> {
        Observed::released(self).shared()
    }
}

/// The same for noise of which what is negative was set to zero.
pub trait SeenTruncated<S> {
    /// The data of a count.
    fn seen_by(self, cell: S) -> Arc<dyn CountData>;
}

impl<S: TruncatedCell> SeenTruncated<S> for &Released<TruncatedGeometric> {
    fn seen_by(self, _: S) -> Arc<dyn CountData> {
        collapsed(self, Steps::<TruncatedGeometric>::of::<S>())
    }
}

impl<M: Channel, S> SeenTruncated<S> for &&Released<M> {
    fn seen_by(self, _: S) -> Arc<dyn CountData> {
        Observed::released(self).shared()
    }
}

/// What `new` of a model takes, where its count is declared to be released by `M`: a reference to such a release.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a release by `{M}`, by which the model declares its count to be released",
    label = "not released by `{M}`",
    note = "true counts are observed exactly, and go into the model's `exact` instead of `new`",
    note = "a release by another mechanism needs its name in the declaration: `release y by ..`"
)]
pub trait ReleasedBy<M: Channel> {
    /// The release.
    fn released(&self) -> &Released<M>;
}

impl<M: Channel> ReleasedBy<M> for &Released<M> {
    fn released(&self) -> &Released<M> {
        self
    }
}

/// What `new` of a model of several counts takes, some of which are declared to be released: what was observed of each of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what `{M}::new` takes: what was observed of each of its counts",
    label = "not the data of `{M}`",
    note = "releases, and counts that are declared without one, go into the struct `{M}Data`, which has a field for each count",
    note = "true counts are observed exactly, and go into the model's `exact` instead of `new`, in the struct `{M}Counts`"
)]
pub trait DataOf<M> {
    /// The counts as they are seen, in the order of declaration.
    ///
    /// # Errors
    ///
    /// If there is no memory for what is made of them.
    fn observed(self) -> Result<Vec<Arc<dyn CountData>>, Error>;
}

/// What the error says where there is no memory for a copy of the counts.
const COPY: [&str; 2] = ["a copy of the counts", "lower the sizes"];
