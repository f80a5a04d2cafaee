//! Random streams keyed by what they are used for, never by who runs them.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator behind every draw of inference: 256 bits of state, a nanosecond a number.
pub type Stream = Xoshiro256PlusPlus;

/// What a stream is used for; part of its key, so that two uses in one sweep never share numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// Starting values.
    Start = 1,
    /// True counts at the cells, and their split at the root.
    Cells = 2,
    /// Counts handed down below the root.
    Thin = 3,
    /// Draws of factors.
    Factors = 4,
    /// Replicas of the data.
    Replicas = 5,
    /// Joint moves of factors.
    Moves = 6,
    /// Draws of a variational posterior.
    Posterior = 7,
    /// Draws of a prior.
    Prior = 8,
    /// Evidence of held-out documents.
    Evidence = 9,
    /// Moves of tokens.
    Tokens = 10,
}

/// Opens random streams. The same (seed, chain, sweep, purpose, unit, block) gives the same stream on
/// any number of threads, which is what makes draws independent of how work was divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams {
    seed: u64,
    chain: u64,
    sweep: u64,
}

impl Streams {
    /// Streams of `chain`, before its first sweep.
    pub fn new(seed: u64, chain: u64) -> Self {
        Self { seed, chain, sweep: 0 }
    }

    /// The chain that they belong to.
    pub fn chain(&self) -> u64 {
        self.chain
    }

    /// The streams of the same chain under another seed.
    pub fn of_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The streams of another sweep of the same chain.
    pub fn at_sweep(self, sweep: u64) -> Self {
        Self { sweep, ..self }
    }

    /// The stream of one block of one unit (a view, a latent, a node of a tree).
    pub fn open(&self, purpose: Purpose, unit: usize, block: u64) -> Stream {
        let key = [self.seed, self.chain, self.sweep, purpose as u64, unit as u64, block];
        // Absorb the key word by word; each word passes the full mixer, so keys that differ in one bit
        // anywhere start from unrelated states.
        Stream::seed_from_u64(
            key.iter()
                .fold(0x9e37_79b9_7f4a_7c15, |state, word| mix(state ^ mix(*word))),
        )
    }
}

/// The finaliser of SplitMix64 over a Weyl step: a bijection that flips half the bits on average.
fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn every_part_of_the_key_matters() {
        let draw = |seed, chain, sweep, purpose, unit, block| {
            Streams::new(seed, chain)
                .at_sweep(sweep)
                .open(purpose, unit, block)
                .next_u64()
        };
        let draws = [
            draw(0, 0, 0, Purpose::Cells, 0, 0),
            draw(1, 0, 0, Purpose::Cells, 0, 0),
            draw(0, 1, 0, Purpose::Cells, 0, 0),
            draw(0, 0, 1, Purpose::Cells, 0, 0),
            draw(0, 0, 0, Purpose::Thin, 0, 0),
            draw(0, 0, 0, Purpose::Cells, 1, 0),
            draw(0, 0, 0, Purpose::Cells, 0, 1),
        ];
        for (i, a) in draws.iter().enumerate() {
            assert!(draws[i + 1..].iter().all(|b| a != b), "{draws:?}");
        }
        assert_eq!(draws[0], draw(0, 0, 0, Purpose::Cells, 0, 0));
    }
}
