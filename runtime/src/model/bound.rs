//! A declaration bound to data: the part that is the same for every model.

use std::fmt;
use std::sync::Arc;

use crate::counts::Array;
use crate::error::ValueError;
use crate::family::{MOST_SHAPE, Values};
use crate::view::{CellWeights, View};

use crate::total::Totals;

use super::formed::Formed;
use super::shape::LearnedShape;
use super::state::DrawnTables;
use super::{Emitted, Factors, Known, Latent, PriorSpec, Reading, Root, Spec, Symmetry};

/// A declaration bound to data: sizes, hyperparameters, latents, and counts with the layouts of their trees. All lists are in the
/// order of the declaration.
pub struct Bound {
    pub(super) spec: Option<&'static Spec>,
    pub(super) known: Arc<Known>,
    /// What was generated; `None` of a model that was written by hand.
    pub(super) emitted: Option<&'static Emitted>,
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
}

impl Bound {
    /// A hand-written model with these latents and counts.
    pub fn new(latents: Vec<Latent>, views: Vec<View>) -> Self {
        Self {
            spec: None,
            known: Arc::default(),
            emitted: None,
            frozen: vec![None; latents.len()],
            latents,
            shapes: Vec::new(),
            totals: Totals::default(),
            priors: Vec::new(),
            numbers: views.iter().map(operands).sum(),
            views,
            symmetries: &[],
        }
    }

    /// Freezes a latent at these values.
    pub fn freeze(&mut self, latent: usize, values: Vec<f64>) {
        self.frozen[latent] = Some(values);
    }

    /// The declaration; `None` for a model that was written by hand.
    pub fn spec(&self) -> Option<&'static Spec> {
        self.spec
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

    /// Whether rates follow from a declaration.
    pub(super) fn is_derived(&self) -> bool {
        self.emitted.is_some()
    }

    /// Whether rates and updates are generated functions.
    pub fn is_emitted(&self) -> bool {
        self.emitted.is_some()
    }

    /// The rates of every count, at no values so far.
    pub(super) fn roots(&self) -> Vec<Root> {
        let Some(emitted) = self.emitted else {
            return self.views.iter().map(Root::new).collect();
        };
        let x = Factors::zeros(&self.latents);
        let of_count = |count: usize| Root::of_formed(Formed::new(emitted, &self.known, count, x.clone()));
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
    fn cell_weights_undrawn(&self, corrects: bool) -> Vec<CellWeights<'_>> {
        let undrawn = self.shapes.iter().map(|shape| shape.undrawn.same_weights(0.0));
        self.cell_weights(corrects).into_iter().chain(undrawn).collect()
    }

    /// The exposure of every entry of a latent by the base weights of all cells; `None` where rates are no generated functions.
    pub(crate) fn base_exposure(&self, latent: usize, x: &Factors) -> Option<Vec<f64>> {
        let exposure = self.emitted?.exposure;
        Some(exposure(latent, self.reading(x), &self.cell_weights_undrawn(false)))
    }

    /// Forward walk of every tree: inner nodes and operands from the factors. Generated functions take the factors.
    pub(super) fn forward(&self, x: &Factors, roots: &mut [Root]) {
        for root in &mut *roots {
            if let Some(formed) = &mut root.formed {
                formed.set(x);
            }
        }
    }

    /// Forward walk of squares: `x` holds the squares of the factors, and known values are squared here.
    pub(super) fn forward_squares(&self, x: &Factors, roots: &mut [Root]) {
        for root in &mut *roots {
            if let Some(formed) = &mut root.formed {
                formed.set_squares(x);
            }
        }
    }

    /// Adds the exposure of every entry of a latent, in the cells of a count that inference sees, to `into`.
    pub(crate) fn add_exposure(&self, count: usize, latent: usize, x: &Factors, into: &mut [f64]) {
        if let Some(emitted) = self.emitted {
            let undrawn = self.shapes.iter().map(|shape| &*shape.undrawn);
            let all = self.views.iter().chain(undrawn);
            let mut weights: Vec<CellWeights<'_>> = all.map(|view| view.same_weights(0.0)).collect();
            weights[count] = self.views[count].cell_weights(true);
            let exposure = (emitted.exposure)(latent, self.reading(x), &weights);
            into.iter_mut()
                .zip(exposure)
                .for_each(|(into, exposure)| *into += exposure);
        }
    }

    /// Refuses priors whose shapes, or concentrations, are beyond [`MOST_SHAPE`]. Those that are learned are not known yet.
    pub(super) fn check_shapes(&self) -> Result<(), ValueError> {
        for (latent, (of, prior)) in self.latents.iter().zip(&self.priors).enumerate() {
            if self.frozen[latent].is_some() || self.learned(latent).is_some() || of.family.is_of_a_user() {
                continue;
            }
            let shapes = match self.declared_parameter(latent, 0, &Factors::zeros(&[])) {
                Values::Same(shape) => vec![shape],
                Values::Each(shapes) => shapes,
            };
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

    /// Entries of the latents whose shapes are learned: each has a table count.
    pub fn entries_with_tables(&self) -> usize {
        self.shapes.iter().map(|shape| shape.grid.cells()).sum()
    }

    /// Entries of the latents that are in their own shapes, whose table counts are drawn one time after another.
    pub fn entries_walked(&self) -> usize {
        let walked = self.shapes.iter().filter(|shape| self.is_in_own_prior(shape.latent));
        walked.map(|shape| shape.grid.cells()).sum()
    }

    /// How many numbers one copy of the operands and inner nodes of all roots holds: a run sums its memory from it.
    pub fn numbers(&self) -> f64 {
        self.numbers
    }

    fn entries(&self, latent: usize) -> f64 {
        self.latents[latent].shape.iter().map(|n| *n as f64).product()
    }

    /// How many numbers a pass over a count holds in another order.
    pub(crate) fn turned(&self, count: usize) -> f64 {
        let turned = self.emitted.map_or(&[][..], |emitted| emitted.sides[count].turned);
        turned.iter().map(|&latent| self.entries(latent)).sum()
    }

    /// How many numbers each lane of rows has for itself in the passes over a count: those of the columns, or of the latents that columns
    /// reach.
    pub(crate) fn lane(&self, count: usize) -> f64 {
        match self.emitted {
            Some(emitted) => emitted.sides[count].lane(&|latent| self.entries(latent)),
            None => {
                let grid = self.views[count].grid();
                [grid.batch, grid.cols, grid.inner].iter().map(|n| *n as f64).product()
            }
        }
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

/// How many numbers the operands at the root of a count hold.
fn operands(view: &View) -> f64 {
    let grid = view.grid();
    let weighted = grid.groups.iter().filter(|group| group.weighted).count();
    let sides = (grid.all_rows() as f64 + grid.batch as f64 * grid.cols as f64) * grid.inner as f64;
    sides + weighted as f64 * grid.cells() as f64
}
