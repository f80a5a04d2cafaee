//! What every target asks of a reader: no panic, and the same answer from every door.

use std::path::PathBuf;

use skellam::counts::{Format, ReadError, ReadFault, ReadOptions, CountSlices, read_counts_from};
use skellam::release::read_values_from;

#[path = "../../runtime/tests/common/forgery.rs"]
mod forgery;
#[path = "../../runtime/tests/common/reseal.rs"]
mod reseal;

/// Tables up to this many cells are compared cell by cell.
const COMPARED: usize = 1 << 16;

/// Reads the bytes whole, by slices, in blocks of a few slices, and as released values.
pub fn all_doors(bytes: &[u8], format: Option<Format>) {
    let options = ReadOptions {
        format,
        block_bytes: 256,
        ..ReadOptions::default()
    };
    let whole = read_counts_from(bytes, &options);
    let slices = CountSlices::from_bytes(bytes, &options);
    if let Ok(released) = read_values_from(bytes, &options) {
        assert_eq!(released.values.len(), released.shape.iter().product::<usize>());
        if let Ok(counts) = &whole {
            assert_eq!(released.values, counts.to_dense().expect("as many cells"));
        }
    }
    match (whole, slices) {
        (Ok(counts), Ok(mut slices)) if counts.num_cells() <= COMPARED => {
            let mut dense = Vec::new();
            while let Some(slice) = slices.next().expect("the file does not change") {
                dense.extend_from_slice(slice);
            }
            assert_eq!(dense, counts.to_dense().expect("few cells"));
        }
        (Ok(_), Ok(_) | Err(ReadError::Content { fault: ReadFault::TooLarge, .. })) | (Err(_), Err(_)) => {}
        (whole, slices) => panic!("read in two ways: {:?}, {:?}", whole.err(), slices.err()),
    }
}

/// What stands between the files of a folder in one input.
const BETWEEN: &[u8] = b"\n---\n";

/// A folder of up to three files, the metadata first: opened, verified and read whole, as sums and masked.
pub fn folder(bytes: &[u8]) {
    let mut rest = Some(bytes);
    let files: [Option<&[u8]>; 3] = std::array::from_fn(|_| {
        let here = rest.take()?;
        match here.windows(BETWEEN.len()).position(|window| window == BETWEEN) {
            Some(at) => {
                rest = Some(&here[at + BETWEEN.len()..]);
                Some(&here[..at])
            }
            None => Some(here),
        }
    });
    let [metadata, streams @ ..] = files;
    forgery::read_folder(&place("folder"), metadata.unwrap_or_default(), streams);
}

/// A ledger: read, and charged where it is one.
pub fn ledger(bytes: &[u8]) {
    forgery::read_ledger(&place("ledger"), bytes);
}

/// One place for each process, written over by every input.
fn place(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("skellam-fuzz-{name}-{}", std::process::id()))
}
