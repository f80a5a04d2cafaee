//! The one door for generated code. Nothing here is promised to anyone else.

pub use nalgebra::{DMatrix, DVector};
pub use skellam_macro::declare;

/// What is in scope in generated implementations.
pub use crate::preamble;

pub use crate::channel::formula::CellNames;
pub use crate::channel::{Channel, Exact};
pub use crate::contract::{Axis, Grid, ONE, Pair};
pub use crate::counts::{Array, Counts};
pub use crate::diagnose::PredictiveCheck;
pub use crate::error::Error;
pub use crate::infer::{
    Cavi, CaviFit, CaviRun, Collapse, Draws, FromArray, Gibbs, GibbsFit, GibbsRun, Posterior, Predictive, Simplex,
    Target, cavi, checked, draws_at, from_draws, gibbs,
};
pub use crate::infer::{CountPlan, LayoutCost, Plan, affordable, cheapest};
pub use crate::model::Replicated;
pub use crate::model::{
    ArraySpec, Constant, CountSpec, Declared, Derivation, DerivationBlock, DirichletPrior, Domain, EngineForm,
    Explanation, FactorKind, FactorSpec, Factors, FormKind, GammaPrior, Guard, HyperSpec, Index, Labels, Latent,
    LatentSpec, Lines, Model, Monomial, Observed, OneSlice, Origin, Part, Prior, PriorSpec, ReleasedBy, Root, Rules,
    Scaled, SizeTable, Slice, Slices, Spec, Step, Symmetry, TermSpec, Update, Values, WrittenCount, WrittenForm,
    WrittenModel, array_hyper, data, frozen, hyper, learned, seen, supported,
};
pub use crate::release::Released;
pub use crate::selftest::{CountSetting, Mechanism, Report, Setting, Testable, mechanism, self_test};
pub use crate::streams::{Purpose, Stream, Streams};
pub use crate::view::{Side, View};
