//! What a model takes as the data of a count: releases, true counts, releases taken for counts.
//!
//! What is not generic here is compiled here, and not in the crate of every model.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::channel::{Channel, Exact, Naive, TwoSidedGeometric, Varying};
use crate::counts::{Counts, Observation, Store, Stored, Unstored};
use crate::error::Error;
use crate::release::Released;
use crate::view::{Form, Forms, GeometricCell, GeometricSteps, Observations, Steps, SummedOutCell, written_laws};

use super::super::{CountData, Source};
use super::{Observed, ObservedKind};

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
        Ok(Self::new(data, ObservedKind::True, Source::exact()))
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
        Ok(Self::new(
            data,
            ObservedKind::Taken,
            Source::released(released.provenance()),
        ))
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

/// The law `M` by its type alone, in a generated file whose steps of a cell were written for the library's law `L`.
///
/// A macro sees the name of a law, not its type: a custom law may have the name of one of the library's. Where `M` is `L`, the steps of the file are run. Elsewhere
/// method resolution, which goes by the type of the receiver, takes the second implementation of [`SeenByCell`], and the channel's own forms are run.
#[derive(Clone, Copy, Debug)]
pub struct SeenAs<L, M>(PhantomData<fn() -> (L, M)>);

impl<L, M: Channel> SeenAs<L, M> {
    /// The law `M`.
    pub const LAW: Self = Self(PhantomData);
}

/// How a count is seen through a law: in which forms, and the data of a release. Functions, so that what they call is compiled here.
pub struct SeenThrough<M: Channel> {
    /// The forms that engines run.
    pub forms: fn() -> Forms<M>,
    /// A release, seen in these forms.
    pub data: fn(&Released<M>) -> Arc<dyn CountData>,
}

impl<M: Channel> SeenThrough<M> {
    /// In the channel's own forms.
    pub fn by_channel() -> Self {
        Self {
            forms: Forms::with::<M::Augmentation>,
            data: |released| Observed::released(released).shared(),
        }
    }
}

/// A law of the library for which `S` writes out the steps of a cell.
pub trait SeenInSteps<S>: Channel {
    /// The forms that these steps make.
    fn seen() -> SeenThrough<Self>;
}

fn in_forms<M: Channel>(released: &Released<M>, forms: Forms<M>) -> Arc<dyn CountData> {
    Observed::released(released).in_forms(forms).shared()
}

impl<S: GeometricCell> SeenInSteps<S> for TwoSidedGeometric {
    fn seen() -> SeenThrough<Self> {
        fn forms(steps: GeometricSteps) -> Forms<TwoSidedGeometric> {
            let (collapsed, augmented) = steps.forms();
            Forms::new(collapsed, Some(augmented))
        }
        fn data(released: &Released<TwoSidedGeometric>, steps: GeometricSteps) -> Arc<dyn CountData> {
            in_forms(released, forms(steps))
        }
        SeenThrough {
            forms: || forms(GeometricSteps::of::<S>()),
            data: |released| data(released, GeometricSteps::of::<S>()),
        }
    }
}

macro_rules! seen {
    ($($law:ty),*) => {
        $(
            impl<S: SummedOutCell<$law>> SeenInSteps<S> for $law {
                fn seen() -> SeenThrough<Self> {
                    fn forms(steps: Steps<$law>) -> Forms<$law> {
                        Forms::new::<(), ()>(Form::collapsed().by(steps), None)
                    }
                    fn data(released: &Released<$law>, steps: Steps<$law>) -> Arc<dyn CountData> {
                        in_forms(released, forms(steps))
                    }
                    SeenThrough {
                        forms: || forms(Steps::of::<S>()),
                        data: |released| data(released, Steps::of::<S>()),
                    }
                }
            }
        )*
    };
}

written_laws!(seen);

/// How a count is seen, where `S` writes out the steps of a cell.
pub trait SeenByCell<S> {
    /// The law.
    type Law: Channel;

    /// How it is seen.
    fn by(self, cell: S) -> SeenThrough<Self::Law>;
}

impl<L: SeenInSteps<S>, S> SeenByCell<S> for SeenAs<L, L> {
    type Law = L;

    fn by(self, _: S) -> SeenThrough<L> {
        L::seen()
    }
}

impl<L, M: Channel, S> SeenByCell<S> for &SeenAs<L, M> {
    type Law = M;

    fn by(self, _: S) -> SeenThrough<M> {
        SeenThrough::by_channel()
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
