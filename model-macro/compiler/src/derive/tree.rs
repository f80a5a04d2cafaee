//! Orders in which one side of a product can be contracted.

use crate::resolve::VarId;

use super::layout::{Operand, StepAxis};

/// A binary tree over leaves.
#[derive(Debug, Clone)]
pub(super) enum Tree {
    Leaf(usize),
    Product(Box<Tree>, Box<Tree>),
}

/// All binary trees over `leaves`; `(2n - 3)!!` of them, so callers bound `n`.
pub(super) fn trees(leaves: &[usize]) -> Vec<Tree> {
    match leaves {
        [] => Vec::new(),
        [leaf] => vec![Tree::Leaf(*leaf)],
        [first, rest @ ..] => {
            // The first leaf stays left: mirror images cost the same.
            let mut all = Vec::new();
            for mask in 0..(1usize << rest.len()) - 1 {
                let pick = |bit| {
                    rest.iter()
                        .enumerate()
                        .filter(move |(i, _)| (mask >> i & 1 == 1) == bit)
                        .map(|(_, l)| *l)
                };
                let left: Vec<usize> = std::iter::once(*first).chain(pick(true)).collect();
                let right: Vec<usize> = pick(false).collect();
                for l in trees(&left) {
                    for r in trees(&right) {
                        all.push(Tree::Product(Box::new(l.clone()), Box::new(r)));
                    }
                }
            }
            all
        }
    }
}

/// A contraction inside a tree, before it has a place in memory.
#[derive(Debug, Clone)]
pub(super) struct Contraction {
    pub left: Node,
    pub right: Node,
    /// Indices of the result, in the order in which it is stored.
    pub out: Vec<VarId>,
    pub axes: Vec<StepAxis>,
}

/// What a contraction reads.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Leaf(Operand),
    /// The result of an earlier contraction of the same tree.
    Inner(usize),
}

/// Turns a tree into contractions, the last of which has the indices `out`. An index is summed as soon
/// as neither `out` nor a leaf outside the subtree carries it.
pub(super) fn contract(tree: &Tree, leaves: &[(Operand, Vec<VarId>)], out: &[VarId]) -> Vec<Contraction> {
    let mut all = Vec::new();
    match tree {
        Tree::Leaf(leaf) => {
            let (operand, vars) = leaves[*leaf].clone();
            all.push(contraction(
                (Node::Leaf(operand), vars),
                (Node::Leaf(Operand::One), Vec::new()),
                out.to_vec(),
            ));
        }
        Tree::Product(left, right) => {
            let [l, r] = [left, right].map(|side| subtree(side, tree, leaves, out, &mut all));
            all.push(contraction(l, r, out.to_vec()));
        }
    }
    all
}

fn subtree(
    tree: &Tree,
    whole: &Tree,
    leaves: &[(Operand, Vec<VarId>)],
    out: &[VarId],
    all: &mut Vec<Contraction>,
) -> (Node, Vec<VarId>) {
    match tree {
        Tree::Leaf(leaf) => (Node::Leaf(leaves[*leaf].0.clone()), leaves[*leaf].1.clone()),
        Tree::Product(left, right) => {
            let [l, r] = [left, right].map(|side| subtree(side, whole, leaves, out, all));
            let inside = members(tree);
            let needed = |var: &VarId| {
                out.contains(var)
                    || members(whole)
                        .iter()
                        .any(|m| !inside.contains(m) && leaves[*m].1.contains(var))
            };
            let mut vars: Vec<VarId> = l.1.iter().chain(&r.1).copied().filter(|v| needed(v)).collect();
            // In the order of the target first: the innermost index of the product stays innermost.
            vars.sort_by_key(|v| (out.iter().position(|o| o == v).unwrap_or(0), *v));
            vars.dedup();
            all.push(contraction(l, r, vars.clone()));
            (Node::Inner(all.len() - 1), vars)
        }
    }
}

fn members(tree: &Tree) -> Vec<usize> {
    match tree {
        Tree::Leaf(leaf) => vec![*leaf],
        Tree::Product(l, r) => members(l).into_iter().chain(members(r)).collect(),
    }
}

fn contraction(left: (Node, Vec<VarId>), right: (Node, Vec<VarId>), out: Vec<VarId>) -> Contraction {
    let mut axes = Vec::new();
    for &var in out.iter().chain(&left.1).chain(&right.1) {
        if !axes.iter().any(|a: &StepAxis| a.var == var) {
            axes.push(StepAxis {
                var,
                out: out.contains(&var),
                left: left.1.contains(&var),
                right: right.1.contains(&var),
            });
        }
    }
    Contraction {
        left: left.0,
        right: right.0,
        out,
        axes,
    }
}
