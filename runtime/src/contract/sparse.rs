//! The weights of a token in two parts, so that the cost of a draw follows the values that its line has tokens on, and not how many values there are.
//!
//! Of two factors one is `(a[k] + n) s`, where `n` counts the tokens of a line, mostly none. With `q[k]` for all else the weight of a value is
//!
//! ```text
//! n q[k]         summed over the few values with tokens
//! a[k] q[k]      summed in a tree, which tokens on the same line of the other factor share: each moves two leaves
//! ```
//!
//! The draw is from the same law as that by all weights (F+LDA: Yu, Hsieh, Yun, Vishwanathan and Dhillon 2015).

use rand::{Rng, RngExt};

use super::urn::{Along, Listed};

/// From so many values on, two parts take less time than all weights.
pub(crate) const SPARSE: usize = 256;

/// How many children a node of the tree has: what a draw looks at, and a change sums, at once.
const CHILDREN: usize = 8;

/// What the tokens of a line of the other factor share, and the sums of the token that was weighed last.
#[derive(Debug)]
pub(super) struct TwoParts {
    /// `q` of each value.
    q: Vec<f64>,
    /// Of `a[k] q[k]`.
    tree: Tree,
    /// The line of the other factor that `q` is of; none if tokens moved that were not told of.
    line: Option<usize>,
    /// Values whose tokens changed since.
    changed: Vec<u32>,
    /// The values with tokens, and running sums of `n q`.
    listed: Vec<(u32, f64)>,
}

impl TwoParts {
    pub fn new(values: usize) -> Self {
        Self {
            q: vec![0.0; values],
            tree: Tree::new(values),
            line: None,
            changed: Vec::new(),
            listed: Vec::new(),
        }
    }

    /// Tokens may have moved anywhere.
    pub fn forget(&mut self) {
        self.line = None;
    }

    /// A token was put on a value, or taken away.
    #[inline]
    pub fn change(&mut self, value: u32) {
        self.changed.push(value);
    }

    /// Weighs the values by a factor whose tokens are listed, and another.
    pub fn weigh(&mut self, listed: &Listed<'_>, of_listed: &Along<'_>, other: &Along<'_>) {
        let q_at = |k: usize| {
            let lines = [of_listed, other].map(|factor| factor.lines.map_or(1.0, |lines| lines.at(k)));
            other.entries.at(k) * lines[0] * lines[1]
        };
        if self.line == Some(other.from) {
            for k in self.changed.drain(..).map(|k| k as usize) {
                self.q[k] = q_at(k);
                self.tree.set(k, listed.shapes.at(k) * self.q[k]);
            }
        } else {
            self.line = Some(other.from);
            self.changed.clear();
            (0..self.q.len()).for_each(|k| self.q[k] = q_at(k));
            self.tree.fill(self.q.len(), |k| listed.shapes.at(k) * self.q[k]);
        }
        self.listed.clear();
        let mut sum = 0.0;
        for (k, n) in listed.tokens {
            sum += f64::from(*n) * self.q[*k as usize];
            self.listed.push((*k, sum));
        }
    }

    /// A value in proportion to the weights; `None` if all have vanished.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<u32> {
        let of_listed = self.listed.last().map_or(0.0, |(_, sum)| *sum);
        let total = of_listed + self.tree.total();
        // What is not a number is not positive.
        if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&total) {
            return None;
        }
        let target = rng.random::<f64>() * total;
        match self.listed.iter().find(|(_, sum)| target < *sum) {
            Some((k, _)) => Some(*k),
            None => self.tree.find(target - of_listed),
        }
    }
}

/// Numbers, and the sums of eight of them, and of eight of these. Each sum is formed anew from what is below it, so that a tree tells nothing of the changes
/// that led to it.
#[derive(Debug)]
struct Tree {
    /// From the leaves to the root.
    levels: Vec<Vec<[f64; CHILDREN]>>,
}

impl Tree {
    fn new(leaves: usize) -> Self {
        let (mut levels, mut nodes) = (Vec::new(), leaves.div_ceil(CHILDREN).max(1));
        levels.push(vec![[0.0; CHILDREN]; nodes]);
        while nodes > 1 {
            nodes = nodes.div_ceil(CHILDREN);
            levels.push(vec![[0.0; CHILDREN]; nodes]);
        }
        Self { levels }
    }

    /// `leaf` tells the values of the leaves.
    fn fill(&mut self, leaves: usize, leaf: impl Fn(usize) -> f64) {
        (0..leaves).for_each(|k| self.levels[0][k / CHILDREN][k % CHILDREN] = leaf(k));
        for above in 1..self.levels.len() {
            let (below, level) = self.levels.split_at_mut(above);
            for (node, line) in below[above - 1].iter().enumerate() {
                level[0][node / CHILDREN][node % CHILDREN] = sum(line);
            }
        }
    }

    #[inline]
    fn set(&mut self, leaf: usize, value: f64) {
        let (mut node, mut value) = (leaf, value);
        for level in &mut self.levels {
            let line = &mut level[node / CHILDREN];
            line[node % CHILDREN] = value;
            (node, value) = (node / CHILDREN, sum(line));
        }
    }

    fn total(&self) -> f64 {
        self.levels.last().map_or(0.0, |root| sum(&root[0]))
    }

    /// The leaf in which running sums pass a target. By rounding a target can pass the last one: then the last leaf that has weight.
    fn find(&self, mut target: f64) -> Option<u32> {
        let mut node = 0;
        for level in self.levels.iter().rev() {
            let line = &level[node];
            let mut found = None;
            for (child, sum) in line.iter().enumerate().filter(|(_, sum)| **sum > 0.0) {
                // Here the target is past all children before.
                found = Some((child, target));
                if target < *sum {
                    break;
                }
                target -= sum;
            }
            let (child, rest) = found?;
            (node, target) = (node * CHILDREN + child, rest);
        }
        Some(node as u32)
    }
}

#[inline]
fn sum(of: &[f64; CHILDREN]) -> f64 {
    let halves: [f64; 4] = std::array::from_fn(|i| of[i] + of[i + 4]);
    (halves[0] + halves[2]) + (halves[1] + halves[3])
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::urn::{Urn, UrnOf, Urns};
    use super::*;

    const ROWS: usize = 4;
    const COLUMNS: usize = 7;
    const VALUES: usize = 70;

    /// The urns of rows, and of columns, which list their tokens.
    fn urns(columns: UrnOf) -> (Urn<2>, Urn<2>) {
        let of_rows = (0..ROWS * VALUES).map(|i| 0.1 + (i % VALUES) as f64).collect();
        let urns = Urns {
            of: vec![Some(UrnOf::Simplex(of_rows, 1)), Some(columns)],
            listed: vec![1],
        };
        (urns.of(0, [ROWS, VALUES], 1), urns.of(1, [VALUES, COLUMNS], 0))
    }

    /// After each of 4,000 moves the two parts of every weight sum to the product of the factors; then 200,000 draws are in proportion to them (chi-square,
    /// 69 degrees of freedom at 1e-6: 137.4). A tree that is not told of a token, or told of it twice at one line and not at the next, fails the first.
    #[test]
    fn two_parts_are_the_weights() {
        let repeated: Vec<f64> = (0..VALUES * COLUMNS).map(|i| 0.3 + (i / COLUMNS % 5) as f64).collect();
        let rate = |i: usize| 1.0 + (i % COLUMNS) as f64;
        let rates = (0..VALUES * COLUMNS).map(rate).collect();
        for of in [
            UrnOf::Simplex(repeated.clone(), 1),
            UrnOf::Gamma([repeated.clone(), rates], vec![2.0; VALUES * COLUMNS]),
        ] {
            let (mut rows, mut columns) = urns(of);
            let (mut parts, mut rng) = (TwoParts::new(VALUES), Xoshiro256PlusPlus::seed_from_u64(4));
            let mut tokens: Vec<[usize; 3]> = (0..200).map(|i| [i / 50, i % COLUMNS, i % VALUES]).collect();
            for [row, column, k] in &tokens {
                rows.add([*row, *k], 1.0);
                columns.add([*k, *column], 1.0);
            }
            for step in 0..4_000 {
                let [row, column, k] = &mut tokens[step % 200];
                rows.add([*row, *k], -1.0);
                columns.add([*k, *column], -1.0);
                parts.change(*k as u32);
                let (listed, other) = (columns.along([0, *column], 0), rows.along([*row, 0], 1));
                parts.weigh(&listed.listed.unwrap(), &listed, &other);
                let product = |k: usize| columns.at([k, *column]) * rows.at([*row, k]);
                // In proportion: what all values have in common is left out.
                let common = parts.weight(0) / product(0);
                for k in 0..VALUES {
                    let ratio = parts.weight(k) / product(k) / common;
                    assert!((ratio - 1.0).abs() < 1e-12, "{step}, {k}: {ratio}");
                }
                if step == 3_999 {
                    let mut seen = [0.0; VALUES];
                    (0..200_000).for_each(|_| seen[parts.draw(&mut rng).unwrap() as usize] += 1.0);
                    let total: f64 = (0..VALUES).map(product).sum();
                    let expected = |k: usize| 200_000.0 * product(k) / total;
                    let statistic: f64 = (0..VALUES).map(|k| (seen[k] - expected(k)).powi(2) / expected(k)).sum();
                    assert!(statistic < 137.4, "{statistic}");
                }
                *k = parts.draw(&mut rng).unwrap() as usize;
                parts.change(*k as u32);
                rows.add([*row, *k], 1.0);
                columns.add([*k, *column], 1.0);
            }
        }
    }

    impl TwoParts {
        fn weight(&self, value: usize) -> f64 {
            let mut before = 0.0;
            for (k, sum) in &self.listed {
                if *k as usize == value {
                    return sum - before + self.tree.levels[0][value / CHILDREN][value % CHILDREN];
                }
                before = *sum;
            }
            self.tree.levels[0][value / CHILDREN][value % CHILDREN]
        }
    }

    /// Shapes that differ between lines, and scales that differ within one, are no two parts; what has vanished is not drawn, nor is a place past the end.
    #[test]
    fn what_is_not_two_parts_is_not_listed() {
        let each: Vec<f64> = (0..VALUES * COLUMNS).map(|i| 1.0 + i as f64).collect();
        let same = vec![1.0; VALUES * COLUMNS];
        for of in [
            UrnOf::Simplex(each.clone(), 1),
            UrnOf::Gamma([same.clone(), each], same.clone()),
            UrnOf::Fixed(same),
        ] {
            let (_, columns) = urns(of);
            assert!(columns.along([0, 3], 0).listed.is_none());
        }
        let mut tree = Tree::new(10);
        assert_eq!(tree.find(0.0), None);
        tree.set(1, 2.0);
        tree.set(8, 1.0);
        let found = [0.0, 1.9, 2.0, 2.9, 3.0, 9.0].map(|target| tree.find(target));
        assert_eq!(found, [Some(1), Some(1), Some(8), Some(8), Some(8), Some(8)]);
    }
}
