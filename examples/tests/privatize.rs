//! The example `privatize`: from a file to a folder of released counts, stopped at any moment, and everything that can be
//! wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::prelude::*;
use skellam::release::files::leftovers;
use skellam::release::{BudgetError, FileError, LedgerError, LedgerFileError, Provenance, ReleasedFolder};

#[path = "../privatize/main.rs"]
#[expect(dead_code, reason = "nothing here calls `main` and what it prints")]
mod privatize;

use privatize::error::PrivatizeError;
use privatize::flags::Flags;

/// A folder of its own for one test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("skellam-privatize-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const TINY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/reuters/tiny_bow.mtx");

/// Runs with the arguments, which are separated by spaces, into `out`.
fn run(arguments: &str, out: &Path) -> Result<ReleasedFolder, PrivatizeError> {
    let words = ["privatize", "--quiet", "--out", out.to_str().unwrap()];
    let flags = Flags::try_parse_from(words.into_iter().chain(arguments.split_whitespace())).unwrap();
    privatize::run(&flags)
}

/// The error of a run, which must have left nothing.
fn refused(scratch: &Scratch, arguments: &str) -> PrivatizeError {
    let out = scratch.path("refused");
    match run(arguments, &out) {
        Ok(_) => panic!("{arguments} was accepted"),
        Err(error) => {
            assert!(!out.exists() && leftovers(&out).is_empty(), "{arguments}");
            error
        }
    }
}

#[test]
fn every_mechanism_goes_from_file_to_folder() {
    let scratch = Scratch::new("mechanisms");
    for (arguments, law) in [
        ("--n 4 --epsilon 1", "TwoSidedGeometric"),
        ("--n 4 --epsilon 1 --mechanism truncated", "TruncatedGeometric"),
        ("--n 2 --epsilon 1/3 --mechanism laplace --bits 6", "Laplace"),
        ("--n 1 --epsilon 1 --mechanism skellam --delta 1e-6", "Skellam"),
    ] {
        let folder = run(&format!("{TINY} {arguments}"), &scratch.path(law)).unwrap();
        assert_eq!((folder.shape(), folder.mechanism()), (&[80, 200][..], law));
        assert!(!folder.promise().is_none() && !folder.shape_from_data());
        assert!(privatize::words(&folder).contains("In other words: whoever reads the release"));
    }
}

#[test]
fn rows_have_budgets_of_their_own() {
    let scratch = Scratch::new("budgets");
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
    assert!(
        matches!(error, PrivatizeError::Length { found: 2, rows: 80, .. }),
        "{error}"
    );
    let bad = scratch.write("bad.txt", &lines.replacen("1/2", "little", 1));
    let error = refused(&scratch, &format!("{TINY} --n 1 --budgets {bad}"));
    assert!(matches!(error, PrivatizeError::Line { line: 2, .. }), "{error}");
}

#[test]
fn a_simulation_and_a_shape_from_the_data_say_so() {
    let scratch = Scratch::new("says");
    let cells = scratch.write("cells.tsv", "i\tj\tcount\n0\t0\t3\n2\t4\t1\n");
    let folder = run(
        &format!("{cells} --n 1 --epsilon 1 --seed-for-simulation 5"),
        &scratch.path("out"),
    )
    .unwrap();
    assert!(folder.shape_from_data() && folder.promise().is_none());
    assert_eq!(folder.shape(), [3, 5]);
    assert!(privatize::words(&folder).contains("follows seed 5"));
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
    let scratch = Scratch::new("asserted");
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
    assert!(privatize::words(&folder).contains("asserted by the user"));
    let released = folder.whole::<TwoSidedGeometric>().unwrap();
    assert_eq!(released.values().unwrap(), [3, 0, -1, -2]);
    assert!((released.law().at(0, &[2, 2]).alpha() - 0.37).abs() < 1e-15);

    let mut bytes = Vec::new();
    let mut writer = {
        use npyz::WriterBuilder;
        npyz::WriteOptions::new()
            .default_dtype()
            .shape(&[2, 3])
            .writer(&mut bytes)
            .begin_nd()
            .unwrap()
    };
    writer.extend([1i64, -2, 3, -4, 0, 6]).unwrap();
    writer.finish().unwrap();
    fs::write(scratch.path("a.npy"), &bytes).unwrap();
    let npy = scratch.path("a.npy").display().to_string();
    let folder = run(&format!("{npy} --already-released --alpha 0.5"), &scratch.path("npy")).unwrap();
    assert_eq!(
        folder.whole::<TwoSidedGeometric>().unwrap().values().unwrap(),
        [1, -2, 3, -4, 0, 6]
    );
    let matrix = "%%MatrixMarket matrix coordinate integer general\n% by somebody\n1 2 2\n1 2 -7\n1 1 4\n";
    let matrix = scratch.write("m.mtx", matrix);
    let folder = run(
        &format!("{matrix} --already-released --alpha 0.5"),
        &scratch.path("mtx"),
    )
    .unwrap();
    assert_eq!(folder.whole::<TwoSidedGeometric>().unwrap().values().unwrap(), [4, -7]);

    let error = refused(&scratch, &format!("{cells} --already-released --alpha 1.5"));
    assert!(
        matches!(error, PrivatizeError::Budget(BudgetError::Alpha { .. })),
        "{error}"
    );
    let error = refused(
        &scratch,
        &format!("{cells} --already-released --alpha 0.5 --mechanism truncated"),
    );
    assert!(
        error.to_string().contains("none that `TruncatedGeometric` releases"),
        "{error}"
    );
    let error = refused(
        &scratch,
        &format!("{cells} --already-released --alpha 0.5 --mechanism laplace"),
    );
    assert!(matches!(error, PrivatizeError::NotAsserted { .. }), "{error}");
}

/// Nothing that somebody released goes lost: what the readers of counts refuse is refused here.
#[test]
fn counts_of_others_are_read_as_strictly_as_counts() {
    let scratch = Scratch::new("strictly");
    let matrix = "%%MatrixMarket matrix coordinate integer general\n2 1 2\n1 1 -4\n2 1 3\n";
    for (name, text, flags, fault) in [
        (
            "a.csv",
            "2,5.x\n1,7\n0,-1\n",
            "",
            "line 1, column 3: `5.x` is not a released value",
        ),
        ("a.csv", "0,,5\n1,,6\n", "", "line 1, column 3: `` is not an index"),
        ("a.csv", "0,0,,-3\n", "", "line 1, column 5: `` is not an index"),
        (
            "a.csv",
            "0,0,1\n0,1,2\n1,0,1\n",
            "",
            "cell (1, 1) has no value, and 3 of 4 cells have one",
        ),
        (
            "a.csv",
            "0,0,1\n0,0,2\n",
            "",
            "line 2: entry (0, 0) was stated in line 1 already",
        ),
        ("a.csv", "0,0,1\n1,2\n", "", "line 2 has 2 fields, but line 1 has 3"),
        ("a.csv", "", "", "the file is empty"),
        ("a.csv", "0,1\n1,2\n", "--format npy", "it is no NumPy array"),
        (
            "a.csv",
            "0,1\n1,2\n",
            "--format bag-of-words",
            "holds no released values",
        ),
        ("a.mtx", matrix, "--shape 3,3", "the file states shape [2, 1]"),
        (
            "a.mtx",
            &matrix.replace("2 1 2", "3 3 9"),
            "",
            "the file ends after 2 of 9 entries",
        ),
        (
            "a.mtx",
            "%%MatrixMarket matrix coordinate integer general\n",
            "",
            "the file ends before the line of sizes",
        ),
        ("a.mtx", "", "", "the file is empty"),
    ] {
        let file = scratch.write(name, text);
        let error = refused(&scratch, &format!("{file} --already-released --alpha 0.5 {flags}"));
        assert!(matches!(error, PrivatizeError::Counts { .. }), "{text:?}: {error:?}");
        assert!(error.to_string().contains(fault), "{text:?}: {error}");
    }
    // Taken by the readers of counts, and so taken here.
    for (name, text) in [
        ("first", "2,5.0\n1,7\n0,-1\n"),
        ("mark", "\u{feff}0,-1\n1,7\n2,5\n"),
        ("quotes", "\"i\",\"value\"\n\"1\",\"7\"\n\"2\",\"5\"\n\"0\",\"-1\"\n"),
    ] {
        let file = scratch.write("good.csv", text);
        let folder = run(&format!("{file} --already-released --alpha 0.5"), &scratch.path(name)).unwrap();
        let released = folder.whole::<TwoSidedGeometric>().unwrap();
        assert_eq!(released.values().unwrap(), [-1, 7, 5], "{name}");
    }
    let absent = refused(&scratch, "/nowhere/released.csv --already-released --alpha 0.5");
    assert!(matches!(absent, PrivatizeError::Open(_)), "{absent}");
}

#[test]
fn a_ledger_pays_once() {
    let scratch = Scratch::new("ledger");
    let ledger = scratch.path("ledger.json").display().to_string();
    let users: String = (0..80).map(|row| format!("user {}\n", row / 2)).collect();
    let users = scratch.write("users.txt", &users);
    let account = format!("--ledger {ledger} --cap 1.5 --users {users}");
    run(&format!("{TINY} --n 4 --epsilon 1 {account}"), &scratch.path("first")).unwrap();
    // A name that is taken costs nothing.
    let before = fs::read(&ledger).unwrap();
    assert!(matches!(
        run(&format!("{TINY} --n 4 --epsilon 0.1 {account}"), &scratch.path("first")),
        Err(PrivatizeError::Folder(FileError::Exists { .. }))
    ));
    assert_eq!(fs::read(&ledger).unwrap(), before);
    let error = refused(&scratch, &format!("{TINY} --n 4 --epsilon 1 {account}"));
    let exhausted = matches!(
        &error,
        PrivatizeError::Ledger(LedgerFileError::Refused {
            source: LedgerError::Exhausted { .. },
            ..
        })
    );
    assert!(exhausted, "{error}");
    assert!(
        error.to_string().contains("the budget of user 0 is exhausted"),
        "{error}"
    );
    run(
        &format!("{TINY} --n 4 --epsilon 0.5 {account}"),
        &scratch.path("second"),
    )
    .unwrap();
    let error = refused(
        &scratch,
        &format!("{TINY} --n 4 --epsilon 0.5 {account} --data-set other"),
    );
    assert!(
        matches!(error, PrivatizeError::Ledger(LedgerFileError::OtherData { .. })),
        "{error}"
    );
    let error = refused(
        &scratch,
        &format!("{TINY} --n 4 --epsilon 0.5 --ledger {ledger} --cap 9"),
    );
    assert!(
        matches!(error, PrivatizeError::Ledger(LedgerFileError::OtherTerms { .. })),
        "{error}"
    );
}

/// Terms that no account can have, and a ledger in the place of the release: refused before anything is charged.
#[test]
fn an_account_that_makes_no_sense_is_refused() {
    let scratch = Scratch::new("account");
    let ledger = scratch.path("ledger.json");
    let with = |flags: &str| {
        let error = refused(
            &scratch,
            &format!("{TINY} --n 1 --epsilon 1 --ledger {} {flags}", ledger.display()),
        );
        assert!(!ledger.exists(), "{flags}");
        error
    };
    for delta in ["nan", "inf", "2", "-1"] {
        let error = with(&format!("--cap 5 --cap-delta {delta}"));
        assert!(
            matches!(error, PrivatizeError::Terms(LedgerError::DeltaCap { .. })),
            "{delta}: {error}"
        );
    }
    let error = with("--cap 0");
    assert!(error.to_string().starts_with("--cap: "), "{error}");
    let out = scratch.path("same");
    let error = run(
        &format!("{TINY} --n 1 --epsilon 1 --cap 5 --ledger {}", out.display()),
        &out,
    )
    .unwrap_err();
    assert!(matches!(error, PrivatizeError::Flag(_)) && !out.exists(), "{error}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let scratch = Scratch::new("sense");
    let with = |flags: &str| refused(&scratch, &format!("{TINY} {flags}"));
    let budget = |error: &PrivatizeError| matches!(error, PrivatizeError::Budget(_));
    for flags in [
        "--n 1 --epsilon 0",
        "--n 1 --epsilon -1",
        "--n 1 --epsilon much",
        "--epsilon 1 --n 0",
        "--n 1 --epsilon 800",
        "--n 1 --epsilon 1 --mechanism laplace --bits 40",
        "--n 1 --epsilon 1 --mechanism skellam --delta 2",
        "--epsilon 1 --mechanism skellam --delta 1e-6 --n 1000000000",
    ] {
        let error = with(flags);
        assert!(budget(&error), "{flags}: {error}");
    }
    for flags in [
        "--n 1 --epsilon 1 --mechanism skellam",
        "--n 1 --epsilon 1 --delta 1e-6",
        "--n 1 --epsilon 1 --alpha 0.5",
        "--n 1 --epsilon 1 --bits 4",
    ] {
        assert!(matches!(with(flags), PrivatizeError::Flag(_)), "{flags}");
    }
    let error = refused(&scratch, "/nowhere/counts.mtx --n 1 --epsilon 1");
    assert!(error.to_string().contains("/nowhere/counts.mtx"), "{error}");
    let negative = scratch.write("negative.csv", "0,0,1\n0,1,-1\n");
    let error = refused(&scratch, &format!("{negative} --n 1 --epsilon 1"));
    assert!(matches!(error, PrivatizeError::Counts { .. }), "{error}");
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

/// The program itself, which `cargo test` builds beside this test.
fn program() -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    let program = test.parent()?.parent()?.join("examples").join("privatize");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    if !program.is_file() {
        eprintln!("skipped: {} was not built", program.display());
        return None;
    }
    Some(program)
}

fn command(program: &Path, input: &str, out: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .arg(input)
        .arg("--out")
        .arg(out)
        .args(["--n", "1", "--epsilon", "1", "--quiet"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Triplets of `rows` rows over a thousand columns.
fn triplets(rows: usize) -> String {
    let cells = (0..rows).flat_map(|row| (0..20).map(move |i| (row, (row * 37 + i * 49) % 1000)));
    let mut lines: Vec<String> = cells
        .map(|(row, col)| format!("{row}\t{col}\t{}\n", 1 + col % 5))
        .collect();
    lines.dedup();
    lines.concat()
}

/// Killed a hundred times, at moments spread over the length of a run and a little beyond: what is under the name is
/// whole, and what is beside it is none, unless it is whole too.
#[test]
fn a_killed_run_leaves_nothing_that_is_wrong() {
    let Some(program) = program() else { return };
    let scratch = Scratch::new("kill");
    let input = scratch.write("cells.tsv", &triplets(300));
    let sound = |folder: &Path| {
        let folder = ReleasedFolder::open(folder)?;
        folder.verify()?;
        let released = folder.whole::<TwoSidedGeometric>()?;
        assert_eq!((folder.shape(), released.values()?.len()), (&[300, 1000][..], 300_000));
        Ok::<(), FileError>(())
    };
    let run = |name: &str| {
        let start = Instant::now();
        assert!(
            command(&program, &input, &scratch.path(name))
                .status()
                .unwrap()
                .success()
        );
        start.elapsed()
    };
    // The first run meets cold caches.
    let length = run("first").max(run("second"));
    sound(&scratch.path("second")).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut whole, mut none, mut partial) = (0, 0, 0);
    for turn in 0..100 {
        let out = scratch.path(&format!("out-{turn}"));
        let mut child = command(&program, &input, &out).spawn().unwrap();
        std::thread::sleep(Duration::from_secs_f64(
            1.1 * length.as_secs_f64() * rng.random::<f64>(),
        ));
        child.kill().unwrap();
        child.wait().unwrap();
        if out.exists() {
            sound(&out).unwrap();
            whole += 1;
        } else {
            none += 1;
        }
        for left in leftovers(&out) {
            match ReleasedFolder::open(&left) {
                Ok(_) => sound(&left).unwrap(),
                Err(FileError::Missing { .. } | FileError::Syntax { .. }) => partial += 1,
                Err(other) => panic!("{other}"),
            }
        }
    }
    println!("{whole} whole, {none} none, {partial} left aside; a run takes {length:?}");
    assert!(none >= 10, "{none} of 100 runs were stopped early");
}

/// The peak of resident memory, as the system reports it of a process that has ended its work.
#[test]
fn memory_does_not_grow_with_the_file() {
    let Some(program) = program() else { return };
    if !Path::new("/proc/self/status").exists() || !Path::new("/bin/sh").exists() {
        eprintln!("skipped: no /proc here");
        return;
    }
    let scratch = Scratch::new("memory");
    let peak = |rows: usize| {
        let input = scratch.write(&format!("{rows}.tsv"), &triplets(rows));
        let out = scratch.path(&format!("out-{rows}"));
        let mut child = command(&program, &input, &out).args(["--memory", "1"]).spawn().unwrap();
        let status = format!("/proc/{}/status", child.id());
        let mut most = 0u64;
        while child.try_wait().unwrap().is_none() {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
            most = most.max(kilobytes.unwrap_or(0));
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(ReleasedFolder::open(&out).is_ok());
        most
    };
    let (small, large) = (peak(400), peak(4_000));
    println!("{small} kB, {large} kB for ten times the rows");
    assert!(
        small > 0 && large < small + small / 5 + 4096,
        "{small} kB grew to {large} kB"
    );
}
