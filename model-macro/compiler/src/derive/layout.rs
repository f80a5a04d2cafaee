//! One way to compute a count's rate: how its cells are cut in rows and columns, and the steps that
//! build the two sides of the product at the root.

use crate::resolve::{Access, Count, DataId, Indices, LatentId, Scalar, Source, Start, Term, VarId};

use super::cost::Cost;

/// A contraction tree for each term, with the products at their roots side by side.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Free indices that both sides carry: one product for each of their values.
    pub batch: Vec<VarId>,
    /// Free indices of the left side.
    pub rows: Vec<VarId>,
    /// Free indices of the right side.
    pub cols: Vec<VarId>,
    /// Where each term stands in the inner index: the plus side before the minus side of a difference, and on each side terms without
    /// a coefficient per cell first.
    pub slots: Vec<Slot>,
    /// Arrays between the factors and the sides.
    pub buffers: Vec<Buffer>,
    /// The steps in an order in which everything is computed before it is used.
    pub steps: Vec<Step>,
    /// Multiplications in one sweep below the root.
    pub below: Cost,
    /// Multiplications of one product at the root.
    pub root: Cost,
    /// Numbers held: sides, coefficients per cell and buffers.
    pub memory: Cost,
}

/// The part of the inner index that belongs to one term.
#[derive(Debug, Clone)]
pub struct Slot {
    /// Which term of the rate.
    pub term: usize,
    /// Its indices that both sides share and the root sums over.
    pub inner: Vec<VarId>,
    /// Whether it has a coefficient in every cell.
    pub weighted: bool,
}

/// An inner node of a tree.
#[derive(Debug, Clone)]
pub struct Buffer {
    /// Its indices in the order in which it is stored.
    pub vars: Vec<VarId>,
}

/// Where a step writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The left side, in the columns of a slot.
    Left(usize),
    /// The right side, in the columns of a slot.
    Right(usize),
    /// The coefficients per cell of a slot.
    Weight(usize),
    /// A buffer.
    Buffer(usize),
}

/// What a step reads.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A latent at these indices.
    Latent(LatentId, Vec<VarId>),
    /// A data array at these indices.
    Data(DataId, Vec<VarId>),
    /// A factor that is read at the first times only, before it is copied to a buffer.
    Started(Source, Vec<VarId>, Start),
    /// An earlier buffer.
    Buffer(usize),
    /// Numbers and hyperparameters.
    Scalar(Scalar),
    /// The number one.
    One,
}

/// `target = sum of left * right`. A step with a looked-up operand copies it to a buffer.
#[derive(Debug, Clone)]
pub struct Step {
    /// Where the result goes.
    pub target: Target,
    /// Left operand.
    pub left: Operand,
    /// Right operand.
    pub right: Operand,
    /// Every index that takes part.
    pub axes: Vec<StepAxis>,
    /// The first times, if the left operand is read at these only, into a buffer that is zero at the others.
    pub start: Option<Start>,
}

/// An index of a step and who carries it. One that the target lacks is summed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepAxis {
    /// The index.
    pub var: VarId,
    /// Whether the target carries it.
    pub out: bool,
    /// Whether the left operand does.
    pub left: bool,
    /// Whether the right operand does.
    pub right: bool,
}

impl Operand {
    /// What a leaf reads, and at which indices; `None` of numbers and of what is made.
    pub fn leaf(&self) -> Option<(Source, &[VarId])> {
        match self {
            Self::Latent(of, at) => Some((Source::Latent(*of), at)),
            Self::Data(of, at) => Some((Source::Data(*of), at)),
            Self::Started(of, at, _) => Some((*of, at)),
            Self::Buffer(_) | Self::Scalar(_) | Self::One => None,
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

impl Layout {
    /// The indices of what a target holds, in the order in which it is stored; the inner index of a
    /// slot comes last.
    pub fn stored(&self, target: Target) -> Vec<VarId> {
        let side = |own: &[VarId], slot: usize| {
            self.batch
                .iter()
                .chain(own)
                .chain(&self.slots[slot].inner)
                .copied()
                .collect()
        };
        match target {
            Target::Left(slot) => side(&self.rows, slot),
            Target::Right(slot) => side(&self.cols, slot),
            Target::Weight(_) => self.batch.iter().chain(&self.rows).chain(&self.cols).copied().collect(),
            Target::Buffer(buffer) => self.buffers[buffer].vars.clone(),
        }
    }

    /// Puts what is looked up into a buffer, where steps read it like any other array.
    pub(super) fn look_up(&mut self, count: &Count, (operand, vars): (Operand, Vec<VarId>)) -> (Operand, Vec<VarId>) {
        let (operand, start) = match operand {
            Operand::Latent(_, ref read) | Operand::Data(_, ref read) => {
                if read.iter().all(|v| count.vars.lookup(*v).is_none()) {
                    return (operand, vars);
                }
                (operand, None)
            }
            Operand::Started(of, read, start) => (plain(of, read), Some(start)),
            _ => return (operand, vars),
        };
        let buffer = self.buffers.len();
        self.buffers.push(Buffer { vars: vars.clone() });
        let axis = |var: &VarId| StepAxis {
            var: *var,
            out: true,
            left: true,
            right: false,
        };
        self.steps.push(Step {
            target: Target::Buffer(buffer),
            left: operand,
            right: Operand::One,
            axes: vars.iter().map(axis).collect(),
            start,
        });
        (Operand::Buffer(buffer), vars)
    }

    /// The way from every place where `latent` occurs to the root.
    pub fn paths(&self, latent: LatentId) -> Vec<Path> {
        let leaf = |o: &Operand| matches!(o, Operand::Latent(id, _) if *id == latent);
        let mut paths = Vec::new();
        for (first, step) in self.steps.iter().enumerate() {
            for (is_left, operand) in [(true, &step.left), (false, &step.right)] {
                if leaf(operand) {
                    paths.push(self.path(first, is_left));
                }
            }
        }
        paths
    }

    /// The operands of the product of a slot, each with the first times if it is read at these only.
    pub fn operands(&self, slot: usize) -> Vec<(&Operand, Option<Start>)> {
        let mut open = vec![Target::Left(slot), Target::Right(slot), Target::Weight(slot)];
        let mut all = Vec::new();
        while let Some(target) = open.pop() {
            for step in self.steps.iter().filter(|step| step.target == target) {
                for operand in [&step.left, &step.right] {
                    match operand {
                        Operand::Buffer(buffer) => open.push(Target::Buffer(*buffer)),
                        operand => all.push((operand, step.start)),
                    }
                }
            }
        }
        all
    }

    fn path(&self, first: usize, is_left: bool) -> Path {
        let mut steps = vec![(first, is_left)];
        let mut at = first;
        while let Target::Buffer(buffer) = self.steps[at].target {
            let reads = |s: &Step| s.left == Operand::Buffer(buffer) || s.right == Operand::Buffer(buffer);
            let Some(next) = self.steps.iter().position(reads) else {
                unreachable!("every buffer is read by the step that follows it on its way to the root")
            };
            steps.push((next, self.steps[next].left == Operand::Buffer(buffer)));
            at = next;
        }
        let root = self.steps[at].target;
        let slot = match root {
            Target::Left(slot) | Target::Right(slot) | Target::Weight(slot) => slot,
            Target::Buffer(_) => unreachable!("a path ends at the root"),
        };
        let operand = match is_left {
            true => &self.steps[first].left,
            false => &self.steps[first].right,
        };
        let vars = match operand {
            Operand::Latent(_, vars) => vars.clone(),
            _ => unreachable!("a path begins at a latent"),
        };
        Path {
            steps,
            vars,
            root,
            term: self.slots[slot].term,
        }
    }
}

/// The way from a factor to the root.
#[derive(Debug, Clone)]
pub struct Path {
    /// The steps in order, each with whether the way comes in as its left operand.
    pub steps: Vec<(usize, bool)>,
    /// The indices of the factor.
    pub vars: Vec<VarId>,
    /// Where at the root it ends.
    pub root: Target,
    /// The term of the rate.
    pub term: usize,
}

/// A factor of a term as an operand.
pub(crate) fn operand(access: &Access) -> Operand {
    match access.start {
        None => plain(access.of, access.vars.clone()),
        Some(start) => Operand::Started(access.of, access.vars.clone(), start),
    }
}

fn plain(of: Source, vars: Vec<VarId>) -> Operand {
    match of {
        Source::Latent(id) => Operand::Latent(id, vars),
        Source::Data(id) => Operand::Data(id, vars),
        Source::Hyper(id) => Operand::Scalar(Scalar {
            hypers: vec![id],
            ..Scalar::one()
        }),
    }
}

/// The leaves of a term: its factors, and its coefficient if it has one. A leaf that is looked up, or read at some times only, has first the
/// indices that determine it, as a buffer holds it.
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
        (operand(factor), vars)
    });
    let mut leaves: Vec<_> = factors.collect();
    if !term.coefficient.is_one() {
        leaves.push((Operand::Scalar(term.coefficient.clone()), Vec::new()));
    }
    leaves
}

/// The sets of some indices of a count.
pub(super) fn sets<'a>(count: &'a Count, vars: &'a [VarId]) -> impl Iterator<Item = crate::resolve::SetId> + 'a {
    vars.iter().map(|v| count.vars[v.0].set)
}
