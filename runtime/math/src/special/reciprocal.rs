//! A table of 1/n: the sums of small counts divide by small integers in their innermost loop.

const SIZE: usize = 256;

const RECIPROCAL: [f64; SIZE] = {
    let mut table = [f64::INFINITY; SIZE];
    let mut n = 1;
    while n < SIZE {
        table[n] = 1.0 / n as f64;
        n += 1;
    }
    table
};

/// `1 / n`, by table for `n < 256`.
#[inline(always)]
pub fn reciprocal(n: u64) -> f64 {
    match RECIPROCAL.get(n as usize) {
        Some(&value) => value,
        None => 1.0 / n as f64,
    }
}
