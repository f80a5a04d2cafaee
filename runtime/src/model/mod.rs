//! The contract between a declared model and the engines.
//!
//! `model!` derives an implementation of [`Model`]; the engines of [`crate::infer`] know nothing else of
//! a model, and are compiled once for all. What is the same for every model is data ([`Bound`]); what is special is generated: the rates
//! with their adjoints and exposures ([`Emitted`]), and the coordinate updates in the order in which they run:
//!
//! ```text
//! set_rates  ->  update: count by count  thin (Gibbs) or expect (CAVI),  then latent by latent  law -> step -> value -> rates
//! ```

/// Factors and counts whose truth is known.
pub mod simulate {
    pub use crate::simulate::*;
}

/// Laws of latents: those of the language, and the trait by which a user adds one.
pub mod family {
    pub use crate::family::*;
}

mod apart;
mod bound;
mod cell_names;
mod count_cost;
mod count_data;
mod count_rate;
mod count_rate_cells;
mod count_rate_likelihood;
mod derivation;
mod elbo_parts;
mod emitted;
mod factors;
mod forms;
mod given;
mod labels;
mod latent;
mod latex;
mod lookup;
mod observed;
mod order;
mod parameters;
mod prior;
mod prior_draw;
mod rate_function;
mod roles;
mod rules;
mod shape;
mod sizes;
mod spec;
mod state;
mod step;
mod symmetry;
mod tokens;
mod totals;
mod unlearned;
mod updates;
mod written_count;

pub use bound::Bound;
pub use cell_names::CellNames;
pub use count_cost::{CountCost, affordable};
pub use count_data::CountData;
pub use count_rate::CountRate;
pub use derivation::{Derivation, DerivationBlock};
pub(crate) use elbo_parts::CountPart;
pub use elbo_parts::ElboParts;
pub use emitted::{ByTokens, Emitted, Known, Reading, Sides};
pub use factors::Factors;
pub use forms::{EngineForm, Unexplained, WrittenForm, WrittenModel};
#[doc(hidden)]
pub use given::WAYS;
pub(crate) use given::learned_shapes;
pub use given::{Derived, Given};
pub use labels::{Index, Labels, Origin};
pub use latent::Latent;
pub use lookup::{Lookup, Positions, Start};
pub use observed::{
    DataOf, FormKind, HiddenCount, Observed, ReleasedBy, Replicated, SeenAs, SeenByCell, SeenDifferences, SeenInSteps,
    SeenThrough, Target, exact, naive, seen, supported,
};
pub(crate) use order::{Order, Orders};
use parameters::entries;
pub use parameters::{Domain, array_hyper, data, hyper};
pub use prior_draw::TrueCounts;
pub(crate) use rate_function::RateFunction;
pub use rules::{Constant, Rules, learned};
pub use sizes::SizeTable;
pub use spec::{
    ArraySpec, CountSpec, FactorKind, FactorSpec, HyperSpec, LatentSpec, PriorSpec, Spec, TermSpec, TotalKind,
    TotalSpec,
};
pub use state::{DrawnTables, State};
pub use step::{Complete, Part, Slice, Step};
pub use symmetry::{Scaled, Symmetry};
pub use unlearned::Unlearned;
pub use written_count::{WrittenCell, WrittenCount};

pub use crate::family::{Lines, Prior, Update};
pub use crate::view::{Guard, Source};
pub use skellam_formula::{LEAST_HYPER, MOST_HYPER};

use crate::view::View;

/// A model with its data, ready for inference. Implemented by `model!`.
pub trait Model: Send + Sync {
    /// What is the same for every model: sizes, latents, counts with their data.
    fn bound(&self) -> &Bound;

    /// The prior of a latent where its parents have the values `x`. Parameters are products of
    /// parents, so at posterior means of `x` it holds the means of the parameters, and at geometric means
    /// their geometric means.
    fn prior(&self, latent: usize, x: &Factors) -> Prior {
        self.bound().prior(latent, x)
    }

    /// The rate of every count where all latents are zero.
    fn count_rates(&self) -> Vec<CountRate> {
        self.bound().count_rates()
    }

    /// Gives the rates the values of the latents.
    fn set_rates(&self, x: &Factors, count_rates: &mut [CountRate]) {
        count_rates.iter_mut().for_each(|rate| rate.set(x));
    }

    /// Has `step` allocate every count in turn, into `counts`, and updates every latent in turn: computes its complete conditional at the
    /// current values of the others and hands it to `step`. On return the rates are those of the new values.
    fn update(&self, x: &mut Factors, counts: &mut Factors, count_rates: &mut [CountRate], step: &mut dyn Step);

    /// The bound that coordinate ascent ascends, from its parts.
    fn elbo(&self, of: &ElboParts<'_>) -> f64;

    /// Ways of scaling latents that leave every rate as it is.
    fn symmetries(&self) -> &'static [Symmetry] {
        self.bound().symmetries()
    }

    /// The latents in the order of declaration.
    fn latents(&self) -> &[Latent] {
        self.bound().latents()
    }

    /// The values of a frozen latent; `None` for the others.
    fn frozen(&self, latent: usize) -> Option<&[f64]> {
        self.bound().frozen(latent)
    }

    /// The counts with their data.
    fn views(&self) -> Vec<&View> {
        self.bound().views()
    }

    /// Arrays of the right sizes, all zero.
    fn factors(&self) -> Factors {
        Factors::zeros(self.latents())
    }
}
