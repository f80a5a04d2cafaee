//! Every target on a few inputs, those whose names begin with `right` and others, and on many that were made of these; and that all of them are
//! handed to libFuzzer.

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use skellam::channel::Varying;
use skellam::counts::Mask;
use skellam::release::{FolderWriter, Ledger, LedgerFile, Lplp};

use super::{BETWEEN, TARGETS, reseal};

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// Names and paths of what lies in a folder, names without extension.
fn within(folder: &str) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(fuzz().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), path))
        .collect()
}

#[test]
fn targets_take_what_is_right_and_refuse_what_is_not() {
    for (target, is_taken) in TARGETS {
        let seeds = within(&format!("seeds/{target}"));
        let right = |name: &str| name.starts_with("right");
        assert!(seeds.iter().any(|(name, _)| right(name)), "{target}");
        assert!(seeds.iter().any(|(name, _)| !right(name)), "{target}");
        for (name, path) in seeds {
            assert_eq!(is_taken(&fs::read(&path).unwrap()), right(&name), "{}", path.display());
        }
    }
}

/// Numbers at which something overflows, what is no number, and what a terminal would obey.
const EXTREMES: [&str; 20] = [
    "",
    "0",
    "1",
    "-1",
    "3",
    "0.5",
    "65537",
    "2147483649",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "1e300",
    "nan",
    "null",
    "[]",
    "{}",
    "\"\\u001b[31m\\u202e\"",
];

const MARKS: &[u8] = b",;\t\"\n\r %#-+.(){}[]':0123456789\x00\x7f\xff";

/// An input of a target is due within this time.
const LONGEST: Duration = Duration::from_secs(1);

/// How many mutants a target gets, in thousands: most of the readers, which are fast.
fn thousands(target: &str) -> f64 {
    match target {
        "checkpoint" => 0.5,
        "declaration" => 1.0,
        "folder" | "ledger" | "fit" => 5.0,
        _ => 50.0,
    }
}

/// Changes a few bytes, a number or a word, or puts in what stands elsewhere.
fn mutate(rng: &mut StdRng, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let mut below = |end: usize| rng.random_range(0..end.max(1));
    let at = below(bytes.len());
    let end = bytes.len().min(at + below(12));
    match below(9) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << below(8),
        1 if !bytes.is_empty() => bytes[at] = MARKS[below(MARKS.len())],
        2 => drop(bytes.drain(at..end)),
        3 => bytes.extend_from_within(at..end),
        4 => {
            let other = &seeds[below(seeds.len())];
            let from = below(other.len());
            bytes.splice(at..end, other[from..other.len().min(from + below(12))].iter().copied());
        }
        5 => bytes.truncate(at),
        6 => bytes.insert(at, MARKS[below(MARKS.len())]),
        _ => {
            // From here to the next mark.
            let ends = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"-+.\"".contains(byte);
            let word = bytes[at..]
                .iter()
                .position(|byte| !ends(byte))
                .map_or(at, |skip| at + skip);
            let end = bytes[word..]
                .iter()
                .position(ends)
                .map_or(bytes.len(), |length| word + length);
            bytes.splice(word..end, EXTREMES[below(EXTREMES.len())].bytes());
        }
    }
}

/// `SKELLAM_MUTATIONS=100 cargo test -p skellam-fuzzed` makes a hundred times as many.
#[test]
fn no_mutant_of_a_seed_makes_a_target_panic_or_hang() {
    let times = std::env::var("SKELLAM_MUTATIONS").map_or(1.0, |times| times.parse().expect("a number"));
    for (target, is_taken) in TARGETS {
        let (right, wrong): (Vec<_>, Vec<_>) =
            (within(&format!("seeds/{target}")).into_iter()).partition(|(name, _)| name.starts_with("right"));
        let first = right.len();
        let seeds: Vec<Vec<u8>> = (right.iter().chain(&wrong))
            .map(|(_, path)| fs::read(path).unwrap())
            .collect();
        let mutants = (1000.0 * thousands(target) * times) as u64;
        let (mut rng, mut taken) = (StdRng::seed_from_u64(11), 0);
        for _ in 0..mutants {
            let mut bytes = seeds[rng.random_range(0..first)].clone();
            for _ in 0..rng.random_range(1..4) {
                mutate(&mut rng, &mut bytes, &seeds);
            }
            let timed = || {
                let start = Instant::now();
                (catch_unwind(|| is_taken(&bytes)), start.elapsed())
            };
            let (result, mut time) = timed();
            if time > LONGEST {
                // Not the target, perhaps, but a busy machine.
                time = timed().1;
            }
            let input = || format!("{target}: {:?}", bytes.escape_ascii().to_string());
            assert!(time < LONGEST, "{time:?} for {}", input());
            taken += u64::from(result.unwrap_or_else(|_| panic!("panic on {}", input())));
        }
        // Mutants that are all refused at the first byte would test little.
        println!("{target}: {taken} of {mutants} mutants taken");
        assert!(
            taken > mutants / 100 && taken < mutants,
            "{target}: {taken} of {mutants} taken"
        );
    }
}

/// The files of libFuzzer's targets are compiled with a nightly compiler alone, so they say one thing, which is compared here.
#[test]
fn every_target_is_handed_to_libfuzzer() {
    let names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let files: BTreeSet<String> = within("fuzz_targets").into_iter().map(|(name, _)| name).collect();
    assert_eq!(files, names);
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    for name in names {
        let source = fs::read_to_string(fuzz().join(format!("fuzz_targets/{name}.rs"))).unwrap();
        let call = format!("libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {{\n    skellam_fuzzed::{name}(bytes);\n}});\n");
        assert_eq!(source.split("#![no_main]\n\n").nth(1), Some(&*call), "{name}");
        let bin = format!("[[bin]]\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n");
        assert!(manifest.contains(&bin), "{name}");
    }
}

/// The seeds that the library writes are in the format that it has now. `UPDATE_EXPECT=1` writes them.
#[test]
fn right_folders_and_ledgers_are_those_that_are_written_now() {
    let scratch = std::env::temp_dir().join(format!("skellam-fuzz-seeds-{}", std::process::id()));
    fs::create_dir_all(&scratch).unwrap();
    let budget = Lplp::new(4, 1).unwrap();
    let (folder, ledger) = (scratch.join("folder"), scratch.join("ledger"));
    let mask = Mask::from_indices(&[2, 3], vec![vec![1, 1]]).unwrap();
    let writer = FolderWriter::create_with_seed_for_simulation(&folder, &[2, 3], &Varying::Uniform(budget), 5);
    let mut writer = writer.unwrap().hold_out(&mask).unwrap();
    for slice in [[3, 0, 1], [0, 9, 2]] {
        writer.push_slice(&slice).unwrap();
    }
    writer.finish().unwrap();
    let mut file = LedgerFile::begin(&ledger, "seeds", Ledger::new(2, budget)).unwrap();
    file.charge(|account| account.charge("TwoSidedGeometric", &[Lplp::new(4, (1, 2)).unwrap().into()]))
        .unwrap();
    let [values, mask] = reseal::STREAMS.map(|(_, stream)| fs::read(folder.join(stream)).unwrap());
    let metadata = fs::read(folder.join("metadata.json")).unwrap();
    let written = [
        ("folder/right", [&metadata[..], &values, &mask].join(BETWEEN)),
        ("ledger/right.json", fs::read(&ledger).unwrap()),
    ];
    fs::remove_dir_all(scratch).unwrap();
    for (name, bytes) in written {
        let path = fuzz().join("seeds").join(name);
        if std::env::var("UPDATE_EXPECT").is_ok_and(|value| value != "0") {
            fs::write(&path, &bytes).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), bytes, "{name}: UPDATE_EXPECT=1 rewrites it");
    }
}
