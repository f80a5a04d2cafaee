//! Particles that go through the tokens of a document.

use multiversion::multiversion;
use rand::RngExt;
use rand::seq::SliceRandom;

use super::topics::{LANES, Topics};
use crate::streams::Stream;

/// A document and its particles.
pub(super) struct Filter<'a> {
    topics: &'a Topics,
    words: Vec<u32>,
    particles: Vec<Particle>,
    /// `sum_k phi[k, w_n] (n_k + alpha_k)` of each particle.
    weights: Vec<f64>,
    shares: Shares,
}

/// The topics of the tokens so far, and how many tokens each topic has.
struct Particle {
    drawn: Vec<u32>,
    counts: Vec<f64>,
}

impl<'a> Filter<'a> {
    pub(super) fn new(topics: &'a Topics, words: Vec<u32>, particles: usize) -> Self {
        let width = topics.alpha.len();
        let particle = || Particle {
            drawn: Vec::with_capacity(words.len()),
            counts: vec![0.0; width],
        };
        Self {
            topics,
            particles: std::iter::repeat_with(particle).take(particles).collect(),
            weights: vec![0.0; particles],
            shares: Shares {
                of_topics: vec![0.0; width],
                of_lanes: vec![0.0; width / LANES],
            },
            words,
        }
    }

    pub(super) fn bytes_of_particle(tokens: usize, topics: usize) -> f64 {
        let each = size_of::<Particle>() + size_of::<f64>();
        each as f64 + size_of::<u32>() as f64 * tokens as f64 + size_of::<f64>() as f64 * topics as f64
    }

    /// The log of an unbiased estimate of the probability of the tokens.
    pub(super) fn run(&mut self, redraws: usize, rng: &mut Stream) -> f64 {
        self.words.shuffle(rng);
        for particle in &mut self.particles {
            particle.drawn.clear();
            particle.counts.fill(0.0);
        }
        let mut ln = 0.0;
        let mut first = 0;
        for n in 0..self.words.len() {
            let again = redraws.min(n);
            for (particle, weight) in self.particles.iter_mut().zip(&mut self.weights) {
                // Which tokens are redrawn must not depend on topics: every step then leaves P(z_<n | w_<n) as it is.
                for token in (first..n).chain(0..first).take(again) {
                    particle.redraw(token, self.words[token], &mut self.shares, self.topics, rng);
                }
                *weight = self.shares.weigh(self.words[n], &particle.counts, self.topics);
            }
            first = if n > 0 { (first + again) % n } else { 0 };
            let mean = self.weights.iter().sum::<f64>() / self.weights.len() as f64;
            ln += (mean / (n as f64 + self.topics.concentration)).ln();
            self.select(mean, rng);
            for particle in &mut self.particles {
                particle
                    .drawn
                    .push(self.shares.draw(self.words[n], &particle.counts, self.topics, rng));
                particle.counts[particle.drawn[n] as usize] += 1.0;
            }
        }
        ln
    }

    /// Systematic resampling: each particle goes on `weight / mean` times on average, rounded down or up.
    fn select(&mut self, mean: f64, rng: &mut Stream) {
        let all = self.particles.len();
        let offset = rng.random::<f64>();
        let (mut sum, mut taken) = (0.0, 0);
        let mut free = Vec::new();
        let mut more = Vec::new();
        for (number, weight) in self.weights.iter().enumerate() {
            sum += weight / mean;
            // Rounding of the sum neither loses nor adds a particle.
            let until = if number + 1 == all {
                all
            } else {
                ((sum + offset) as usize).min(all)
            };
            match until - taken {
                0 => free.push(number),
                copies => more.extend(std::iter::repeat_n(number, copies - 1)),
            }
            taken = until;
        }
        for (to, from) in free.into_iter().zip(more) {
            if let Ok([to, from]) = self.particles.get_disjoint_mut([to, from]) {
                to.drawn.clone_from(&from.drawn);
                to.counts.copy_from_slice(&from.counts);
            }
        }
    }
}

impl Particle {
    /// A Gibbs step: the topic of one token given those of all others so far.
    fn redraw(&mut self, token: usize, word: u32, shares: &mut Shares, topics: &Topics, rng: &mut Stream) {
        self.counts[self.drawn[token] as usize] -= 1.0;
        self.drawn[token] = shares.draw(word, &self.counts, topics, rng);
        self.counts[self.drawn[token] as usize] += 1.0;
    }
}

/// `phi[k, w] (n_k + alpha_k)` of each topic, and sums over [`LANES`] of them, so that a draw goes over few numbers.
struct Shares {
    of_topics: Vec<f64>,
    of_lanes: Vec<f64>,
}

impl Shares {
    /// Sets the shares and returns their sum.
    fn weigh(&mut self, word: u32, counts: &[f64], topics: &Topics) -> f64 {
        let Self { of_topics, of_lanes } = self;
        weigh(topics.of_word(word), counts, &topics.alpha, of_topics, of_lanes);
        of_lanes.iter().sum()
    }

    /// A topic in proportion to its share.
    fn draw(&mut self, word: u32, counts: &[f64], topics: &Topics, rng: &mut Stream) -> u32 {
        let mut left = rng.random::<f64>() * self.weigh(word, counts, topics);
        let lanes = self.of_lanes.iter().position(|sum| {
            let is_here = left < *sum;
            left -= if is_here { 0.0 } else { *sum };
            is_here
        });
        let begin = LANES * lanes.unwrap_or(0);
        let topic = self.of_topics[begin..].iter().position(|share| {
            left -= share;
            left < 0.0
        });
        // Rounding may pass the last topic; no topic without a share is drawn.
        let last = || self.of_topics.iter().rposition(|share| *share > 0.0);
        topic.map(|at| begin + at).or_else(last).unwrap_or(0) as u32
    }
}

/// Sums are in one order on every machine.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn weigh(of_word: &[f64], counts: &[f64], alpha: &[f64], shares: &mut [f64], sums: &mut [f64]) {
    let lanes = of_word.as_chunks::<LANES>().0.iter();
    let concentrations = counts.as_chunks::<LANES>().0.iter().zip(alpha.as_chunks::<LANES>().0);
    let to = shares.as_chunks_mut::<LANES>().0.iter_mut().zip(sums);
    for ((p, (counts, alpha)), (share, sum)) in lanes.zip(concentrations).zip(to) {
        for k in 0..LANES {
            share[k] = p[k] * (counts[k] + alpha[k]);
        }
        let [a, b, c, d, e, f, g, h] = *share;
        *sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
    }
}
