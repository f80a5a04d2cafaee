//! The naive twin of a model: its rate multiplied out, cell by cell, and plain loops over that.

/// A coefficient times entries of latents, (latent, entry).
#[derive(Clone, Debug)]
pub struct Monomial {
    /// Numbers, hyperparameters and known arrays.
    pub coefficient: f64,
    /// The entries that are multiplied.
    pub factors: Vec<(usize, usize)>,
}

impl Monomial {
    /// Its value at `x`.
    pub fn at(&self, x: &[Vec<f64>]) -> f64 {
        self.factors.iter().map(|&(l, e)| x[l][e]).product::<f64>() * self.coefficient
    }
}

/// Name, index sets and sizes of a latent, and its prior.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Its index sets.
    pub sets: &'static [&'static str],
    /// Their sizes.
    pub shape: Vec<usize>,
    /// Shape of its gamma prior.
    pub prior_shape: f64,
    /// Rate of its gamma prior.
    pub prior_rate: f64,
}

/// A model multiplied out.
#[derive(Clone, Debug)]
pub struct Twin {
    /// Size of each index of the count.
    pub shape: Vec<usize>,
    /// The latents in the order of declaration.
    pub leaves: Vec<Leaf>,
    /// The rate of every cell, row-major.
    pub cells: Vec<Vec<Monomial>>,
}

impl Twin {
    /// `rate` gives the monomials of the cell at an index.
    pub fn new(shape: &[usize], leaves: Vec<Leaf>, rate: impl Fn(&[usize]) -> Vec<Monomial>) -> Self {
        let count: usize = shape.iter().product();
        let cells = (0..count)
            .map(|cell| {
                let mut index = vec![0; shape.len()];
                let mut rest = cell;
                for (i, size) in index.iter_mut().zip(shape).rev() {
                    *i = rest % size;
                    rest /= size;
                }
                rate(&index)
            })
            .collect();
        Self {
            shape: shape.to_vec(),
            leaves,
            cells,
        }
    }

    /// Arrays of the right lengths.
    pub fn zeros(&self) -> Vec<Vec<f64>> {
        self.leaves
            .iter()
            .map(|l| vec![0.0; l.shape.iter().product()])
            .collect()
    }

    /// The rate of every cell.
    pub fn rates(&self, x: &[Vec<f64>]) -> Vec<f64> {
        self.cells
            .iter()
            .map(|cell| cell.iter().map(|m| m.at(x)).sum())
            .collect()
    }

    /// `d/dx sum over cells of seed * rate`.
    pub fn adjoint(&self, x: &[Vec<f64>], seeds: &[f64]) -> Vec<Vec<f64>> {
        let mut into = self.zeros();
        for (cell, seed) in self.cells.iter().zip(seeds) {
            for monomial in cell {
                for (at, &(l, e)) in monomial.factors.iter().enumerate() {
                    let others = monomial.factors.iter().enumerate().filter(|(i, _)| *i != at);
                    let product: f64 = others.map(|(_, &(l, e))| x[l][e]).product();
                    into[l][e] += seed * monomial.coefficient * product;
                }
            }
        }
        into
    }
}

/// Largest difference relative to the size of the larger value, over all entries.
pub fn relative_error(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b);
    pairs
        .map(|(a, b)| (a - b).abs() / a.abs().max(b.abs()).max(1e-12))
        .fold(0.0, f64::max)
}
