//! Logarithms that no sweep changes, looked up: the probability of what was observed at every true count, and factorials.
//!
//! Tables of `ln P(c | x)` and `ln x!`, the parts of the weights in MATH, *Known totals*, without a formula of their own.
//!
//! A sweep asks for the weight of every cell at every count that it may have, several times. Only the rates in these weights are new, and
//! what was observed takes longer to compute than all the rest.

use std::sync::Arc;

use crate::special::ln_factorial;

use super::Likelihood;

/// Numbers that the table of one count has room for, of 8 bytes each. True counts beyond it are computed as they are asked for.
const ROOM: usize = 1 << 17;

/// A likelihood with its values for true counts below some number.
struct Tabulated {
    of: Arc<dyn Likelihood>,
    /// How many true counts there are for each cell.
    size: usize,
    ln: Vec<f64>,
}

impl Likelihood for Tabulated {
    fn ln_likelihood(&self, cell: usize, y: u64) -> f64 {
        match y < self.size as u64 {
            true => self.ln[cell * self.size + y as usize],
            false => self.of.ln_likelihood(cell, y),
        }
    }

    fn number(&self, cell: usize) -> f64 {
        self.of.number(cell)
    }

    fn is_log_concave(&self) -> bool {
        self.of.is_log_concave()
    }
}

/// The same likelihood of so many cells, with a table of true counts up to `most` or as far as there is room.
pub(super) fn tabulated(of: Arc<dyn Likelihood>, cells: usize, most: u64) -> Arc<dyn Likelihood> {
    let size = room(most).min(ROOM / cells.max(1));
    let ln = (0..cells).flat_map(|cell| (0..size as u64).map(move |y| (cell, y)));
    let ln = ln.map(|(cell, y)| of.ln_likelihood(cell, y)).collect();
    Arc::new(Tabulated { of, size, ln })
}

/// `ln x!` of the numbers up to `most`, or as far as there is room.
pub(super) fn ln_factorials(most: u64) -> Vec<f64> {
    (0..room(most) as u64).map(ln_factorial).collect()
}

fn room(most: u64) -> usize {
    most.saturating_add(1).min(ROOM as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Product;

    impl Likelihood for Product {
        fn ln_likelihood(&self, cell: usize, y: u64) -> f64 {
            (cell as f64 + 1.0) * y as f64
        }

        fn number(&self, cell: usize) -> f64 {
            cell as f64
        }

        fn is_log_concave(&self) -> bool {
            true
        }
    }

    /// In the table, at its end, beyond it, and where there is no room for one.
    #[test]
    fn a_table_says_what_its_likelihood_says() {
        for (cells, most) in [(3, 4), (3, 0), (2 * ROOM, 5), (1, u64::MAX)] {
            let table = tabulated(Arc::new(Product), cells, most);
            for cell in [0, cells - 1] {
                for y in [0, 1, 4, 5, 100_000, 200_000] {
                    assert_eq!(
                        table.ln_likelihood(cell, y),
                        Product.ln_likelihood(cell, y),
                        "{cells} {most} {y}"
                    );
                }
            }
        }
        assert_eq!(ln_factorials(3), [1, 1, 2, 6].map(|n| f64::from(n).ln()));
    }
}
