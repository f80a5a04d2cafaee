//! A tree where sizes are known, and the three walks over it.

use std::borrow::Cow;

use crate::contract::{Axis, ONE, Operands, Pair};
use crate::counts::Array;
use crate::model::lookup::{Gather, Looked, earlier, first_of};
use crate::model::{CountSpec, Factors, Nodes, Root};
use crate::streams::{Purpose, Streams};

use super::path::Path;
use super::{Contraction, Leaf, Place, Sizes, Tree};

/// A contraction with strides instead of letters.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub pair: Pair,
    /// The index of the count at each axis of `pair`.
    pub axes: Vec<usize>,
    pub into: Place,
    /// Where the result begins in the array that `into` is a part of; of coefficients, their group.
    pub at: usize,
    pub left: Leaf,
    pub right: Leaf,
    /// The operands that are numbers.
    pub numbers: [[f64; 1]; 2],
    /// How the left operand is read, if something in it is looked up: instead of `pair`.
    gather: Option<Gather>,
}

/// The tree of one count in the layout that was chosen: what its three walks do.
///
/// | walk | from | to | rule |
/// |---|---|---|---|
/// | forward | factors | inner nodes, both sides of the product | a rate is multilinear: its sums may be taken in any order |
/// | adjoint | derivatives with respect to the sides | derivatives with respect to the factors | the expected count on an entry is the entry times the derivative with respect to it |
/// | thin | counts on the sides | counts on the factors | given their total, Poisson counts are multinomial |
#[derive(Clone, Debug)]
pub struct Walks {
    pub(super) steps: Vec<Step>,
    /// Entries of each inner node.
    nodes: Vec<usize>,
    pub(super) paths: Vec<Path>,
}

/// An operand, read.
fn values<'a>(leaf: Leaf, number: &'a [f64; 1], x: &'a Factors, arrays: &'a [Array], nodes: &'a Nodes) -> &'a [f64] {
    match leaf {
        Leaf::Latent(latent) => &x[latent],
        Leaf::Array(array) => arrays[array].as_slice(),
        Leaf::Node(node) => &nodes[node],
        Leaf::Scalar(..) => number,
        Leaf::One => ONE,
    }
}

impl Step {
    fn new(tree: &Tree, step: &Contraction, of: &Sizes<'_>, hypers: &[f64], arrays: &[Array]) -> Self {
        let [out, left, right] = step.parts();
        let mut order: Vec<char> = Vec::new();
        for letter in [out, left, right].iter().flat_map(|letters| letters.chars()) {
            if !order.contains(&letter) {
                order.push(letter);
            }
        }
        let (stride_out, at) = target(tree, step.into, out, of);
        let axes = order.iter().map(|&letter| {
            let stride = |letters: &str| stride(letters, letter, of);
            Axis::new(of.size(letter), stride_out(letter), stride(left), stride(right))
        });
        let number = |leaf: Leaf| match leaf {
            Leaf::Scalar(number, of) => [of.iter().fold(number, |product, &hyper| product * hypers[hyper])],
            _ => [1.0],
        };
        Self {
            pair: Pair::new(&axes.collect::<Vec<_>>()),
            axes: order.iter().map(|&letter| of.var(letter)).collect(),
            into: step.into,
            at,
            left: step.left,
            right: step.right,
            numbers: [step.left, step.right].map(number),
            gather: step.gathers().then(|| gather(step, of, arrays)),
        }
    }

    /// Hands `seed` down to the left operand, added to `into`.
    pub(super) fn adjoint_left(&self, into: &mut [f64], seed: &[f64], right: &[f64]) {
        match &self.gather {
            Some(gather) => gather.add_back(into, seed),
            None => self.pair.adjoint_left(into, seed, right),
        }
    }

    /// Its two operands, read.
    pub(super) fn operands<'a>(&'a self, x: &'a Factors, arrays: &'a [Array], nodes: &'a Nodes) -> [&'a [f64]; 2] {
        let [left, right] = &self.numbers;
        [
            values(self.left, left, x, arrays, nodes),
            values(self.right, right, x, arrays, nodes),
        ]
    }

    /// Forward through `pair`, the whole of this step or a part of it.
    pub(super) fn forward(&self, pair: &Pair, x: &Factors, arrays: &[Array], root: &mut Root) {
        if let Place::Node(node) = self.into {
            // A node is read beside the others: take it out while it is written.
            let mut array = root.nodes.take(node);
            let [left, right] = self.operands(x, arrays, &root.nodes);
            match &self.gather {
                Some(gather) => gather.forward(&mut array, left, 0.0),
                None => pair.forward(&mut array, left, right),
            }
            root.nodes.put(node, array);
            return;
        }
        let [left, right] = self.operands(x, arrays, &root.nodes);
        let out = match self.into {
            Place::Left(_) => &mut root.operands.left[self.at..],
            Place::Right(_) => &mut root.operands.right[self.at..],
            Place::Weight(_) | Place::Node(_) => &mut root.operands.weights[self.at][..],
        };
        pair.forward(out, left, right);
    }

    /// What came down to the result of this step.
    pub(super) fn seed<'a>(&self, seeds: &'a Operands, nodes: &'a [Vec<f64>]) -> &'a [f64] {
        match self.into {
            Place::Left(_) => &seeds.left[self.at..],
            Place::Right(_) => &seeds.right[self.at..],
            Place::Weight(_) => &seeds.weights[self.at],
            Place::Node(node) => &nodes[node],
        }
    }
}

/// How a step reads what is looked up.
fn gather(step: &Contraction, of: &Sizes<'_>, arrays: &[Array]) -> Gather {
    let [out, read, _] = step.parts();
    let is_outer = |letter: char| {
        step.lookups.iter().any(|(_, _, at)| at.contains(letter))
            || step.shifts.iter().any(|(_, _, base)| *base == letter)
            || step.start.is_some_and(|(of, _)| of == letter)
    };
    let axis = |letter: char| [of.size(letter), stride(read, letter, of)];
    let (outer, inner): (String, String) = out.chars().partition(|&letter| is_outer(letter));
    assert!(out.starts_with(&outer), "`{out}` begins with where it is looked up");
    let only = |of: char| outer.chars().map(|letter| usize::from(letter == of)).collect();
    let looked_up = step.lookups.iter().map(|&(letter, array, at)| Looked {
        stride: stride(read, letter, of),
        table: Cow::Borrowed(arrays[array].as_slice()),
        strides: outer.chars().map(|letter| stride(at, letter, of)).collect(),
    });
    let shifted = step.shifts.iter().map(|&(letter, back, base)| Looked {
        stride: stride(read, letter, of),
        table: Cow::Owned(earlier(of.size(base), back)),
        strides: only(base),
    });
    let start = step.start.iter().map(|&(letter, until)| Looked {
        stride: 0,
        table: Cow::Owned(first_of(of.size(letter), until)),
        strides: only(letter),
    });
    let looked: Vec<Looked<'_>> = looked_up.chain(shifted).chain(start).collect();
    let [outer, inner] = [&outer, &inner].map(|letters| letters.chars().map(axis).collect::<Vec<_>>());
    Gather::new(&outer, &inner, &looked)
}

/// Stride of a letter in an array with the indices `letters`; zero for one that it lacks.
fn stride(letters: &str, letter: char, of: &Sizes<'_>) -> usize {
    match letters.split_once(letter) {
        Some((_, inner)) => of.volume(inner),
        None => 0,
    }
}

/// Strides of the letters of a result, and where it begins.
fn target<'a>(
    tree: &'a Tree,
    into: Place,
    out: &'a str,
    of: &'a Sizes<'_>,
) -> (Box<dyn Fn(char) -> usize + 'a>, usize) {
    let lengths: Vec<usize> = tree.slots.iter().map(|slot| of.volume(slot.inner)).collect();
    match into {
        Place::Left(slot) | Place::Right(slot) => {
            let inner = tree.slots[slot].inner;
            let outer: String = out.chars().filter(|&letter| !inner.contains(letter)).collect();
            // Terms stand side by side in the inner index: a line is as long as all of them.
            let line: usize = lengths.iter().sum();
            let strides = move |letter: char| match (inner.contains(letter), out.contains(letter)) {
                (true, _) => stride(inner, letter, of),
                (false, true) => stride(&outer, letter, of) * line,
                (false, false) => 0,
            };
            (Box::new(strides), lengths[..slot].iter().sum())
        }
        Place::Weight(slot) => {
            let mut before = 0;
            let group = tree.groups().iter().position(|slots| {
                before += slots.len();
                before > slot
            });
            let Some(group) = group else {
                unreachable!("every slot is in a group")
            };
            (Box::new(move |letter| stride(out, letter, of)), group)
        }
        Place::Node(_) => (Box::new(move |letter| stride(out, letter, of)), 0),
    }
}

/// Whether something comes down to an operand; known arrays and numbers get nothing.
fn receives(leaf: Leaf) -> bool {
    matches!(leaf, Leaf::Latent(_) | Leaf::Node(_))
}

impl Walks {
    /// The latents that are read, ascending.
    pub(in crate::model) fn latents(&self) -> Vec<usize> {
        let leaves = self.steps.iter().flat_map(|step| [step.left, step.right]);
        let mut latents: Vec<usize> = leaves
            .filter_map(|leaf| match leaf {
                Leaf::Latent(latent) => Some(latent),
                _ => None,
            })
            .collect();
        latents.sort_unstable();
        latents.dedup();
        latents
    }

    /// The walks over `tree`, whose letters are `letters`, at given sizes and values of the scalar hyperparameters. Of `arrays`,
    /// those that hold positions are read.
    pub(in crate::model) fn new(
        tree: &Tree,
        letters: &str,
        count: &CountSpec,
        sizes: &[usize],
        hypers: &[f64],
        arrays: &[Array],
    ) -> Self {
        let of = Sizes::new(letters, count, sizes);
        let steps = tree.steps.iter().map(|step| Step::new(tree, step, &of, hypers, arrays));
        Self {
            steps: steps.collect(),
            nodes: tree.nodes.iter().map(|letters| of.volume(letters)).collect(),
            paths: Path::all(tree, &of, count),
        }
    }

    /// Forward walk: inner nodes and operands from the factors.
    pub(in crate::model) fn forward(&self, x: &Factors, arrays: &[Array], root: &mut Root) {
        root.nodes.resize(&self.nodes);
        for step in &self.steps {
            step.forward(&step.pair, x, arrays, root);
        }
    }

    /// The same where numbers and known arrays have been squared: what is left of a variance that goes up the tree.
    pub(in crate::model) fn squared(&self) -> Self {
        let mut all = self.clone();
        let numbers = all.steps.iter_mut().flat_map(|step| step.numbers.iter_mut().flatten());
        numbers.for_each(|number| *number *= *number);
        all
    }

    /// Adjoint walk: derivatives in the seeds of `root`, handed down to `into`.
    pub(in crate::model) fn adjoint(&self, x: &Factors, arrays: &[Array], root: &Root, into: &mut Factors) {
        let mut nodes = self.zeros();
        for step in self.steps.iter().rev() {
            let seed = match step.into {
                Place::Node(node) => std::mem::take(&mut nodes[node]),
                _ => Vec::new(),
            };
            let seed = match step.into {
                Place::Node(_) => &seed[..],
                _ => step.seed(&root.seeds, &[]),
            };
            let [left, right] = step.operands(x, arrays, &root.nodes);
            if let Some(into) = receiver(step.left, &mut nodes, into) {
                step.adjoint_left(into, seed, right);
            }
            if let Some(into) = receiver(step.right, &mut nodes, into) {
                step.pair.adjoint_right(into, left, seed);
            }
        }
    }

    /// Thin walk: counts in the seeds of `root`, handed down to `into`. `unit` tells the random numbers of counts apart.
    pub(in crate::model) fn thin(
        &self,
        x: &Factors,
        arrays: &[Array],
        root: &Root,
        into: &mut Factors,
        streams: &Streams,
        unit: usize,
    ) {
        let mut nodes = self.zeros();
        let steps = self.steps.iter().enumerate().rev();
        for (number, step) in steps.filter(|(_, step)| receives(step.left) || receives(step.right)) {
            let mut rng = streams.open(Purpose::Thin, unit, number as u64);
            let seed = match step.into {
                Place::Node(node) => std::mem::take(&mut nodes[node]),
                _ => Vec::new(),
            };
            let seed = match step.into {
                Place::Node(_) => &seed[..],
                _ => step.seed(&root.seeds, &[]),
            };
            if let (Some(gather), Some(into)) = (&step.gather, receiver(step.left, &mut nodes, into)) {
                gather.add_back(into, seed);
                continue;
            }
            let [left, right] = step.operands(x, arrays, &root.nodes);
            // The right operand's counts are taken apart: two uses of one latent may meet here.
            let mut second = match step.right {
                Leaf::Latent(latent) => vec![0.0; into[latent].len()],
                Leaf::Node(node) => std::mem::take(&mut nodes[node]),
                _ => Vec::new(),
            };
            let into_right = receives(step.right).then_some(&mut second[..]);
            let into_left = receiver(step.left, &mut nodes, into);
            step.pair.thin(seed, left, right, into_left, into_right, &mut rng);
            match step.right {
                Leaf::Latent(latent) => into[latent].iter_mut().zip(&second).for_each(|(n, more)| *n += more),
                Leaf::Node(node) => nodes[node] = second,
                _ => {}
            }
        }
    }

    /// Room for what comes down to the inner nodes.
    fn zeros(&self) -> Vec<Vec<f64>> {
        self.nodes.iter().map(|&entries| vec![0.0; entries]).collect()
    }

    /// Entries of an inner node.
    pub(super) fn node(&self, node: usize) -> usize {
        self.nodes[node]
    }
}

/// What receives the derivatives or counts of an operand.
fn receiver<'a>(leaf: Leaf, nodes: &'a mut [Vec<f64>], into: &'a mut Factors) -> Option<&'a mut [f64]> {
    match leaf {
        Leaf::Latent(latent) => Some(&mut into[latent]),
        Leaf::Node(node) => Some(&mut nodes[node]),
        Leaf::Array(_) | Leaf::Scalar(..) | Leaf::One => None,
    }
}

#[cfg(test)]
mod tests;
