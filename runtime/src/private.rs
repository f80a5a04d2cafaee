//! The one door for generated code. Nothing here is promised to anyone else.

pub use nalgebra::{DMatrix, DVector};
pub use skellam_macro::declare;

/// What is in scope in generated implementations.
pub use crate::preamble;

pub use crate::channel::{Channel, Exact};
pub use crate::contract::{Axis, Grid, ONE, Pair};
pub use crate::counts::{Array, Counts};
pub use crate::error::Error;
pub use crate::infer::{
    Cavi, CaviRun, Collapse, Draws, FromArray, Gibbs, GibbsRun, Posterior, Purpose, Side, Simplex, Stream, Streams,
    View, cavi, gibbs,
};
pub use crate::model::{
    ArraySpec, CaviParts, Constant, CountPlan, CountSpec, Derivation, DerivationBlock, DirichletPrior, Domain,
    Explanation, FactorKind, FactorSpec, Factors, FormKind, GammaPrior, GibbsParts, Guard, HyperSpec, Index, Labels,
    Latent, LatentSpec, LayoutCost, Lines, Model, Monomial, Observed, OneSlice, Part, Plan, Prior, PriorSpec, Root,
    Rules, SizeTable, Slice, Slices, Spec, Step, TermSpec, Update, Values, affordable, array_hyper, cheapest, data,
    frozen, hyper, learned, supported,
};
pub use crate::release::Released;
pub use crate::selftest::{CountSetting, Mechanism, Report, Setting, Testable, mechanism, self_test};
