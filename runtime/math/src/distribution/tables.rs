//! Table counts: how many tables a Chinese restaurant has.

use std::ops::Range;

use rand::{Rng, RngExt};

use super::binomial;

/// First customers, and customers of a block, up to which every coin is tossed.
const FEW: u64 = 16;

/// Customers up to which that is faster than a binomial draw.
const SOME: u64 = 160;

/// Tables in a block up to which its coins are thinned alone, without a base.
const RARE: f64 = 16.0;

/// How many coins of a block come up beyond its base, roughly, squared: a block costs a binomial draw and as many candidates.
const WIDTH: f64 = 3.0;

/// A draw of the number of tables at which `n` customers sit, where the `t`-th opens a new one with probability
/// `s/(s + t - 1)`: the sum of `n` independent coins, written CRT(n, s) (Zhou and Carin 2015). `s` is positive.
///
/// Coins of customers that follow each other differ little, so they are drawn in blocks. A coin of probability `p` is the larger of two
/// independent ones, a base of the block's least probability `b` and another of `(p - b)/(1 - b)`. The few of the others that come up are found one after
/// another: candidates by the distance between coins of the largest such probability, each kept with the ratio of the two. All bases at the other places are one
/// binomial draw. Where tables are likely, the same is done to the coins that say no. With blocks of `3 (s + t) / sqrt(s)` customers the cost is
/// of order `sqrt(s) ln(1 + n/s)`, and `ln n` where `s` is small: far less than the number of tables where that is large. The law is exact.
pub fn tables<R: Rng + ?Sized>(n: u64, s: f64, rng: &mut R) -> u64 {
    let toss = |customers: Range<u64>, rng: &mut R| {
        let opens = |t: &u64| rng.random::<f64>() < s / (s + (t - 1) as f64);
        customers.filter(opens).count() as u64
    };
    // The first customer opens a table.
    let mut total = n.min(1) + toss(2..n.min(FEW) + 1, rng);
    if n <= FEW {
        return total;
    }
    let share = (WIDTH / s.sqrt()).min(1.0);
    let mut first = FEW + 1;
    while first <= n {
        // Saturates.
        let length = ((share * (s + first as f64)) as u64).max(FEW).min(n - first + 1);
        let before = (first - 1) as f64;
        let highest = s / (s + before);
        let is_rare = highest <= 0.25 && highest * length as f64 <= RARE;
        total += if length <= FEW || (length <= SOME && !is_rare) {
            toss(first..first + length, rng)
        } else if is_rare {
            let ratio = |i: f64| (s + before) / (s + before + i);
            above(length, [0.0, highest], ratio, rng)
        } else {
            block([before, length as f64], s, rng)
        };
        first += length;
    }
    total
}

/// Tables that so many customers open behind so many others.
fn block<R: Rng + ?Sized>([before, length]: [f64; 2], s: f64, rng: &mut R) -> u64 {
    let (last, all) = (length - 1.0, s + before);
    // Probabilities of the first and of the last, and their difference, which does not cancel.
    let [highest, lowest] = [s / all, s / (all + last)];
    let span = lowest * last / all;
    if highest + lowest > 1.0 {
        let ratio = |i: f64| i * (all + last) / (last * (all + i));
        length as u64 - above(length as u64, [before / all, span / highest], ratio, rng)
    } else {
        let ratio = |i: f64| (last - i) * all / (last * (all + i));
        above(
            length as u64,
            [lowest, span * (all + last) / (before + last)],
            ratio,
            rng,
        )
    }
}

/// How many of `length` coins come up, where the `i`-th does if one of probability `base` does, or one of `most` times `ratio(i)`.
fn above<R: Rng + ?Sized>(length: u64, [base, most]: [f64; 2], ratio: impl Fn(f64) -> f64, rng: &mut R) -> u64 {
    let ln_miss = (-most).ln_1p();
    // How many are passed over up to the next candidate.
    let passed = |rng: &mut R| ((1.0 - rng.random::<f64>()).ln() / ln_miss) as u64;
    let (mut extra, mut i) = (0, passed(rng));
    while i < length {
        extra += u64::from(rng.random::<f64>() < ratio(i as f64));
        i = i.saturating_add(1).saturating_add(passed(rng));
    }
    extra + binomial(length - extra, base, rng)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::goodness::discrete_p;
    use crate::streams::Stream;
    use rand::SeedableRng;

    const DRAWS: usize = 40_000;

    /// The law of the sum of all coins, coin by coin.
    fn law(n: u64, s: f64) -> Vec<f64> {
        let mut p = vec![1.0];
        for t in 1..=n {
            let yes = s / (s + (t - 1) as f64);
            p.push(0.0);
            for k in (1..p.len()).rev() {
                p[k] = p[k] * (1.0 - yes) + p[k - 1] * yes;
            }
            p[0] *= 1.0 - yes;
        }
        p
    }

    /// Chi-square tests of 40,000 draws each against the exact law: false positives 1e-6 each, of 28. The mutant has one customer less, or
    /// where that is not seen in so many, a twentieth less of `s`.
    #[test]
    fn draws_have_the_law_of_the_coins() {
        let mut rng = Stream::seed_from_u64(3);
        for s in [1e-3, 0.1, 1.0, 3.7, 30.0, 200.0, 1e4] {
            for n in [3u64, 17, 60, 2000] {
                let draws: Vec<u64> = (0..DRAWS).map(|_| tables(n, s, &mut rng)).collect();
                let p = discrete_p(&draws, 0, &law(n, s));
                assert!(p > 1e-6, "{s} {n}: {p}");
                if n == 2000 && s >= 1.0 {
                    let p = discrete_p(&draws, 0, &law(n, 0.95 * s));
                    assert!(p < 1e-6, "{s} {n}, mutant: {p}");
                }
            }
        }
        assert_eq!(tables(0, 1.0, &mut rng), 0);
        assert_eq!(tables(1, 1e-9, &mut rng), 1);
    }

    /// Means and variances of 2,000 draws where there are too many customers for the exact law, by `psi` and its derivative as sums: within 5 standard errors, false
    /// positives 6e-7 each, of 12. Blocks whose bases are left out miss the means by far more.
    #[test]
    fn moments_are_right_where_there_are_many() {
        let mut rng = Stream::seed_from_u64(4);
        let draws = 2_000;
        for s in [0.5, 40.0, 3e3, 1e6, 1e9, 1e12] {
            let n = 2_000_000u64;
            let p = (1..=n).map(|t| s / (s + (t - 1) as f64));
            let (mean, variance) = p.fold((0.0, 0.0), |(m, v), p| (m + p, v + p * (1.0 - p)));
            let all: Vec<f64> = (0..draws).map(|_| tables(n, s, &mut rng) as f64).collect();
            let found = all.iter().sum::<f64>() / f64::from(draws);
            // Where tables are nearly as many as customers, the sum of the coins has lost the digits of the variance.
            let error = (variance / f64::from(draws)).sqrt() + 1e-9 * mean;
            assert!((found - mean).abs() < 5.0 * error, "{s}: {found} {mean}");
            let spread = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(draws);
            // The fourth moment of a sum of coins is at most 3 variance^2 + variance.
            let error = ((2.0 * variance * variance + variance) / f64::from(draws)).sqrt();
            assert!(
                (spread - variance).abs() < 5.0 * error + 1e-5,
                "{s}: {spread} {variance}"
            );
        }
    }
}
