//! The one door for generated code. Nothing here is promised to anyone else.

pub use nalgebra::{DMatrix, DVector};

pub use crate::channel::{Channel, Exact};
pub use crate::contract::{Axis, Grid, ONE, Pair};
pub use crate::counts::{Array, Counts};
pub use crate::error::Error;
pub use crate::infer::{
    Cavi, CaviRun, Collapse, Draws, Gibbs, GibbsRun, Posterior, Purpose, Streams, View, cavi, gibbs,
};
pub use crate::model::{
    CaviParts, Derivation, DerivationBlock, Domain, Factors, FormKind, GammaPrior, GibbsParts, Index, Labels, Latent,
    LayoutCost, Model, Observed, Plan, Root, SizeTable, Step, affordable, cheapest, data, hyper,
};
pub use crate::release::Released;
pub use crate::selftest::{CountSetting, Mechanism, Report, Setting, Testable, mechanism, self_test};
