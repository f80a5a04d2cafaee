//! The programs `privatize` and `topics` on hostile input, with 2 GB of address space: a named error each, exit status 1, nothing left
//! behind.

#![cfg(unix)]

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

mod common;
#[path = "../../tests/common/forge.rs"]
mod forge;

use common::Scratch;

/// What the program says when it refuses, which must be soon, and leave nothing.
fn refused(command: &str, scratch: &Scratch, arguments: &str) -> String {
    let (before, start) = (scratch.names(), Instant::now());
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 2000000 && exec \"$0\" \"$@\""])
        .args([env!("CARGO_BIN_EXE_skellam"), command])
        .args(["--quiet", "--out", &name(scratch, "out")])
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{arguments}: {}\n{said}", output.status);
    assert!(
        said.starts_with("error: ") && output.stdout.is_empty(),
        "{arguments}: {said}"
    );
    assert_eq!(scratch.names(), before, "{arguments}");
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{arguments}: {:?}",
        start.elapsed()
    );
    said
}

fn each(command: &str, scratch: &Scratch, cases: &[(String, &str)]) {
    if !Path::new("/bin/sh").exists() {
        eprintln!("skipped: there is no shell");
        return;
    }
    for (arguments, fault) in cases {
        let said = refused(command, scratch, arguments);
        assert!(said.contains(fault), "{arguments}: {said}");
    }
}

fn name(scratch: &Scratch, name: &str) -> String {
    scratch.path(name).display().to_string()
}

fn pipe(scratch: &Scratch, name: &str) -> String {
    let made = Command::new("mkfifo").arg(scratch.path(name)).status();
    assert!(made.unwrap().success());
    self::name(scratch, name)
}

/// Reading `/dev/zero` ended when the memory did, a pipe never: whatever is not a file is refused before it is opened.
#[test]
fn privatize_reads_files_only() {
    let scratch = Scratch::new();
    let counts = scratch.write("counts.csv", "i,j,n\n0,0,1\n1,1,2\n");
    let budgets = scratch.write("budgets", "1\n1\n");
    let (pipe, socket) = (pipe(&scratch, "pipe"), name(&scratch, "socket"));
    let _listener = UnixListener::bind(&socket).unwrap();
    let folder = name(&scratch, ".");
    let ledger = name(&scratch, "ledger");
    each(
        "release",
        &scratch,
        &[
            ("/dev/zero --n 1 --epsilon 1".to_owned(), "/dev/zero is a device"),
            (
                format!("{pipe} --n 1 --epsilon 1"),
                "is a pipe, and only files are read",
            ),
            (format!("{socket} --n 1 --epsilon 1"), "is a socket"),
            (format!("{folder} --n 1 --epsilon 1"), "is a directory"),
            (format!("{pipe} --already-released --alpha 0.5"), "is a pipe"),
            (format!("{counts} --n 1 --budgets /dev/zero"), "/dev/zero is a device"),
            (format!("{counts} --n 1 --budgets {pipe}"), "is a pipe"),
            (format!("{counts} --n 1 --budgets {folder}"), "is a directory"),
            (
                format!("{counts} --n 1 --budgets {budgets} --ledger {ledger} --cap 2 --users /dev/zero"),
                "/dev/zero is a device",
            ),
        ],
    );
}

#[test]
fn privatize_asks_before_it_takes() {
    let scratch = Scratch::new();
    let matrix = |rows: u64, columns: u64| {
        format!("%%MatrixMarket matrix coordinate integer general\n{rows} {columns} 1\n1 1 1\n")
    };
    let wide = scratch.write("wide.mtx", &matrix(2, 300_000_000));
    let long = scratch.write("long.mtx", &matrix(400_000_000_000, 1));
    let longest = scratch.write("longest.mtx", &matrix(i64::MAX as u64, 1));
    let slip = scratch.write("slip.csv", "i,j,n\n0,0,1\n1,1000000000000,1\n");
    let counts = scratch.write("counts.csv", "i,j,n\n0,0,1\n1,1,2\n");
    let budgets = scratch.write("budgets", &"1\n".repeat(45_000_000));
    let line = scratch.write("line", &"1".repeat(5 << 20));
    let ledger = name(&scratch, "ledger");
    each(
        "release",
        &scratch,
        &[
            (
                format!("{wide} --n 1 --epsilon 1"),
                "a block of 300000000 counts would take 2.2 GiB",
            ),
            (
                format!("{wide} --n 1 --epsilon 1 --ledger {ledger} --cap 2"),
                "a block of 300000000 counts would take 2.2 GiB",
            ),
            (format!("{long} --n 1 --epsilon 1"), "`--shape 400000000000,1`"),
            (
                format!("{longest} --n 1 --epsilon 1"),
                "`--shape 9223372036854775807,1`",
            ),
            (format!("{slip} --n 1 --epsilon 1"), "`--shape 2,1000000000001`"),
            (format!("{counts} --n 1 --epsilon 1 --shape 2,400000000"), "would take"),
            (
                format!("{counts} --n 1 --budgets {budgets}"),
                "the lines of a list would take",
            ),
            (
                format!("{counts} --n 1 --budgets {line}"),
                "line 1 is longer than 1048576 bytes",
            ),
        ],
    );
}

#[test]
fn topics_asks_before_it_takes() {
    let scratch = Scratch::new();
    let matrix = |body: &str| format!("%%MatrixMarket matrix coordinate integer general\n{body}");
    let wide = scratch.write("wide.mtx", &matrix("1 1000000000 1\n1 1 1\n"));
    let vast = scratch.write("vast.mtx", &matrix("4000000000 4000000000 1\n1 1 1\n"));
    let counts = scratch.write("counts.mtx", &matrix("2 2 2\n1 1 1\n2 2 1\n"));
    let pipe = pipe(&scratch, "pipe");
    let words = scratch.write("words", &"a\n".repeat(45_000_000));
    let column = forge::forge(&scratch.path("column"), &[1, 1_000_000_000], false);
    let square = forge::forge(&scratch.path("square"), &[30_000, 30_000], false);
    let piped = forge::forge(&scratch.path("piped"), &[2, 2], false);
    fs::remove_file(piped.join("values.bin")).unwrap();
    self::pipe(&scratch, "piped/values.bin");
    let [column, square, piped] = [column, square, piped].map(|path| path.display().to_string());
    each(
        "topics",
        &scratch,
        &[
            ("--data /dev/zero".to_owned(), "/dev/zero is a device"),
            (format!("--data {pipe}"), "is a pipe"),
            (format!("--data {counts} --vocab /dev/zero"), "/dev/zero is a device"),
            (
                format!("--data {counts} --vocab {words}"),
                "the words of a vocabulary would take",
            ),
            (
                format!("--data {wide} --k 2"),
                "topics of 1 documents and 1000000000 words would take 134.1 GiB",
            ),
            (format!("--data {vast} --k 2"), "would take 1.1e6 PiB"),
            (
                format!("--released {column} --k 1"),
                "topics of 1 documents and 1000000000 words would take 96.9 GiB",
            ),
            (
                format!("--released {square} --k 1"),
                "topics of 30000 documents and 30000 words would take 33.5 GiB",
            ),
            (format!("--released {piped} --k 1"), "values.bin is a pipe"),
            ("--released /dev/zero".to_owned(), "is not a folder"),
        ],
    );
}
