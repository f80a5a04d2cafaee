//! Splitting a count among components in proportion to weights.

use rand::{Rng, RngExt};

use super::{Unsplittable, binomial};

/// Above this count conditional binomials, one per weight, are cheaper than one search per unit.
const MANY: u64 = 64;

/// Splits `count` multinomially in proportion to `weights`, non-negative numbers that sum to `total` (up to rounding: the
/// caller has the sum as the rate of the cell). `out(k, n)` reports that `n > 0` more units belong to entry `k`; an entry
/// may be reported several times, and one of weight zero never is.
///
/// # Errors
/// [`Unsplittable`] if `total` is zero, subnormal or not finite, and `count` is not zero; nothing has been reported then.
#[inline]
pub fn thin<R: Rng + ?Sized>(
    count: u64,
    weights: &[f64],
    total: f64,
    rng: &mut R,
    mut out: impl FnMut(usize, u64),
) -> Result<(), Unsplittable> {
    split(count, weights.len(), |k| weights[k], total, rng, &mut out)
}

/// As [`thin`], from the logarithms of the weights; `-inf` is a weight of zero. For cells whose weights underflow: it
/// takes an exponential per weight and unit.
///
/// # Errors
/// [`Unsplittable`] if no logarithm is finite or one is NaN or `+inf`, and `count` is not zero.
pub fn thin_ln<R: Rng + ?Sized>(
    count: u64,
    ln_weights: &[f64],
    rng: &mut R,
    mut out: impl FnMut(usize, u64),
) -> Result<(), Unsplittable> {
    let top = ln_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weight = |k: usize| (ln_weights[k] - top).exp();
    // With no finite logarithm `top` is -inf and every weight NaN: the total says so.
    let total = (0..ln_weights.len()).map(weight).sum();
    split(count, ln_weights.len(), weight, total, rng, &mut out)
}

#[inline]
fn split<R: Rng + ?Sized>(
    count: u64,
    entries: usize,
    weight: impl Fn(usize) -> f64,
    total: f64,
    rng: &mut R,
    out: &mut impl FnMut(usize, u64),
) -> Result<(), Unsplittable> {
    if count == 0 {
        return Ok(());
    }
    // Below the smallest normal number the ratios of weights have lost their digits.
    if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&total) {
        return Err(Unsplittable { total });
    }
    if count > MANY {
        by_binomials(count, entries, weight, total, rng, out)
    } else {
        by_search(count, entries, weight, total, rng, out)
    }
}

/// One search on the running sum per unit.
#[inline]
fn by_search<R: Rng + ?Sized>(
    count: u64,
    entries: usize,
    weight: impl Fn(usize) -> f64,
    total: f64,
    rng: &mut R,
    out: &mut impl FnMut(usize, u64),
) -> Result<(), Unsplittable> {
    for _ in 0..count {
        let target = rng.random::<f64>() * total;
        let (mut sum, mut k) = (0.0, 0);
        while k < entries {
            sum += weight(k);
            if target < sum {
                break;
            }
            k += 1;
        }
        if k == entries {
            // The weights sum to a little less than `total`, by rounding: the unit goes to the last positive one. An
            // entry of weight zero cannot be hit above, as it does not move the sum past the target.
            match (0..entries).rev().find(|&k| weight(k) > 0.0) {
                Some(last) => k = last,
                None => return Err(Unsplittable { total: sum }),
            }
        }
        out(k, 1);
    }
    Ok(())
}

/// Entry by entry, a binomial share of what is left.
fn by_binomials<R: Rng + ?Sized>(
    count: u64,
    entries: usize,
    weight: impl Fn(usize) -> f64,
    total: f64,
    rng: &mut R,
    out: &mut impl FnMut(usize, u64),
) -> Result<(), Unsplittable> {
    let (mut left, mut rest, mut last) = (count, total, None);
    for k in 0..entries {
        let share = weight(k);
        if share > 0.0 {
            // `rest` is the weight from here on, up to rounding; where that leaves less than the share, all goes here.
            let units = if share < rest {
                binomial(left, share / rest, rng)
            } else {
                left
            };
            if units > 0 {
                out(k, units);
            }
            left -= units;
            last = Some(k);
        }
        rest -= share;
        if left == 0 {
            return Ok(());
        }
    }
    match last {
        Some(last) => {
            out(last, left);
            Ok(())
        }
        None => Err(Unsplittable { total: 0.0 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::goodness::discrete_p;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    const WEIGHTS: [f64; 7] = [0.0, 2.0, 1e-3, 0.0, 0.7, 5.0, 0.0];

    fn split_once(count: u64, logs: bool, scale: f64, rng: &mut Xoshiro256PlusPlus) -> [u64; 7] {
        let mut parts = [0; 7];
        if logs {
            let ln_weights = WEIGHTS.map(|w| w.ln() + scale);
            thin_ln(count, &ln_weights, rng, |k, n| parts[k] += n).unwrap();
        } else {
            let weights = WEIGHTS.map(|w| w * scale);
            thin(count, &weights, weights.iter().sum(), rng, |k, n| parts[k] += n).unwrap();
        }
        parts
    }

    fn ln_binomial(n: u64, p: f64, k: u64) -> f64 {
        use crate::special::ln_poisson_pmf as ln;
        let trials = n as f64;
        ln(k, trials * p) + ln(n - k, trials * (1.0 - p)) - ln(n, trials)
    }

    /// Each share is binomial, and so is the sum of two (which a split with the wrong correlation would miss). 1e-6 per
    /// case.
    #[test]
    fn shares_and_pairs_of_shares_are_binomial() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(41);
        let total: f64 = WEIGHTS.iter().sum();
        for count in [1_u64, 3, 64, 65, 1000, 1 << 33] {
            for (logs, scale) in [(false, 1.0), (false, 1e-290), (true, 0.0), (true, -2000.0)] {
                let draws: Vec<[u64; 7]> = (0..30_000).map(|_| split_once(count, logs, scale, &mut rng)).collect();
                assert!(
                    draws
                        .iter()
                        .all(|d| d.iter().sum::<u64>() == count && d[0] + d[3] + d[6] == 0)
                );
                for set in [[1, 1], [2, 2], [4, 4], [5, 5], [1, 5], [2, 4]] {
                    let picked = if set[0] == set[1] { &set[..1] } else { &set[..] };
                    let p = picked.iter().map(|&k| WEIGHTS[k]).sum::<f64>() / total;
                    let shares: Vec<u64> = draws.iter().map(|d| picked.iter().map(|&k| d[k]).sum()).collect();
                    let width = (12.0 * (count as f64 * p * (1.0 - p)).sqrt() + 30.0) as u64;
                    let first = ((count as f64 * p) as u64).saturating_sub(width);
                    let law: Vec<f64> = (first..=count.min(first + 2 * width))
                        .map(|k| ln_binomial(count, p, k).exp())
                        .collect();
                    assert!(
                        discrete_p(&shares, first, &law) > 1e-6,
                        "{count} {set:?} {logs} {scale}"
                    );
                }
            }
        }
    }

    #[test]
    fn weights_that_sum_to_nothing_are_a_signal() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(42);
        let mut none = |_, _| panic!("nothing may be reported");
        assert_eq!(
            thin(2, &[0.0, 0.0], 0.0, &mut rng, &mut none),
            Err(Unsplittable { total: 0.0 })
        );
        assert!(thin(2, &[1e-310, 1e-310], 2e-310, &mut rng, &mut none).is_err());
        assert!(thin(100, &[f64::NAN], f64::NAN, &mut rng, &mut none).is_err());
        assert!(thin_ln(2, &[f64::NEG_INFINITY; 3], &mut rng, &mut none).is_err());
        assert!(thin_ln(200, &[], &mut rng, &mut none).is_err());
        assert_eq!(thin(0, &[], 0.0, &mut rng, &mut none), Ok(()));
        // A stated total above the sum: the overshoot goes to the last positive entry, never to the zeros behind it.
        for count in [50, 500] {
            let mut parts = [0; 3];
            thin(count, &[1.0, 1.0, 0.0], 2.2, &mut rng, |k, n| parts[k] += n).unwrap();
            assert_eq!((parts[0] + parts[1], parts[2]), (count, 0));
        }
    }
}
