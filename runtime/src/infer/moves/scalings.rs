//! Which latents are scaled, in which slices: what a model's declaration allows, and whose turn it is.
//!
//! The moves are derived in MATH, *Levels* (`docs/src/mathematics.md`); turns are taken in an order that does not look at the state, so that a cycle of
//! moves that each leave the posterior as it is does so too. First widths are those of a gamma's logarithm, `adapted.rs`.

use crate::model::{Factors, Latent, Model};
use crate::streams::Stream;

use super::Place;
use super::adapted::Adapted;
use super::cut::Cut;
use super::level::Level;
use super::plan::is_moved;
use super::rows::RowMoves;

/// Moves that scale slices of one latent.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Scaling {
    /// One slice at a time: the whole latent, or a component.
    Level(Level),
    /// All slices at once.
    Rows(RowMoves),
}

/// All such moves of a model.
#[derive(Debug, Default)]
pub(super) struct Scalings {
    all: Vec<Scaling>,
    widths: usize,
}

impl Scalings {
    /// For each latent that moves: its level, its components along the indices that rates sum over, and its rows along those
    /// that keep its slices in cells of their own.
    pub fn new(model: &dyn Model, latents: &[Latent]) -> Self {
        let mut new = Self::default();
        let moves = |(number, latent): &(usize, &Latent)| is_moved(latent) && model.frozen(*number).is_none();
        let (spec, counts) = (model.bound().spec(), model.views().len());
        for (number, latent) in latents.iter().enumerate().filter(moves) {
            let counts: Vec<usize> = (0..counts).filter(|&count| spec.uses(count, number)).collect();
            new.add_level(number, Cut::whole(&latent.shape), counts.clone());
            // Of an index with one value the slice is the latent.
            for axis in (0..latent.shape.len()).filter(|&axis| latent.shape[axis] > 1) {
                let cut = Cut::along(&latent.shape, axis);
                if let Some(counts) = spec.cells_apart(number, axis) {
                    let widths = new.widths..new.widths + cut.size;
                    new.widths = widths.end;
                    new.all.push(Scaling::Rows(RowMoves {
                        latent: number,
                        cut,
                        counts,
                        widths,
                    }));
                } else if spec.is_summed(number, axis) {
                    new.add_level(number, cut, counts.clone());
                }
            }
        }
        new
    }

    fn add_level(&mut self, latent: usize, cut: Cut, counts: Vec<usize>) {
        self.all.push(Scaling::Level(Level {
            latent,
            cut,
            counts,
            width: self.widths,
        }));
        self.widths += 1;
    }

    /// How many moves there are, and how many widths they have.
    pub fn sizes(&self) -> [usize; 2] {
        [self.all.len(), self.widths]
    }

    /// The move whose turn it is.
    pub fn run(&self, place: &mut Place<'_>, adapted: &mut Adapted, tuning: bool, rng: &mut Stream) {
        let Some((number, turns)) = adapted.take_turn() else {
            return;
        };
        let learning = tuning.then_some(turns);
        match &self.all[number] {
            Scaling::Level(level) => level.run(place, adapted, learning, rng),
            Scaling::Rows(rows) => rows.run(place, adapted, learning, rng),
        }
    }

    /// First widths, by the prior shapes and the counts of a sweep: what a gamma with so many counts allows. Few moves are made
    /// while a chain is tuned, too few to come down from a guess that is the same for a thousand counts and for a million.
    pub fn guess_widths(&self, place: &Place<'_>, counts: &Factors, adapted: &mut Adapted) {
        for scaling in &self.all {
            let (latent, cut) = match scaling {
                Scaling::Level(level) => (level.latent, level.cut),
                Scaling::Rows(rows) => (rows.latent, rows.cut),
            };
            let prior = place.prior(latent);
            let mut shapes = vec![0.0; cut.size];
            for (entry, n) in counts[latent].iter().enumerate() {
                shapes[cut.slice_of(entry)] += prior.shape()[entry] + n;
            }
            match scaling {
                Scaling::Level(level) => {
                    let mean = shapes.iter().sum::<f64>() / shapes.len() as f64;
                    adapted.guess_width(level.width, mean);
                }
                Scaling::Rows(rows) => (rows.widths.clone().zip(shapes)).for_each(|(at, n)| adapted.guess_width(at, n)),
            }
        }
    }
}
