//! `skellam release`: from a file to a folder of released counts, stopped at any moment, and everything that can be
//! wrong.

mod accounts;
#[path = "../common/mod.rs"]
mod common;
mod program;
mod tables;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::prelude::*;
use skellam::release::files::leftovers;
use skellam::release::{FileError, Provenance, ReleasedFolder};

use skellam_cli::release as command;

use command::flags::Flags;
use common::Scratch;
use skellam_cli::refused::Refused;

const TINY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/reuters/tiny_bow.mtx");

/// Runs with the arguments, which are separated by spaces, into `out`.
fn run(arguments: &str, out: &Path) -> Result<ReleasedFolder, Refused> {
    let words = ["privatize", "--quiet", "--out", out.to_str().unwrap()];
    let flags = Flags::try_parse_from(words.into_iter().chain(arguments.split_whitespace())).unwrap();
    command::run(&flags)
}

/// What a run says when it refuses, which must have left nothing.
fn refused(scratch: &Scratch, arguments: &str) -> String {
    let before = scratch.names();
    match run(arguments, &scratch.path("refused")) {
        Ok(_) => panic!("{arguments} was accepted"),
        Err(error) => {
            assert_eq!(scratch.names(), before, "{arguments}");
            error.to_string()
        }
    }
}

#[test]
fn every_mechanism_goes_from_file_to_folder() {
    let scratch = Scratch::new();
    for (arguments, law) in [
        ("--n 4 --epsilon 1", "TwoSidedGeometric"),
        ("--n 4 --epsilon 1 --mechanism truncated", "TruncatedGeometric"),
        ("--n 2 --epsilon 1/3 --mechanism laplace --bits 6", "Laplace"),
        ("--n 1 --epsilon 1 --mechanism skellam --delta 1e-6", "Skellam"),
    ] {
        let folder = run(&format!("{TINY} {arguments}"), &scratch.path(law)).unwrap();
        assert_eq!((folder.shape(), folder.mechanism()), (&[80, 200][..], law));
        assert!(!folder.promise().is_none() && !folder.shape_from_data());
        assert!(command::words(&folder).contains("In other words: whoever reads the release"));
    }
}

#[test]
fn rows_have_budgets_of_their_own() {
    let scratch = Scratch::new();
    let lines: String = (0..80).map(|row| ["1\n", "1/2\n", "0.25\n", "1\n"][row % 4]).collect();
    let budgets = scratch.write("budgets.txt", &lines);
    let folder = run(&format!("{TINY} --n 4 --budgets {budgets}"), &scratch.path("out")).unwrap();
    assert_eq!(folder.varies_along(), Some(0));
    assert_eq!(folder.promise(), Promise::from(Lplp::new(4, 1).unwrap()));
    let released = folder.load::<TwoSidedGeometric>().unwrap();
    let alpha = |row: usize| released.law().at(200 * row, &[80, 200]).alpha();
    assert_eq!(
        [alpha(0), alpha(1), alpha(2)],
        [1.0, 2.0, 4.0].map(|part| (-0.25f64 / part).exp())
    );
    let few = scratch.write("few.txt", "1\n2\n");
    let error = refused(&scratch, &format!("{TINY} --n 1 --budgets {few}"));
    assert!(error.contains("has 2 lines, but the counts have 80 rows"), "{error}");
    let bad = scratch.write("bad.txt", &lines.replacen("1/2", "little", 1));
    let error = refused(&scratch, &format!("{TINY} --n 1 --budgets {bad}"));
    assert!(error.contains("bad.txt, line 2: `little` is not a budget: "), "{error}");
}

#[test]
fn a_simulation_and_a_shape_from_the_data_say_so() {
    let scratch = Scratch::new();
    let cells = scratch.write("cells.tsv", "i\tj\tcount\n0\t0\t3\n2\t4\t1\n");
    let folder = run(
        &format!("{cells} --n 1 --epsilon 1 --seed-for-simulation 5"),
        &scratch.path("out"),
    )
    .unwrap();
    assert!(folder.shape_from_data() && folder.promise().is_none());
    assert_eq!(folder.shape(), [3, 5]);
    assert!(command::words(&folder).contains("follows seed 5"));
    let given = run(
        &format!("{cells} --n 1 --epsilon 1 --shape 7,9"),
        &scratch.path("given"),
    )
    .unwrap();
    assert!(!given.shape_from_data());
    assert_eq!(given.shape(), [7, 9]);
}

#[test]
fn counts_of_others_come_in_as_asserted() {
    let scratch = Scratch::new();
    let cells = scratch.write("cells.csv", "i,j,value\n1,1,-2\n0,0,3\n0,1,0\n1,0,-1\n");
    let folder = run(
        &format!("{cells} --already-released --alpha 0.37"),
        &scratch.path("out"),
    )
    .unwrap();
    assert_eq!(
        (folder.provenance(), folder.promise()),
        (&Provenance::Asserted, Promise::None)
    );
    assert!(command::words(&folder).contains("asserted by the user"));
    let released = folder.whole::<TwoSidedGeometric>().unwrap();
    assert_eq!(released.values().unwrap(), [3, 0, -1, -2]);
    assert!((released.law().at(0, &[2, 2]).alpha() - 0.37).abs() < 1e-15);

    for (flags, words) in [
        ("--alpha 1.5", "alpha is 1.5: "),
        (
            "--alpha 0.5 --mechanism truncated",
            "not a possible release of `TruncatedGeometric`",
        ),
        (
            "--alpha 0.5 --mechanism laplace",
            "whose parameter is --alpha, not laplace",
        ),
    ] {
        let error = refused(&scratch, &format!("{cells} --already-released {flags}"));
        assert!(error.contains(words), "{error}");
    }
}

/// What is wrong with a file of released counts is said by its reader.
#[test]
fn counts_of_others_are_read_as_strictly_as_counts() {
    let scratch = Scratch::new();
    let file = scratch.write("a.csv", "2,5.x\n1,7\n0,-1\n");
    let error = refused(&scratch, &format!("{file} --already-released --alpha 0.5 --rows cells"));
    let said = format!("{file}: line 1, column 3: `5.x` is not a released value");
    assert!(error.starts_with(&said), "{error}");
    let absent = refused(&scratch, "/nowhere/released.csv --already-released --alpha 0.5");
    assert!(absent.starts_with("cannot open /nowhere/released.csv: "), "{absent}");
}

/// A release that may break its promise once in a hundred times is one that somebody has asked for.
#[test]
fn a_large_delta_needs_a_word() {
    let scratch = Scratch::new();
    let skellam = format!("{TINY} --n 1 --epsilon 1 --mechanism skellam");
    for flags in ["--delta 0.01", "--delta 0.01 --accept-delta 0.009"] {
        let error = refused(&scratch, &format!("{skellam} {flags}"));
        assert!(
            error.starts_with("--delta 0.01: ") && error.ends_with("say --accept-delta 0.01"),
            "{error}"
        );
    }
    for flags in ["--delta nan", "--delta -1", "--delta 0.01 --accept-delta 1"] {
        let error = refused(&scratch, &format!("{skellam} {flags}"));
        assert!(error.starts_with("delta is "), "{flags}: {error}");
    }
    let error = refused(&scratch, &format!("{TINY} --n 1 --epsilon 1 --accept-delta 0.01"));
    assert!(
        error.starts_with("--accept-delta is for --mechanism skellam"),
        "{error}"
    );
    let folder = run(
        &format!("{skellam} --delta 0.01 --accept-delta 0.01"),
        &scratch.path("out"),
    )
    .unwrap();
    let words = command::words(&folder);
    assert!(
        folder.promise().delta().is_some_and(|delta| delta.get() > 9e-3),
        "{words}"
    );
    run(&format!("{skellam} --delta 0.001"), &scratch.path("small")).unwrap();
}

/// What is said of odds and deltas is not below what they are: `e^0.333 = 1.395` was said of exp(1/3) = 1.3956.
#[test]
fn words_do_not_round_in_favour_of_the_release() {
    let scratch = Scratch::new();
    let folder = run(&format!("{TINY} --n 1 --epsilon 1/3"), &scratch.path("thirds")).unwrap();
    let words = command::words(&folder);
    assert!(
        words.contains("odds of at most exp(1/3), about 1.396, to 1 where"),
        "{words}"
    );
    assert!(
        words.contains("at 2 counts the odds are at most exp(2/3), about 1.948, to 1."),
        "{words}"
    );
    let skellam = "--n 1 --epsilon 1 --mechanism skellam --delta 1e-6";
    let folder = run(&format!("{TINY} {skellam}"), &scratch.path("skellam")).unwrap();
    let words = command::words(&folder);
    let delta = folder.promise().delta().unwrap();
    let (_, said) = words.split_once(", except for a probability of ").unwrap();
    let said: f64 = said.split_once(' ').unwrap().0.parse().unwrap();
    assert!(said >= delta.get() && said < 1.2 * delta.get(), "{words}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let scratch = Scratch::new();
    let with = |flags: &str| refused(&scratch, &format!("{TINY} {flags}"));
    for (flags, words) in [
        ("--n 1 --epsilon 0", "epsilon: `0` is not a positive"),
        ("--n 1 --epsilon -1", "epsilon: `-1` is not a positive"),
        ("--n 1 --epsilon much", "epsilon: `much` is not a number"),
        ("--epsilon 1 --n 0", "N is 0: "),
        ("--n 1 --epsilon 800", "epsilon / N is 800: "),
        ("--n 1 --epsilon 1 --mechanism laplace --bits 40", "40"),
        ("--n 1 --epsilon 1 --mechanism skellam --delta 2", "delta is 2: "),
        (
            "--epsilon 1 --mechanism skellam --delta 1e-6 --n 1000000000",
            "N is 1000000000: ",
        ),
        (
            "--n 1 --epsilon 1 --mechanism skellam",
            "--mechanism skellam needs --delta",
        ),
        ("--n 1 --epsilon 1 --delta 1e-6", "--delta is for --mechanism skellam"),
        ("--n 1 --epsilon 1 --alpha 0.5", "--alpha is for --already-released"),
        ("--n 1 --epsilon 1 --bits 4", "--bits is for --mechanism laplace"),
    ] {
        let error = with(flags);
        assert!(error.contains(words), "{flags}: {error}");
    }
    let error = refused(&scratch, "/nowhere/counts.mtx --n 1 --epsilon 1");
    assert!(error.contains("/nowhere/counts.mtx"), "{error}");
    let negative = scratch.write("negative.csv", "i,j,count\n0,0,1\n0,1,-1\n");
    let error = refused(&scratch, &format!("{negative} --n 1 --epsilon 1"));
    assert!(error.starts_with(&format!("{negative}: line 3")), "{error}");
    for words in [
        &["--n", "1", "--epsilon", "1", "--cap", "3"][..],
        &["--already-released"],
        &["--already-released", "--alpha", "0.5", "--n", "1", "--epsilon", "1"],
        &["--already-released", "--alpha", "0.5", "--n", "0"],
        &["--n", "1", "--epsilon", "1", "--budgets", "b"],
        &[],
    ] {
        let words = ["privatize", "in", "--out", "out"].iter().chain(words);
        assert!(Flags::try_parse_from(words).is_err());
    }
}
