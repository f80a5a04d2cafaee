//! Loops over slices that generated code and passes call: a user's crate is compiled for any processor, these for several.

use multiversion::multiversion;

/// `to += n`.
#[inline]
pub fn add(to: &mut [f64], n: &[f64]) {
    // Counts come one by one where cells are few: a call for each would cost more than its addition.
    match (&mut *to, n) {
        ([to], [n]) => *to += n,
        _ => add_all(to, n),
    }
}

#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn add_all(to: &mut [f64], n: &[f64]) {
    to.iter_mut().zip(n).for_each(|(to, n)| *to += n);
}

/// `out = a b`, entry by entry.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub fn multiply(out: &mut [f64], a: &[f64], b: &[f64]) {
    let products = a.iter().zip(b);
    out.iter_mut().zip(products).for_each(|(out, (a, b))| *out = a * b);
}

/// `to += a b`, entry by entry.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub fn add_products(to: &mut [f64], a: &[f64], b: &[f64]) {
    let products = a.iter().zip(b);
    to.iter_mut().zip(products).for_each(|(to, (a, b))| *to += a * b);
}

/// `to += by x`.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub fn add_multiple(to: &mut [f64], by: f64, x: &[f64]) {
    to.iter_mut().zip(x).for_each(|(to, x)| *to += by * x);
}

/// `Σ a b`, in eight sums side by side: one would wait on itself.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_tail), (b, b_tail)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        (0..8).for_each(|i| sums[i] += a[i] * b[i]);
    }
    let tail: f64 = a_tail.iter().zip(b_tail).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_go_entry_by_entry() {
        for length in [0, 1, 2, 9, 40] {
            let [a, b]: [Vec<f64>; 2] = [3, 5].map(|by| (0..length).map(|i| (i * by % 7) as f64).collect());
            let mut to = a.clone();
            add(&mut to, &b);
            assert!((0..length).all(|i| to[i] == a[i] + b[i]));
            add_products(&mut to, &a, &b);
            assert!((0..length).all(|i| to[i] == a[i] + b[i] + a[i] * b[i]));
            add_multiple(&mut to, -2.0, &b);
            assert!((0..length).all(|i| to[i] == a[i] - b[i] + a[i] * b[i]));
            multiply(&mut to, &a, &b);
            assert!((0..length).all(|i| to[i] == a[i] * b[i]));
            assert_eq!(dot(&a, &b), to.iter().sum::<f64>());
        }
    }
}
