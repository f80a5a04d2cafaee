//! The order of components in each draw, by which they come closest to a reference.

use rayon::prelude::*;

use super::assignment::assign;
use super::{AlignError, ComponentDraws, Switching};
use crate::diagnose::DiagnoseError;

/// The order of the components in each draw, compared with a reference.
///
/// The order of the components of a factorization has no meaning: it can differ from chain to chain, and change within a chain. Means, R-hat
/// and intervals of single components make sense only after alignment. For each draw the order is found of which the components, each
/// scaled to length one in each factor, have the least sum of `1 - cosine` to those of the reference (Hungarian method; as in the relabelling algorithms of
/// Stephens 2000, with a fixed reference).
///
/// ```
/// use skellam::diagnose::{Alignment, ComponentDraws};
///
/// // One chain of two draws of theta[d, k], 2 x 2: the columns have changed places.
/// let draws = [9.0, 1.0, 8.0, 2.0, 1.0, 9.0, 2.0, 8.0];
/// let theta = ComponentDraws { name: "theta", draws: &draws, shape: &[2, 2], axes: &[1] };
/// let alignment = Alignment::to_draw(1, &[theta], [0, 0])?;
/// assert_eq!(alignment.order(0, 1), Some(&[1, 0][..]));
/// assert_eq!(alignment.aligned(&theta)?[4..], [9.0, 1.0, 8.0, 2.0]);
/// println!("{}", alignment.switching());
/// # Ok::<(), skellam::diagnose::DiagnoseError>(())
/// ```
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
    /// Aligns the draws of factors that share an index set of components with `reference`, one array of each factor in the same
    /// order.
    ///
    /// # Errors
    /// Factors or reference do not fit together, or no factor tells components apart.
    pub fn to(num_chains: usize, factors: &[ComponentDraws<'_>], reference: &[&[f64]]) -> Result<Self, DiagnoseError> {
        let (num_components, _) = checked(num_chains, factors)?;
        Self::within(num_chains, factors, reference, &[(0..num_components).collect()])
    }

    /// The same where components change places with those of their own class only.
    fn within(
        num_chains: usize,
        factors: &[ComponentDraws<'_>],
        reference: &[&[f64]],
        classes: &[Vec<usize>],
    ) -> Result<Self, DiagnoseError> {
        let (num_components, num_draws) = checked(num_chains, factors)?;
        if reference.len() != factors.len() {
            return Err(AlignError::References {
                given: reference.len(),
                expected: factors.len(),
            }
            .into());
        }
        for (factor, array) in factors.iter().zip(reference) {
            if array.len() != factor.size() {
                return Err(AlignError::Reference {
                    name: factor.name.into(),
                    given: array.len(),
                    expected: factor.size(),
                }
                .into());
            }
        }
        let telling: Vec<(&ComponentDraws<'_>, Vec<f64>)> = factors
            .iter()
            .zip(reference)
            .filter(|(factor, _)| factor.tells_apart(num_components))
            .map(|(factor, array)| (factor, factor.directions(array, num_components)))
            .collect();
        if telling.is_empty() {
            return Err(AlignError::Indistinct.into());
        }
        let orders = (0..num_chains * num_draws).into_par_iter().flat_map_iter(|draw| {
            let mut costs = vec![0.0; num_components * num_components];
            for (factor, reference) in &telling {
                let size = factor.size();
                let directions = factor.directions(&factor.draws[draw * size..][..size], num_components);
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
                let found = assign(&own, class.len(), class.len());
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
            orders: orders.collect(),
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

    /// Aligns all draws with one of them, `[chain, draw]` from 0: one of high joint density is a good choice.
    ///
    /// # Errors
    /// Those of [`to`](Self::to); there is no such draw.
    pub fn to_draw(
        num_chains: usize,
        factors: &[ComponentDraws<'_>],
        [chain, draw]: [usize; 2],
    ) -> Result<Self, DiagnoseError> {
        let (num_components, _) = checked(num_chains, factors)?;
        Self::to_draw_within(num_chains, factors, [chain, draw], &[(0..num_components).collect()])
    }

    /// The same where components change places with those of their own class only.
    pub(crate) fn to_draw_within(
        num_chains: usize,
        factors: &[ComponentDraws<'_>],
        [chain, draw]: [usize; 2],
        classes: &[Vec<usize>],
    ) -> Result<Self, DiagnoseError> {
        let (_, draws) = checked(num_chains, factors)?;
        if chain >= num_chains || draw >= draws {
            return Err(AlignError::NoSuchDraw {
                chain,
                draw,
                chains: num_chains,
                draws,
            }
            .into());
        }
        let one = |factor: &ComponentDraws<'_>| (chain * draws + draw) * factor.size();
        let reference: Vec<&[f64]> = factors.iter().map(|f| &f.draws[one(f)..][..f.size()]).collect();
        Self::within(num_chains, factors, &reference, classes)
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
    ///
    /// # Errors
    /// The factor has other components or another number of draws than those that were aligned.
    pub fn aligned(&self, factor: &ComponentDraws<'_>) -> Result<Vec<f64>, DiagnoseError> {
        factor.check(self.num_components)?;
        let size = factor.size();
        let all = self.num_chains * self.num_draws();
        numbers(factor, factor.draws.len(), all * size)?;
        let mut aligned = factor.draws.to_vec();
        let orders = self.orders.par_chunks_exact(self.num_components);
        aligned
            .par_chunks_exact_mut(size)
            .zip(orders)
            .for_each(|(draw, order)| factor.reorder(draw, order));
        Ok(aligned)
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

/// Numbers of components and of draws of each chain, which all factors share.
fn checked(num_chains: usize, factors: &[ComponentDraws<'_>]) -> Result<(usize, usize), DiagnoseError> {
    let Some(first) = factors.first() else {
        return Err(AlignError::Indistinct.into());
    };
    let num_components = first.axes.first().and_then(|&axis| first.shape.get(axis)).copied();
    for factor in factors {
        factor.check(num_components.unwrap_or(0))?;
    }
    let one = num_chains * first.size();
    if one == 0 || first.draws.is_empty() {
        return Err(DiagnoseError::NoDraws {
            chains: num_chains,
            draws: first.draws.len().checked_div(one).unwrap_or(0),
        });
    }
    let num_draws = first.draws.len().div_ceil(one);
    for factor in factors {
        numbers(factor, factor.draws.len(), num_chains * num_draws * factor.size())?;
    }
    Ok((num_components.unwrap_or(0), num_draws))
}

fn numbers(factor: &ComponentDraws<'_>, given: usize, expected: usize) -> Result<(), AlignError> {
    if given == expected {
        return Ok(());
    }
    Err(AlignError::Numbers {
        name: factor.name.into(),
        given,
        expected,
    })
}
