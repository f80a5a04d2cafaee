//! What is asked of every folder and every ledger, however it was forged: no panic, and what is accepted makes sense.

use std::fs;
use std::path::Path;

use skellam::channel::TwoSidedGeometric;
use skellam::release::{Ledger, ReleasedFolder};

use super::reseal::{STREAMS, resealed};

/// Folders of more cells are opened, and their values are not read: they are asked for as a whole here.
const CELLS: usize = 1 << 16;

/// Writes the folder, its digests put right, and reads it by every door. Says whether it was accepted by all.
pub fn read_folder(folder: &Path, metadata: &[u8], streams: [Option<&[u8]>; 2]) -> bool {
    fs::create_dir_all(folder).expect("a folder to write in");
    for ((_, file), bytes) in STREAMS.into_iter().zip(streams) {
        let path = folder.join(file);
        match bytes {
            Some(bytes) => write_new(&path, bytes),
            None => drop(fs::remove_file(path)),
        }
    }
    write_new(&folder.join("metadata.json"), &resealed(metadata, streams));
    let opened = match ReleasedFolder::open(folder) {
        Ok(opened) => opened,
        Err(error) => {
            in_one_line(&error.to_string());
            return false;
        }
    };
    let _ = opened.promise().to_string();
    if opened.num_cells() > CELLS {
        return false;
    }
    let verified = opened.verify();
    if let Err(error) = &verified {
        in_one_line(&error.to_string());
    }
    let whole = opened.whole::<TwoSidedGeometric>();
    let summed = opened.load::<TwoSidedGeometric>();
    if let Ok(whole) = &whole {
        assert!(verified.is_ok(), "values were read that do not verify");
        assert!(summed.is_ok(), "read whole and not as sums");
        let values = whole.values().expect("it is whole");
        assert_eq!(values.len(), opened.num_cells());
        assert_eq!(
            values.iter().filter(|value| **value > 0).count() as u64,
            opened.num_positive()
        );
    }
    whole.is_ok()
}

/// Writes the ledger, its digest put right, reads it and charges it. Says whether it was accepted.
pub fn read_ledger(path: &Path, text: &[u8]) -> bool {
    write_new(path, &resealed(text, [None; 2]));
    let (_, mut ledger) = match Ledger::read(path) {
        Ok(read) => read,
        Err(error) => {
            in_one_line(&error.to_string());
            return false;
        }
    };
    let spent = ledger.spent();
    let _ = (ledger.spent_delta(), ledger.num_rows(), ledger.entries().len());
    let promise = ledger.cap().into();
    if ledger.all().charge("TwoSidedGeometric", &[promise]).is_ok() {
        assert!(ledger.spent() >= spent, "a charge is not a credit");
    }
    true
}

/// Writes a file that is new: one that is cut to nothing and written again is flushed to the disk by some file systems, which takes
/// longer than all else here.
pub fn write_new(path: &Path, bytes: &[u8]) {
    let _ = fs::remove_file(path);
    fs::write(path, bytes).expect("room on the disk");
}

/// Nothing of a file reaches a message that a terminal would obey.
pub fn in_one_line(message: &str) {
    assert!(!message.chars().any(char::is_control), "{message:?}");
}
