//! Folders of released counts that somebody forged: their digests are right, and they are far larger than their files.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};
use skellam::prelude::*;
use skellam::release::files::ValueWriter;

#[path = "reseal.rs"]
mod reseal;

/// A release of `shape` at `path`, all of whose values are zero, or all one: a thousandth of a byte for each.
pub fn forge(path: &Path, shape: &[usize], positive: bool) -> PathBuf {
    let law = Varying::Uniform(Lplp::new(1, 1).unwrap());
    let mut writer = ValueWriter::create(path, &[1, 1], &law).unwrap();
    writer.push_slice(&[0]).unwrap();
    writer.finish().unwrap();
    let cells: u64 = shape.iter().map(|&size| size as u64).product();
    let values = path.join("values.bin");
    let mut out = DeflateEncoder::new(File::create(&values).unwrap(), Compression::new(6));
    // One is the second of 0, -1, 1, -2, ..
    let block = [if positive { 2 } else { 0 }; 1 << 16];
    let mut left = cells;
    while left > 0 {
        let now = left.min(block.len() as u64);
        out.write_all(&block[..now as usize]).unwrap();
        left -= now;
    }
    out.finish().unwrap();

    let metadata = path.join("metadata.json");
    let mut all: Value = serde_json::from_str(&fs::read_to_string(&metadata).unwrap()).unwrap();
    all["contents"]["shape"] = json!(shape);
    all["contents"]["positives"] = json!(if positive { cells } else { 0 });
    let streams = [Some(&fs::read(values).unwrap()[..]), None];
    fs::write(metadata, reseal::resealed(all.to_string().as_bytes(), streams)).unwrap();
    path.to_owned()
}
