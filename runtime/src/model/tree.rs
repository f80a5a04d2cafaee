//! The contraction trees of a rate as data.
//!
//! A rate is a sum of products, and its sums may be taken in any order: each order is a [`Tree`]. Index letters say what a step
//! does, as in `left[d,k] = theta[d,k]`, written `"dk = dk"`. Where the sizes of the index sets are known, [`Walks`] makes
//! strides of the letters, once.

mod path;
mod walk;

pub(super) use path::Seeds;
pub use walk::Walks;

use std::borrow::Cow;

use skellam_formula::layout_price::STEP_WALKS;

use crate::contract::Grid;

use super::{CountSpec, LayoutCost};

/// One way to compute the rate of a count: how its cells are cut in rows and columns, and the contractions that make the two
/// sides of the product at the root. An index is a letter of [`DerivedCount::letters`](super::DerivedCount::letters).
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// The product at the root, then the steps, in words.
    pub text: &'static str,
    /// Indices of the data that both sides carry: a product for each of their values.
    pub batch: &'static str,
    /// Indices of the data that the left side carries.
    pub rows: &'static str,
    /// Indices of the data that the right side carries.
    pub cols: &'static str,
    /// The part of the inner index that belongs to each term: the plus side before the minus side of a difference, and on each side
    /// terms without a coefficient per cell first.
    pub slots: &'static [Slot],
    /// Indices of the inner nodes, in the order in which they are stored.
    pub nodes: &'static [&'static str],
    /// The steps, each after those whose results it reads.
    pub steps: &'static [Contraction],
}

/// The part of the inner index that belongs to one term.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    term: usize,
    inner: &'static str,
    weighted: bool,
    minus: bool,
}

impl Slot {
    /// The part of the term number `term`, which sums over the indices `inner` at the root.
    pub const fn new(term: usize, inner: &'static str) -> Self {
        Self {
            term,
            inner,
            weighted: false,
            minus: false,
        }
    }

    /// The same with a coefficient in every cell.
    pub const fn weighted(self) -> Self {
        Self { weighted: true, ..self }
    }

    /// The same on the minus side of a difference.
    pub const fn minus(self) -> Self {
        Self { minus: true, ..self }
    }
}

/// `into = sum of left * right` in index letters, such as `"ie = ic, ce"`.
#[derive(Clone, Copy, Debug)]
pub struct Contraction {
    letters: &'static str,
    into: Place,
    left: Leaf,
    right: Leaf,
    /// Letters of the left operand that are looked up: in which array, and at which letters.
    lookups: &'static [(char, usize, &'static str)],
    /// Letters of the left operand that are shifted: by how much, and of which letter.
    shifts: &'static [(char, usize, char)],
    /// At which first values of a letter alone the left operand is read.
    start: Option<(char, usize)>,
}

impl Contraction {
    /// A product of two operands, summed over the indices that the result lacks.
    pub const fn new(letters: &'static str, into: Place, left: Leaf, right: Leaf) -> Self {
        Self {
            letters,
            into,
            left,
            right,
            lookups: &[],
            shifts: &[],
            start: None,
        }
    }

    /// One operand, copied, repeated or summed.
    pub const fn copy(letters: &'static str, into: Place, of: Leaf) -> Self {
        Self::new(letters, into, of, Leaf::One)
    }

    /// One operand, read where arrays of positions say: `"dk = ak"` with `a` in the array of authors at `d`. The letters at which
    /// something is looked up come first in the result.
    pub const fn lookup(
        letters: &'static str,
        into: Place,
        of: Leaf,
        lookups: &'static [(char, usize, &'static str)],
    ) -> Self {
        Self {
            lookups,
            ..Self::copy(letters, into, of)
        }
    }

    /// The same with letters that are earlier values of others: `"tk = sk"` with `s` one before `t`. These come first in the result too.
    pub const fn shifted(self, shifts: &'static [(char, usize, char)]) -> Self {
        Self { shifts, ..self }
    }

    /// The same read at the first `until` values of `letter` alone, and zero at the others: `"tk = k"`.
    pub const fn at_first(self, letter: char, until: usize) -> Self {
        let start = Some((letter, until));
        Self { start, ..self }
    }

    /// Whether it gathers: reads at looked-up positions, at earlier values, or at the first values only.
    fn gathers(&self) -> bool {
        !self.lookups.is_empty() || !self.shifts.is_empty() || self.start.is_some()
    }

    /// Letters of the result and of both operands.
    fn parts(&self) -> [&'static str; 3] {
        let (out, operands) = self.letters.split_once('=').unwrap_or((self.letters, ""));
        let (left, right) = operands.split_once(',').unwrap_or((operands, ""));
        [out, left, right].map(str::trim)
    }

    /// Every letter in it, once, without those that are looked up: the indices that a walk over it runs through.
    fn indices(&self) -> String {
        let mut all = String::new();
        for letter in self.parts().iter().flat_map(|part| part.chars()) {
            let shifted = self.shifts.iter().any(|(other, ..)| *other == letter);
            let looked_up = shifted || self.lookups.iter().any(|(other, ..)| *other == letter);
            if !all.contains(letter) && !looked_up {
                all.push(letter);
            }
        }
        all
    }
}

/// Where a contraction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The left side, in a slot.
    Left(usize),
    /// The right side, in a slot.
    Right(usize),
    /// The coefficients per cell of a slot.
    Weight(usize),
    /// An inner node.
    Node(usize),
}

/// What a contraction reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf {
    /// A latent.
    Latent(usize),
    /// A known array.
    Array(usize),
    /// An inner node.
    Node(usize),
    /// A number times scalar hyperparameters.
    Scalar(f64, &'static [usize]),
    /// The number one.
    One,
}

/// [`Leaf::Latent`]
pub const fn latent(number: usize) -> Leaf {
    Leaf::Latent(number)
}

/// [`Leaf::Array`]
pub const fn array(number: usize) -> Leaf {
    Leaf::Array(number)
}

/// [`Leaf::Node`]
pub const fn node(number: usize) -> Leaf {
    Leaf::Node(number)
}

/// Sizes of the indices of one count, by letter.
struct Sizes<'a> {
    letters: &'a str,
    sizes: Vec<usize>,
}

impl<'a> Sizes<'a> {
    fn new(letters: &'a str, count: &CountSpec, sizes: &[usize]) -> Self {
        Self {
            letters,
            sizes: count.vars.iter().map(|&set| sizes[set]).collect(),
        }
    }

    /// Which index of the count a letter is.
    ///
    /// # Panics
    ///
    /// If it is not an index: the compiler has written letters that it has not declared.
    fn var(&self, letter: char) -> usize {
        match self.letters.chars().position(|other| other == letter) {
            Some(var) => var,
            None => panic!("`{letter}` is not one of the indices `{}`", self.letters),
        }
    }

    fn size(&self, letter: char) -> usize {
        self.sizes[self.var(letter)]
    }

    fn volume(&self, letters: &str) -> usize {
        letters.chars().map(|letter| self.size(letter)).product()
    }

    fn float_volume(&self, letters: &str) -> f64 {
        letters.chars().map(|letter| self.size(letter) as f64).product()
    }
}

impl Tree {
    /// What it costs where the index sets have these sizes.
    pub(super) fn cost(&self, letters: &str, count: &CountSpec, sizes: &[usize]) -> LayoutCost {
        let of = Sizes::new(letters, count, sizes);
        let [batch, rows, cols] = [self.batch, self.rows, self.cols].map(|letters| of.float_volume(letters));
        let (mut inner, mut sides, mut weights) = (0.0, 0.0, 0.0);
        for slot in self.slots {
            let length = of.float_volume(slot.inner);
            inner += length;
            sides += batch * (rows + cols) * length;
            weights += if slot.weighted { batch * rows * cols } else { 0.0 };
        }
        let nodes: f64 = self.nodes.iter().map(|letters| of.float_volume(letters)).sum();
        let steps: f64 = self.steps.iter().map(|step| of.float_volume(&step.indices())).sum();
        LayoutCost {
            tree: Cow::Borrowed(self.text),
            product: [batch, rows, cols, inner],
            root: batch * rows * cols * inner,
            below: STEP_WALKS * steps,
            memory: sides + weights + nodes,
            weighted: weights > 0.0,
            lane: batch * cols * inner,
            turned: 0.0,
            formed: false,
            by_cell: false,
        }
    }

    /// How the cells of the count are cut in rows and columns.
    pub(super) fn grid(&self, letters: &str, count: &CountSpec, sizes: &[usize]) -> Grid {
        let of = Sizes::new(letters, count, sizes);
        let vars = |letters: &str| -> Vec<usize> { letters.chars().map(|letter| of.var(letter)).collect() };
        let groups = self.groups();
        let length = |slots: &Vec<&Slot>| slots.iter().map(|slot| of.volume(slot.inner)).sum();
        let plus = groups.iter().filter(|slots| !slots[0].minus).count();
        let groups: Vec<(usize, bool)> = groups.iter().map(|slots| (length(slots), slots[0].weighted)).collect();
        Grid::new(
            &of.sizes[..count.free],
            &vars(self.batch),
            &vars(self.rows),
            &vars(self.cols),
            &groups,
        )
        .with_minus_from(plus)
    }

    /// The slots of each group of the inner index, in order: those of a side without a coefficient per cell together, each other one
    /// alone.
    fn groups(&self) -> Vec<Vec<&Slot>> {
        let mut all: Vec<Vec<&Slot>> = Vec::new();
        for slot in self.slots {
            match all.last_mut() {
                Some(last) if !slot.weighted && !last[0].weighted && last[0].minus == slot.minus => last.push(slot),
                _ => all.push(vec![slot]),
            }
        }
        all
    }
}
