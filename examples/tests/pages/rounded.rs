//! Random rounding to multiples of five: a self-test holds its law and its draws, and it promises nothing.

use skellam::prelude::*;
use skellam::release::ReleaseError;

use super::rounding::{Commuters, RoundedToFive};

/// All that is asked of the mechanism.
pub fn all() {
    let report = skellam_check::check::<Commuters>();
    assert!(report.passed(), "{report}");
    it_is_not_taken_for_private();
}

fn it_is_not_taken_for_private() {
    let counts = || Sensitive::new(Counts::dense(vec![2, 2], vec![1, 7, 10, 0]).unwrap());
    let refused = counts().release(&RoundedToFive);
    assert!(
        matches!(
            refused,
            Err(ReleaseError::NoPromise {
                mechanism: "RoundedToFive"
            })
        ),
        "{refused:?}"
    );
    let rounded = counts().release_without_privacy(&RoundedToFive).unwrap();
    assert_eq!(rounded.promise(), Promise::None);
    assert!(rounded.values().unwrap().iter().all(|c| c % 5 == 0));
    assert_eq!(rounded.values().unwrap()[2..], [10, 0]);
    let impossible = Released::assert_mechanism(vec![2], vec![5, 3], Varying::Uniform(RoundedToFive));
    assert!(
        matches!(impossible, Err(ReleaseError::Impossible { position: 1, .. })),
        "{impossible:?}"
    );
}
