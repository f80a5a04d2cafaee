//! The weights of the values that a token may take, and the draw of one of them: the innermost loop of chains over tokens.
//!
//! Values are dealt into columns, and running sums go down the columns while the weights are formed, as in [`Split`](super::Split): the draw of one
//! counts how many columns, and then how many values of one, lie below its target.

use multiversion::multiversion;
use rand::{Rng, RngExt};

use super::sparse::TwoParts;
use super::urn::Along;

/// Number of columns: value `k` is in column `k % COLUMNS`.
const COLUMNS: usize = 8;

/// Weights of some values. One is made for each number of values, and used again for every token.
#[derive(Debug, Default)]
pub struct Weights {
    /// What values are drawn by where one of two factors lists its tokens, and whether it was so for the values weighed last.
    two_parts: Option<TwoParts>,
    is_in_two_parts: bool,
    length: usize,
    /// Running sums down each column, row by row. What pads the last row has no weight.
    sums: Vec<f64>,
    /// Running sum over whole columns.
    columns: [f64; COLUMNS],
    /// Weights of terms side by side, before they are summed; how many are written.
    parts: Vec<f64>,
    written: usize,
}

impl Weights {
    /// For so many values.
    pub(crate) fn new(length: usize) -> Self {
        Self {
            length,
            sums: vec![0.0; length.div_ceil(COLUMNS) * COLUMNS],
            columns: [0.0; COLUMNS],
            parts: vec![0.0; length],
            written: 0,
            two_parts: None,
            is_in_two_parts: false,
        }
    }

    /// Tokens may have moved anywhere since values were weighed.
    pub(super) fn forget(&mut self) {
        self.two_parts.iter_mut().for_each(TwoParts::forget);
    }

    /// A token was put on a value, or taken away.
    #[inline]
    pub(super) fn change(&mut self, value: u32) {
        if let Some(two_parts) = &mut self.two_parts {
            two_parts.change(value);
        }
    }

    /// How many values there are.
    pub(crate) fn values(&self) -> usize {
        self.length
    }

    /// The weights are products of factors.
    #[inline]
    pub fn of(&mut self, factors: &[Along<'_>]) {
        if let [one, other] = factors {
            let listed = match (&one.listed, &other.listed) {
                (Some(listed), None) => Some((listed, one, other)),
                (None, Some(listed)) => Some((listed, other, one)),
                _ => None,
            };
            self.is_in_two_parts = listed.is_some();
            if let Some((listed, of_listed, other)) = listed {
                let two_parts = self.two_parts.get_or_insert_with(|| TwoParts::new(self.length));
                return two_parts.weigh(listed, of_listed, other);
            }
        }
        if let [one, other] = factors
            && let (Some(a), Some(b)) = (one.entries.slice(self.length), other.entries.slice(self.length))
        {
            let lines = [one, other].map(|of| of.lines.as_ref().map(|lines| lines.slice(self.length)));
            match lines {
                [None, None] => return self.sum(a, b, None),
                [Some(Some(c)), None] | [None, Some(Some(c))] => return self.sum(a, b, Some(c)),
                _ => {}
            }
        }
        self.part(self.length, 1.0, factors);
    }

    /// The weights of the next values, those of one term of several: products of factors times a number.
    pub fn part(&mut self, values: usize, number: f64, factors: &[Along<'_>]) {
        let part = &mut self.parts[self.written..self.written + values];
        part.fill(factors.iter().fold(number, |number, factor| number / factor.over));
        for factor in factors {
            factor.entries.multiply(part);
            if let Some(lines) = &factor.lines {
                lines.multiply(part);
            }
        }
        self.written += values;
        if self.written == self.length {
            self.written = 0;
            let parts = std::mem::take(&mut self.parts);
            sum_two(&mut self.sums, &mut self.columns, &parts, None);
            self.parts = parts;
        }
    }

    fn sum(&mut self, a: &[f64], b: &[f64], c: Option<&[f64]>) {
        match c {
            None => sum_two(&mut self.sums, &mut self.columns, a, Some(b)),
            Some(c) => sum_three(&mut self.sums, &mut self.columns, a, b, c),
        }
    }

    /// A value in proportion to the weights that were written last; `None` if all have vanished.
    #[inline]
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<u32> {
        if let Some(two_parts) = self.two_parts.as_ref().filter(|_| self.is_in_two_parts) {
            return two_parts.draw(rng);
        }
        let total = self.columns[COLUMNS - 1];
        // What is not a number is not positive.
        if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&total) {
            return None;
        }
        let found = place(&self.sums, &self.columns, rng.random::<f64>() * total);
        match found < self.length && self.weight(found) > 0.0 {
            true => Some(found as u32),
            false => self.nearest(found),
        }
    }

    fn weight(&self, k: usize) -> f64 {
        if k < COLUMNS {
            self.sums[k]
        } else {
            self.sums[k] - self.sums[k - COLUMNS]
        }
    }

    /// By rounding, a target can reach the end of its column: the draw is the last value of it that has weight, or failing that any.
    #[cold]
    fn nearest(&self, found: usize) -> Option<u32> {
        let positive = |k: &usize| self.weight(*k) > 0.0;
        let mut in_column = (found % COLUMNS..self.length).step_by(COLUMNS);
        let found = in_column.rfind(positive).or_else(|| (0..self.length).rfind(positive));
        found.map(|k| k as u32)
    }
}

/// Running sums of `a b`, or of `a` alone, down the columns and over whole columns.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "aarch64+neon"))]
fn sum_two(sums: &mut [f64], columns: &mut [f64; COLUMNS], a: &[f64], b: Option<&[f64]>) {
    match b {
        None => down(
            sums,
            columns,
            a.len(),
            |k| a[k],
            |line| std::array::from_fn(|i| a[line + i]),
        ),
        Some(b) => {
            let b = &b[..a.len()];
            down(
                sums,
                columns,
                a.len(),
                |k| a[k] * b[k],
                |line| {
                    let (a, b) = (&a[line..line + COLUMNS], &b[line..line + COLUMNS]);
                    std::array::from_fn(|i| a[i] * b[i])
                },
            );
        }
    }
}

/// Running sums of `a b c` down the columns and over whole columns.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "aarch64+neon"))]
fn sum_three(sums: &mut [f64], columns: &mut [f64; COLUMNS], a: &[f64], b: &[f64], c: &[f64]) {
    let (b, c) = (&b[..a.len()], &c[..a.len()]);
    down(
        sums,
        columns,
        a.len(),
        |k| a[k] * b[k] * c[k],
        |line| {
            let (a, b, c) = (
                &a[line..line + COLUMNS],
                &b[line..line + COLUMNS],
                &c[line..line + COLUMNS],
            );
            std::array::from_fn(|i| a[i] * b[i] * c[i])
        },
    );
}

#[inline(always)]
fn down(
    sums: &mut [f64],
    columns: &mut [f64; COLUMNS],
    length: usize,
    weight: impl Fn(usize) -> f64,
    line_at: impl Fn(usize) -> [f64; COLUMNS],
) {
    let (lines, _) = sums.as_chunks_mut::<COLUMNS>();
    let (mut running, whole) = ([0.0; COLUMNS], length / COLUMNS);
    for (number, line) in lines[..whole].iter_mut().enumerate() {
        let weights = line_at(number * COLUMNS);
        running = std::array::from_fn(|i| running[i] + weights[i]);
        *line = running;
    }
    if let Some(line) = lines.get_mut(whole) {
        for (i, k) in (whole * COLUMNS..length).enumerate() {
            running[i] += weight(k);
        }
        *line = running;
    }
    let mut total = 0.0;
    for (column, sum) in columns.iter_mut().zip(running) {
        total += sum;
        *column = total;
    }
}

/// The value in which the running sums pass a target.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "aarch64+neon"))]
fn place(sums: &[f64], columns: &[f64; COLUMNS], target: f64) -> usize {
    let passed: usize = columns[..COLUMNS - 1]
        .iter()
        .map(|sum| usize::from(*sum <= target))
        .sum();
    let rest = if passed == 0 {
        target
    } else {
        target - columns[passed - 1]
    };
    let (lines, _) = sums.as_chunks::<COLUMNS>();
    let mut row = 0;
    for line in lines {
        row += u32::from(line[passed] <= rest);
    }
    row as usize * COLUMNS + passed
}

#[cfg(test)]
mod tests {
    use super::super::urn::{UrnOf, Urns};
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn urns(of: Vec<UrnOf>) -> Urns {
        Urns {
            of: of.into_iter().map(Some).collect(),
            listed: Vec::new(),
        }
    }

    /// What writes weights, and what they are.
    type Way<'a> = (&'a dyn Fn(&mut Weights), &'a dyn Fn(usize) -> f64);

    /// Chi-square of 200,000 draws against products of two factors, side by side and apart, and of two terms; 19 degrees of freedom at 1e-6: 65.4.
    #[test]
    fn values_are_drawn_in_proportion_to_weights() {
        let a: Vec<f64> = (0..40).map(|i| 0.2 + f64::from(i * 7 % 11)).collect();
        for (name, last) in [("side by side", 0), ("apart", 1)] {
            // A simplex is read along another index than its own where entries are side by side, else along its own.
            let urns = urns(vec![UrnOf::Simplex(a.clone(), 1 - last), UrnOf::Fixed(a.clone())]);
            let (left, right) = (urns.of(0, [20, 2], last), urns.of(1, [20, 2], last));
            let whole = |weights: &mut Weights| weights.of(&[left.along([0, 1], 0), right.along([0, 0], 0)]);
            let terms = |weights: &mut Weights| {
                weights.part(1, 3.0, &[]);
                weights.part(19, 1.0, &[left.along([1, 0], 0)]);
            };
            let product = |k: usize| left.at([k, 1]) * right.at([k, 0]);
            let of_terms = |k: usize| if k == 0 { 3.0 } else { left.at([k, 0]) };
            let ways: [Way<'_>; 2] = [(&whole, &product), (&terms, &of_terms)];
            for (write, expected) in ways {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
                let (mut weights, mut seen) = (Weights::new(20), [0.0; 20]);
                for _ in 0..200_000 {
                    write(&mut weights);
                    seen[weights.draw(&mut rng).unwrap() as usize] += 1.0;
                }
                let total: f64 = (0..20).map(expected).sum();
                let parts = (0..20).map(|k| (seen[k], expected(k) / total * 200_000.0));
                let statistic: f64 = parts
                    .map(|(seen, expected)| (seen - expected) * (seen - expected) / expected)
                    .sum();
                assert!(statistic < 65.4, "{name}: {statistic}");
            }
        }
    }

    #[test]
    fn vanished_weights_are_not_drawn() {
        let urns = urns(vec![UrnOf::Fixed(vec![0.0, 0.0, 5.0, 0.0])]);
        let (urn, mut rng) = (urns.of(0, [4], 0), Xoshiro256PlusPlus::seed_from_u64(1));
        let mut weights = Weights::new(4);
        weights.of(&[urn.along([0], 0)]);
        assert!((0..1000).all(|_| weights.draw(&mut rng) == Some(2)));
        let mut none = Weights::new(2);
        none.of(&[urn.along([0], 0)]);
        assert_eq!(none.draw(&mut rng), None);
    }
}
