//! What is left of true counts in the memory of the process once they were dropped: nothing but what a stack held.
//!
//! Every file states one number in all of its cells. The memory of the process is searched for it, as an integer, as a
//! double and as text, before and after. One test and no other in this program: threads share their memory.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use skellam::counts::{CountSlices, Counts, ReadOptions};
use skellam::release::{Lplp, Sensitive};

#[path = "common/memory.rs"]
mod memory;

const COUNT: i64 = 1_234_567_891;
const DIGITS: &[u8] = b"1234567891";
const ROWS: usize = 50;
const COLUMNS: usize = 100;
const CELLS: usize = ROWS * COLUMNS;

/// Single counts pass over the stack, which nobody wipes. A structure that is built there and moved to the heap takes
/// along what the stack held in the gaps of its enums, as the state of the decompressor does.
const FROM_THE_STACK: usize = 2;

/// Says to this program that it is to write the files, and where: whoever writes them has counts in memory.
const WRITE: &str = "SKELLAM_WIPED_FILES";

/// The first mode runs backwards where a file is to be out of order.
fn lines(from: usize, between: char, backwards: bool) -> String {
    let rows: Vec<usize> = if backwards {
        (0..ROWS).rev().collect()
    } else {
        (0..ROWS).collect()
    };
    let cells = rows
        .iter()
        .flat_map(|row| (0..COLUMNS).map(move |column| (row, column)));
    let line = |(row, column)| format!("{}{between}{}{between}{COUNT}\n", row + from, column + from);
    cells.map(line).collect()
}

fn npy(descr: &str, value: [u8; 8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({ROWS}, {COLUMNS}), }}\n");
    let length = (header.len() as u16).to_le_bytes();
    [
        b"\x93NUMPY\x01\x00",
        &length[..],
        header.as_bytes(),
        &value.repeat(CELLS),
    ]
    .concat()
}

fn write_files(folder: &Path) {
    let matrix = |kind: &str| format!("%%MatrixMarket matrix {kind}\n");
    let half = COLUMNS * (COLUMNS + 1) / 2;
    let triangle = (1..=COLUMNS).flat_map(|row| (1..=row).map(move |column| format!("{row} {column} {COUNT}\n")));
    let symmetric = format!("{COLUMNS} {COLUMNS} {half}\n{}", triangle.collect::<String>());
    let sizes = format!("{ROWS} {COLUMNS} {CELLS}\n");
    let values = format!("{COUNT}\n").repeat(CELLS);
    for (name, bytes) in [
        ("sorted.csv", lines(0, ',', false).into_bytes()),
        ("shuffled.tsv", lines(0, '\t', true).into_bytes()),
        ("bad.csv", (lines(0, ',', false) + "0,0,x\n").into_bytes()),
        ("twice.csv", (lines(0, ',', true) + &lines(0, ',', false)).into_bytes()),
        (
            "words.txt",
            format!("{ROWS}\n{COLUMNS}\n{CELLS}\n{}", lines(1, ' ', false)).into_bytes(),
        ),
        (
            "coordinate.mtx",
            (matrix("coordinate integer general") + &sizes + &lines(1, ' ', true)).into_bytes(),
        ),
        (
            "symmetric.mtx",
            (matrix("coordinate real symmetric") + &symmetric).into_bytes(),
        ),
        (
            "array.mtx",
            format!("{}{ROWS} {COLUMNS}\n{values}", matrix("array integer general")).into_bytes(),
        ),
        ("integers.npy", npy("<i8", COUNT.to_le_bytes())),
        ("reals.npy", npy("<f8", (COUNT as f64).to_le_bytes())),
    ] {
        fs::write(folder.join(name), &bytes).unwrap();
        let mut encoder = GzEncoder::new(
            File::create(folder.join(format!("{name}.gz"))).unwrap(),
            Compression::fast(),
        );
        encoder.write_all(&bytes).unwrap();
        encoder.finish().unwrap();
    }
}

/// Copies of the count in writable memory, as integer, double and text.
fn copies() -> [usize; 3] {
    memory::copies([&COUNT.to_le_bytes(), &(COUNT as f64).to_le_bytes(), DIGITS])
}

struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn nothing_is_left_of_counts_that_were_dropped() {
    if let Some(folder) = std::env::var_os(WRITE) {
        return write_files(Path::new(&folder));
    }
    let scratch = Scratch(std::env::temp_dir().join(format!("skellam-wiped-{}", std::process::id())));
    fs::create_dir_all(&scratch.0).unwrap();
    let mut writer = Command::new(std::env::current_exe().unwrap());
    let written = writer.env(WRITE, &scratch.0).output().unwrap();
    assert!(written.status.success(), "{written:?}");
    assert_eq!(copies(), [0; 3], "before anything is read");

    let mut left = Vec::new();
    let mut look = |what: String, before: [usize; 3], in_window: Option<usize>| {
        let found = copies();
        println!("{found:?} {what}");
        for (form, (found, before)) in found.into_iter().zip(before).enumerate() {
            let from_the_stack = if form == 0 { FROM_THE_STACK } else { 0 };
            if found > before.max(from_the_stack) && in_window != Some(form) {
                left.push((what.clone(), form, found));
            }
        }
    };
    let mut files: Vec<PathBuf> = fs::read_dir(&scratch.0)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    // Compressed ones last: what is left of them is there from then on.
    let compressed = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "gz");
    files.sort_by_key(|path| (compressed(path), path.clone()));
    assert_eq!(files.len(), 20);
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // The window of decompression is not ours to overwrite. It holds counts as they stand in the file, and in no other form.
        let form = match name.as_str() {
            "integers.npy.gz" => 0,
            "reals.npy.gz" => 1,
            _ => 2,
        };
        let in_window = compressed(&path).then_some(form);
        let options = ReadOptions {
            // A block of a few slices, so that files out of order are read several times.
            block_bytes: 20 * 8 * COLUMNS,
            ..ReadOptions::default()
        };
        let before = copies();
        match Sensitive::<Counts>::read(&path, &options) {
            Ok(counts) => {
                assert!(copies()[0] >= CELLS, "the search finds nothing of {name}");
                drop(counts);
            }
            Err(error) => assert!(name.starts_with("bad") || name.starts_with("twice"), "{error}"),
        }
        look(format!("{name}, whole"), before, in_window);
        if let Ok(mut slices) = CountSlices::open(&path, &options) {
            while slices.next().unwrap().is_some() {}
        }
        look(format!("{name}, by slices"), before, in_window);
    }

    let before = copies();
    let counts = Sensitive::new(Counts::dense(vec![ROWS, COLUMNS], vec![COUNT; CELLS]).unwrap());
    // So wide that no value is released without noise; the seed makes sure.
    let budget = Lplp::new(1, 1e-6).unwrap();
    counts.release_with_seed_for_simulation(&budget, 1).unwrap();
    drop(counts);
    look("a release".to_owned(), before, None);

    let linear = (0..CELLS as u64).rev().map(|at| (at, COUNT)).collect();
    drop(Sensitive::new(
        Counts::from_linear(vec![ROWS, COLUMNS], linear).unwrap(),
    ));
    look("linear entries".to_owned(), before, None);
    let entries = (0..CELLS)
        .rev()
        .map(|at| (vec![at / COLUMNS, at % COLUMNS], COUNT))
        .collect();
    drop(Sensitive::new(Counts::sparse(vec![ROWS, COLUMNS], entries).unwrap()));
    look("entries".to_owned(), before, None);
    assert!(left.is_empty(), "{left:#?}");
}
