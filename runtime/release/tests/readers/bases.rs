//! Where indices begin: a text that counts from 1 is not read as one that counts from 0, through whichever door it comes.
//!
//! Read so, it would have an empty first row and column, and nobody would notice.

use std::fs;
use std::path::Path;

use skellam_release::counts::{
    Absent, CountSlices, Counts, Delimiter, Differences, Format, ReadError, ReadFault, ReadOptions, ReleasedValues,
    read_counts, read_counts_from, read_differences, read_differences_from, read_values, read_values_from,
};
use skellam_release::release::Sensitive;

use super::write::{cells, gzip};

/// What each door says of a file, with its name.
fn doors(bytes: &[u8], path: &Path, options: &ReadOptions) -> [(&'static str, Result<Vec<usize>, ReadError>); 9] {
    fs::write(path, bytes).unwrap();
    let counts = |counts: Counts| counts.shape().to_vec();
    let slices = |slices: CountSlices| slices.shape().to_vec();
    let values = |values: ReleasedValues| values.shape;
    let differences = |differences: Differences| differences.shape().to_vec();
    let locked = Sensitive::read(path, options).map(Sensitive::into_nonprivate);
    [
        ("read_counts", read_counts(path, options).map(counts)),
        ("read_counts_from", read_counts_from(bytes, options).map(counts)),
        ("CountSlices::open", CountSlices::open(path, options).map(slices)),
        (
            "CountSlices::from_bytes",
            CountSlices::from_bytes(bytes, options).map(slices),
        ),
        ("Sensitive::read", locked.map(counts)),
        ("read_values", read_values(path, options).map(values)),
        ("read_values_from", read_values_from(bytes, options).map(values)),
        ("read_differences", read_differences(path, options).map(differences)),
        (
            "read_differences_from",
            read_differences_from(bytes, options).map(differences),
        ),
    ]
}

/// Every cell of a table of two modes or more, or of a list, with indices from `base`, last to first where `backwards`.
fn text(shape: &[usize], base: usize, between: &str, backwards: bool) -> String {
    let cells: usize = shape.iter().product();
    let mut order: Vec<usize> = (0..cells).collect();
    if backwards {
        order.reverse();
    }
    let line = |mut at: usize| {
        let mut index = vec![String::new(); shape.len()];
        for (mode, size) in shape.iter().enumerate().rev() {
            index[mode] = (at % size + base).to_string();
            at /= size;
        }
        format!("{}{between}{}\n", index.join(between), 1 + at)
    };
    order.into_iter().map(line).collect()
}

#[test]
fn every_door_refuses_a_text_that_counts_from_one() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("from_one.csv");
    for (shape, wider) in [(&[3][..], &[4][..]), (&[2, 3], &[3, 4]), (&[2, 2, 2], &[3, 3, 3])] {
        for delimiter in [Delimiter::Comma, Delimiter::Tab, Delimiter::Semicolon] {
            let between = &String::from(delimiter as u8 as char);
            for backwards in [false, true] {
                let plain = text(shape, 1, between, backwards);
                let with_header = format!("{}count\n{plain}", format!("index{between}").repeat(shape.len()));
                for bytes in [plain.as_bytes(), with_header.as_bytes(), &gzip(plain.as_bytes())] {
                    // One slice more than there is: nothing is outside of it.
                    for given in [None, Some(wider.to_vec())] {
                        for (format, absent) in [
                            (None, Absent::Zero),
                            (Some(Format::Delimited(delimiter)), Absent::Missing),
                        ] {
                            let mut options = ReadOptions {
                                shape: given.clone(),
                                format,
                                absent,
                                ..cells()
                            };
                            for (door, found) in doors(bytes, &path, &options) {
                                let is_refused = matches!(&found, Err(ReadError::Content { fault: ReadFault::Base, what, .. }) if what.contains("Some(1)"));
                                assert!(is_refused, "{door}: {found:?} of {}", bytes.escape_ascii());
                            }
                            // Said where indices begin, all of them read it.
                            (options.base, options.shape) = (Some(1), given.as_ref().map(|_| shape.to_vec()));
                            for (door, found) in doors(bytes, &path, &options) {
                                assert_eq!(found.unwrap(), shape, "{door}");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_door_takes_a_text_that_counts_from_zero() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("from_zero.csv");
    for shape in [&[3][..], &[2, 3], &[2, 2, 2]] {
        let bytes = text(shape, 0, ",", false);
        for (door, found) in doors(bytes.as_bytes(), &path, &cells()) {
            assert_eq!(found.unwrap(), shape, "{door}");
        }
    }
}
