//! Tests of folders of released counts.

use std::path::{Path, PathBuf};

use super::*;
use crate::channel::{Channel, Varying};
use crate::whole_file::tests::Scratch;

mod damage;
mod round_trip;
mod writing;

/// Writes released values by slices, as if somebody else had released them.
fn assert_values<M: Recorded>(
    scratch: &Scratch,
    name: &str,
    shape: &[usize],
    mechanism: &Varying<M>,
    values: &[<M::Law as Channel>::Value],
) -> PathBuf {
    let out = scratch.0.join(name);
    let mut writer = AssertedWriter::create(&out, shape, mechanism).unwrap();
    for slice in values.chunks(shape[1..].iter().product()) {
        writer.push_slice(slice).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), out);
    out
}

/// Insists on a message that holds `expected`.
#[track_caller]
fn said<T>(result: Result<T, FileError>, expected: &str) {
    match result {
        Ok(_) => panic!("accepted, and not: {expected}"),
        Err(error) => assert!(error.to_string().contains(expected), "{error}"),
    }
}

/// Names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
