//! The generator of the noise, whose key is zeroized when it is dropped.

use chacha20::ChaCha20Rng;
use rand::rngs::{SysError, SysRng};
use rand::{SeedableRng, TryRng};
use zeroize::{Zeroize, Zeroizing};

/// ChaCha20, in one place from its first block to its last. Whoever has its key can take the noise off a release, so key
/// and blocks are zeroized when it is dropped, and so is the part of the stack below the caller, on which the key
/// was brought here and blocks were made.
pub(super) struct Generator(Box<ChaCha20Rng>);

impl Generator {
    /// Seeded by the operating system.
    pub fn from_system() -> Result<Self, SysError> {
        let mut key = Zeroizing::new([0; 32]);
        SysRng.try_fill_bytes(&mut *key)?;
        Ok(Self::of(|| ChaCha20Rng::from_seed(*key)))
    }

    /// For simulations: the noise of whoever knows the seed.
    pub fn from_known(seed: u64) -> Self {
        Self::of(|| ChaCha20Rng::seed_from_u64(seed))
    }

    /// Where it draws from.
    pub fn rng(&mut self) -> &mut ChaCha20Rng {
        &mut self.0
    }

    fn of(seeded: impl FnOnce() -> ChaCha20Rng) -> Self {
        let generator = Self(boxed(seeded));
        zeroize_stack();
        generator
    }
}

impl Drop for Generator {
    fn drop(&mut self) {
        // The state itself is zeroized by its own `drop`.
        zeroize_stack();
    }
}

/// On the heap by way of the stack, in a call of its own, so that all copies are below the caller.
#[inline(never)]
fn boxed(seeded: impl FnOnce() -> ChaCha20Rng) -> Box<ChaCha20Rng> {
    Box::new(seeded())
}

/// Zeroizes what calls that have returned left on the stack below the caller.
#[inline(never)]
fn zeroize_stack() {
    /// A generator and its blocks are 400 bytes, and calls are few.
    const BELOW: usize = 8192;
    [0u8; BELOW].zeroize();
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;

    /// The words of the generator of earlier versions, another implementation of ChaCha20: releases of a known seed keep
    /// their values.
    #[test]
    fn words_of_a_known_seed_are_stable() {
        let mut generator = Generator::from_known(1);
        let rng = generator.rng();
        let words: [u64; 4] = std::array::from_fn(|_| rng.next_u64());
        assert_eq!(
            words,
            [
                11_413_071_731_502_626_714,
                2_822_430_395_410_641_094,
                10_085_176_492_196_300_606,
                7_950_054_994_584_499_879
            ]
        );
        // Across the end of a block, from within a word.
        let mut generator = Generator::from_known(2);
        let rng = generator.rng();
        rng.next_u32();
        let words: Vec<u64> = (0..100).map(|_| rng.next_u64()).collect();
        assert_eq!(
            [words[31], words[99]],
            [16_845_186_285_571_208_631, 8_849_286_697_863_856_532]
        );
    }
}
