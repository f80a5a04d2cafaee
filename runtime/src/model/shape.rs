//! Learned shapes: a gamma whose shape is a sum of products of latents.
//!
//! With the gamma integrated out, its counts are negative binomial in the shape. Table counts augment them: Poisson counts whose rate is the shape
//! and whose exposure is `ln(1 + E/b)` (Zhou and Carin 2015). So the rate of table counts is contracted as that of any count.

use std::sync::Arc;

use crate::contract::{Adjoint, Grid, Handing, Hands};
use crate::streams::Streams;
use crate::view::{CellWeights, View};

use super::state::add;
use super::updates::entries_at;
use super::{Bound, Emitted, Reading, State, TermSpec};

/// Shapes below this, such as products of values that underflow, are raised to it: a gamma of shape zero is not a distribution. A draw at this shape is
/// above the least double with probability 1e-147, and its mean is a double at any rate up to 1e150.
pub(super) const LEAST: f64 = 1e-150;

/// The shape of one latent.
#[derive(Clone)]
pub(super) struct LearnedShape {
    /// The latent.
    pub latent: usize,
    /// How the entries of the latent are laid out as cells.
    pub grid: Grid,
    /// Name of the table counts.
    pub name: &'static str,
    /// The cells of generated rates before they are drawn, all of which weigh nothing.
    pub undrawn: Arc<View>,
    /// Whether right operands are formed at each cell.
    by_cell: bool,
    /// The cell, row-major in the grid, of every entry of the latent, which are in the order of the declaration.
    cells: Vec<usize>,
}

impl LearnedShape {
    pub fn new(latent: usize, name: &'static str, grid: Grid, by_cell: bool) -> Self {
        let weights = vec![0.0; grid.cells()];
        Self {
            latent,
            undrawn: Arc::new(weighed(name, &grid, weights, by_cell)),
            cells: cells_of_entries(&grid),
            grid,
            name,
            by_cell,
        }
    }

    /// The table counts, with their exposures as weights.
    fn weighed(&self, weights: Vec<f64>) -> View {
        weighed(self.name, &self.grid, weights, self.by_cell)
    }
}

/// Cells of these weights. Their base is zero: generated exposures of table counts are corrections alone.
fn weighed(name: &'static str, grid: &Grid, weights: Vec<f64>, by_cell: bool) -> View {
    match by_cell {
        true => View::weighed_at(name, grid.clone(), &weights, true),
        false => View::weighed(name, grid.clone(), weights),
    }
}

impl Bound {
    /// The number of the shape of a latent, if it is learned.
    pub(super) fn learned(&self, latent: usize) -> Option<usize> {
        self.shapes.iter().position(|shape| shape.latent == latent)
    }

    /// Whether a latent is in the rate or in the shape of its own prior, at an earlier time.
    pub(super) fn is_in_own_prior(&self, latent: usize) -> bool {
        let reads = |terms: &[TermSpec]| terms.iter().any(|term| term.reads(latent).is_some());
        let of = &self.priors[latent];
        reads(&of.parameters) || of.shape.is_some_and(|shape| reads(shape.terms))
    }
}

/// Table counts at one value of an index, as exposures: all others weigh nothing.
pub struct TablesAt<'a> {
    view: View,
    counts: usize,
    number: usize,
    undrawn: &'a View,
}

impl TablesAt<'_> {
    /// The weights of the cells of every count, of which these alone weigh something.
    pub fn weights(&self) -> Vec<CellWeights<'_>> {
        let weights = |count: usize| match count == self.number {
            true => self.view.cell_weights(true),
            false => self.undrawn.same_weights(0.0),
        };
        (0..self.counts).map(weights).collect()
    }
}

/// Hands numbers of a generated rate down.
struct Handed<'a> {
    emitted: &'static Emitted,
    number: usize,
    of: Reading<'a>,
}

impl Hands for Handed<'_> {
    fn adjoint<'n>(&'n self, to: &'n mut [Vec<f64>]) -> Box<dyn Adjoint + 'n> {
        (self.emitted.counts)(self.number, self.of, to)
    }
}

impl<'a> State<'a> {
    /// Draws the table counts of a shape that is learned, numbered after the counts, with the latent integrated out, and divides them over the terms of the
    /// shape. `given` has, for every entry of the latent, its counts and its exposure over its rate: `l ~ CRT(n, shape)`, whose exposure is
    /// `ln(1 + E/b)` (Zhou and Carin 2015).
    pub fn draw_tables(&mut self, number: usize, given: [Vec<f64>; 2]) {
        let of = &self.bound.shapes[number - self.bound.views.len()];
        let entries = 0..of.grid.cells();
        let view = self.tables_of(number, entries.collect(), given, None);
        self.drawn.set(number - self.bound.views.len(), view);
    }

    /// The same of the entries of a latent in its own shape whose index has this value, `(0, t)` for `t` at the first one, where those at later values
    /// are drawn (Schein, Wallach and Zhou 2016). The last call is that for the first value.
    pub fn draw_tables_at(&mut self, number: usize, at: (usize, usize), given: [Vec<f64>; 2]) -> TablesAt<'a> {
        let (bound, shape) = (self.bound, number - self.bound.views.len());
        let of = &bound.shapes[shape];
        let entries = entries_at(&bound.latents[of.latent].shape, &[at]);
        let view = self.tables_of(number, entries, given, Some(at.1));
        if at.1 == 0 {
            self.drawn
                .set(shape, of.weighed(std::mem::take(&mut self.weights_so_far)));
        }
        TablesAt {
            view,
            counts: bound.views.len() + bound.shapes.len(),
            number,
            undrawn: &of.undrawn,
        }
    }

    /// Draws the table counts of some entries, and returns their weights.
    fn tables_of(
        &mut self,
        number: usize,
        entries: Vec<usize>,
        [counts, relative]: [Vec<f64>; 2],
        time: Option<usize>,
    ) -> View {
        let (bound, shape) = (self.bound, number - self.bound.views.len());
        let of = &bound.shapes[shape];
        let emitted = bound.emitted;
        let cells = &of.cells;
        let (mut weights, mut customers) = (vec![0.0; cells.len()], vec![0; cells.len()]);
        for ((entry, counts), relative) in entries.iter().zip(&counts).zip(&relative) {
            weights[cells[*entry]] = relative.ln_1p();
            customers[cells[*entry]] = *counts as u64;
        }
        let reading = bound.reading(self.x);
        let handed = Handed {
            emitted,
            number,
            of: reading,
        };
        let to = Handing {
            to: &handed,
            right: emitted.sides[number].right,
        };
        // What draws nothing asks for a conditional given any table counts. Each time has streams of its own.
        let streams = self.step.streams().unwrap_or(Streams::new(0, 0));
        let unit = number + time.map_or(0, |time| (bound.views.len() + bound.shapes.len()) * (1 + time));
        let rate = (emitted.rate)(number, reading);
        let into = self.counts.arrays_mut();
        (of.undrawn).draw_tables(&*rate, &to, (&customers, LEAST), (&streams, unit), into);
        match time {
            None => of.weighed(weights),
            Some(_) => {
                self.weights_so_far.resize(weights.len(), 0.0);
                add(&weights, &mut self.weights_so_far);
                View::weighed_at(of.name, of.grid.clone(), &weights, of.by_cell)
            }
        }
    }
}

fn cells_of_entries(grid: &Grid) -> Vec<usize> {
    let mut cells = vec![0; grid.cells()];
    for row in 0..grid.rows {
        for col in 0..grid.cols {
            cells[grid.cell(row, col)] = row * grid.cols + col;
        }
    }
    cells
}
