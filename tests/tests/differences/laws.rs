//! The laws of self-tests.

use skellam::selftest::{Report, SelfTest};
use skellam_tests::declared::EFFORT;

use super::{Both, Flows, Net, Noisy, Shares};

fn reports() -> Vec<(&'static str, Report)> {
    let settings = SelfTest {
        effort: EFFORT,
        ..SelfTest::default()
    };
    vec![
        ("noisy", settings.run::<Noisy>()),
        ("net", settings.run::<Net>()),
        ("flows", settings.run::<Flows>()),
        ("shares", settings.run::<Shares>()),
        ("both", settings.run::<Both>()),
    ]
}

/// Each statistical row states a false-positive rate below 1e-5: below 1e-3 for this test.
#[test]
fn every_law_holds() {
    for (name, report) in reports() {
        println!("{name}: {report}");
        assert!(report.passed(), "{name}: {report}");
    }
}
