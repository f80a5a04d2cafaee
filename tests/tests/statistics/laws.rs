//! The laws of every family, through the mechanism and on exact counts.
//!
//! `self_test` checks each on a tiny instance: conditionals against the joint density, Geweke's test of both
//! samplers, the laws of the bound, and that data that say nothing leave the prior. It states a false-positive rate
//! in every statistical row, below 1e-5 each: below 1e-3 for this file. The channels are the same in all families, and are tried with
//! all iterations of a self-test in the first. The others have 15 %, with which `audit.rs` sees every mistake in what
//! is derived for a family.

use skellam::prelude::*;
use skellam_check::{CellKind, Report, SelfTest};
use skellam_tests::declared::EFFORT;
use skellam_tests::for_each_family;

/// Every kind of cell has the share of cells that is stated for it, so that the sampler's row says something of all of them. Where
/// a simplex is, the noise has no cells that are exposure alone.
#[track_caller]
fn every_kind_is_tried(name: &str, declaration: &str, report: &Report) {
    for cell in report.cells.iter().filter(|cell| !cell.is_tried()) {
        let by_right = match cell.kind {
            CellKind::Outside => cell.cells == 0.0,
            CellKind::Exposure => cell.cells == 0.0 && declaration.contains("Dirichlet"),
            _ => false,
        };
        assert!(by_right, "{name}: {cell:?}, and {} is stated", cell.kind.least_share());
    }
    let has_where = declaration.contains("where");
    let outside = report
        .cells
        .iter()
        .any(|cell| cell.kind == CellKind::Outside && cell.cells > 0.0);
    assert_eq!(has_where, outside, "{name}: {:?}", report.cells);
}

macro_rules! families {
    ($($test:ident, $released:ident, $exact:ident { $($declaration:tt)* } by { $($release:tt)* })*) => { $(
        skellam::model! { model $released { $($declaration)* $($release)* } }
        skellam::model! { model $exact { $($declaration)* } }

        #[test]
        fn $test() {
            let effort = if stringify!($test) == "matrix" { 1.0 } else { EFFORT };
            let settings = SelfTest { effort, ..SelfTest::default() };
            let reports = [
                (stringify!($released), settings.run::<$released>()),
                (stringify!($exact), settings.run::<$exact>()),
            ];
            for (name, report) in reports {
                every_kind_is_tried(name, stringify!($($declaration)*), &report);
                assert!(report.passed(), "{report}");
            }
        }
    )* };
}

for_each_family!(families, TwoSidedGeometric);
