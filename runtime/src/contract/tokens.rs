//! The tokens of counts, and what generated code says of them: of which weights their indices are drawn, and in which urns they are.

use super::At;
use super::urn::Counted;
use super::weights::Weights;
use crate::streams::Stream;

/// The urns of a model whose latents are integrated out, with the tokens of all counts in them.
///
/// A token of a count is at a cell, and on one term of the rate there with one value of each index that the term sums over. Where the rate is one term,
/// `z` has these values one after another; of several terms, each with one such index or none, `z` is the number among all values of all terms.
pub trait Tokens: Send {
    /// How many values each number of `z` takes, for a count.
    fn choices(&self, count: usize) -> Vec<usize>;

    /// Writes the weights of the values of `z[which]` for a token at a cell, given the other numbers and the urns.
    fn weigh(&self, count: usize, at: At, which: usize, z: &[u32], weights: &mut Weights);

    /// Puts so many tokens into the urns, or takes them out.
    fn add(&mut self, count: usize, at: At, z: &[u32], n: f64);

    /// Calls `visit` with the urns, each with the number of its latent; those of known arrays with none.
    fn each_urn(&self, visit: &mut dyn FnMut(Option<usize>, &dyn Counted));

    /// Moves every token of a count given where all others are. One call moves all: here, calls for single tokens are calls of known functions.
    fn advance(&mut self, count: usize, tokens: &mut TokensOf, rng: &mut Stream) {
        tokens.weights.iter_mut().for_each(Weights::forget);
        tokens.each(|at, z, weights| {
            self.add(count, at, z, -1.0);
            for (which, weights) in weights.iter_mut().enumerate() {
                weights.change(z[which]);
                self.weigh(count, at, which, z, weights);
                z[which] = weights.draw(rng).unwrap_or(z[which]);
                weights.change(z[which]);
            }
            self.add(count, at, z, 1.0);
        });
    }

    /// Puts every token of a count on values in proportion to the weights, whatever the others do.
    fn allocate(&self, count: usize, tokens: &mut TokensOf, rng: &mut Stream) {
        tokens.each(|at, z, weights| {
            for (which, weights) in weights.iter_mut().enumerate() {
                self.weigh(count, at, which, z, weights);
                z[which] = weights.draw(rng).unwrap_or(0);
            }
        });
    }

    /// Puts all tokens of a count into the urns.
    fn add_all(&mut self, count: usize, tokens: &mut TokensOf) {
        tokens.each(|at, z, _| self.add(count, at, z, 1.0));
    }
}

/// The tokens of one count.
#[derive(Debug)]
pub struct TokensOf {
    shape: Vec<usize>,
    /// Position of each cell that has some, and how many.
    cells: Vec<(usize, u32)>,
    /// What each number of a token is drawn by.
    weights: Vec<Weights>,
    /// These numbers, token after token.
    z: Vec<u32>,
}

impl TokensOf {
    /// None, of a count of this shape, whose tokens have numbers of so many values.
    pub(crate) fn none(shape: Vec<usize>, choices: &[usize]) -> Self {
        Self {
            // A count without indices has one cell.
            shape: if shape.is_empty() { vec![1] } else { shape },
            cells: Vec::new(),
            weights: choices.iter().map(|size| Weights::new(*size)).collect(),
            z: Vec::new(),
        }
    }

    /// How many values each number takes.
    pub(crate) fn choices(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.weights.iter().map(Weights::values)
    }

    /// The cells, to be filled, and the numbers, token after token.
    pub(crate) fn parts_mut(&mut self) -> (&mut Vec<(usize, u32)>, &mut Vec<u32>) {
        (&mut self.cells, &mut self.z)
    }

    /// The numbers, token after token.
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.z
    }

    /// Calls `visit` with each token: where it is, its numbers, and what these are drawn by.
    #[inline]
    fn each(&mut self, mut visit: impl FnMut(At, &mut [u32], &mut [Weights])) {
        let (width, mut first) = (self.weights.len(), 0);
        let last = self.shape.len() - 1;
        let (mut at, mut row) = (At::default(), 0..0);
        for &(cell, tokens) in &self.cells {
            // Mostly of the same row: divisions take as long as a draw.
            if !row.contains(&cell) {
                at = indices_of(&self.shape, cell);
                row = cell - at[last]..cell - at[last] + self.shape[last];
            }
            at[last] = cell - row.start;
            for _ in 0..tokens {
                visit(at, &mut self.z[first..first + width], &mut self.weights);
                first += width;
            }
        }
    }
}

/// The indices of a cell of a count of this shape.
pub fn indices_of(shape: &[usize], cell: usize) -> At {
    let (mut index, mut rest) = (At::default(), cell);
    for (at, &size) in shape.iter().enumerate().rev() {
        (index[at], rest) = (rest % size, rest / size);
    }
    index
}

/// The first numbers of `z` as indices.
#[inline]
pub fn chosen<const N: usize>(z: &[u32]) -> [usize; N] {
    std::array::from_fn(|number| z[number] as usize)
}
