//! Mechanisms by slice, each distinct one once.

use std::collections::BTreeMap;

use super::{FileError, Parameters, Recorded};
use crate::channel::Varying;
use crate::release::released::{covers, no_axis};

const PER_CELL: &str =
    "the mechanism differs from cell to cell, and files hold one, or one for each slice of a mode: release by slices";

/// The distinct mechanisms of a release, and where each is.
#[derive(Clone, Debug)]
pub(super) struct Grouped<M> {
    pub distinct: Vec<M>,
    along: Option<Along>,
}

#[derive(Clone, Debug)]
struct Along {
    axis: usize,
    /// The group of each slice along the axis.
    groups: Vec<usize>,
    /// Cells of one slice along the axis, after one another.
    inner: usize,
}

impl<M: Recorded> Grouped<M> {
    /// One group for each set of parameters, in order of first appearance.
    pub fn of(mechanism: &Varying<M>, shape: &[usize]) -> Result<Self, FileError> {
        match mechanism {
            Varying::Uniform(mechanism) => Ok(Self {
                distinct: vec![mechanism.clone()],
                along: None,
            }),
            Varying::Cell(_) => Err(FileError::Refused(PER_CELL.to_owned())),
            Varying::Slice { axis, laws } => {
                // The number of cells matters to laws per cell alone.
                covers(mechanism, shape, 0)?;
                let mut known: BTreeMap<Parameters, usize> = BTreeMap::new();
                let mut distinct = Vec::new();
                let groups = laws.iter().map(|law| {
                    *known.entry(law.parameters()).or_insert_with(|| {
                        distinct.push(law.clone());
                        distinct.len() - 1
                    })
                });
                let groups = groups.collect();
                Self::by_slice(distinct, *axis, groups, shape)
            }
        }
    }
}

impl<M: Clone> Grouped<M> {
    /// From what metadata state and have been checked for.
    pub fn stated(distinct: Vec<M>, along: Option<(usize, &[usize])>, shape: &[usize]) -> Result<Self, FileError> {
        match along {
            None => Ok(Self { distinct, along: None }),
            Some((axis, groups)) => Self::by_slice(distinct, axis, groups.to_vec(), shape),
        }
    }

    fn by_slice(distinct: Vec<M>, axis: usize, groups: Vec<usize>, shape: &[usize]) -> Result<Self, FileError> {
        let Some(after) = shape.get(axis + 1..) else {
            return Err(no_axis(axis, shape).into());
        };
        let inner = after.iter().product();
        Ok(Self {
            distinct,
            along: Some(Along { axis, groups, inner }),
        })
    }

    /// The group of a cell of a slice of the first mode.
    #[inline]
    pub fn group(&self, slice: usize, cell: usize) -> usize {
        match &self.along {
            None => 0,
            Some(Along { axis: 0, groups, .. }) => groups[slice],
            Some(Along { groups, inner, .. }) => groups[cell / inner % groups.len()],
        }
    }

    /// Slices that have a group of their own.
    pub fn slices(&self) -> usize {
        self.along.as_ref().map_or(0, |along| along.groups.len())
    }

    /// As metadata state it.
    pub fn along(&self) -> Option<(usize, Vec<usize>)> {
        self.along.as_ref().map(|along| (along.axis, along.groups.clone()))
    }

    /// The mechanism of every cell.
    pub fn varying(&self) -> Varying<M> {
        match &self.along {
            None => Varying::Uniform(self.distinct[0].clone()),
            Some(along) => Varying::Slice {
                axis: along.axis,
                laws: along.groups.iter().map(|&group| self.distinct[group].clone()).collect(),
            },
        }
    }
}
