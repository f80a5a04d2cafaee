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

/// True with probability `a / b`, `b >= 1`; surely where `a >= b`.
pub(super) fn bernoulli<R: Rng + ?Sized>(a: u128, b: u128, rng: &mut R) -> bool {
    match u64::try_from(b) {
        Ok(b) => u128::from(below(b, rng)) < a,
        Err(_) => {
            // A uniform integer of as many bits as `b - 1` has, until one is below `b`: two draws at most on average.
            let spare = (b - 1).leading_zeros();
            loop {
                let bits = (u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())) >> spare;
                if bits < b {
                    return bits < a;
                }
            }
        }
    }
}

/// Whether none of the trials `1..=n` fails, each independent of the others, where trial `i` fails with the probability
/// `a / b` that `failure(i)` gives. It needs `n a / b <= 1` for every trial, and takes fewer than three steps on average,
/// however large `n` is.
///
/// A trial `i` is drawn uniformly and fails with probability `n` times its own, so that it was drawn and failed with
/// probability `a_i / b_i`. Were it the first to fail, all before it would have held: that is asked by the same means. The
/// answer is no with probability `sum_i (a_i / b_i) P(none of the trials before i fails)`, and these are the probabilities
/// that `i` is the first to fail. Where all `n` are alike and tend to none this is algorithm 1 of CKS20, for `exp(-n a / b)`.
pub(super) fn none_fails<R: Rng + ?Sized>(mut n: u64, failure: impl Fn(u64) -> (u128, u128), rng: &mut R) -> bool {
    let mut none = true;
    while n > 0 {
        let trial = 1 + below(n, rng);
        let (a, b) = failure(trial);
        let is_ratio = a.checked_mul(n.into()).is_some_and(|a| a <= b);
        assert!(is_ratio, "{n} times {a}/{b} passes one");
        if !bernoulli(a * u128::from(n), b, rng) {
            break;
        }
        (n, none) = (trial - 1, !none);
    }
    none
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
    use chacha20::ChaCha12Rng;
    use rand::SeedableRng;

    use super::*;

    /// Half-width of a binomial frequency at six standard deviations: a false alarm in 5e8.
    fn tolerance(p: f64, draws: u32) -> f64 {
        6.0 * (p * (1.0 - p) / f64::from(draws)).sqrt()
    }

    /// Three of four words in a row map to different integers, so a sampler that rejects nothing draws
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
    fn ratios_have_their_probability_on_both_paths() {
        let mut rng = ChaCha12Rng::seed_from_u64(4);
        let large = (1u128 << 90) + 12345;
        for (a, b) in [
            (0, 1),
            (1, 1),
            (3, 7),
            (2 * large / 3, large),
            (large, large),
            (large / 9, large),
        ] {
            let draws = 100_000;
            let hits = (0..draws).filter(|_| bernoulli(a, b, &mut rng)).count();
            let p = a as f64 / b as f64;
            assert!(
                (hits as f64 / f64::from(draws) - p).abs() <= tolerance(p, draws),
                "{a}/{b}"
            );
        }
    }

    /// Trials of different probabilities, up to the bound. A mutant that forgets the trials before the first failure,
    /// and answers by one draw, is off by far more than the tolerance.
    #[test]
    fn no_trial_fails_with_the_product_of_their_probabilities() {
        let mut rng = ChaCha12Rng::seed_from_u64(5);
        let draws = 400_000;
        for n in [0u64, 1, 2, 3, 10, 1000] {
            let rising = |i: u64| (u128::from(i), u128::from(n * n));
            let alike = |_: u64| (1, u128::from(n));
            let product = |failure: &dyn Fn(u64) -> (u128, u128)| -> f64 {
                (1..=n).map(failure).map(|(a, b)| 1.0 - a as f64 / b as f64).product()
            };
            let share =
                |mut one: Box<dyn FnMut() -> bool + '_>| (0..draws).filter(|_| one()).count() as f64 / f64::from(draws);
            let p = product(&rising);
            let found = share(Box::new(|| none_fails(n, rising, &mut rng)));
            assert!((found - p).abs() <= tolerance(p, draws), "{n}: {found}, not {p}");
            let p = product(&alike);
            let found = share(Box::new(|| none_fails(n, alike, &mut rng)));
            assert!((found - p).abs() <= tolerance(p, draws), "{n}: {found}, not {p}");
            if n >= 2 {
                let mutant = share(Box::new(|| {
                    !bernoulli(u128::from(1 + below(n, &mut rng)), n.into(), &mut rng)
                }));
                assert!(
                    (mutant - product(&rising)).abs() > 2.0 * tolerance(0.5, draws),
                    "{n}: {mutant}"
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
