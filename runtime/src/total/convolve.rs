//! The convolution of two lists of weights, which is where lines spend their time.
//!
//! Plain convolution, `sum_x a[x] b[s - x]` term by term, four weights in one pass. TOTALS, *Convolutions in logarithms*, says where it is used.

use std::ops::Range;

use multiversion::multiversion;

/// Weights of the shorter list that are multiplied in one pass over the longer: each sum is then loaded and stored once for so many
/// products.
const TOGETHER: usize = 4;

/// The entries `outputs` of `sum_x a[x] b[s - x]`.
pub(super) fn convolve(a: &[f64], b: &[f64], outputs: Range<usize>) -> Vec<f64> {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let mut sums = vec![0.0; outputs.len()];
    // Nothing on both sides of the longer list, so that every pass has all its terms.
    let edge = TOGETHER - 1;
    let mut padded = vec![0.0; long.len() + 2 * edge];
    padded[edge..edge + long.len()].copy_from_slice(long);
    for (block, weights) in short.chunks(TOGETHER).enumerate() {
        let mut by = [0.0; TOGETHER];
        // Backwards, as the two lists run against each other.
        (by.iter_mut().rev().zip(weights)).for_each(|(by, weight)| *by = *weight);
        // The pass adds to the entries from `at` on, as many as there are windows of the padded list.
        let at = block * TOGETHER;
        let end = (at + long.len() + edge).min(outputs.end);
        let first = at.max(outputs.start);
        if first < end {
            add(
                &mut sums[first - outputs.start..end - outputs.start],
                &padded[first - at..],
                by,
            );
        }
    }
    sums
}

/// `sums[i] += sum_k by[k] of[i + k]`.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "aarch64+neon"))]
fn add(sums: &mut [f64], of: &[f64], by: [f64; TOGETHER]) {
    let n = sums.len();
    let [a, b, c, d] = [&of[..n], &of[1..n + 1], &of[2..n + 2], &of[3..n + 3]];
    let terms = a.iter().zip(b).zip(c.iter().zip(d));
    for (sum, ((a, b), (c, d))) in sums.iter_mut().zip(terms) {
        *sum += (by[0] * a + by[1] * b) + (by[2] * c + by[3] * d);
    }
}

#[cfg(test)]
mod tests {
    use super::convolve;

    #[test]
    fn every_entry_is_the_sum_of_its_products() {
        for (n, m) in [(1, 1), (1, 9), (4, 4), (5, 3), (7, 12), (13, 2)] {
            let a: Vec<f64> = (0..n).map(|x| f64::from(x * x + 1)).collect();
            let b: Vec<f64> = (0..m).map(|x| f64::from(3 * x + 2)).collect();
            let all = a.len() + b.len() - 1;
            for start in 0..all {
                for end in start..=all {
                    let found = convolve(&a, &b, start..end);
                    for (s, found) in (start..end).zip(found) {
                        let first = (s + 1).saturating_sub(b.len());
                        let expected: f64 = (first..a.len().min(s + 1)).map(|x| a[x] * b[s - x]).sum();
                        // Sums of whole numbers, which are exact.
                        assert_eq!(found, expected, "{n} {m} {s}");
                    }
                }
            }
        }
    }
}
