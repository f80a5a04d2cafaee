//! Data sets in folders.

use std::path::Path;

use skellam::counts::{ReadOptions, read_counts, read_list};
use skellam::prelude::*;

use crate::error::ExampleError;

/// The counts of a file. Where its format states no shape and none is given, it is told from the largest indices.
///
/// # Errors
///
/// A file that is missing or broken, a position outside `shape`.
pub fn counts(folder: &Path, file: &str, shape: Option<Vec<usize>>) -> Result<Counts, ExampleError> {
    let path = folder.join(file);
    let options = ReadOptions {
        shape,
        ..ReadOptions::default()
    };
    read_counts(&path, &options).map_err(|source| ExampleError::Read { path, source })
}

/// The lines of a file, such as the names of an index set.
///
/// # Errors
///
/// A file that is missing or broken.
pub fn names(folder: &Path, file: &str) -> Result<Vec<String>, ExampleError> {
    let path = folder.join(file);
    read_list(&path).map_err(|source| ExampleError::Read { path, source })
}

/// Events between countries in the files of `icews_yearly`, (sender, receiver, action, year), and the names of countries, actions and
/// years.
///
/// # Errors
///
/// Files that are missing or broken.
pub fn events(folder: &Path) -> Result<(Counts, [Vec<String>; 3]), ExampleError> {
    let read = |file| names(folder, file);
    let names = [read("tiny_countries.txt")?, read("actions.txt")?, read("years.txt")?];
    let [countries, actions, years] = names.each_ref().map(Vec::len);
    let shape = vec![countries, countries, actions, years];
    Ok((counts(folder, "tiny_tensor.tsv", Some(shape))?, names))
}
