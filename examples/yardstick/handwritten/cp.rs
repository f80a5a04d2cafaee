//! CP of stored exact counts, as one would write it for this model alone.
//!
//! ```text
//! y[i,j,t] ~ Poisson(sum_k a[i,k] b[j,k] c[t,k])
//! ```
//!
//! Cells that are not stored are zero: they add to exposures, which are products of sums, and to nothing else.

use std::ops::Range;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::math::distribution::gamma_draw;

use super::ByHand;
use super::kernels::{LEAST_RATE, Weights, add, column_sums, in_threads, moments};

/// The cells, and the state: `a[i,k]`, `b[j,k]` and `c[t,k]`, of CAVI their means and geometric means.
pub struct Cp {
    components: usize,
    shape: f64,
    /// Indices and counts, in the order of the data.
    cells: Vec<([u32; 3], u32)>,
    factors: [Vec<f64>; 3],
    geometric: [Vec<f64>; 3],
    lanes: Vec<Lane>,
}

/// The cells of one thread, and its arrays.
struct Lane {
    cells: Range<usize>,
    rng: Xoshiro256PlusPlus,
    weights: Weights,
    counts: [Vec<f64>; 3],
}

impl Cp {
    /// The model of counts by row-major position.
    pub fn new(
        entries: &[(u64, i64)],
        sizes: [usize; 3],
        components: usize,
        shape: f64,
        seed: u64,
        threads: usize,
    ) -> Self {
        let [_, cols, times] = sizes.map(|size| size as u64);
        let cell = |&(at, y): &(u64, i64)| {
            (
                [at / times / cols, at / times % cols, at % times].map(|i| i as u32),
                y as u32,
            )
        };
        let factors = || sizes.map(|size| vec![1.0; size * components]);
        let lane = |lane: usize| Lane {
            cells: entries.len() * lane / threads..entries.len() * (lane + 1) / threads,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0x9e37_79b9).wrapping_add(lane as u64)),
            weights: Weights::new(components),
            counts: factors(),
        };
        Self {
            components,
            shape,
            cells: entries.iter().map(cell).collect(),
            factors: factors(),
            geometric: factors(),
            lanes: (0..threads).map(lane).collect(),
        }
    }

    /// The counts on each entry of a factor, of all lanes.
    fn counts(&self, factor: usize) -> Vec<f64> {
        let mut sum = self.lanes[0].counts[factor].clone();
        self.lanes[1..]
            .iter()
            .for_each(|lane| add(&mut sum, &lane.counts[factor]));
        sum
    }

    /// The rate of each component of a factor: that of the prior and the product of the sums of the other two.
    fn rates(&self, factor: usize) -> Vec<f64> {
        let [one, other] = [1, 2].map(|next| column_sums(&self.factors[(factor + next) % 3], self.components));
        one.iter().zip(other).map(|(one, other)| 1.0 + one * other).collect()
    }
}

/// Where the three rows of a cell are.
fn rows(at: [u32; 3], components: usize) -> [Range<usize>; 3] {
    at.map(|i| i as usize * components..(i as usize + 1) * components)
}

impl Lane {
    /// Divides the count of each cell among components.
    fn allocate(&mut self, components: usize, cells: &[([u32; 3], u32)], factors: &[Vec<f64>; 3]) {
        self.counts.iter_mut().for_each(|counts| counts.fill(0.0));
        let [n_a, n_b, n_c] = &mut self.counts;
        let [a, b, c] = factors;
        for &(at, y) in &cells[self.cells.clone()] {
            let [i, j, t] = rows(at, components);
            self.weights.set([&a[i.clone()], &b[j.clone()], &c[t.clone()]]);
            let [n_a, n_b, n_c] = [&mut n_a[i], &mut n_b[j], &mut n_c[t]];
            self.weights.split(y.into(), &mut self.rng, |k, units| {
                n_a[k] += units as f64;
                n_b[k] += units as f64;
                n_c[k] += units as f64;
            });
        }
    }

    /// The expected counts of components at each cell.
    fn expect(&mut self, components: usize, cells: &[([u32; 3], u32)], geometric: &[Vec<f64>; 3]) {
        self.counts.iter_mut().for_each(|counts| counts.fill(0.0));
        let [n_a, n_b, n_c] = &mut self.counts;
        let [a, b, c] = geometric;
        for &(at, y) in &cells[self.cells.clone()] {
            let [i, j, t] = rows(at, components);
            let rate = self.weights.set([&a[i.clone()], &b[j.clone()], &c[t.clone()]]);
            let slope = f64::from(y) / rate.max(LEAST_RATE);
            let counts = n_a[i].iter_mut().zip(&mut n_b[j]).zip(&mut n_c[t]);
            for (((n_a, n_b), n_c), weight) in counts.zip(self.weights.each()) {
                let n = slope * weight;
                *n_a += n;
                *n_b += n;
                *n_c += n;
            }
        }
    }
}

impl ByHand for Cp {
    fn set(&mut self, values: &[Vec<f64>], geometric: &[Vec<f64>]) {
        for factor in 0..3 {
            self.factors[factor].copy_from_slice(&values[factor]);
            self.geometric[factor].copy_from_slice(&geometric[factor]);
        }
    }

    fn values(&self) -> Vec<Vec<f64>> {
        self.factors.to_vec()
    }

    fn sweep(&mut self) {
        let (components, cells, factors) = (self.components, &self.cells, &self.factors);
        let lanes = self.lanes.iter_mut().collect();
        in_threads(lanes, |lane: &mut Lane| lane.allocate(components, cells, factors));
        for factor in 0..3 {
            let (counts, rates) = (self.counts(factor), self.rates(factor));
            let rng = &mut self.lanes[0].rng;
            let rows = self.factors[factor].chunks_exact_mut(components);
            for (row, counts) in rows.zip(counts.chunks_exact(components)) {
                for ((x, n), rate) in row.iter_mut().zip(counts).zip(&rates) {
                    *x = (gamma_draw(self.shape + n, rng) / rate).max(f64::MIN_POSITIVE);
                }
            }
        }
    }

    fn iterate(&mut self) {
        let (components, cells, geometric) = (self.components, &self.cells, &self.geometric);
        let lanes = self.lanes.iter_mut().collect();
        in_threads(lanes, |lane: &mut Lane| lane.expect(components, cells, geometric));
        for factor in 0..3 {
            let (mut shape, rates) = (self.counts(factor), self.rates(factor));
            shape.iter_mut().for_each(|n| *n += self.shape);
            let rates = rates.repeat(shape.len() / components);
            moments(
                &mut shape,
                &rates,
                &mut self.factors[factor],
                &mut self.geometric[factor],
            );
        }
    }

    fn units(&self) -> [f64; 2] {
        let stored: u64 = self.cells.iter().map(|(_, y)| u64::from(*y)).sum();
        [stored as f64, self.counts(0).iter().sum()]
    }
}
