//! Uniform integers and Bernoulli variables without floating point and without bias.
//!
//! `rand`'s own `random_range` is not used: by default it accepts a bias of up to 2^-64 per draw, which
//! is harmless in simulation and no part of a proof of privacy.

use rand::Rng;

/// A uniform integer in `0..n`, `n >= 1` (Lemire 2019, *Fast random integer generation in an
/// interval*, algorithm 5).
pub(super) fn below<R: Rng + ?Sized>(n: u64, rng: &mut R) -> u64 {
    if n == 1 {
        return 0;
    }
    let mut product = u128::from(rng.next_u64()) * u128::from(n);
    if (product as u64) < n {
        // 2^64 mod n values of the low half must go, so that each high half keeps equally many.
        let surplus = n.wrapping_neg() % n;
        while (product as u64) < surplus {
            product = u128::from(rng.next_u64()) * u128::from(n);
        }
    }
    (product >> 64) as u64
}

/// True with probability `exp(-a / b)`, `a <= b`, `b >= 1` (CKS20, algorithm 1, first case): the first
/// `k` at which a Bernoulli variable of `(a / b) / k` fails is odd with that probability.
pub(super) fn bernoulli_exp<R: Rng + ?Sized>(a: u64, b: u64, rng: &mut R) -> bool {
    let mut k = 1;
    loop {
        let success = match b.checked_mul(k) {
            Some(denominator) => below(denominator, rng) < a,
            // The same probability, as that of two independent events.
            None => below(b, rng) < a && below(k, rng) == 0,
        };
        if !success {
            return k % 2 == 1;
        }
        k += 1;
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha12Rng;

    use super::*;

    /// Half-width of a binomial frequency at six standard deviations: a false alarm in 5e8.
    fn tolerance(p: f64, draws: u32) -> f64 {
        6.0 * (p * (1.0 - p) / f64::from(draws)).sqrt()
    }

    /// Of four words in a row three map to different integers, so a sampler that rejects nothing draws
    /// multiples of three half of the time.
    #[test]
    fn integers_are_uniform_where_a_quarter_of_all_words_is_rejected() {
        let mut rng = ChaCha12Rng::seed_from_u64(1);
        let n = 3 << 62;
        let draws = 200_000;
        let seen: Vec<u64> = (0..draws).map(|_| below(n, &mut rng)).collect();
        let share = |hit: fn(u64) -> bool| seen.iter().filter(|&&x| hit(x)).count() as f64 / f64::from(draws);
        assert!((share(|x| x % 3 == 0) - 1.0 / 3.0).abs() < tolerance(1.0 / 3.0, draws));
        assert!((share(|x| x < 1 << 62) - 1.0 / 3.0).abs() < tolerance(1.0 / 3.0, draws));
        assert!(seen.iter().all(|&x| x < n));
    }

    #[test]
    fn small_ranges_are_uniform() {
        let mut rng = ChaCha12Rng::seed_from_u64(2);
        for n in [1, 2, 3, 7] {
            let draws = 100_000;
            let mut seen = vec![0u32; n as usize];
            (0..draws).for_each(|_| seen[below(n, &mut rng) as usize] += 1);
            let share = 1.0 / n as f64;
            for count in seen {
                assert!(
                    (f64::from(count) / f64::from(draws) - share).abs() <= tolerance(share, draws),
                    "{n}"
                );
            }
        }
    }

    #[test]
    fn exponentials_have_their_probability_on_both_paths() {
        let mut rng = ChaCha12Rng::seed_from_u64(3);
        let large = u64::MAX - 4;
        for (a, b) in [
            (0, 1),
            (1, 1),
            (1, 2),
            (3, 7),
            (49, 50),
            (large / 3, large),
            (large, large),
        ] {
            let draws = 200_000;
            let p = (-(a as f64) / b as f64).exp();
            let hits = (0..draws).filter(|_| bernoulli_exp(a, b, &mut rng)).count();
            assert!(
                (hits as f64 / f64::from(draws) - p).abs() <= tolerance(p, draws),
                "{a}/{b}"
            );
        }
    }
}
