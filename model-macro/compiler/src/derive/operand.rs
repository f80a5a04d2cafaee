//! What is multiplied in a rate.

use crate::resolve::{Access, Count, DataId, Indices, LatentId, Scalar, Source, Start, Term, VarId};

/// A factor of an operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A latent at these indices.
    Latent(LatentId, Vec<VarId>),
    /// A data array at these indices.
    Data(DataId, Vec<VarId>),
    /// What is read at the first times only.
    Started(Source, Vec<VarId>, Start),
    /// An inner node.
    Buffer(usize),
    /// Numbers and hyperparameters.
    Scalar(Scalar),
}

impl Operand {
    /// What a factor reads.
    pub(crate) fn of(access: &Access) -> Self {
        let vars = access.vars.clone();
        match (access.start, access.of) {
            (Some(start), of) => Self::Started(of, vars, start),
            (None, Source::Latent(id)) => Self::Latent(id, vars),
            (None, Source::Data(id)) => Self::Data(id, vars),
            (None, Source::Hyper(id)) => Self::Scalar(Scalar::hyper(id)),
        }
    }

    /// What a leaf reads, and at which indices; `None` of numbers and of what is made.
    pub fn leaf(&self) -> Option<(Source, &[VarId])> {
        match self {
            Self::Latent(of, at) => Some((Source::Latent(*of), at)),
            Self::Data(of, at) => Some((Source::Data(*of), at)),
            Self::Started(of, at, _) => Some((*of, at)),
            Self::Buffer(_) | Self::Scalar(_) => None,
        }
    }

    /// The latent that a leaf reads, with its indices.
    pub fn latent(&self) -> Option<(LatentId, &[VarId])> {
        match self.leaf()? {
            (Source::Latent(of), at) => Some((of, at)),
            _ => None,
        }
    }
}

/// The leaves of a term, its factors and its coefficient if it has one, each with the indices that determine which entry is read: those at which
/// positions are told, and that of the times at which it is read, come first.
pub(super) fn leaves(count: &Count, term: &Term) -> Vec<(Operand, Vec<VarId>)> {
    let factors = term.factors.iter().map(|factor| {
        let mut vars: Vec<VarId> = Vec::new();
        let looked_up = factor.vars.iter().filter_map(|v| count.vars.lookup(*v));
        let plain = factor.vars.iter().filter(|v| count.vars.lookup(**v).is_none());
        let start = factor.start.iter().map(|start| &start.var);
        for var in looked_up.flat_map(|lookup| &lookup.at).chain(start).chain(plain) {
            if !vars.contains(var) {
                vars.push(*var);
            }
        }
        (Operand::of(factor), vars)
    });
    let mut leaves: Vec<_> = factors.collect();
    if !term.coefficient.is_one() {
        leaves.push((Operand::Scalar(term.coefficient.clone()), Vec::new()));
    }
    leaves
}
