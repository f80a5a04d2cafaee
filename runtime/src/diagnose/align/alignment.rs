//! The order of components in each draw, by which they come closest to a reference.

use super::assignment::assign;
use super::{ComponentDraws, Switching};
use crate::diagnose::DiagnoseError;
use crate::parallel::each_of;

/// The order of the components in each draw, compared with a reference.
///
/// The order of the components of a factorization has no meaning: it can differ from chain to chain, and change within a chain. Means, R-hat
/// and intervals of single components make sense only after alignment. For each draw the order is found of which the components, each
/// scaled to length one in each factor, have the least sum of `1 - cosine` to those of the reference (the assignment problem; as in the relabelling algorithms of
/// Stephens 2000, with a fixed reference).
#[derive(Clone, Debug)]
pub struct Alignment {
    num_chains: usize,
    num_components: usize,
    /// (chain, draw, component).
    orders: Vec<usize>,
    /// Components that nothing was exchanged with, because known values tell them apart from all others.
    told_apart: usize,
}

impl Alignment {
    /// Aligns the draws of factors that share an index set of components with one of these draws, `[chain, draw]`: one of high joint density is a
    /// good choice. Components change places with those of their own class only.
    ///
    /// # Errors
    /// No factor tells components apart.
    pub(crate) fn to_draw(
        num_chains: usize,
        factors: &[ComponentDraws<'_>],
        [chain, draw]: [usize; 2],
        classes: &[Vec<usize>],
    ) -> Result<Self, DiagnoseError> {
        let Some(first) = factors.first() else {
            return Err(DiagnoseError::Indistinct);
        };
        let num_components = first.num_components();
        let num_draws = first.draws.len() / (num_chains * first.size()).max(1);
        if num_draws == 0 {
            return Err(DiagnoseError::NoDraws {
                chains: num_chains,
                draws: num_draws,
            });
        }
        let one = |factor: &ComponentDraws<'_>, draw: usize| draw * factor.size()..(draw + 1) * factor.size();
        let telling: Vec<(&ComponentDraws<'_>, Vec<f64>)> = factors
            .iter()
            .filter(|factor| factor.tells_apart(num_components))
            .map(|factor| {
                let reference = &factor.draws[one(factor, chain * num_draws + draw)];
                (factor, factor.directions(reference, num_components))
            })
            .collect();
        if telling.is_empty() {
            return Err(DiagnoseError::Indistinct);
        }
        let orders = each_of(0..num_chains * num_draws, |draw| {
            let mut costs = vec![0.0; num_components * num_components];
            for (factor, reference) in &telling {
                let directions = factor.directions(&factor.draws[one(factor, draw)], num_components);
                add_distances(&mut costs, reference, &directions, num_components);
            }
            // The mean, to stay in the range of the solver however many factors there are.
            costs.iter_mut().for_each(|cost| *cost /= telling.len() as f64);
            let mut order: Vec<usize> = (0..num_components).collect();
            for class in classes.iter().filter(|class| class.len() > 1) {
                let rows = class.iter().map(|row| row * num_components);
                let own: Vec<f64> = rows
                    .flat_map(|row| class.iter().map(move |column| row + column))
                    .map(|at| costs[at])
                    .collect();
                let found = assign(&own, class.len());
                class
                    .iter()
                    .zip(found)
                    .for_each(|(&place, at)| order[place] = class[at]);
            }
            order
        });
        Ok(Self {
            num_chains,
            num_components,
            orders: orders.concat(),
            told_apart: alone(classes),
        })
    }

    /// All components as they stand: known values tell each apart from all others.
    pub(crate) fn unchanged([num_chains, num_draws]: [usize; 2], num_components: usize) -> Self {
        let orders = (0..num_chains * num_draws).flat_map(|_| 0..num_components);
        Self {
            num_chains,
            num_components,
            orders: orders.collect(),
            told_apart: num_components,
        }
    }

    /// For each place the component of the draw that belongs there; `None` if there is no such chain or draw.
    pub fn order(&self, chain: usize, draw: usize) -> Option<&[usize]> {
        let draws = self.num_draws();
        let exists = chain < self.num_chains && draw < draws;
        exists.then(|| &self.orders[(chain * draws + draw) * self.num_components..][..self.num_components])
    }

    /// Number of chains.
    pub fn num_chains(&self) -> usize {
        self.num_chains
    }

    /// Draws of each chain.
    pub fn num_draws(&self) -> usize {
        self.orders.len() / (self.num_chains * self.num_components)
    }

    /// Number of components.
    pub fn num_components(&self) -> usize {
        self.num_components
    }

    /// A copy of the draws of a factor, `(chain, draw, ..shape)`, with the components of all in the order of the reference. It may be a
    /// factor that took no part in the alignment.
    pub(crate) fn aligned(&self, factor: &ComponentDraws<'_>) -> Vec<f64> {
        let mut aligned = factor.draws.to_vec();
        let orders = self.orders.chunks_exact(self.num_components);
        let draws = aligned.chunks_exact_mut(factor.size()).zip(orders);
        each_of(draws, |(draw, order)| factor.reorder(draw, order));
        aligned
    }

    /// In how many draws components have changed places, within chains and between them.
    pub fn switching(&self) -> Switching {
        Switching::new(self.num_chains, self.num_components, &self.orders, self.told_apart)
    }
}

/// Components that are alone in their class.
fn alone(classes: &[Vec<usize>]) -> usize {
    match classes {
        [_] => 0,
        classes => classes.iter().filter(|class| class.len() == 1).count(),
    }
}

/// Adds `1 - cosine` of every component of the reference (rows) and of the draw (columns).
fn add_distances(costs: &mut [f64], reference: &[f64], draw: &[f64], num_components: usize) {
    let entries = reference.len() / num_components;
    for (row, a) in costs
        .chunks_exact_mut(num_components)
        .zip(reference.chunks_exact(entries))
    {
        for (cost, b) in row.iter_mut().zip(draw.chunks_exact(entries)) {
            *cost += 1.0 - a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        }
    }
}
