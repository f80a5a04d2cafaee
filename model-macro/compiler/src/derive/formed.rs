//! Rates whose operands are formed where they are read: each side of the product is a product of leaves, and may be summed over indices that it
//! alone has. Parts of a sum in an operand of columns that have at most one index of the cell are inner nodes, which are formed once a pass; so is what
//! is read at earlier times, or at the first times alone.

use crate::resolve::{Count, Indices, Model, Source, Term, VarId};

use super::operand::{Operand, leaves};
use super::sides::{Sides, Split, sides, splits};

/// How the rate of a count is cut into rows and columns, term by term.
#[derive(Debug, Clone)]
pub struct Formed {
    /// The indices of rows.
    pub rows: Vec<VarId>,
    /// The indices of columns.
    pub cols: Vec<VarId>,
    /// The terms side by side in the inner index.
    pub slots: Vec<FormedSlot>,
    /// Arrays that are formed once a pass, each after those that it is made of.
    pub nodes: Vec<Node>,
    /// The axes of two indices of which only cells with the first below the second belong to the count, where sums over all cells can keep
    /// to these: that is the only clause, and no factor has both indices.
    pub order: Option<[usize; 2]>,
    /// Whether operands of columns read indices of rows: each is formed at a cell.
    pub by_cell: bool,
}

/// The operands of one term.
#[derive(Debug, Clone)]
pub struct FormedSlot {
    /// Which term of the rate.
    pub term: usize,
    /// The indices that the product of both operands sums over.
    pub inner: Vec<VarId>,
    /// The indices that are summed over before, in the operand of a row and in that of a column, where they are formed.
    pub below: [Vec<VarId>; 2],
    /// All indices that the term sums over: those of the product, then those before.
    pub sums: Vec<VarId>,
    /// What is multiplied at a row; the product of nothing is one.
    pub left: Vec<Operand>,
    /// What is multiplied at a column.
    pub right: Vec<Operand>,
}

impl FormedSlot {
    /// Whether an operand of one side is a sum of products.
    pub fn is_sum(&self, right: bool) -> bool {
        !self.below[usize::from(right)].is_empty()
    }

    /// Whether some operand is.
    pub fn has_sum(&self) -> bool {
        [false, true].iter().any(|right| self.is_sum(*right))
    }

    /// The operands of one side.
    pub fn side(&self, right: bool) -> &[Operand] {
        if right { &self.right } else { &self.left }
    }
}

/// An array that operands read in the place of what it is made of: a sum of products over one index, `c_core[t,q,p] = Σ_r c[t,r] core[p,q,r]`, which
/// operands of columns read; or a factor at earlier times, `theta_before[t,k] = θ[t-1,k]`, or at the first times alone, and zero at all others.
#[derive(Debug, Clone)]
pub struct Node {
    /// Which slot it is part of.
    pub slot: usize,
    /// Its indices. A sum has at most one of the cell, then those that are summed over later.
    pub vars: Vec<VarId>,
    /// The index that is summed over, if it is a sum.
    pub summed: Option<VarId>,
    /// What is multiplied: leaves, and nodes before this one. One leaf, if it is none.
    pub factors: Vec<Operand>,
}

impl Node {
    /// The only factor of what is no sum.
    pub fn read(&self) -> Option<&Operand> {
        match (self.summed, &self.factors[..]) {
            (None, [only]) => Some(only),
            _ => None,
        }
    }
}

impl Formed {
    /// The leaves of an operand.
    pub fn leaves<'f>(&'f self, operands: &'f [Operand]) -> Vec<&'f Operand> {
        let of = |operand: &'f Operand| match operand {
            Operand::Buffer(node) => self.leaves(&self.nodes[*node].factors),
            leaf => vec![leaf],
        };
        operands.iter().flat_map(of).collect()
    }

    /// The indices of a cell at which an operand is formed: those of rows, or of columns.
    pub fn indices(&self, count: &Count, right: bool) -> Vec<VarId> {
        match right {
            true if self.by_cell => count.free_vars().collect(),
            true => self.cols.clone(),
            false => self.rows.clone(),
        }
    }

    /// Whether counts fall on what a node is made of: there is a latent in it.
    pub fn is_counted(&self, node: usize) -> bool {
        let leaves = self.leaves(&self.nodes[node].factors);
        leaves.iter().any(|leaf| leaf.latent().is_some())
    }

    /// The node that a leaf of a slot is a factor of.
    pub fn node_with(&self, slot: usize, leaf: &Operand) -> Option<usize> {
        let is_with = |node: &Node| node.slot == slot && node.factors.contains(leaf);
        self.nodes.iter().position(is_with)
    }

    /// The node that another one is a factor of.
    pub fn node_with_node(&self, inner: usize) -> Option<usize> {
        let is_with = |node: &Node| node.factors.contains(&Operand::Buffer(inner));
        self.nodes.iter().position(is_with)
    }
}

/// The rates of all counts, and then those of the table counts of shapes that are learned.
pub(super) fn formed(model: &Model) -> Vec<Formed> {
    model.all_counts().map(|(_, count)| of_count(count)).collect()
}

/// Which ways to cut the indices of a count will do.
#[derive(Clone, Copy)]
struct Wanted {
    /// Where operands may be sums.
    sums: Sums,
    /// Whether the product of both operands may sum over several indices of a term.
    several: bool,
    /// Whether operands of columns may read indices of rows.
    by_cell: bool,
}

/// Where operands may be sums over indices of one side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sums {
    Absent,
    /// Over one index in the operand of a row.
    OfRows,
    Anywhere,
    /// None: the product sums over every index, also over one that a side lacks.
    AtProduct,
}

/// The first way to cut the indices of a count that lets every term be a product of both operands. A row has one index where possible: an operand
/// of rows is formed once a row, one of columns at every cell. Operands that are sums are taken where they leave the product one index.
fn of_count(count: &Count) -> Formed {
    let free: Vec<VarId> = count.free_vars().collect();
    let alone = free.iter().filter(|_| free.len() > 1).map(|row| Split {
        rows: vec![*row],
        cols: free.iter().copied().filter(|col| col != row).collect(),
    });
    let all: Vec<Split> = alone.chain(splits(count)).collect();
    let is_repeated = count.terms.iter().any(|term| {
        let latents = term.factors.iter().enumerate();
        let mut latents = latents.filter(|(_, factor)| matches!(factor.of, Source::Latent(_)));
        latents.any(|(at, factor)| term.factors[..at].iter().any(|earlier| earlier.of == factor.of))
    });
    let wanted = [false, true].map(|by_cell| {
        [Sums::Absent, Sums::OfRows, Sums::Anywhere].map(|sums| Wanted {
            sums,
            several: sums == Sums::Absent && !is_repeated,
            by_cell,
        })
    });
    // A latent that meets itself is taken line by line, best where one index is summed over.
    let last = [
        (Sums::Absent, false),
        (Sums::Absent, true),
        (Sums::AtProduct, false),
        (Sums::AtProduct, true),
    ];
    let last = last.map(|(sums, by_cell)| Wanted {
        sums,
        several: true,
        by_cell,
    });
    let mut wanted = wanted.into_iter().flatten().chain(last);
    match wanted.find_map(|wanted| all.iter().find_map(|split| cut(count, split, wanted))) {
        Some(formed) => formed,
        None => unreachable!("operands that are formed at a cell may read all of its indices, and be any sum"),
    }
}

fn cut(count: &Count, split: &Split, wanted: Wanted) -> Option<Formed> {
    let slots = count.terms.iter().enumerate();
    let slots = slots.map(|(number, term)| slot(count, split, (number, term), wanted));
    let mut slots: Vec<FormedSlot> = slots.collect::<Option<_>>()?;
    let mut nodes = Vec::new();
    for (number, slot) in slots.iter_mut().enumerate() {
        read_in_time(count, number, slot, &mut nodes);
        form_nodes(count, number, slot, &mut nodes);
    }
    Some(Formed {
        rows: split.rows.clone(),
        cols: split.cols.clone(),
        slots,
        nodes,
        order: order(count),
        by_cell: wanted.by_cell,
    })
}

fn order(count: &Count) -> Option<[usize; 2]> {
    let [guard] = &count.guards[..] else { return None };
    let order = [guard.left, guard.right];
    // What a factor reads where positions are told has the indices that tell them.
    let mut read = count.terms.iter().flat_map(|term| leaves(count, term));
    let is_apart = read.all(|(_, vars)| !order.iter().all(|var| vars.contains(var)));
    (guard.less && is_apart).then(|| order.map(|var| var.0))
}

fn slot(count: &Count, split: &Split, (number, term): (usize, &Term), wanted: Wanted) -> Option<FormedSlot> {
    let fits = |sides: &Sides| {
        let [of_rows, of_cols] = below(term, sides);
        let has_wanted_sums = match wanted.sums {
            Sums::Absent => of_rows.is_empty() && of_cols.is_empty(),
            Sums::OfRows => of_rows.len() <= 1 && of_cols.is_empty(),
            Sums::Anywhere | Sums::AtProduct => true,
        };
        has_wanted_sums && (wanted.several || sides.inner.len() <= 1)
    };
    let mut sides = sides(count, term, split, wanted.by_cell).into_iter().find(fits)?;
    if wanted.sums == Sums::AtProduct {
        sides.inner.clone_from(&term.summed);
    }
    let below = below(term, &sides);
    // As the term is written.
    let order = leaves(count, term);
    let in_order = |mut side: Vec<(Operand, Vec<VarId>)>| {
        side.sort_by_key(|leaf| order.iter().position(|other| other == leaf));
        side.into_iter().map(|(operand, _)| operand).collect()
    };
    let [left, right] = [sides.left, sides.right].map(in_order);
    Some(FormedSlot {
        term: number,
        sums: sides.inner.iter().chain(below.iter().flatten()).copied().collect(),
        inner: sides.inner,
        below,
        left,
        right,
    })
}

/// The indices that a term sums over in one operand: in the operand of a row, and in that of a column.
fn below(term: &Term, sides: &Sides) -> [Vec<VarId>; 2] {
    let summed = term.summed.iter().copied();
    let below = summed.filter(|var| !sides.inner.contains(var));
    let is_of_rows = |var: &VarId| sides.left.iter().any(|(_, vars)| vars.contains(var));
    let (of_rows, of_cols) = below.partition(is_of_rows);
    [of_rows, of_cols]
}

/// Puts what is read at earlier times, or at the first ones alone, into nodes, which stand for it at the index itself.
fn read_in_time(count: &Count, number: usize, slot: &mut FormedSlot, nodes: &mut Vec<Node>) {
    for operand in slot.left.iter_mut().chain(&mut slot.right) {
        let (read, start) = match &*operand {
            Operand::Latent(_, read) | Operand::Data(_, read) => (read, None),
            Operand::Started(_, read, start) => (read, Some(start.var)),
            Operand::Buffer(_) | Operand::Scalar(_) => continue,
        };
        let is_shifted = read.iter().any(|var| count.vars.shift(*var).is_some());
        if !is_shifted && start.is_none() {
            continue;
        }
        let base = |var: &VarId| count.vars.shift(*var).map_or(*var, |(base, _)| base);
        let mut vars: Vec<VarId> = read.iter().map(base).collect();
        if let Some(start) = start.filter(|start| !vars.contains(start)) {
            vars.insert(0, start);
        }
        let read = std::mem::replace(operand, Operand::Buffer(nodes.len()));
        nodes.push(Node {
            slot: number,
            vars,
            summed: None,
            factors: vec![read],
        });
    }
}

/// Moves sums of the operand of a column into nodes, as far as these have at most one index of the cell. Of several, that of the last
/// index of the cell is formed first: time after places.
fn form_nodes(count: &Count, number: usize, slot: &mut FormedSlot, nodes: &mut Vec<Node>) {
    let own = |operand: &Operand, nodes: &[Node]| -> Vec<VarId> {
        let leaf = |vars: &[VarId]| {
            let told = |var: &VarId| count.vars.lookup(*var).map_or(vec![*var], |lookup| lookup.at.clone());
            vars.iter().flat_map(told).collect()
        };
        match operand {
            Operand::Latent(_, vars) | Operand::Data(_, vars) => leaf(vars),
            Operand::Buffer(node) => nodes[*node].vars.clone(),
            Operand::Scalar(_) | Operand::Started(..) => Vec::new(),
        }
    };
    loop {
        let node_over = |summed: VarId| {
            let (factors, rest): (Vec<Operand>, Vec<Operand>) =
                (slot.right.iter().cloned()).partition(|operand| own(operand, nodes).contains(&summed));
            let mut vars: Vec<VarId> = factors.iter().flat_map(|factor| own(factor, nodes)).collect();
            vars.retain(|var| *var != summed);
            // The inner index comes last, so that what the product reads is side by side.
            vars.sort_by_key(|var| (!count.is_free(*var), slot.inner.contains(var), *var));
            vars.dedup();
            let of_cell = vars.iter().filter(|var| count.is_free(**var)).count();
            let is_declared = |factor: &Operand| match factor {
                Operand::Latent(_, vars) | Operand::Data(_, vars) => {
                    vars.iter().all(|var| count.vars.lookup(*var).is_none())
                }
                Operand::Buffer(node) => nodes[*node].vars.iter().all(|var| count.vars.lookup(*var).is_none()),
                _ => true,
            };
            (of_cell <= 1 && factors.iter().all(is_declared)).then_some((vars, summed, factors, rest))
        };
        let found = slot.below[1].iter().filter_map(|summed| node_over(*summed));
        let last = found.max_by_key(|(vars, ..)| vars.first().copied().filter(|var| count.is_free(*var)));
        let Some((vars, summed, factors, mut rest)) = last else {
            return;
        };
        rest.push(Operand::Buffer(nodes.len()));
        nodes.push(Node {
            slot: number,
            vars,
            summed: Some(summed),
            factors,
        });
        slot.right = rest;
        slot.below[1].retain(|var| *var != summed);
    }
}
