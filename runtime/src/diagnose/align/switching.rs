//! How often components have changed places.

use std::collections::BTreeMap;
use std::fmt;

/// The usual order of the components of a chain, and how often it was another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainOrder {
    /// For each place of the reference, the component of this chain that belongs there in most draws.
    pub usual: Vec<usize>,
    /// Draws of the chain in which the order is another.
    pub other_draws: usize,
}

/// Label switching, stated: between chains, whose components stand in different orders, and within a chain, whose components change
/// places from draw to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switching {
    chains: Vec<ChainOrder>,
    moved: Vec<usize>,
    num_draws: usize,
    told_apart: usize,
}

impl Switching {
    /// Counts over orders, (chain, draw, component).
    pub(super) fn new(num_chains: usize, num_components: usize, orders: &[usize], told_apart: usize) -> Self {
        let each = orders.len() / num_chains;
        let mut moved = vec![0; num_components];
        let chains = orders.chunks_exact(each).map(|chain| {
            let draws = || chain.chunks_exact(num_components);
            let mut counts = BTreeMap::new();
            draws().for_each(|order| *counts.entry(order).or_insert(0) += 1);
            // The first of equally frequent ones.
            let usual = counts.iter().rev().max_by_key(|(_, count)| **count);
            let usual = usual.map_or(&[][..], |(order, _)| order);
            for order in draws() {
                let differs = order.iter().zip(usual).map(|(a, b)| usize::from(a != b));
                moved.iter_mut().zip(differs).for_each(|(m, d)| *m += d);
            }
            ChainOrder {
                usual: usual.to_vec(),
                other_draws: draws().filter(|order| *order != usual).count(),
            }
        });
        Self {
            chains: chains.collect(),
            moved,
            num_draws: orders.len() / num_components,
            told_apart,
        }
    }

    /// The usual order of each chain.
    pub fn chains(&self) -> &[ChainOrder] {
        &self.chains
    }

    /// Chains whose usual order differs from that of the first chain.
    pub fn between_chains(&self) -> usize {
        let first = &self.chains[0].usual;
        self.chains.iter().filter(|chain| chain.usual != *first).count()
    }

    /// Draws, of all chains, in which the order differs from the usual one of their chain.
    pub fn within_chains(&self) -> usize {
        self.chains.iter().map(|chain| chain.other_draws).sum()
    }

    /// Draws that were looked at, of all chains: the means of chains count as one draw each.
    pub fn num_draws(&self) -> usize {
        self.num_draws
    }

    /// For each place, in how many draws another component than usual belongs there. A component that explains nothing is drawn from
    /// its prior and changes places often; that is harmless.
    pub fn moved(&self) -> &[usize] {
        &self.moved
    }

    /// Components that known values tell apart from all others, as a known array or a frozen latent does. They were left where they are.
    pub fn told_apart(&self) -> usize {
        self.told_apart
    }

    /// Whether every component keeps its place in all chains and draws.
    pub fn is_none(&self) -> bool {
        self.between_chains() == 0 && self.within_chains() == 0
    }
}

impl fmt::Display for Switching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (chains, draws, all) = (self.chains.len(), self.num_draws, self.moved.len());
        match self.told_apart {
            0 => {}
            apart if apart == all => {
                return write!(
                    f,
                    "nothing to align: known values tell the {all} components apart, which were left as they are"
                );
            }
            apart => write!(
                f,
                "{apart} of {all} components are told apart by known values, and were left as they are; "
            )?,
        }
        if self.is_none() {
            return write!(
                f,
                "no label switching: all {} components keep their places in {chains} {} and {draws} draws",
                self.moved.len(),
                if chains == 1 { "chain" } else { "chains" }
            );
        }
        write!(f, "label switching: ")?;
        let (between, within) = (self.between_chains(), self.within_chains());
        if between > 0 {
            write!(
                f,
                "{between} of {chains} chains {} the components in another order than the first chain",
                if between == 1 { "has" } else { "have" }
            )?;
        }
        if within > 0 {
            let most = (0..self.moved.len()).rev().max_by_key(|&k| self.moved[k]).unwrap_or(0);
            write!(
                f,
                "{}in {within} of {draws} draws components change places within a chain, component {most} most often ({} draws)",
                if between > 0 { "; " } else { "" },
                self.moved[most]
            )?;
        }
        write!(
            f,
            ": before alignment, means and intervals of single components are meaningless; rates are not affected"
        )
    }
}
