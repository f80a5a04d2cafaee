//! The laws on a model written by hand: they hold where it is right, and the one that should fails where it is wrong.

use super::fixture::Fixture;
use super::{Law, Report, SelfTest};

fn run<const TWIST: usize>() -> Report {
    let settings = SelfTest {
        effort: 0.3,
        ..SelfTest::default()
    };
    let report = settings.run::<Fixture<TWIST>>();
    println!("{report}\n");
    report
}

fn failed(report: &Report) -> Vec<(Law, &str)> {
    report.failures().map(|row| (row.law, &row.of[..])).collect()
}

#[test]
fn right_models_pass() {
    for report in [run::<0>(), run::<1>(), run::<2>(), run::<3>()] {
        assert!(report.passed(), "{report}");
    }
}

/// A user's wrong draw is found by itself, at its latent, and by the sampler that runs it. The conditional that it
/// was handed is right.
#[test]
fn a_wrong_draw_fails() {
    let report = run::<4>();
    let failed = failed(&report);
    assert!(failed.contains(&(Law::OwnUpdate, "theta")), "{report}");
    assert!(failed.contains(&(Law::Geweke, "collapsed")), "{report}");
    assert!(failed.iter().all(|(law, _)| *law != Law::JointRatio), "{report}");
}

#[test]
fn a_wrong_ascent_fails() {
    let report = run::<5>();
    let failed = failed(&report);
    assert!(failed.iter().any(|(law, _)| *law == Law::Flat), "{report}");
    assert!(
        failed
            .iter()
            .all(|(law, _)| !matches!(law, Law::Geweke | Law::OwnUpdate)),
        "{report}"
    );
}

#[test]
fn a_wrong_exposure_fails() {
    assert!(failed(&run::<6>()).contains(&(Law::JointRatio, "theta")));
}

#[test]
fn a_forgotten_child_fails() {
    let report = run::<7>();
    let failed = failed(&report);
    assert!(failed.contains(&(Law::JointRatio, "xi")), "{report}");
    assert!(failed.iter().any(|(law, _)| *law == Law::PriorGibbs), "{report}");
}

#[test]
fn a_lost_count_fails() {
    let report = run::<8>();
    let failed = failed(&report);
    assert!(failed.contains(&(Law::Counts, "exact data")), "{report}");
    assert!(failed.contains(&(Law::Geweke, "collapsed")), "{report}");
}

#[test]
fn a_stale_operand_fails() {
    assert!(failed(&run::<9>()).contains(&(Law::Rates, "all cells")));
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
