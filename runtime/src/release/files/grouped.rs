//! Mechanisms by slice, each distinct one once.

use std::collections::BTreeMap;

use super::{FileError, Parameters, Recorded};
use crate::channel::Varying;
use crate::release::released::covers;

const PER_CELL: &str =
    "the mechanism differs from cell to cell, and files hold one, or one for each slice of a mode: release by slices";

/// The distinct mechanisms of a release, and which of them each cell has.
#[derive(Clone, Debug)]
pub(super) struct Grouped<M> {
    pub distinct: Vec<M>,
    groups: Varying<usize>,
    shape: Vec<usize>,
}

impl<M: Recorded> Grouped<M> {
    /// One group for each set of parameters, in order of first appearance.
    pub fn of(mechanism: &Varying<M>, shape: &[usize]) -> Result<Self, FileError> {
        if matches!(mechanism, Varying::Cell(_)) {
            return Err(FileError::Refused(PER_CELL.to_owned()));
        }
        // The number of cells matters to laws per cell alone.
        covers(mechanism, shape, 0)?;
        let (mut known, mut distinct) = (BTreeMap::<Parameters, usize>::new(), Vec::new());
        let groups = mechanism.map(|law| {
            *known.entry(law.parameters()).or_insert_with(|| {
                distinct.push(law.clone());
                distinct.len() - 1
            })
        });
        let shape = shape.to_vec();
        Ok(Self {
            distinct,
            groups,
            shape,
        })
    }
}

impl<M: Clone> Grouped<M> {
    /// From what metadata state and have been checked for.
    pub fn stated(distinct: Vec<M>, along: Option<(usize, &[usize])>, shape: &[usize]) -> Self {
        let by_slice = |(axis, groups): (usize, &[usize])| Varying::Slice {
            axis,
            laws: groups.to_vec(),
        };
        Self {
            distinct,
            groups: along.map_or(Varying::Uniform(0), by_slice),
            shape: shape.to_vec(),
        }
    }

    /// The group of the cell at a row-major position.
    pub fn group(&self, position: usize) -> usize {
        *self.groups.at(position, &self.shape)
    }

    /// Of how many slices the group is stated; 1 where all have one.
    pub fn slices(&self) -> usize {
        self.groups.all().len()
    }

    /// As metadata state it: the mode along which groups differ, and the group of each of its slices.
    pub fn along(&self) -> Option<(usize, Vec<usize>)> {
        match &self.groups {
            Varying::Slice { axis, laws } => Some((*axis, laws.clone())),
            _ => None,
        }
    }

    /// The mechanism of every cell.
    pub fn varying(&self) -> Varying<M> {
        self.groups.map(|&group| self.distinct[group].clone())
    }
}
