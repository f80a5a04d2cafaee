//! The one door for generated code. Nothing here is promised to anyone else.

pub use nalgebra::{DMatrix, DVector};
pub use skellam_macro::declare;

/// What is in scope in generated implementations.
pub use crate::preamble;

pub use crate::channel::formula::CellNames;
pub use crate::channel::{Channel, Exact};
pub use crate::counts::{Array, Counts};
pub use crate::diagnose::PredictiveCheck;
pub use crate::error::Error;
pub use crate::infer::{
    Cavi, CaviFit, Declaration, Declared, Draws, FitOf, Gibbs, GibbsFit, Plan, Posterior, Predictive, Simplex,
    auxiliary_bytes,
};
pub use crate::model::{
    ArraySpec, Bound, Constant, Contraction, CountData, CountSpec, Derivation, DerivationBlock, Derived, DerivedCount,
    Domain, EngineForm, Explanation, FactorSpec as Factor, Factors, FormKind, Given, Guard, HyperSpec, Index, Labels,
    LatentSpec, Leaf, Model, Observed, Origin, Place, PriorSpec, ReleasedBy, Root, Scaled, Slot, Spec, State, Step,
    Symmetry, TermSpec as Term, Tree, WrittenCount, WrittenForm, WrittenModel,
};
pub use crate::release::Released;
pub use crate::selftest::{Mechanism, Report, Setting, Testable, mechanism, self_test};
