//! The rates of one count as a function of the latents, without the data of the model.

use crate::contract::{Grid, Operands};
use crate::view::{Guards, View};

use super::formed::Formed;
use super::{Bound, FactorKind, Factors, Root};

/// How the rate of any cell of a count follows from the latents: what a fit needs to compute rates when its model is gone.
#[derive(Clone, Debug)]
pub(crate) struct RateWalk {
    formed: Box<Formed>,
    latents: Vec<usize>,
    grid: Grid,
    guards: Guards,
}

impl RateWalk {
    /// Which latents the rates depend on.
    pub fn latents(&self) -> Vec<usize> {
        self.latents.clone()
    }

    /// Buffers for a walk.
    pub fn root(&self) -> Root {
        Root::of_formed((*self.formed).clone())
    }

    /// Calls `visit` with the rate at each of some cells, given by their row-major positions; zero where `where` has no cell.
    pub fn each(&self, x: &Factors, root: &mut Root, cells: &[usize], mut visit: impl FnMut(usize, f64)) {
        if let Some(formed) = &mut root.formed {
            formed.set(x);
            formed.each(&self.grid, &self.guards, cells.iter().copied(), |at, [plus, minus]| {
                visit(at, plus - minus);
            });
        }
    }
}

/// The rate of any cell at some values of the latents.
#[derive(Clone, Debug)]
pub(crate) struct RateFunction {
    of: RateSource,
    grid: Grid,
    guards: Guards,
}

/// What rates are computed from.
#[derive(Clone, Debug)]
enum RateSource {
    /// The two sides of the product at the root.
    Operands(Operands),
    /// The latents.
    Formed(Box<Formed>),
}

impl RateFunction {
    /// The rates of `root`, whose cells are those of `view`.
    pub fn new(root: Root, view: &View) -> Self {
        Self {
            of: match root.formed {
                Some(formed) => RateSource::Formed(formed),
                None => RateSource::Operands(root.operands),
            },
            grid: view.grid().clone(),
            guards: view.guards().clone(),
        }
    }

    /// The rates of some cells, given by their row-major positions.
    pub fn at(&self, cells: impl IntoIterator<Item = usize>) -> Vec<f64> {
        let (grid, guards) = (&self.grid, &self.guards);
        match &self.of {
            RateSource::Operands(operands) => {
                let cells = cells.into_iter();
                cells.map(|cell| of_operands(operands, grid, guards, cell)).collect()
            }
            RateSource::Formed(formed) => {
                let mut rates = Vec::new();
                formed.each(grid, guards, cells, |_, [plus, minus]| rates.push(plus - minus));
                rates
            }
        }
    }
}

fn of_operands(operands: &Operands, grid: &Grid, guards: &Guards, cell: usize) -> f64 {
    let (row, col) = grid.place(cell);
    match guards.holds(row, col) {
        true => operands.rate(grid, row, col),
        false => 0.0,
    }
}

impl Bound {
    /// The rates of a count as a function of the latents; `None` for a model that was written by hand.
    pub(crate) fn rate_walk(&self, count: usize) -> Option<RateWalk> {
        let formed = Formed::new(self.emitted?, &self.known, count, Factors::zeros(&self.latents));
        let view = &self.views[count];
        Some(RateWalk {
            formed: Box::new(formed),
            latents: self.latents_in(count),
            grid: view.grid().clone(),
            guards: view.guards().clone(),
        })
    }

    /// The latents in the rate of a count.
    fn latents_in(&self, count: usize) -> Vec<usize> {
        let terms = self.spec.iter().flat_map(|spec| spec.counts[count].terms);
        let mut latents: Vec<usize> = terms
            .flat_map(|term| term.factors)
            .filter_map(|factor| match factor.of {
                FactorKind::Latent(latent) => Some(latent),
                FactorKind::Array(_) | FactorKind::Hyper(_) => None,
            })
            .collect();
        latents.sort_unstable();
        latents.dedup();
        latents
    }
}
