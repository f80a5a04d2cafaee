//! What owns true counts zeroizes them when it is dropped: `Sensitive`, dense and sparse, and the block of `CountSlices`.
//!
//! Every cell holds one number. The memory of the process is searched for it while the counts are there and after they were
//! dropped. What counts passed through on their way from a file is not zeroized, and stays in both. One test and no other in
//! this program: threads share their memory.

#![cfg(target_os = "linux")]

use std::fmt::Write;

use skellam_release::counts::{CountSlices, Counts, ReadOptions, Rows, read_counts_from};
use skellam_release::release::{Lplp, Sensitive};

#[path = "common/memory.rs"]
mod memory;

const COUNT: i64 = 1_234_567_891;
const ROWS: usize = 50;
const COLUMNS: usize = 100;
const CELLS: usize = ROWS * COLUMNS;

/// Copies of the count in writable memory.
fn copies() -> usize {
    memory::copies([&COUNT.to_le_bytes()])[0]
}

/// Drops what owns the counts of every cell. All of them are gone then.
fn all_are_zeroized<T>(what: &str, owner: T) {
    let before = copies();
    drop(owner);
    let after = copies();
    println!("{before} copies, then {after}: {what}");
    assert!(before >= CELLS, "the search finds nothing of {what}");
    // One may have passed over the stack.
    assert!(
        after <= before - CELLS + 1,
        "{what}: {after} of {before} copies are left"
    );
}

#[test]
fn counts_are_zeroized_when_their_owner_is_dropped() {
    let shape = vec![ROWS, COLUMNS];
    let dense = Sensitive::new(Counts::dense(shape.clone(), vec![COUNT; CELLS]).unwrap());
    all_are_zeroized("dense counts", dense);
    let cells = (0..CELLS as u64).rev().map(|at| (at, COUNT)).collect();
    let sparse = Sensitive::new(Counts::from_linear(shape.clone(), cells).unwrap());
    all_are_zeroized("sparse counts", sparse);

    let mut text = String::new();
    for at in 0..CELLS {
        writeln!(text, "{},{},{COUNT}", at / COLUMNS, at % COLUMNS).unwrap();
    }
    let options = ReadOptions {
        rows: Some(Rows::Cells),
        ..ReadOptions::default()
    };
    let read = Sensitive::new(read_counts_from(text.as_bytes(), &options).unwrap());
    all_are_zeroized("counts that were read", read);
    let mut slices = CountSlices::from_bytes(text.as_bytes(), &options).unwrap();
    slices.next().unwrap();
    all_are_zeroized("a block of slices", slices);

    // A release makes no copy of them. So wide that no value is released without noise; the seed makes sure.
    let counts = Sensitive::new(Counts::dense(shape, vec![COUNT; CELLS]).unwrap());
    let before = copies();
    let budget = Lplp::new(1, 1e-6).unwrap();
    counts.release_with_seed_for_simulation(&budget, 1).unwrap();
    assert!(copies() <= before + 1, "a release left copies");
}
