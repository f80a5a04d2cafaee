//! The contract between a declared model and the engines.
//!
//! `model!` derives an implementation of [`Model`]; the engines of [`crate::infer`] know nothing else of
//! a model. Its five methods are the three walks over the contraction tree, the coordinate updates in
//! the order in which they run, and the views with their data:
//!
//! ```text
//! forward  ->  view: thin (Gibbs) or expect (CAVI)  ->  thin or adjoint  ->  update, latent by latent
//! ```

mod derivation;
mod explanation;
mod forms;
mod labels;
mod monomial;
mod observed;
mod parameters;
mod prior;
mod rules;
mod sizes;
mod spec;
mod step;
mod symmetry;

pub use derivation::{Derivation, DerivationBlock};
pub use explanation::Explanation;
pub use forms::{EngineForm, WrittenCount, WrittenForm, WrittenModel};
pub use labels::{Index, Labels, Origin};
pub use monomial::Monomial;
pub use observed::{FormKind, Observed, ReleasedBy, Replicated, seen, supported};
pub use parameters::{Domain, LEAST_HYPER, MOST_HYPER, array_hyper, data, frozen, hyper};
pub(crate) use prior::SUM_TOLERANCE;
pub use prior::{DirichletPrior, GammaPrior, Lines, Prior, Values};
pub use rules::{Constant, Rules, learned};
pub use sizes::SizeTable;
pub use spec::{
    ArraySpec, CountSpec, Declared, FactorKind, FactorSpec, HyperSpec, LatentSpec, PriorSpec, Spec, TermSpec,
};
pub use step::{OneSlice, Part, Slice, Slices, Step, Update};
pub use symmetry::{Scaled, Symmetry};

pub use crate::view::{Guard, Source};

use crate::contract::Operands;
use crate::streams::Streams;
use crate::view::{Side, View, Work};

/// One array per latent, row-major in the declared order of its indices. Values of the factors, counts
/// that fell on them and derivatives with respect to them all have this shape.
pub trait Factors: Clone + Send + Sync {
    /// The arrays in the order of declaration.
    fn arrays(&self) -> Vec<&[f64]>;
    /// The arrays, to be written.
    fn arrays_mut(&mut self) -> Vec<&mut Vec<f64>>;
}

/// Name and shape of one latent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latent {
    /// As declared.
    pub name: &'static str,
    /// The index sets of its indices, in order.
    pub indices: &'static [&'static str],
    /// Their sizes.
    pub shape: Vec<usize>,
    /// Position of the index along which its entries sum to one, if its prior is a Dirichlet.
    pub along: Option<usize>,
    /// How often one term of a rate uses it, at most; zero if it is only in the priors of other latents.
    pub uses: usize,
    /// Whether its prior has latents in it.
    pub has_parents: bool,
    /// Whether it is in the prior of another latent.
    pub is_parent: bool,
    /// Whether it has an update of the user's own.
    pub own_update: bool,
    /// Those of `indices` whose values have no order of their own: neither a count nor a known array has them.
    pub components: &'static [&'static str],
}

/// The root of one count's contraction tree while inference runs: its operands, and whatever was last
/// pulled back or counted there.
#[derive(Debug)]
pub struct Root {
    /// The two matrices whose product is the rate of every cell.
    pub operands: Operands,
    /// Counts, derivatives or exposures of the operands.
    pub seeds: Operands,
    /// Buffers of the passes.
    pub work: Work,
    /// Whether the exposures in `seeds` are those of the current operands: left, right, weights.
    valid: [bool; 3],
}

impl Root {
    /// A root for `view`, all zero.
    pub fn new(view: &View) -> Self {
        let operands = Operands::zeros(view.grid());
        Self {
            seeds: operands.clone(),
            operands,
            work: Work::default(),
            valid: [false; 3],
        }
    }

    /// A root without arrays, to hold the place of one that is lent out.
    pub(crate) fn empty() -> Self {
        let nothing = Operands {
            left: Vec::new(),
            right: Vec::new(),
            weights: Vec::new(),
        };
        Self {
            seeds: nothing.clone(),
            operands: nothing,
            work: Work::default(),
            valid: [false; 3],
        }
    }

    /// Writes the exposures of the left operand to `seeds.left`, unless they are there already.
    pub fn exposure_left(&mut self, view: &View) {
        if !std::mem::replace(&mut self.valid[0], true) {
            view.exposure_left(&self.operands, &mut self.seeds, &mut self.work);
        }
    }

    /// Writes the exposures of the right operand to `seeds.right`, unless they are there already.
    pub fn exposure_right(&mut self, view: &View) {
        if !std::mem::replace(&mut self.valid[1], true) {
            view.exposure_right(&self.operands, &mut self.seeds, &mut self.work);
        }
    }

    /// Writes the exposures of the coefficients per cell to `seeds.weights`, unless they are there
    /// already.
    pub fn exposure_weights(&mut self, view: &View) {
        if !std::mem::replace(&mut self.valid[2], true) {
            view.exposure_weights(&self.operands, &mut self.seeds, &mut self.work);
        }
    }

    /// Writes the exposures of those rows of one side whose indices have the values of `fixed` to the seeds,
    /// unless all of that side's are there already; see [`View::exposure_slice`]. The other rows' are not, so
    /// that the side as a whole remains to be computed.
    pub fn exposure_slice(&mut self, side: Side, fixed: &[(usize, usize)], view: &View) {
        let valid = match side {
            Side::Left => self.valid[0],
            Side::Right => self.valid[1],
            Side::Weights => self.valid[2],
        };
        if !valid {
            view.exposure_slice(side, fixed, &self.operands, &mut self.seeds);
        }
    }

    /// The log likelihood of the present rates. Exposures of the left operand are in the seeds afterwards.
    pub fn ln_likelihood(&mut self, view: &View) -> f64 {
        let visited = view.ln_marginal(&self.operands, &mut self.seeds, &mut self.work);
        self.exposure_left(view);
        let exposed = self.operands.left.iter().zip(&self.seeds.left);
        visited - exposed.map(|(x, exposure)| x * exposure).sum::<f64>()
    }

    /// Writes the derivative of the log likelihood with respect to the operands to the seeds, and returns the log likelihood
    /// if it is to be scored: the true counts are summed out. No exposure is left in the seeds.
    pub fn pull_likelihood(&mut self, view: &View, score: bool) -> f64 {
        self.forget_exposures();
        view.pull_likelihood(&self.operands, &mut self.seeds, &mut self.work, score)
    }

    /// The seeds were overwritten by a pass: no exposure in them holds.
    pub fn forget_exposures(&mut self) {
        self.valid = [false; 3];
    }

    /// The left operand changed: exposures of the right one and of the weights no longer hold.
    pub fn left_changed(&mut self) {
        self.valid = [self.valid[0], false, false];
    }

    /// The right operand changed: exposures of the left one and of the weights no longer hold.
    pub fn right_changed(&mut self) {
        self.valid = [false, self.valid[1], false];
    }

    /// Coefficients per cell changed: exposures of both operands no longer hold. Those of coefficients do:
    /// they depend on the operands alone.
    pub fn weights_changed(&mut self) {
        self.valid = [false, false, self.valid[2]];
    }
}

/// A model with its data, ready for inference. Implemented by `model!`.
pub trait Model: Send + Sync {
    /// Arrays of the latents.
    type Factors: Factors;
    /// Inner nodes of the contraction trees.
    type Buffers: Send + Sync;

    /// The latents in the order in which they are updated.
    fn latents(&self) -> Vec<Latent>;

    /// The values of a latent that is not inferred but fixed; `None` for the others.
    fn frozen(&self, latent: usize) -> Option<&[f64]>;

    /// The prior of a latent where the latents in it have the values `x`. Parameters are products of
    /// parents, so at posterior means of `x` it holds the means of the parameters, and at geometric means
    /// their geometric means.
    fn prior(&self, latent: usize, x: &Self::Factors) -> Prior;

    /// Arrays of the right sizes, all zero.
    fn factors(&self) -> Self::Factors;

    /// Inner nodes of the right sizes.
    fn buffers(&self) -> Self::Buffers;

    /// The counts with their data.
    fn views(&self) -> Vec<&View>;

    /// Ways of scaling latents that leave every rate as it is.
    fn symmetries(&self) -> &'static [Symmetry] {
        &[]
    }

    /// Numbers that one copy of the operands of all roots and of the inner nodes holds: a run sums its memory from it.
    fn numbers(&self) -> f64 {
        let operands = |view: &&View| {
            let grid = view.grid();
            let weighted = grid.groups.iter().filter(|group| group.weighted).count();
            let sides = (grid.all_rows() as f64 + grid.batch as f64 * grid.cols as f64) * grid.inner as f64;
            sides + weighted as f64 * grid.cells() as f64
        };
        self.views().iter().map(operands).sum()
    }

    /// The declaration with the values that were set: what a checkpoint and a file of a fit say of the model. `None` for one that
    /// was written by hand.
    fn declared(&self) -> Option<Declared<'_>> {
        None
    }

    /// Forward walk: inner nodes and operands of every root from the factors.
    fn forward(&self, x: &Self::Factors, roots: &mut [Root], buffers: &mut Self::Buffers);

    /// Adjoint walk: from derivatives in the roots' seeds to derivatives with respect to the factors,
    /// which are added to `into`.
    fn adjoint(&self, x: &Self::Factors, roots: &[Root], buffers: &Self::Buffers, into: &mut Self::Factors);

    /// Thin walk: from counts in the roots' seeds to counts on the factors, which are added to `into`.
    fn thin(
        &self,
        x: &Self::Factors,
        roots: &[Root],
        buffers: &Self::Buffers,
        into: &mut Self::Factors,
        streams: &Streams,
    );

    /// Updates every latent in turn: computes its exposure at the current values of the others and hands
    /// it to `step` with its counts. On return the roots' operands and the inner nodes are those of the
    /// new values.
    fn update(
        &self,
        x: &mut Self::Factors,
        counts: &Self::Factors,
        roots: &mut [Root],
        buffers: &mut Self::Buffers,
        step: &mut dyn Step,
    );
}
