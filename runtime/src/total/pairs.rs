//! The cells of a line added up in pairs, and these in pairs again: sums are as narrow as they can be, and most of them are.
//!
//! Own derivation: MATH, *Sums in pairs*; TOTALS, *Convolutions in logarithms*, measures what it gains.

/// What is known of a sum of cells: of one cell, or of two such sums.
#[derive(Debug)]
struct PairSum<W> {
    weights: W,
    /// The parts that it is the sum of, before it among all.
    of: Option<[usize; 2]>,
}

/// The cells in order, then sums, each after its parts. The whole line is the sum of the last two, and is not formed.
#[derive(Debug)]
pub(super) struct Pairs<W> {
    parts: Vec<PairSum<W>>,
    cells: usize,
}

impl<W> Pairs<W> {
    /// Cells, one at least, and their sums, each of which `add` makes of its two parts.
    pub fn new(cells: Vec<W>, mut add: impl FnMut(&W, &W) -> W) -> Self {
        let number = cells.len();
        let mut parts: Vec<PairSum<W>> = cells.into_iter().map(|weights| PairSum { weights, of: None }).collect();
        // Every part but the last two is half of another.
        let mut next = 0;
        while next + 2 < parts.len() {
            let of = [next, next + 1];
            let [first, second] = of.map(|part| &parts[part].weights);
            let weights = add(first, second);
            parts.push(PairSum { weights, of: Some(of) });
            next += 2;
        }
        Self { parts, cells: number }
    }

    /// The cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = &W> {
        self.parts[..self.cells].iter().map(|part| &part.weights)
    }

    /// The two parts of the whole line; a line of one cell is its only part.
    pub fn halves(&self) -> (&W, Option<&W>) {
        match &self.parts[self.parts.len() - self.cells.min(2)..] {
            [first, second] => (&first.weights, Some(&second.weights)),
            parts => (&parts[0].weights, None),
        }
    }

    /// What each cell gets, in order, where `begin` is of the whole line, and `split` makes of what a sum gets that of its parts.
    pub fn descend<T: Clone>(&self, begin: T, mut split: impl FnMut(&T, [&W; 2]) -> [T; 2]) -> Vec<T> {
        let mut found: Vec<Option<T>> = vec![None; self.parts.len()];
        let mut hand = |found: &mut Vec<Option<T>>, of: &T, [first, second]: [usize; 2]| {
            let weights = [first, second].map(|part| &self.parts[part].weights);
            let [a, b] = split(of, weights);
            (found[first], found[second]) = (Some(a), Some(b));
        };
        let last = self.parts.len() - 1;
        match last.checked_sub(1) {
            Some(before) => hand(&mut found, &begin, [before, last]),
            None => found[0] = Some(begin),
        }
        for part in (self.cells..self.parts.len()).rev() {
            if let (Some(here), Some(of)) = (found[part].take(), self.parts[part].of) {
                hand(&mut found, &here, of);
            }
        }
        found.truncate(self.cells);
        found.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    /// Sums of distinct powers of two say which cells they are of.
    #[test]
    fn every_cell_is_in_the_line_once() {
        for number in 1..20 {
            let pairs = Pairs::new((0..number).map(|cell| 1u32 << cell).collect(), |a, b| a | b);
            let (first, second) = pairs.halves();
            assert_eq!(first | second.copied().unwrap_or(0), (1 << number) - 1);
            let found = pairs.descend((1 << number) - 1, |&whole, [first, second]| {
                assert_eq!((first & second, first | second), (0, whole));
                [*first, *second]
            });
            assert_eq!(found, pairs.cells().copied().collect::<Vec<u32>>());
        }
    }
}
