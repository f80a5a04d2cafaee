//! Inputs that ask for more memory than there is, in a process that may take 2 GB, or half of one where it reads what it is given to the
//! end: each ends with an error that says how much, and none aborts.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use skellam::counts::{CountSlices, Counts, Mask, ReadOptions, Rows, read_counts};
use skellam::prelude::*;
use skellam::release::ReleasedFolder;
use tempfile::tempdir;

#[path = "common/forge.rs"]
mod forge;

/// Names the case for the process that runs it.
const CASE: &str = "SKELLAM_LIMITS_CASE";
const INPUT: &str = "SKELLAM_LIMITS_INPUT";

/// What the case says, run by this very program under a limit of 2 GB of address space; it must end by itself.
fn limited(case: &str, input: &Path) -> String {
    within(2_000_000, case, input)
}

/// [`limited`] to half a gigabyte: less is read until it is full.
fn narrow(case: &str, input: &Path) -> String {
    within(500_000, case, input)
}

fn within(kib: usize, case: &str, input: &Path) -> String {
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -v {kib} && exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "one_case", "--ignored", "--nocapture", "--test-threads=1"])
        .env(CASE, case)
        .env(INPUT, input)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{case}: {}\n{said}", output.status);
    let said = said.split_once("SAID ").unwrap_or_else(|| panic!("{case}: {said}")).1;
    said.lines().next().unwrap().to_owned()
}

/// Each case by its name.
#[test]
#[ignore = "run by the other tests, under a limit"]
fn one_case() {
    let Ok(case) = std::env::var(CASE) else { return };
    let input = std::env::var(INPUT).unwrap();
    let said = match run(&case, Path::new(&input)) {
        Ok(()) => "fine".to_owned(),
        Err(error) => error.to_string(),
    };
    println!("SAID {said}");
}

/// Options for text of cells.
fn cells() -> ReadOptions {
    ReadOptions {
        rows: Some(Rows::Cells),
        ..ReadOptions::default()
    }
}

fn run(case: &str, input: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let vast = || Sensitive::new(Counts::sparse(vec![20_000, 20_000], vec![]).unwrap());
    match case {
        "verify" => ReleasedFolder::open(input)?.verify()?,
        "whole" => drop(ReleasedFolder::open(input)?.whole::<TwoSidedGeometric>()?),
        "load" => drop(ReleasedFolder::open(input)?.load::<TwoSidedGeometric>()?),
        "mask" => drop(Mask::random(&[1_000_000_000, 2], 0.5, 1)?),
        "thin mask" => drop(Mask::random(&[1_000_000_000, 2], 0.05, 1)?),
        "release" => drop(vast().release(&Lplp::new(1, 1)?)?),
        "dense" => drop(vast().as_nonprivate().to_dense()?),
        "counts" => drop(read_counts(input, &cells())?),
        "slices" => drop(CountSlices::open(input, &cells())?.next()?),
        other => panic!("no case {other}"),
    }
    Ok(())
}

/// A folder of a quarter of a megabyte holds 250 million zeros, or half as many ones: their slices were collected without being asked
/// for, and the process aborted.
#[test]
fn forged_releases_are_verified_or_refused() {
    let scratch = tempdir().unwrap();
    let zeros = forge::forge(&scratch.path().join("zeros"), &[1, 250_000_000], false);
    assert!(ReleasedFolder::open(&zeros).unwrap().bytes() < 300_000);
    // No value is kept, so that this takes no memory.
    assert_eq!(narrow("verify", &zeros), "fine");
    assert_eq!(narrow("load", &zeros), "fine");
    let said = narrow("whole", &zeros);
    assert!(said.contains("all 250000000 released values would take"), "{said}");
    let ones = forge::forge(&scratch.path().join("ones"), &[1, 100_000_000], true);
    assert_eq!(narrow("verify", &ones), "fine");
    for case in ["load", "whole"] {
        let said = narrow(case, &ones);
        assert!(said.contains("values would take"), "{case}: {said}");
    }
}

/// A list of sixty million numbers is 120 MB as text and nine gigabytes as the values of a parser.
#[test]
fn metadata_that_do_not_fit_are_refused_before_they_are_read() {
    let scratch = tempdir().unwrap();
    let out = forge::forge(&scratch.path().join("out"), &[1, 1], false);
    let text = format!("{{\"shape\": [{}0]}}", "0,".repeat(60_000_000));
    std::fs::write(out.join("metadata.json"), text).unwrap();
    let said = limited("verify", &out);
    assert!(said.contains("reading the file would take 3.6 GiB"), "{said}");
}

#[test]
fn masks_and_releases_in_memory_are_refused_with_their_bytes() {
    let nowhere = Path::new("");
    for (case, what) in [
        ("mask", "a mask of 1000000000 of 2000000000 cells would take 22.4 GiB"),
        (
            "thin mask",
            "a mask of 100000000 of 2000000000 cells would take 8.9 GiB",
        ),
        ("release", "a release of 400000000 counts in memory would take 3.0 GiB"),
        ("dense", "400000000 counts as a dense array would take 3.0 GiB"),
    ] {
        let said = limited(case, nowhere);
        assert!(said.contains(what) && said.contains("are free"), "{case}: {said}");
    }
}

/// Gzip makes four megabytes of four gigabytes that say the same, or nothing.
#[test]
fn compressed_floods_end_with_an_error() {
    use flate2::{Compression, GzBuilder};
    use std::io::Write;

    let scratch = tempdir().unwrap();
    // A member of 16 MiB again and again, as parallel compressors write them.
    let flood = |name: &str, first: &str, line: &str, members: usize| {
        let member = |text: &str| {
            let mut out = GzBuilder::new().write(Vec::new(), Compression::default());
            out.write_all(text.as_bytes()).unwrap();
            out.finish().unwrap()
        };
        let (first, block) = (member(first), member(&line.repeat((16 << 20) / line.len())));
        let path = scratch.path().join(name);
        std::fs::write(&path, [first, block.repeat(members)].concat()).unwrap();
        assert!(std::fs::metadata(&path).unwrap().len() < 40 << 20);
        path
    };
    for (name, first, line) in [
        ("blank.csv.gz", "", "\n"),
        ("later.csv.gz", "0,0,1\n", "\n"),
        ("comments.csv.gz", "i,j,n\n", "# again and again\n"),
        (
            "blank.mtx.gz",
            "%%MatrixMarket matrix coordinate integer general\n",
            "\n",
        ),
        (
            "later.mtx.gz",
            "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 1\n",
            "%\n",
        ),
    ] {
        let path = flood(name, first, line, 256);
        for case in ["counts", "slices"] {
            let said = limited(case, &path);
            assert!(
                said.contains("16.0 MiB of comments and empty lines so far"),
                "{name}: {said}"
            );
        }
    }
    let path = flood("cells.csv.gz", "", "0,0,1\n", 12);
    let said = narrow("counts", &path);
    assert!(said.contains("what was read of the counts would take"), "{said}");
    let said = narrow("slices", &path);
    assert!(said.contains("entry (0, 0) was stated in line 1 already"), "{said}");
}

/// One index with a slip of the pen, or a header of eighty bytes.
#[test]
fn vast_shapes_ask_for_a_word() {
    let scratch = tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = scratch.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let of = |shape: &[usize]| ReadOptions {
        shape: Some(shape.to_vec()),
        ..cells()
    };
    let default = cells();
    for (name, text, shape) in [
        ("cells.csv", "0,0,1\n99999,99999,1\n", [100_000, 100_000]),
        ("rows.csv", "0,0,1\n200000000,1,1\n", [200_000_001, 2]),
    ] {
        let path = file(name, text);
        let refused = read_counts(&path, &default).unwrap_err().to_string();
        let word = format!("`--shape {},{}`", shape[0], shape[1]);
        assert!(refused.contains(&word), "{refused}");
        assert_eq!(CountSlices::open(&path, &default).unwrap_err().to_string(), refused);
        assert_eq!(read_counts(&path, &of(&shape)).unwrap().shape(), shape);
        CountSlices::open(&path, &of(&shape)).unwrap();
    }
    // What is held by its entries alone may be vast; what visits every cell may not.
    for rows in [400_000_000_000, 9_223_372_036_854_775_807] {
        let text = format!("%%MatrixMarket matrix coordinate integer general\n{rows} 1 1\n1 1 1\n");
        let path = file("rows.mtx", &text);
        assert_eq!(read_counts(&path, &default).unwrap().shape(), [rows, 1]);
        let refused = CountSlices::open(&path, &default).unwrap_err().to_string();
        assert!(refused.contains(&format!("`--shape {rows},1`")), "{refused}");
        CountSlices::open(&path, &of(&[rows, 1])).unwrap();
    }
    let path = file("edge.csv", "0,0,1\n46340,46340,1\n");
    let refused = CountSlices::open(&path, &default).unwrap_err().to_string();
    assert!(refused.contains("`--shape 46341,46341`"), "{refused}");
    let path = file("edge.csv", "0,0,1\n46339,46339,1\n");
    CountSlices::open(&path, &default).unwrap();
}
