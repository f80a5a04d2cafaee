//! What every target asks of a reader: no panic, and the same answer from every door.

use skellam::counts::{Format, ReadError, ReadOptions, Slices, read_counts_from};
use skellam::release::read_values_from;

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
    let slices = Slices::from_bytes(bytes, &options);
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
        (Ok(_), Ok(_) | Err(ReadError::SliceTooLarge { .. })) | (Err(_), Err(_)) => {}
        (whole, slices) => panic!("read in two ways: {:?}, {:?}", whole.err(), slices.err()),
    }
}
