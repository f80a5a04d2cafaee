//! The contract between a declared model and the engines.
//!
//! `model!` derives an implementation of [`Model`]; the engines of [`crate::infer`] know nothing else of
//! a model, and are compiled once for all. What is the same for every model is data ([`Bound`]); what is special are the
//! priors, the three walks over the contraction trees, and the coordinate updates in the order in which they run:
//!
//! ```text
//! forward  ->  update: count by count  view: thin (Gibbs) or expect (CAVI)  ->  thin or adjoint,  then latent by latent
//! ```

mod apart;
mod bound;
mod cell_names;
mod count_data;
mod derivation;
mod derived_prior;
mod elbo_parts;
mod emitted;
mod explanation;
mod factors;
mod formed;
mod formed_likelihood;
mod forms;
mod given;
mod labels;
mod latent;
mod latex;
mod layout_cost;
mod lookup;
mod matrices;
mod monomial;
mod observed;
mod order;
mod parameters;
mod rate_walk;
mod roles;
mod root;
mod root_cells;
mod rules;
mod shape;
mod sizes;
mod spec;
mod state;
mod step;
mod symmetry;
mod totals;
mod unlearned;
mod updates;
mod written_count;

pub use bound::Bound;
pub use cell_names::CellNames;
pub use count_data::CountData;
pub use derivation::{Derivation, DerivationBlock};
pub(crate) use elbo_parts::CountPart;
pub use elbo_parts::ElboParts;
pub use emitted::{Emitted, Known, Reading, Sides};
pub use explanation::Explanation;
pub use factors::Factors;
pub use forms::{EngineForm, WrittenForm, WrittenModel};
pub(crate) use given::learned_shapes;
pub use given::{Derived, Given};
pub use labels::{Index, Labels, Origin};
pub use latent::Latent;
pub use layout_cost::{LayoutCost, affordable};
pub use lookup::{Lookup, Positions, Start};
pub use monomial::Monomial;
pub use observed::{
    DataOf, FormKind, HiddenCount, Observed, ReleasedBy, Replicated, SeenAs, SeenByCell, SeenDifferences, SeenInSteps,
    Target, exact, naive, seen, supported,
};
pub(crate) use order::{Order, Orders};
use parameters::entries;
pub use parameters::{Domain, array_hyper, data, frozen, hyper};
pub(crate) use rate_walk::{RateFunction, RateWalk};
pub use root::Root;
pub use rules::{Constant, Rules, learned};
pub use sizes::SizeTable;
pub use spec::{
    ArraySpec, CountSpec, FactorKind, FactorSpec, HyperSpec, LatentSpec, PriorSpec, Spec, TermSpec, TotalKind,
    TotalSpec,
};
pub use state::{DrawnTables, State};
pub use step::{Complete, CompleteLaw, Part, Slice, Slices, Step};
pub use symmetry::{Scaled, Symmetry};
pub use unlearned::Unlearned;
pub use written_count::{WrittenCell, WrittenCount};

pub use crate::family::{Lines, Prior, Update, Values};
pub use crate::view::{Guard, Source};
pub use skellam_formula::{LEAST_HYPER, MOST_HYPER};

use crate::streams::Streams;
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

    /// The rates of every count, at no values so far.
    fn roots(&self) -> Vec<Root> {
        self.bound().roots()
    }

    /// Forward walk: inner nodes and operands of every root from the factors.
    fn forward(&self, x: &Factors, roots: &mut [Root]) {
        self.bound().forward(x, roots);
    }

    /// Forward walk where `x` holds squares, or second moments, of the factors, and what is known in a rate is squared on the way:
    /// operands whose product is the sum of the squares of the components of each rate.
    fn forward_squares(&self, x: &Factors, roots: &mut [Root]) {
        match self.bound().is_derived() {
            true => self.bound().forward_squares(x, roots),
            false => self.forward(x, roots),
        }
    }

    /// Adjoint walk: from derivatives in the roots' seeds to derivatives with respect to the factors,
    /// which are added to `into`.
    fn adjoint(&self, x: &Factors, roots: &[Root], into: &mut Factors) {
        let _ = (x, roots, into);
    }

    /// Thin walk: from counts in the roots' seeds to counts on the factors, which are added to `into`.
    fn thin(&self, x: &Factors, roots: &[Root], into: &mut Factors, streams: &Streams) {
        let _ = (x, roots, into, streams);
    }

    /// Has `step` allocate every count in turn, into `counts`, and updates every latent in turn: computes its exposure at the current values of the
    /// others and hands it to `step` with its counts. On return the roots' operands and inner nodes are those of the new values.
    fn update(&self, x: &mut Factors, counts: &mut Factors, roots: &mut [Root], step: &mut dyn Step);

    /// The bound that coordinate ascent ascends, from its parts; [`ElboParts::all`] of a model that was written by hand.
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
