//! Folders of released counts that somebody forged: their digests are right, and they are far larger than their files.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use skellam::prelude::*;
use skellam::release::files::AssertedWriter;

/// A release of `shape` at `path`, all of whose values are zero, or all one: a thousandth of a byte for each.
pub fn forge(path: &Path, shape: &[usize], positive: bool) -> PathBuf {
    let law = Varying::Uniform(Lplp::new(1, 1).unwrap());
    let mut writer = AssertedWriter::create(path, &[1, 1], &law).unwrap();
    writer.push_slice(&[0]).unwrap();
    writer.finish().unwrap();
    let slices = shape[0] as u64;
    let slice_cells: u64 = shape[1..].iter().map(|&size| size as u64).product();
    let cells = slices * slice_cells;
    // For each slice the number of positives, their gaps and what they are above one.
    let count = if positive { slice_cells } else { 0 };
    let mut zeros = Zeros::create(&path.join("positives.bin"));
    for _ in 0..slices {
        zeros.varint(count);
        zeros.zeros(2 * count);
    }
    let positives = zeros.finish(if positive { cells } else { 0 });
    let others = if positive { 0 } else { cells };
    let mut zeros = Zeros::create(&path.join("rest.bin"));
    zeros.zeros(others);
    let rest = zeros.finish(others);

    let mut all: Value = serde_json::from_str(&fs::read_to_string(path.join("metadata.json")).unwrap()).unwrap();
    all["shape"] = json!(shape);
    all["groups"][0]["positives"] = positives["values"].clone();
    all["groups"][0]["others"] = json!(others);
    for (name, stored) in [("positives", positives), ("rest", rest)] {
        for (field, value) in stored.as_object().unwrap() {
            all[name][field] = value.clone();
        }
    }
    seal(path, all);
    path.to_owned()
}

/// Writes metadata with the digest that they should have.
pub fn seal(path: &Path, mut all: Value) {
    all.as_object_mut().unwrap().remove("digest");
    // Without spaces, the fields in alphabetical order: so `serde_json` prints its maps.
    all["digest"] = json!(hexadecimal(&Sha256::digest(all.to_string())));
    fs::write(path.join("metadata.json"), all.to_string()).unwrap();
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Zeros {
    path: PathBuf,
    out: DeflateEncoder<File>,
}

impl Zeros {
    fn create(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            out: DeflateEncoder::new(File::create(path).unwrap(), Compression::new(6)),
        }
    }

    fn zeros(&mut self, mut bytes: u64) {
        let block = [0; 1 << 16];
        while bytes > 0 {
            let now = bytes.min(block.len() as u64);
            self.out.write_all(&block[..now as usize]).unwrap();
            bytes -= now;
        }
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 128 {
            self.out.write_all(&[value as u8 | 128]).unwrap();
            value >>= 7;
        }
        self.out.write_all(&[value as u8]).unwrap();
    }

    fn finish(self, values: u64) -> Value {
        self.out.finish().unwrap();
        let bytes = fs::read(&self.path).unwrap();
        json!({ "bytes": bytes.len(), "sha256": hexadecimal(&Sha256::digest(&bytes)), "values": values })
    }
}
