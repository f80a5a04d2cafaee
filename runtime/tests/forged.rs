//! Forged folders of released counts, ledgers, saved fits and checkpoints: right ones that were changed in a few places and whose digests
//! were put right again, so that what is behind the digests is reached.
//!
//! `SKELLAM_MUTATIONS=1000000 cargo test -p skellam --test forged` runs more than the usual number.

use std::fs;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use skellam::channel::Varying;
use skellam::counts::Mask;
use skellam::release::{FolderWriter, Ledger, LedgerFile, Lplp};

#[path = "common/archive.rs"]
mod archive;
#[path = "forged/archives.rs"]
mod archives;
#[path = "common/fits.rs"]
mod fits;
#[path = "common/forgery.rs"]
mod forgery;
#[path = "common/reseal.rs"]
mod reseal;

use forgery::{read_folder, read_ledger};
use tempfile::tempdir;

const MUTANTS: u64 = 5_000;

/// What numbers and texts of the metadata become.
const EXTREMES: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "65537",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e300",
    "0.5",
    "null",
    "[]",
    "{}",
    "\"\"",
    "\"\\u001b[31m\\u202e\"",
];

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end.max(1) as u64) as usize
    }
}

fn mutants() -> u64 {
    std::env::var("SKELLAM_MUTATIONS").map_or(MUTANTS, |number| number.parse().unwrap())
}

/// Where the values of a JSON text start and end: what stands between a colon, a comma or a bracket and the next.
fn values(text: &[u8]) -> Vec<(usize, usize)> {
    let ends = |byte: &u8| b",[]{}:\n".contains(byte);
    let mut found = Vec::new();
    let mut start = 0;
    for at in (0..text.len()).filter(|&at| ends(&text[at])) {
        if !text[start..at].trim_ascii().is_empty() {
            found.push((start, at));
        }
        start = at + 1;
    }
    found
}

/// Another value, that of another field, none, or a changed byte.
fn change_text(dice: &mut Dice, text: &mut Vec<u8>) {
    let values = values(text);
    if values.is_empty() {
        return;
    }
    let (start, end) = values[dice.below(values.len())];
    match dice.below(8) {
        0..4 => drop(text.splice(start..end, EXTREMES[dice.below(EXTREMES.len())].bytes())),
        4 | 5 => {
            let (from, to) = values[dice.below(values.len())];
            let other = text[from..to].to_vec();
            text.splice(start..end, other);
        }
        6 => drop(text.drain(start..end)),
        _ => text[start] ^= 1 << dice.below(7),
    }
}

fn change_bytes(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let at = dice.below(bytes.len());
    match dice.below(4) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
        1 => bytes.truncate(at),
        2 => bytes.insert(at, dice.below(256) as u8),
        _ => bytes.extend_from_within(at..),
    }
}

#[test]
fn forged_folders_are_refused_or_make_sense() {
    let scratch = tempdir().unwrap();
    let mechanism = Varying::Slice {
        axis: 0,
        laws: [1.0, 0.5, 1.0].map(|epsilon| Lplp::new(4, epsilon).unwrap()).to_vec(),
    };
    let path = scratch.path().join("right");
    let writer = FolderWriter::create_with_seed_for_simulation(&path, &[3, 4], &mechanism, 5).unwrap();
    let mask = Mask::from_indices(&[3, 4], vec![vec![1, 1], vec![2, 3]]).unwrap();
    let mut writer = writer.hold_out(&mask).unwrap();
    for slice in [[3, 0, 1, 9], [0, 0, 7, 2], [1, 1, 0, 40]] {
        writer.push_slice(&slice).unwrap();
    }
    writer.finish().unwrap();
    let metadata = fs::read(path.join("metadata.json")).unwrap();
    let streams = reseal::STREAMS.map(|(_, file)| fs::read(path.join(file)).unwrap());

    let forged = scratch.path().join("forged");
    let each = streams.each_ref().map(|bytes| Some(&bytes[..]));
    assert!(read_folder(&forged, &metadata, each), "a right folder, sealed again");
    let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(11));
    let mut accepted = 0;
    for _ in 0..mutants() {
        let (mut metadata, mut streams) = (metadata.clone(), streams.clone());
        for _ in 0..1 + dice.below(2) {
            match dice.below(3) {
                0 => change_bytes(&mut dice, &mut streams[0]),
                _ => change_text(&mut dice, &mut metadata),
            }
        }
        if dice.below(10) == 0 {
            change_bytes(&mut dice, &mut streams[1]);
        }
        let each = streams.each_ref().map(|bytes| Some(&bytes[..]));
        accepted += u64::from(read_folder(&forged, &metadata, each));
    }
    // Other seeds, names of programs and places of the mask are as good as those that were written.
    assert!(accepted > 0 && accepted < mutants() / 2, "{accepted} accepted");
}

#[test]
fn forged_ledgers_are_refused_or_make_sense() {
    let scratch = tempdir().unwrap();
    let path = scratch.path().join("right.json");
    let fresh = Ledger::new(6, Lplp::new(4, 2.0).unwrap()).with_delta(1e-6).unwrap();
    let mut file = LedgerFile::begin(&path, "mail", fresh).unwrap();
    for epsilon in [0.5, 0.25] {
        let promise = Lplp::new(4, epsilon).unwrap().into();
        file.charge(|account| account.charge("TwoSidedGeometric", &[promise]))
            .unwrap();
    }
    drop(file);
    let text = fs::read(&path).unwrap();
    let forged = scratch.path().join("forged.json");
    assert!(read_ledger(&forged, &text), "a right ledger, sealed again");
    let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(12));
    let mut accepted = 0;
    for _ in 0..mutants() {
        let mut text = text.clone();
        for _ in 0..1 + dice.below(2) {
            change_text(&mut dice, &mut text);
        }
        accepted += u64::from(read_ledger(&forged, &text));
    }
    assert!(accepted > 0 && accepted < mutants() / 2, "{accepted} accepted");
}
