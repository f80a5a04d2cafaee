//! A declaration bound to data: the part that is the same for every model.

use std::fmt;
use std::sync::Arc;

use crate::counts::Array;
use crate::error::ValueError;
use crate::family::MOST_SHAPE;
use crate::view::{CellWeights, View};

use crate::total::Totals;

use super::shape::LearnedShape;
use super::state::DrawnTables;
use super::{
    CountRate, Derivation, Emitted, EngineForm, Factors, Known, Labels, Latent, PriorSpec, Reading, Spec, Symmetry,
    WrittenModel,
};

/// A declaration bound to data: sizes, hyperparameters, latents, and counts with the layouts of their trees. All lists are in the
/// order of the declaration.
pub struct Bound {
    pub(super) spec: &'static Spec,
    pub(super) known: Arc<Known>,
    /// What was generated.
    pub(super) emitted: &'static Emitted,
    pub(super) latents: Vec<Latent>,
    pub(super) frozen: Vec<Option<Vec<f64>>>,
    pub(super) views: Vec<View>,
    /// The learned shapes.
    pub(super) shapes: Vec<LearnedShape>,
    /// The counts with totals, of which tables are drawn.
    pub(super) totals: Totals,
    /// The priors, with which the conditionals begin.
    pub(super) priors: Vec<PriorSpec>,
    pub(super) numbers: f64,
    pub(super) symmetries: &'static [Symmetry],
    pub(super) labels: Labels,
    pub(super) written: fn() -> Option<WrittenModel>,
}

impl Bound {
    /// The declaration.
    pub fn spec(&self) -> &'static Spec {
        self.spec
    }

    /// What was derived for a form of inference; `None` for a declaration whose derivation is not at hand.
    pub(crate) fn derivation(&self, form: EngineForm) -> Option<Derivation> {
        Some((self.written)()?.derivation(&[form]))
    }

    /// Labels of the index sets.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Sizes of the index sets.
    pub fn sizes(&self) -> &[usize] {
        &self.known.sizes
    }

    /// The scalar hyperparameters.
    pub fn hypers(&self) -> &[f64] {
        &self.known.hypers
    }

    /// The known arrays: data, then hyperparameters with indices.
    pub fn arrays(&self) -> &[Array] {
        &self.known.arrays
    }

    /// The entries of a known array, row-major.
    pub fn array(&self, array: usize) -> &[f64] {
        self.known.arrays[array].as_slice()
    }

    /// The latents.
    pub fn latents(&self) -> &[Latent] {
        &self.latents
    }

    /// The values of a frozen latent; `None` for the others.
    pub fn frozen(&self, latent: usize) -> Option<&[f64]> {
        self.frozen[latent].as_deref()
    }

    /// A count with its data.
    pub fn view(&self, count: usize) -> &View {
        &self.views[count]
    }

    /// The counts with their data.
    pub fn views(&self) -> Vec<&View> {
        self.views.iter().collect()
    }

    /// The rate of every count where all latents are zero.
    #[doc(hidden)]
    pub fn count_rates(&self) -> Vec<CountRate> {
        let x = Factors::zeros(&self.latents);
        let of_count = |count: usize| CountRate::new(self.emitted, &self.known, count, x.clone());
        (0..self.views.len()).map(of_count).collect()
    }

    /// What generated functions read.
    pub(super) fn reading<'a>(&'a self, x: &'a Factors) -> Reading<'a> {
        Reading { known: &self.known, x }
    }

    /// The weights of the cells of every count; without what corrects their base where `corrects` is false.
    pub(super) fn cell_weights(&self, corrects: bool) -> Vec<CellWeights<'_>> {
        self.views.iter().map(|view| view.cell_weights(corrects)).collect()
    }

    /// The table counts of a sweep, before any is drawn.
    pub fn undrawn_tables(&self) -> DrawnTables {
        DrawnTables::of(self.shapes.len())
    }

    /// The same with table counts, of which none are drawn.
    pub(super) fn cell_weights_undrawn(&self, corrects: bool) -> Vec<CellWeights<'_>> {
        let undrawn = self.shapes.iter().map(|shape| shape.undrawn.same_weights(0.0));
        self.cell_weights(corrects).into_iter().chain(undrawn).collect()
    }

    /// The exposure of every entry of a latent by the base weights of all cells; nothing where it is in no rate.
    pub(crate) fn base_exposure(&self, latent: usize, x: &Factors) -> Vec<f64> {
        (self.emitted.exposure)(latent, self.reading(x), &self.cell_weights_undrawn(false))
    }

    /// Adds the exposure of every entry of a latent, in the cells of a count that inference sees, to `into`.
    pub(crate) fn add_exposure(&self, count: usize, latent: usize, x: &Factors, into: &mut [f64]) {
        let undrawn = self.shapes.iter().map(|shape| &*shape.undrawn);
        let all = self.views.iter().chain(undrawn);
        let mut weights: Vec<CellWeights<'_>> = all.map(|view| view.same_weights(0.0)).collect();
        weights[count] = self.views[count].cell_weights(true);
        let exposure = (self.emitted.exposure)(latent, self.reading(x), &weights);
        into.iter_mut()
            .zip(exposure)
            .for_each(|(into, exposure)| *into += exposure);
    }

    /// Refuses priors whose shapes, or concentrations, are beyond [`MOST_SHAPE`]. Those that are learned are not known yet.
    pub(super) fn check_shapes(&self) -> Result<(), ValueError> {
        // Those that are known are the same whatever the latents are.
        let none = Factors::zeros(&self.latents);
        for (latent, (of, prior)) in self.latents.iter().zip(&self.priors).enumerate() {
            if self.frozen[latent].is_some() || self.learned(latent).is_some() || of.family.is_of_a_user() {
                continue;
            }
            let [shapes, _] = self.prior(latent, &none).parameters;
            if let Some(value) = shapes.into_iter().find(|shape| *shape > MOST_SHAPE) {
                return Err(ValueError::Shape {
                    latent: of.name,
                    parameter: prior.family.parameters()[0],
                    value,
                });
            }
        }
        Ok(())
    }

    /// The first latent whose shape is learned, if there is one.
    pub fn learns_shape_of(&self) -> Option<&'static str> {
        self.shapes.first().map(|shape| self.latents[shape.latent].name)
    }

    /// How many numbers the rates of all counts hold: a run sums its memory from it.
    pub fn numbers(&self) -> f64 {
        self.numbers
    }

    /// Ways of scaling latents that leave every rate as it is.
    pub fn symmetries(&self) -> &'static [Symmetry] {
        self.symmetries
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Bound");
        out.field("sizes", &self.known.sizes)
            .field("hypers", &self.known.hypers);
        out.field("latents", &self.latents);
        out.finish_non_exhaustive()
    }
}
