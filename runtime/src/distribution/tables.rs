//! Table counts: how many tables a Chinese restaurant has.

use rand::{Rng, RngExt};

/// Customers up to which every coin is tossed.
const FEW: u64 = 16;

/// A draw of the number of tables at which `n` customers sit, where the `t`-th opens a new one with probability
/// `s/(s + t - 1)`: the sum of `n` independent coins, written CRT(n, s) (Zhou and Carin 2015). `s` is positive.
///
/// Where there are many, the coins of `t` in `[m, 2m)` are thinned from coins of the probability of the first: the places where those come up are drawn, and
/// each is kept with the ratio of the two, at least a half. So it costs in the order of `s ln n`, and is exact. What is done does not depend on what was drawn.
pub fn tables<R: Rng + ?Sized>(n: u64, s: f64, rng: &mut R) -> u64 {
    let coin = |t: u64| s / (s + (t - 1) as f64);
    if n == 0 {
        return 0;
    }
    // The first customer opens a table.
    let mut total = 1 + (2..=n.min(FEW)).filter(|&t| rng.random::<f64>() < coin(t)).count() as u64;
    let mut first = FEW + 1;
    while first <= n {
        let end = (2 * first).min(n + 1);
        let most = coin(first);
        if most > 0.25 {
            total += (first..end).filter(|&t| rng.random::<f64>() < coin(t)).count() as u64;
        } else {
            // How many are passed over up to the next that comes up at the probability of the first.
            let ln_miss = (-most).ln_1p();
            let mut passed = || ((1.0 - rng.random::<f64>()).ln() / ln_miss) as u64;
            let mut t = first.saturating_add(passed());
            let mut places = Vec::new();
            while t < end {
                places.push(t);
                t = t.saturating_add(1).saturating_add(passed());
            }
            total += places.iter().filter(|&&t| rng.random::<f64>() * most < coin(t)).count() as u64;
        }
        first = end;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;
    use rand::SeedableRng;

    /// Means and variances of 20,000 draws against the sums over all coins, within 5 standard errors: false positives 6e-7 each, of 24.
    #[test]
    fn moments_are_those_of_the_coins() {
        let mut rng = Stream::seed_from_u64(3);
        let draws = 20_000;
        for s in [0.01, 0.5, 3.0, 200.0] {
            for n in [3u64, 40, 5_000] {
                let p: Vec<f64> = (1..=n).map(|t| s / (s + (t - 1) as f64)).collect();
                let mean: f64 = p.iter().sum();
                let variance: f64 = p.iter().map(|p| p * (1.0 - p)).sum();
                let all: Vec<f64> = (0..draws).map(|_| tables(n, s, &mut rng) as f64).collect();
                let found = all.iter().sum::<f64>() / f64::from(draws);
                let error = (variance / f64::from(draws)).sqrt();
                assert!((found - mean).abs() < 5.0 * error, "{s} {n}: {found} {mean}");
                let spread = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(draws);
                // The fourth moment of a sum of coins is at most 3 variance^2 + variance.
                let error = ((2.0 * variance * variance + variance) / f64::from(draws)).sqrt();
                assert!((spread - variance).abs() < 5.0 * error, "{s} {n}: {spread} {variance}");
            }
        }
        assert_eq!(tables(0, 1.0, &mut rng), 0);
        assert_eq!(tables(1, 1e-9, &mut rng), 1);
    }
}
