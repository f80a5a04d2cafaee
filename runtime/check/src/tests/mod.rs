//! The laws on a declared model: they hold where it is right, and the one that should fails where it is wrong; here in those ways
//! that `tests/tests/statistics/audit.rs` does not build in.

mod fixture;

use std::sync::LazyLock;

use super::{Check, Report, SelfTest};
use fixture::Fixture;

fn run<const TWIST: usize>() -> Report {
    let settings = SelfTest {
        effort: 0.2,
        ..SelfTest::default()
    };
    let report = settings.run::<Fixture<TWIST>>();
    println!("{report}\n");
    report
}

fn failed(report: &Report) -> Vec<(Check, &str)> {
    report.failures().map(|row| (row.check, &row.of[..])).collect()
}

/// Those of the models without a mistake, each run once for all tests that look at it.
static RIGHT: LazyLock<[Report; 4]> = LazyLock::new(|| [run::<0>(), run::<1>(), run::<2>(), run::<3>()]);

#[test]
fn right_models_pass() {
    for report in &*RIGHT {
        assert!(report.passed(), "{report}");
    }
}

/// Values that many cells have, whose slopes come from tables, are there; exact data have none.
#[test]
fn the_gradient_is_tried_where_slopes_come_from_tables() {
    let tried = |report: &Report| {
        let mut rows = report.rows.iter();
        let row = rows.find(|row| row.check == Check::Density && row.of == "gradient, many cells");
        row.is_some_and(|row| row.statistic.is_finite())
    };
    assert!(tried(&RIGHT[0]) && tried(&RIGHT[1]) && !tried(&RIGHT[2]));
}

#[test]
fn a_forgotten_child_fails() {
    let report = run::<4>();
    let failed = failed(&report);
    assert!(failed.contains(&(Check::JointRatio, "xi")), "{report}");
    assert!(failed.iter().any(|(check, _)| *check == Check::PriorGibbs), "{report}");
}

/// Data cannot be drawn where such a chain leads: that is a failure of the sampler, and nothing to be left out.
#[test]
fn a_sampler_that_leads_astray_fails() {
    let report = run::<5>();
    let failed = failed(&report);
    assert!(failed.contains(&(Check::Geweke, "collapsed")), "{report}");
    assert!(failed.contains(&(Check::Moves, "trajectories, scales")), "{report}");
    assert!(failed.contains(&(Check::Moves, "levels, components, rows")), "{report}");
}

/// The next sweep makes the operand anew, so that the laws of chains hardly see it.
#[test]
fn operands_that_moves_leave_behind_fail() {
    let report = run::<6>();
    let failed = failed(&report);
    assert!(
        failed.contains(&(Check::Moves, "rates after trajectories, scales")),
        "{report}"
    );
    assert!(
        failed.contains(&(Check::Moves, "rates after levels, components, rows")),
        "{report}"
    );
    assert!(
        failed
            .iter()
            .all(|(check, _)| !matches!(check, Check::Rates | Check::Geweke)),
        "{report}"
    );
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let settings = SelfTest {
        effort: 0.1,
        ..SelfTest::default()
    };
    let rows = || settings.run::<Fixture<1>>().rows;
    let (one, other) = (format!("{:?}", rows()), format!("{:?}", rows()));
    assert_eq!(one, other);
}
