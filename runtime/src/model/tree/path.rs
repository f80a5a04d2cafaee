//! The ways from the places where a latent occurs in a rate to the root: down them come exposures, and up them goes a change.

use crate::contract::Pair;
use crate::counts::Array;
use crate::model::formula::{Declared, Product};
use crate::model::{CountSpec, FactorKind, FactorSpec, Factors, Root};
use crate::view::{Side, View};

use super::walk::Walks;
use super::{Leaf, Place, Sizes, Tree};

/// The way from one place where a latent occurs to the root.
#[derive(Clone, Debug)]
pub(super) struct Path {
    latent: usize,
    /// The steps from the latent on, each with whether the way comes in as its left operand.
    steps: Vec<(usize, bool)>,
    /// The indices of the count at which the latent is read.
    vars: Vec<usize>,
    /// Where at the root it ends.
    side: Side,
    /// Number of the term of the rate.
    term: usize,
    /// How many indices of the count are those of the data.
    free: usize,
    /// What the declaration says that the latent gets along it: the exposure, the weight of a cell times the rest of the term, as it is and with
    /// means; and the counts.
    exposure: [Product; 2],
    allocation: Product,
}

impl Path {
    /// Those of all latents in the order in which a forward walk reads them.
    pub fn all(tree: &Tree, of: &Sizes<'_>, count: &CountSpec) -> Vec<Self> {
        let mut all = Vec::new();
        for (first, step) in tree.steps.iter().enumerate() {
            let [_, left, right] = step.parts();
            for (leaf, letters, is_left) in [(step.left, left, true), (step.right, right, false)] {
                if let Leaf::Latent(latent) = leaf {
                    let vars = letters.chars().map(|letter| of.var(letter)).collect();
                    all.push(Self::new(tree, count, latent, vars, (first, is_left)));
                }
            }
        }
        all
    }

    fn new(tree: &Tree, count: &CountSpec, latent: usize, vars: Vec<usize>, first: (usize, bool)) -> Self {
        let mut steps = vec![first];
        let mut at = first.0;
        while let Place::Node(node) = tree.steps[at].into {
            let reads = |leaf: Leaf| leaf == Leaf::Node(node);
            let mut all = tree.steps.iter();
            let Some(next) = all.position(|step| reads(step.left) || reads(step.right)) else {
                unreachable!("a node is read by a later step")
            };
            steps.push((next, reads(tree.steps[next].left)));
            at = next;
        }
        let (side, slot) = match tree.steps[at].into {
            Place::Left(slot) => (Side::Left, slot),
            Place::Right(slot) => (Side::Right, slot),
            Place::Weight(slot) => (Side::Weights, slot),
            Place::Node(_) => unreachable!("a way ends at the root"),
        };
        let term = tree.slots[slot].term;
        let spec = &count.terms[term];
        let here = |factor: &FactorSpec| factor.of == FactorKind::Latent(latent) && factor.vars == vars;
        let Some(read) = spec.factors.iter().position(here) else {
            unreachable!("a tree reads what its rate does")
        };
        Self {
            latent,
            steps,
            exposure: Declared::exposure(count, spec, read),
            allocation: Declared::allocation(count, spec, read),
            vars,
            side,
            term,
            free: count.free,
        }
    }

    /// The indices of the data among those at the positions `sequence` of the latent: the position in `sequence`, and which.
    ///
    /// An index that is summed over is not fixed at the root: all of its values are computed, and those of the slice used.
    fn fixed<'a>(&'a self, sequence: &'a [usize]) -> impl Iterator<Item = (usize, usize)> + 'a {
        let vars = sequence.iter().map(|&position| self.vars[position]).enumerate();
        vars.filter(|(_, var)| *var < self.free)
    }
}

/// What came down a way to its inner nodes, kept from one slice to the next.
#[derive(Clone, Debug, Default)]
pub struct Seeds {
    arrays: Vec<Vec<f64>>,
}

impl Walks {
    /// The ways of a latent through the terms of this count.
    pub(in crate::model) fn uses(&self, latent: usize) -> Vec<usize> {
        let paths = self.paths.iter().enumerate();
        paths
            .filter(|(_, path)| path.latent == latent)
            .map(|(i, _)| i)
            .collect()
    }

    /// Whether the term of a way uses its latent more than once.
    pub(in crate::model) fn repeats(&self, path: usize) -> bool {
        let Path { latent, term, .. } = self.paths[path];
        let same = |other: &&Path| other.latent == latent && other.term == term;
        self.paths.iter().filter(same).count() > 1
    }

    /// The ways of a latent through a term along which it gets this exposure.
    pub(in crate::model) fn exposed(&self, latent: usize, term: usize, of: &Product) -> Vec<usize> {
        self.ways(latent, term, |path| path.exposure.contains(of))
    }

    /// The same for counts.
    pub(in crate::model) fn allocated(&self, latent: usize, term: usize, of: &Product) -> Vec<usize> {
        self.ways(latent, term, |path| path.allocation == *of)
    }

    fn ways(&self, latent: usize, term: usize, is: impl Fn(&Path) -> bool) -> Vec<usize> {
        let mut ways = self.uses(latent);
        ways.retain(|&way| self.paths[way].term == term && is(&self.paths[way]));
        ways
    }

    /// Adds the exposure of every entry along a way to `into`: the adjoint of the rates at the weights of the cells.
    pub(in crate::model) fn exposure(
        &self,
        path: usize,
        x: &Factors,
        arrays: &[Array],
        root: &mut Root,
        view: &View,
        into: &mut [f64],
    ) {
        let path = &self.paths[path];
        match path.side {
            Side::Left => root.exposure_left(view),
            Side::Right => root.exposure_right(view),
            Side::Weights => root.exposure_weights(view),
        }
        let mut above: Vec<f64> = Vec::new();
        for (at, &(number, is_left)) in path.steps.iter().enumerate().rev() {
            let step = &self.steps[number];
            let [left, right] = step.operands(x, arrays, &root.nodes);
            let seed = match step.into {
                Place::Node(_) => &above[..],
                _ => step.seed(&root.seeds, &[]),
            };
            let mut node = match at {
                0 => Vec::new(),
                _ => vec![0.0; self.below(path, at)],
            };
            let out = if at == 0 { &mut *into } else { &mut node };
            match is_left {
                true => step.adjoint_left(out, seed, right),
                false => step.pair.adjoint_right(out, left, seed),
            }
            above = node;
        }
    }

    /// Entries of the node that the step at place `at` of a way reads.
    fn below(&self, path: &Path, at: usize) -> usize {
        match self.steps[path.steps[at - 1].0].into {
            Place::Node(node) => self.node(node),
            _ => unreachable!("only the last step of a way writes to the root"),
        }
    }

    /// [`Walks::exposure`] of the entries whose indices at the positions `sequence` have the values `at`.
    #[expect(clippy::too_many_arguments, reason = "a slice, where it is read, where it goes")]
    pub(in crate::model) fn exposure_at(
        &self,
        path: usize,
        [sequence, at]: [&[usize]; 2],
        x: &Factors,
        arrays: &[Array],
        root: &mut Root,
        view: &View,
        seeds: &mut Seeds,
        into: &mut [f64],
    ) {
        let path = &self.paths[path];
        let axes: Vec<(usize, usize)> = path.fixed(sequence).map(|(i, var)| (var, at[i])).collect();
        root.exposure_slice(path.side, &axes, view);
        seeds.arrays.resize_with(path.steps.len(), Vec::new);
        for (place, &(number, is_left)) in path.steps.iter().enumerate().rev() {
            let step = &self.steps[number];
            let pair = self.pair_at(number, &axes);
            let [left, right] = step.operands(x, arrays, &root.nodes);
            let (out, seed) = match place {
                0 => (&mut *into, &seeds.arrays[0]),
                _ => {
                    let entries = self.below(path, place);
                    let [node, above] = seeds.arrays.get_disjoint_mut([place - 1, place]).expect("two places");
                    node.resize(entries, 0.0);
                    match is_left {
                        true => pair.clear_left(node),
                        false => pair.clear_right(node),
                    }
                    (&mut node[..], &*above)
                }
            };
            let seed = match step.into {
                Place::Node(_) => &seed[..],
                _ => step.seed(&root.seeds, &[]),
            };
            match is_left {
                true => pair.adjoint_left(out, seed, right),
                false => pair.adjoint_right(out, left, seed),
            }
        }
    }

    /// A step with some indices of the data fixed.
    fn pair_at(&self, step: usize, fixed: &[(usize, usize)]) -> Pair {
        let step = &self.steps[step];
        fixed.iter().fold(step.pair.clone(), |pair, &(var, value)| {
            let Some(axis) = step.axes.iter().position(|axis| *axis == var) else {
                unreachable!("an index of the data is carried from a factor to the root")
            };
            pair.at(axis, value)
        })
    }

    /// Forward along some ways of a latent that has changed.
    pub(in crate::model) fn changed(&self, paths: &[usize], x: &Factors, arrays: &[Array], root: &mut Root) {
        let steps = paths.iter().flat_map(|&path| &self.paths[path].steps);
        let mut steps: Vec<usize> = steps.map(|(step, _)| *step).collect();
        steps.sort_unstable();
        steps.dedup();
        for step in steps {
            let step = &self.steps[step];
            step.forward(&step.pair, x, arrays, root);
        }
        self.mark(paths, root);
    }

    /// The same where only the entries at `at` have changed.
    pub(in crate::model) fn changed_at(
        &self,
        paths: &[usize],
        [sequence, at]: [&[usize]; 2],
        x: &Factors,
        arrays: &[Array],
        root: &mut Root,
    ) {
        for &path in paths {
            let path = &self.paths[path];
            let axes: Vec<(usize, usize)> = path.fixed(sequence).map(|(i, var)| (var, at[i])).collect();
            for &(step, _) in &path.steps {
                self.steps[step].forward(&self.pair_at(step, &axes), x, arrays, root);
            }
        }
        self.mark(paths, root);
    }

    /// Exposures that no longer hold.
    fn mark(&self, paths: &[usize], root: &mut Root) {
        let ends = |side: Side| paths.iter().any(|&path| self.paths[path].side == side);
        if ends(Side::Left) {
            root.left_changed();
        }
        if ends(Side::Right) {
            root.right_changed();
        }
        if ends(Side::Weights) {
            root.weights_changed();
        }
    }
}
