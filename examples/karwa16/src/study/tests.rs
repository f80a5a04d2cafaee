//! A study small enough for a test.

use clap::Parser;

use super::*;
use crate::{picture, report};

fn small() -> Flags {
    let flags = "karwa16 --study --sizes 20,40 --epsilons 0.001,1 --tables 40 --noises 2";
    Flags::try_parse_from(flags.split_whitespace()).unwrap()
}

/// The exact posterior keeps its promises, and the others have the order that they must have where noise is all there is.
#[test]
fn the_exact_posterior_covers_and_is_best() {
    let results = run(&small()).unwrap();
    assert_eq!(results.rows.len(), 2 * 2 * 5);
    let row = |people: usize, epsilon: f64, name: &str| {
        let found = |row: &&Row| row.people == people && row.epsilon == epsilon && row.name == name;
        results.rows.iter().find(found).unwrap()
    };
    for people in [20, 40] {
        for epsilon in [0.001, 1.0] {
            let exact = row(people, epsilon, "exact");
            for coverage in exact.coverage {
                // Four standard errors, for 8 numbers: false positives below 1e-3.
                assert!((coverage.value - 0.9).abs() < 4.0 * coverage.error, "{exact:?}");
            }
            // Differences on the same releases, of 24 numbers: false positives below 1e-3.
            for (name, parameter) in ["published", "naive", "prior"]
                .iter()
                .flat_map(|name| [(name, 0), (name, 1)])
            {
                let above = row(people, epsilon, name).above[parameter];
                assert!(above.value > -4.0 * above.error, "{name} {parameter} {above:?}");
            }
            assert_eq!(exact.above.map(|above| above.value), [0.0; 2]);
        }
        let [exact, prior] = ["exact", "prior"].map(|name| row(people, 0.001, name).error[1].value);
        assert!(
            (exact / prior - 1.0).abs() < 0.1,
            "at a tiny budget nothing is learned: {exact} for {prior}"
        );
        let [naive, prior] = ["naive", "prior"].map(|name| row(people, 0.001, name).error[1].value);
        assert!(
            naive > 1.5 * prior,
            "at a tiny budget the prior beats the naive fit: {naive} for {prior}"
        );
    }
}

/// What decides is printed: the largest distance, and where; a table alone decides nothing, and says so.
#[test]
fn what_decides_is_printed() {
    let mut flags = small();
    flags.tables = 4;
    flags.engines = true;
    flags.sizes = vec![20];
    let text = report::tables(&run(&flags).unwrap());
    for words in [
        "coverage of 90 % intervals of p",
        "of 20 differences",
        "coverage of exact: of p",
        "gibbs: 20 people",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    flags.engines = false;
    flags.tables = 1;
    let text = report::tables(&run(&flags).unwrap());
    assert!(
        text.contains("two tables are needed") && !text.contains("inf"),
        "{text}"
    );
}

/// Files say the same whatever the number of threads, and every number in them is one.
#[test]
fn a_seed_fixes_the_files() {
    let mut flags = small();
    flags.tables = 3;
    let [one, two] = [0, 1].map(|_| run(&flags).unwrap());
    assert_eq!(report::csv(&one.rows), report::csv(&two.rows));
    assert!(!report::csv(&one.rows).contains("NaN"));
    let picture = picture::svg(&one.rows).unwrap();
    assert_eq!(picture, picture::svg(&two.rows).unwrap());
    assert!(picture.starts_with("<svg") && !picture.contains("NaN") && !picture.contains("inf"));
    flags.seed = 2;
    assert_ne!(report::csv(&one.rows), report::csv(&run(&flags).unwrap().rows));
}

/// A setting does not depend on the others that are run.
#[test]
fn settings_are_independent() {
    let mut flags = small();
    flags.tables = 3;
    let all = run(&flags).unwrap();
    flags.epsilons = vec![1.0];
    flags.sizes = vec![40];
    let one = run(&flags).unwrap();
    let same: Vec<&Row> = all
        .rows
        .iter()
        .filter(|row| row.people == 40 && row.epsilon == 1.0)
        .collect();
    same.iter()
        .zip(&one.rows)
        .for_each(|(a, b)| assert_eq!(a.error, b.error));
}
