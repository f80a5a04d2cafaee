//! Where indices begin: a text that counts from 1 is not read as one that counts from 0, through whichever door it comes.
//!
//! Read so, it would have an empty first row and column, and nobody would notice.

use std::fs;
use std::path::Path;

use skellam_release::counts::{
    Absent, CountSlices, Delimiter, Format, ReadError, ReadFault, ReadOptions, read_counts, read_counts_from,
    read_differences, read_differences_from, read_values, read_values_from,
};
use skellam_release::release::Sensitive;

use super::write::{cells, gzip};

/// What each door says of a file, with its name.
fn doors(bytes: &[u8], path: &Path, options: &ReadOptions) -> [(&'static str, Result<Vec<usize>, ReadError>); 9] {
    fs::write(path, bytes).unwrap();
    let slices = |slices: CountSlices| slices.shape().to_vec();
    [
        ("read_counts", read_counts(path, options).map(|c| c.shape().to_vec())),
        (
            "read_counts_from",
            read_counts_from(bytes, options).map(|c| c.shape().to_vec()),
        ),
        ("CountSlices::open", CountSlices::open(path, options).map(slices)),
        (
            "CountSlices::from_bytes",
            CountSlices::from_bytes(bytes, options).map(slices),
        ),
        (
            "Sensitive::read",
            Sensitive::read(path, options).map(|c| c.into_nonprivate().shape().to_vec()),
        ),
        ("read_values", read_values(path, options).map(|v| v.shape)),
        ("read_values_from", read_values_from(bytes, options).map(|v| v.shape)),
        (
            "read_differences",
            read_differences(path, options).map(|d| d.shape().to_vec()),
        ),
        (
            "read_differences_from",
            read_differences_from(bytes, options).map(|d| d.shape().to_vec()),
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
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (shape, wider) in [(&[3][..], &[4][..]), (&[2, 3], &[3, 4]), (&[2, 2, 2], &[3, 3, 3])] {
        for (delimiter, between) in [
            (Delimiter::Comma, ","),
            (Delimiter::Tab, "\t"),
            (Delimiter::Semicolon, ";"),
        ] {
            for backwards in [false, true] {
                let plain = text(shape, 1, between, backwards);
                let with_header = format!("{}count\n{plain}", format!("index{between}").repeat(shape.len()));
                for bytes in [
                    plain.clone().into_bytes(),
                    with_header.into_bytes(),
                    gzip(plain.as_bytes()),
                ] {
                    for (given, format, absent) in [
                        (None, None, Absent::Zero),
                        (None, Some(Format::Delimited(delimiter)), Absent::Missing),
                        // One slice more than there is: nothing is outside of it.
                        (Some(wider.to_vec()), None, Absent::Zero),
                        (
                            Some(wider.to_vec()),
                            Some(Format::Delimited(delimiter)),
                            Absent::Missing,
                        ),
                    ] {
                        let mut options = ReadOptions {
                            shape: given.clone(),
                            format,
                            absent,
                            ..cells()
                        };
                        let path = folder.join("from_one.csv");
                        for (door, found) in doors(&bytes, &path, &options) {
                            let is_refused = matches!(&found, Err(ReadError::Content { fault: ReadFault::Base, what, .. }) if what.contains("Some(1)"));
                            assert!(is_refused, "{door}: {found:?} of {}", bytes.escape_ascii());
                        }
                        // Said where indices begin, all of them read it.
                        (options.base, options.shape) = (Some(1), given.map(|_| shape.to_vec()));
                        for (door, found) in doors(&bytes, &path, &options) {
                            assert_eq!(found.unwrap(), shape, "{door}");
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
