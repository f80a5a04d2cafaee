//! What draws a release is not its law.

use skellam::prelude::*;

fn main() {
    let counts = Sensitive::new(Counts::dense(vec![1, 1], vec![2]).unwrap());
    let _ = counts.release(&TwoSidedGeometric::new(0.5).unwrap());
}
