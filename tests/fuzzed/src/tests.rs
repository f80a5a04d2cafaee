//! Every target on a few inputs, those whose names begin with `right` and others; and that all of them are handed to libFuzzer.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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
