//! What most programs need.

pub use crate::channel::{
    AtLeastOne, ContinuousLaplace, Exact, Laplace, Naive, Skellam, TruncatedGeometric, TwoSidedGeometric, Varying,
};
pub use crate::counts::{Array, Counts, Differences, Mask, ReadOptions};
pub use crate::error::Error;
pub use crate::infer::{
    Callback, Cavi, CaviForm, CaviStart, Checkpoint, Gibbs, GibbsForm, Interrupt, Keep, KeepRates, Kept, Moves,
    Predictive, Progress, StartingValues,
};
pub use crate::model;
pub use crate::model::{EngineForm, Update};
pub use crate::release::{
    LatticeLaplace, Ledger, Lplp, Mechanism, Presence, Promise, Released, Sensitive, SkellamNoise, Truncated,
};
