//! Topics of documents that were released with two-sided geometric noise, as one would write them for this model alone.
//!
//! ```text
//! y[d,v] ~ Poisson(sum_k theta[d,k] phi[v,k]),  c[d,v] = y[d,v] + noise
//! ```
//!
//! The count of a cell with `c > 0` is drawn, and its weight is 1; that of a cell with `c <= 0` is summed out, and its weight is
//! `1 - alpha`. Given `phi`, documents are independent: a pass over blocks of them does all of `theta`, and gathers what `phi` needs.

use std::ops::Range;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::math::distribution::{SplicedPoisson, gamma_draw};

use super::ByHand;
use super::kernels::{LEAST_RATE, Weights, add, column_sums, in_threads, moments, product};

/// Documents of a block.
const BLOCK: usize = 64;

/// Sizes, hyperparameters, and the cells with positive releases, by document.
struct Data {
    words: usize,
    topics: usize,
    shape: f64,
    alpha: f64,
    inverse: f64,
    /// Where the cells of each document start.
    start: Vec<usize>,
    word: Vec<u32>,
    released: Vec<i64>,
}

/// The state: `theta[d,k]` and `phi[v,k]`, of CAVI their means and geometric means.
pub struct Topics {
    data: Data,
    theta: Vec<f64>,
    phi: Vec<f64>,
    geometric: [Vec<f64>; 2],
    lanes: Vec<Lane>,
}

/// The documents of one thread, and its arrays.
struct Lane {
    docs: Range<usize>,
    rng: Xoshiro256PlusPlus,
    weights: Weights,
    /// Units of the counts that were drawn.
    units: u64,
    /// Rates of a block, then what takes their places.
    rates: Vec<f64>,
    /// Rates of the cells of a document.
    of_cells: Vec<f64>,
    /// Counts and exposures of `theta`, of a block.
    of_theta: [Vec<f64>; 2],
    /// Counts and exposures of `phi`.
    of_phi: [Vec<f64>; 2],
}

impl Topics {
    /// The model of releases, row-major, of documents by words.
    pub fn new(
        released: &[i64],
        words: usize,
        topics: usize,
        [shape, alpha]: [f64; 2],
        seed: u64,
        threads: usize,
    ) -> Self {
        let docs = released.len() / words;
        let (mut start, mut word, mut positive) = (vec![0], Vec::new(), Vec::new());
        for line in released.chunks_exact(words) {
            for (v, &c) in line.iter().enumerate().filter(|(_, c)| **c > 0) {
                word.push(v as u32);
                positive.push(c);
            }
            start.push(word.len());
        }
        let lane = |lane: usize| Lane {
            docs: docs * lane / threads..docs * (lane + 1) / threads,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0x9e37_79b9).wrapping_add(lane as u64)),
            weights: Weights::new(topics),
            units: 0,
            rates: vec![0.0; BLOCK * words],
            of_cells: Vec::new(),
            of_theta: std::array::from_fn(|_| vec![0.0; BLOCK * topics]),
            of_phi: std::array::from_fn(|_| vec![0.0; words * topics]),
        };
        Self {
            data: Data {
                words,
                topics,
                shape,
                alpha,
                inverse: 1.0 / alpha,
                start,
                word,
                released: positive,
            },
            theta: vec![1.0; docs * topics],
            phi: vec![1.0; words * topics],
            geometric: [vec![1.0; docs * topics], vec![1.0; words * topics]],
            lanes: (0..threads).map(lane).collect(),
        }
    }

    /// Counts and exposures of `phi`, of all lanes: `sum_d y[d,v,k]` and `sum_d w[d,v] theta[d,k]` without the prior.
    fn gathered(&mut self) -> [Vec<f64>; 2] {
        let mut sums = self.lanes[0].of_phi.clone();
        for lane in &self.lanes[1..] {
            sums.iter_mut().zip(&lane.of_phi).for_each(|(sum, of)| add(sum, of));
        }
        let theta = column_sums(&self.theta, self.data.topics);
        self.data.exposures(&mut sums[1], &theta);
        sums
    }
}

impl Data {
    /// Replaces sums over visited cells by exposures: the weight of these is 1, that of all others `1 - alpha`.
    fn exposures(&self, over_visited: &mut [f64], over_all: &[f64]) {
        for line in over_visited.chunks_exact_mut(self.topics) {
            for (sum, all) in line.iter_mut().zip(over_all) {
                *sum = 1.0 + (1.0 - self.alpha) * all + self.alpha * *sum;
            }
        }
    }

    fn law(&self, rate: f64, c: i64) -> SplicedPoisson {
        SplicedPoisson::new(rate * self.inverse, c, rate * self.alpha)
    }
}

impl Lane {
    /// Draws counts and `theta` of the lane's documents.
    fn sweep(&mut self, data: &Data, theta: &mut [f64], phi: &[f64], phi_sums: &[f64]) {
        let (words, topics) = (data.words, data.topics);
        self.of_phi.iter_mut().for_each(|of| of.fill(0.0));
        self.units = 0;
        let [n_phi, e_phi] = &mut self.of_phi;
        for (block, theta) in theta.chunks_mut(BLOCK * topics).enumerate() {
            let docs = theta.len() / topics;
            let rates = &mut self.rates[..docs * words];
            let [n, e] = self.of_theta.each_mut().map(|of| &mut of[..docs * topics]);
            product(
                rates,
                0.0,
                [docs, topics, words],
                (theta, [topics, 1]),
                (phi, [1, topics]),
            );
            n.fill(0.0);
            for (i, line) in rates.chunks_exact_mut(words).enumerate() {
                let d = self.docs.start + block * BLOCK + i;
                let (theta, n) = (&theta[i * topics..][..topics], &mut n[i * topics..][..topics]);
                let cells = data.start[d]..data.start[d + 1];
                let (places, released) = (&data.word[cells.clone()], &data.released[cells]);
                // A word's place now says whether it was visited.
                take(line, places, 1.0, &mut self.of_cells);
                for ((&v, &c), &rate) in places.iter().zip(released).zip(&self.of_cells) {
                    let y = data.law(rate, c).draw(&mut self.rng);
                    if y == 0 {
                        continue;
                    }
                    self.units += y;
                    let of_word = v as usize * topics..(v as usize + 1) * topics;
                    self.weights.set([theta, &phi[of_word.clone()]]);
                    let n_phi = &mut n_phi[of_word];
                    self.weights.split(y, &mut self.rng, |k, units| {
                        n[k] += units as f64;
                        n_phi[k] += units as f64;
                    });
                }
            }
            product(e, 0.0, [docs, words, topics], (rates, [words, 1]), (phi, [topics, 1]));
            data.exposures(e, phi_sums);
            for ((theta, n), e) in theta.iter_mut().zip(&*n).zip(&*e) {
                *theta = (gamma_draw(data.shape + n, &mut self.rng) / e).max(f64::MIN_POSITIVE);
            }
            product(
                e_phi,
                1.0,
                [words, docs, topics],
                (rates, [1, words]),
                (theta, [topics, 1]),
            );
        }
    }

    /// Expected counts and the posterior of `theta` of the lane's documents.
    fn iterate(&mut self, data: &Data, theta: [&mut [f64]; 2], [phi, geometric_phi]: [&[f64]; 2], phi_sums: &[f64]) {
        let (words, topics) = (data.words, data.topics);
        self.of_phi.iter_mut().for_each(|of| of.fill(0.0));
        let [n_phi, e_phi] = &mut self.of_phi;
        let [theta, geometric] = theta.map(|theta| theta.chunks_mut(BLOCK * topics));
        for (block, (theta, geometric)) in theta.zip(geometric).enumerate() {
            let docs = theta.len() / topics;
            let slopes = &mut self.rates[..docs * words];
            let [n, e] = self.of_theta.each_mut().map(|of| &mut of[..docs * topics]);
            let by_doc = [docs, words, topics];
            let by_word = [words, docs, topics];
            product(
                slopes,
                0.0,
                [docs, topics, words],
                (geometric, [topics, 1]),
                (geometric_phi, [1, topics]),
            );
            for (i, line) in slopes.chunks_exact_mut(words).enumerate() {
                let d = self.docs.start + block * BLOCK + i;
                let cells = data.start[d]..data.start[d + 1];
                let (places, released) = (&data.word[cells.clone()], &data.released[cells]);
                take(line, places, 0.0, &mut self.of_cells);
                // A word's place holds `E[y]` over its rate, and then whether it was visited.
                for ((&v, &c), &rate) in places.iter().zip(released).zip(&self.of_cells) {
                    let sides = data.law(rate, c).sides();
                    line[v as usize] = sides.below * data.inverse + data.alpha * sides.from;
                }
            }
            product(n_phi, 1.0, by_word, (slopes, [1, words]), (geometric, [topics, 1]));
            product(n, 0.0, by_doc, (slopes, [words, 1]), (geometric_phi, [topics, 1]));
            let visited = slopes;
            visited
                .iter_mut()
                .for_each(|slope| *slope = f64::from(u8::from(*slope > 0.0)));
            product(e, 0.0, by_doc, (visited, [words, 1]), (phi, [topics, 1]));
            data.exposures(e, phi_sums);
            let counts = n.iter_mut().zip(&*geometric);
            counts.for_each(|(n, geometric)| *n = data.shape + *n * geometric);
            moments(n, e, theta, geometric);
            product(e_phi, 1.0, by_word, (visited, [1, words]), (theta, [topics, 1]));
        }
    }
}

/// Takes the rates at some places of a line, which then hold a number; all others hold zero.
fn take(line: &mut [f64], places: &[u32], number: f64, rates: &mut Vec<f64>) {
    rates.clear();
    rates.extend(places.iter().map(|&v| line[v as usize].max(LEAST_RATE)));
    line.fill(0.0);
    places.iter().for_each(|&v| line[v as usize] = number);
}

/// The parts of an array by document that belong to each lane.
fn cut<'a>(lanes: &[Lane], mut theta: &'a mut [f64], topics: usize) -> Vec<&'a mut [f64]> {
    let part = |lane: &Lane| {
        let (part, rest) = std::mem::take(&mut theta).split_at_mut(lane.docs.len() * topics);
        theta = rest;
        part
    };
    lanes.iter().map(part).collect()
}

impl ByHand for Topics {
    fn set(&mut self, values: &[Vec<f64>], geometric: &[Vec<f64>]) {
        let (topics, words) = (self.data.topics, self.data.words);
        self.theta.copy_from_slice(&values[0]);
        self.geometric[0].copy_from_slice(&geometric[0]);
        self.phi = transposed(&values[1], [topics, words]);
        self.geometric[1] = transposed(&geometric[1], [topics, words]);
    }

    fn values(&self) -> Vec<Vec<f64>> {
        let phi = transposed(&self.phi, [self.data.words, self.data.topics]);
        vec![self.theta.clone(), phi]
    }

    fn sweep(&mut self) {
        let Self {
            data,
            theta,
            phi,
            lanes,
            ..
        } = self;
        let phi_sums = column_sums(phi, data.topics);
        let parts = cut(lanes, theta, data.topics);
        let parts = lanes.iter_mut().zip(parts).collect();
        in_threads(parts, |(lane, theta): (&mut Lane, &mut [f64])| {
            lane.sweep(data, theta, phi, &phi_sums)
        });
        let [n, e] = self.gathered();
        for ((phi, n), e) in self.phi.iter_mut().zip(n).zip(e) {
            *phi = (gamma_draw(self.data.shape + n, &mut self.lanes[0].rng) / e).max(f64::MIN_POSITIVE);
        }
    }

    fn iterate(&mut self) {
        let Self {
            data,
            theta,
            phi,
            geometric: [geometric, geometric_phi],
            lanes,
        } = self;
        let phi_sums = column_sums(phi, data.topics);
        let means = cut(lanes, theta, data.topics);
        let geometrics = cut(lanes, geometric, data.topics);
        let parts = lanes.iter_mut().zip(means.into_iter().zip(geometrics)).collect();
        in_threads(
            parts,
            |(lane, (mean, geometric)): (&mut Lane, (&mut [f64], &mut [f64]))| {
                lane.iterate(data, [mean, geometric], [phi, geometric_phi], &phi_sums);
            },
        );
        let [mut n, e] = self.gathered();
        let geometric = &mut self.geometric[1];
        let counts = n.iter_mut().zip(&*geometric);
        counts.for_each(|(n, geometric)| *n = self.data.shape + *n * geometric);
        moments(&mut n, &e, &mut self.phi, geometric);
    }

    fn units(&self) -> [f64; 2] {
        let drawn: u64 = self.lanes.iter().map(|lane| lane.units).sum();
        let handed = self.lanes.iter().flat_map(|lane| &lane.of_phi[0]).sum();
        [drawn as f64, handed]
    }
}

/// The transpose of a row-major matrix.
fn transposed(matrix: &[f64], [rows, cols]: [usize; 2]) -> Vec<f64> {
    (0..cols)
        .flat_map(|j| (0..rows).map(move |i| matrix[i * cols + j]))
        .collect()
}
