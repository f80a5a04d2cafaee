//! Which layouts are worth emitting.

use skellam_formula::layout_price::{STEP_WALKS, price};

use crate::resolve::{Count, Model, SetId, Side, VarId};

use super::cost::Cost;
use super::layout::{Buffer, Layout, Operand, Slot, Step, Target, sets};
use super::sides::{Sides, Split, sides, splits};
use super::tree::{Node, Tree, contract, trees};

/// Most layouts that are emitted for a count.
const MOST: usize = 3;
/// Sides with more leaves than this are contracted in the order written.
const MOST_LEAVES: usize = 5;

/// The layouts of a count that are cheapest somewhere, best overall first.
pub(super) fn layouts(model: &Model, count: &Count) -> Vec<Layout> {
    let all = candidates(count);
    let profiles = profiles(model, count);
    let cost = |layout: &Layout, sizes: &[f64]| {
        let at = |c: &Cost| c.at(|s: SetId| sizes[s.0]);
        price(at(&layout.root), at(&layout.below), at(&layout.memory)).ln()
    };
    let table: Vec<Vec<f64>> = all
        .iter()
        .map(|l| profiles.iter().map(|p| cost(l, p)).collect())
        .collect();
    let mut chosen: Vec<usize> = Vec::new();
    let mut best = vec![f64::INFINITY; profiles.len()];
    while chosen.len() < MOST {
        let total = |i: usize| best.iter().zip(&table[i]).map(|(b, c)| b.min(*c)).sum::<f64>();
        let Some(next) = (0..all.len()).min_by(|a, b| total(*a).total_cmp(&total(*b))) else {
            break;
        };
        // Another layout must save a percent on average over what is there already.
        if !chosen.is_empty() && best.iter().sum::<f64>() - total(next) < 0.01 * profiles.len() as f64 {
            break;
        }
        best.iter_mut().zip(&table[next]).for_each(|(b, c)| *b = b.min(*c));
        chosen.push(next);
    }
    chosen.into_iter().map(|i| all[i].clone()).collect()
}

/// Sizes at which layouts are compared: free index sets from thirty to ten thousand, the others from two
/// to two hundred, spread by a fixed sequence so that tokens do not change from build to build.
fn profiles(model: &Model, count: &Count) -> Vec<Vec<f64>> {
    let is_free = |set: usize| count.free_vars().any(|v| count.vars[v.0].set.0 == set);
    let mut state = 0.5f64;
    (0..64)
        .map(|_| {
            (0..model.sets.len())
                .map(|set| {
                    // The golden-ratio sequence fills the unit interval evenly in any number of steps.
                    state = (state + 0.618_033_988_749_894_9).fract();
                    let (low, high) = if is_free(set) { (30f64, 1e4f64) } else { (2.0, 200.0) };
                    (low.ln() + state * (high / low).ln()).exp()
                })
                .collect()
        })
        .collect()
}

/// Every layout: the smallest batch that some split fits, every such split, every order of contraction.
fn candidates(count: &Count) -> Vec<Layout> {
    for size in 0..=count.free {
        let mut found = Vec::new();
        for batch in subsets(count, size) {
            for split in splits(count, &batch) {
                let options: Vec<Vec<Sides>> = count.terms.iter().map(|t| sides(count, t, &split, false)).collect();
                if options.iter().all(|o| !o.is_empty()) {
                    found.extend(arrange(count, &split, &options));
                }
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    unreachable!("with every free index in the batch no factor carries rows or columns")
}

fn subsets(count: &Count, size: usize) -> Vec<Vec<VarId>> {
    let all: Vec<VarId> = count.free_vars().collect();
    (0..1usize << all.len())
        .filter(|mask| mask.count_ones() as usize == size)
        .map(|mask| {
            all.iter()
                .enumerate()
                .filter(|(i, _)| mask >> i & 1 == 1)
                .map(|(_, v)| *v)
                .collect()
        })
        .collect()
}

/// Layouts of a split: for each term the choices of sides and trees, combined so that each choice of
/// one term meets the cheapest of the others.
fn arrange(count: &Count, split: &Split, options: &[Vec<Sides>]) -> Vec<Layout> {
    let choices: Vec<Vec<Choice>> = options
        .iter()
        .map(|sides| sides.iter().flat_map(choices).collect())
        .collect();
    let longest = choices.iter().map(Vec::len).max().unwrap_or(0);
    // Terms are independent of each other, so walking their lists in step meets every choice of each
    // without the product of all lists.
    (0..longest)
        .map(|i| {
            let picked: Vec<&Choice> = choices.iter().map(|c| &c[i % c.len()]).collect();
            assemble(count, split, &picked)
        })
        .collect()
}

/// One way to contract the three parts of a term.
struct Choice {
    sides: Sides,
    trees: [Option<Tree>; 3],
}

fn choices(sides: &Sides) -> Vec<Choice> {
    let of = |leaves: &[(Operand, Vec<VarId>)]| -> Vec<Option<Tree>> {
        let all: Vec<usize> = (0..leaves.len()).collect();
        match leaves.len() {
            0 => vec![None],
            n if n <= MOST_LEAVES => trees(&all).into_iter().map(Some).collect(),
            _ => vec![
                all.into_iter()
                    .map(Tree::Leaf)
                    .reduce(|a, b| Tree::Product(Box::new(a), Box::new(b))),
            ],
        }
    };
    let [left, right, weight] = [of(&sides.left), of(&sides.right), of(&sides.weight)];
    let mut all = Vec::new();
    for l in &left {
        for r in &right {
            for w in &weight {
                all.push(Choice {
                    sides: sides.clone(),
                    trees: [l.clone(), r.clone(), w.clone()],
                });
            }
        }
    }
    all
}

fn assemble(count: &Count, split: &Split, picked: &[&Choice]) -> Layout {
    let mut order: Vec<usize> = (0..picked.len()).collect();
    order.sort_by_key(|&t| (count.side(t) == Side::Minus, !picked[t].sides.weight.is_empty()));
    let mut layout = Layout {
        batch: split.batch.clone(),
        rows: split.rows.clone(),
        cols: split.cols.clone(),
        slots: Vec::new(),
        buffers: Vec::new(),
        steps: Vec::new(),
        below: Cost::default(),
        root: Cost::default(),
        memory: Cost::default(),
    };
    for (slot, &term) in order.iter().enumerate() {
        let choice = picked[term];
        let weighted = !choice.sides.weight.is_empty();
        layout.slots.push(Slot {
            term,
            inner: choice.sides.inner.clone(),
            weighted,
        });
        let targets = [Target::Left(slot), Target::Right(slot), Target::Weight(slot)];
        let parts = [&choice.sides.left, &choice.sides.right, &choice.sides.weight];
        for ((target, leaves), tree) in targets.into_iter().zip(parts).zip(&choice.trees) {
            if !matches!(target, Target::Weight(_)) || weighted {
                place(count, &mut layout, target, leaves, tree.as_ref());
            }
        }
    }
    set_price(count, &mut layout);
    layout
}

/// Appends the steps that compute `target`.
fn place(count: &Count, layout: &mut Layout, target: Target, leaves: &[(Operand, Vec<VarId>)], tree: Option<&Tree>) {
    let out = layout.stored(target);
    // A side without factors is all ones.
    let nothing = [(Operand::One, Vec::new())];
    let (leaves, tree) = match tree {
        Some(tree) => (leaves, tree.clone()),
        None => (&nothing[..], Tree::Leaf(0)),
    };
    let leaves: Vec<_> = leaves.iter().cloned().map(|leaf| layout.look_up(count, leaf)).collect();
    let contractions = contract(&tree, &leaves, &out);
    let first_buffer = layout.buffers.len();
    let last = contractions.len() - 1;
    for (i, c) in contractions.into_iter().enumerate() {
        let operand = |node: Node| match node {
            Node::Leaf(operand) => operand,
            Node::Inner(inner) => Operand::Buffer(first_buffer + inner),
        };
        let target = if i == last {
            target
        } else {
            layout.buffers.push(Buffer { vars: c.out.clone() });
            Target::Buffer(first_buffer + i)
        };
        layout.steps.push(Step {
            target,
            left: operand(c.left),
            right: operand(c.right),
            axes: c.axes,
            start: None,
        });
    }
}

fn set_price(count: &Count, layout: &mut Layout) {
    let cells: Vec<VarId> = count.free_vars().collect();
    for slot in &layout.slots {
        layout
            .root
            .add(1.0, sets(count, &cells).chain(sets(count, &slot.inner)));
        let shared = || layout.batch.iter().copied();
        let left: Vec<VarId> = shared()
            .chain(layout.rows.iter().copied())
            .chain(slot.inner.iter().copied())
            .collect();
        let right: Vec<VarId> = shared()
            .chain(layout.cols.iter().copied())
            .chain(slot.inner.iter().copied())
            .collect();
        layout.memory.add(1.0, sets(count, &left));
        layout.memory.add(1.0, sets(count, &right));
        if slot.weighted {
            layout.memory.add(1.0, sets(count, &cells));
        }
    }
    for buffer in &layout.buffers {
        layout.memory.add(1.0, sets(count, &buffer.vars));
    }
    for step in &layout.steps {
        let vars: Vec<VarId> = step.axes.iter().map(|a| a.var).collect();
        layout.below.add(STEP_WALKS, sets(count, &vars));
    }
}
