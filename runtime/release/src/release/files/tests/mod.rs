//! Tests of folders of released counts.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::sealed::sha256;
use super::*;
use crate::channel::{Channel, Varying};
use tempfile::{TempDir, tempdir};

mod damage;
mod round_trip;
mod writing;

/// Writes released values by slices, as if somebody else had released them.
fn assert_values<M: Recorded>(
    scratch: &TempDir,
    name: &str,
    shape: &[usize],
    mechanism: &Varying<M>,
    values: &[<M::Law as Channel>::Value],
) -> PathBuf {
    let out = scratch.path().join(name);
    let mut writer = ValueWriter::create(&out, shape, mechanism).unwrap();
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

/// The text of a file with one field replaced, and its digest made anew.
#[doc(hidden)]
pub fn forged(text: &str, pointer: &str, value: Value) -> String {
    let mut all: Value = serde_json::from_str(text).unwrap();
    *all.pointer_mut(pointer).unwrap() = value;
    all.as_object_mut().unwrap().remove("digest");
    let text = format!("{all:#}");
    let body = text.strip_suffix("\n}").unwrap();
    format!("{body},\n  \"digest\": \"{}\"\n}}\n", sha256(body))
}
