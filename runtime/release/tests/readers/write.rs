//! Small writers of every format, for files whose counts are known.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use skellam_release::counts::{Delimiter, Format, ReadOptions, Rows};

/// Options for text of cells, whose header need not say so.
pub fn cells() -> ReadOptions {
    ReadOptions {
        rows: Some(Rows::Cells),
        ..ReadOptions::default()
    }
}

/// Counts, row-major.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub shape: Vec<usize>,
    pub counts: Vec<i64>,
}

/// A file, and how it wants to be read.
pub struct File {
    pub name: String,
    pub bytes: Vec<u8>,
    pub options: ReadOptions,
}

impl Table {
    pub fn new(shape: &[usize], counts: &[i64]) -> Self {
        assert_eq!(shape.iter().product::<usize>(), counts.len());
        Self {
            shape: shape.to_vec(),
            counts: counts.to_vec(),
        }
    }

    pub fn index(&self, mut at: usize) -> Vec<usize> {
        let mut index = vec![0; self.shape.len()];
        for (i, size) in index.iter_mut().zip(&self.shape).rev() {
            *i = at % size;
            at /= size;
        }
        index
    }

    fn transposed(&self) -> Option<Self> {
        let &[rows, columns] = &*self.shape else { return None };
        let counts = (0..rows * columns).map(|at| self.counts[at % rows * columns + at / rows]);
        Some(Self {
            shape: vec![columns, rows],
            counts: counts.collect(),
        })
    }

    /// The cells that are not zero, in the order that `seed` gives; 0 keeps them sorted.
    fn entries(&self, seed: u64) -> Vec<(Vec<usize>, i64)> {
        let nonzero = (0..self.counts.len()).filter(|&at| self.counts[at] != 0);
        let mut entries: Vec<_> = nonzero.map(|at| (self.index(at), self.counts[at])).collect();
        if seed > 0 {
            entries.sort_by_key(|(index, _)| {
                index.iter().fold(seed, |h, &i| {
                    (h ^ i as u64).wrapping_mul(0x9e3779b97f4a7c15).rotate_left(29)
                })
            });
        }
        entries
    }

    /// Every file that states this table, plain and compressed.
    pub fn files(&self, seed: u64) -> Vec<File> {
        let mut files = self.plain(seed);
        for at in 0..files.len() {
            for (kind, bytes) in [
                ("gz", gzip(&files[at].bytes)),
                ("gz members", members(&files[at].bytes)),
            ] {
                files.push(File {
                    name: format!("{} {kind}", files[at].name),
                    bytes,
                    options: files[at].options.clone(),
                });
            }
        }
        files
    }

    fn plain(&self, seed: u64) -> Vec<File> {
        let file = |name: &str, bytes: Vec<u8>| File {
            name: name.to_owned(),
            bytes,
            options: cells(),
        };
        let mut files = Vec::new();
        for descr in NPY_TYPES {
            if self.counts.iter().all(|&count| fits(descr, count)) {
                files.push(file(&format!("npy {descr}"), npy(descr, &self.shape, &self.counts)));
            }
        }
        if self.counts.iter().all(|count| (0..2).contains(count)) {
            files.push(file("npy |b1", npy("|b1", &self.shape, &self.counts)));
        }
        for (delimiter, base, header, quote) in [
            (Delimiter::Comma, 0, true, false),
            (Delimiter::Comma, 1, false, true),
            (Delimiter::Tab, 0, false, false),
            (Delimiter::Semicolon, 7, true, true),
            (Delimiter::Blank, 1, true, true),
        ] {
            files.push(File {
                name: format!("{delimiter:?} from {base}, header {header}, quotes {quote}"),
                bytes: self.delimited(seed, delimiter, base, header, quote),
                options: ReadOptions {
                    // With no first line to go by there is nothing to tell the delimiter from.
                    format: Some(Format::Delimited(delimiter)),
                    shape: Some(self.shape.clone()),
                    base: Some(base),
                    ..cells()
                },
            });
        }
        if let Some(columns) = self.transposed() {
            files.push(file("bag of words", self.bag_of_words(seed)));
            for field in ["integer", "real"] {
                files.push(file(&format!("mtx {field}"), self.coordinate(seed, field)));
                let values: String = columns.counts.iter().map(|count| format!("{count}\n")).collect();
                let sizes = format!("{} {}", self.shape[0], self.shape[1]);
                let array = format!("%%MatrixMarket matrix array {field} general\n{sizes}\n{values}");
                files.push(file(&format!("mtx array {field}"), array.into_bytes()));
            }
            if columns == *self {
                files.push(file("mtx symmetric", self.symmetric(seed)));
            }
            if self.counts.iter().all(|count| (0..2).contains(count)) {
                files.push(file("mtx pattern", self.coordinate(seed, "pattern")));
            }
        }
        files
    }

    pub fn delimited(&self, seed: u64, delimiter: Delimiter, base: u64, header: bool, quote: bool) -> Vec<u8> {
        let between = match delimiter {
            Delimiter::Comma => ",",
            Delimiter::Tab => "\t",
            Delimiter::Semicolon => "; ",
            Delimiter::Blank => " \t ",
        };
        let mark = if quote { "\"" } else { "" };
        let line = |fields: Vec<String>| {
            let quoted: Vec<_> = fields.iter().map(|field| format!("{mark}{field}{mark}")).collect();
            quoted.join(between) + "\r\n"
        };
        let mut text = String::from("# a comment\n\n");
        if header {
            let names = (0..self.shape.len()).map(|mode| format!("mode {mode}"));
            text += &line(names.chain(["count".to_owned()]).collect());
        }
        for (index, count) in self.entries(seed) {
            let fields = index.iter().map(|&i| (i as u64 + base).to_string());
            text += &line(fields.chain([count.to_string()]).collect());
        }
        text.into_bytes()
    }

    fn bag_of_words(&self, seed: u64) -> Vec<u8> {
        let entries = self.entries(seed);
        let mut text = format!("{}\n{}\n{}\n", self.shape[0], self.shape[1], entries.len());
        for (index, count) in entries {
            text += &format!("{} {} {count}\n", index[0] + 1, index[1] + 1);
        }
        text.into_bytes()
    }

    fn coordinate(&self, seed: u64, field: &str) -> Vec<u8> {
        let entries = self.entries(seed);
        let mut text = format!("%%MatrixMarket matrix coordinate {field} general\n% a comment\n");
        text += &format!("{} {} {}\n", self.shape[0], self.shape[1], entries.len());
        for (index, count) in entries {
            let value = match field {
                "pattern" => String::new(),
                "real" => format!("{count}.0"),
                _ => count.to_string(),
            };
            text += &format!("{} {} {value}\n", index[0] + 1, index[1] + 1);
        }
        text.into_bytes()
    }

    fn symmetric(&self, seed: u64) -> Vec<u8> {
        let mut lower = self.entries(seed);
        lower.retain(|(index, _)| index[1] <= index[0]);
        let size = self.shape[0];
        let mut text = format!(
            "%%MatrixMarket matrix coordinate integer symmetric\n{size} {size} {}\n",
            lower.len()
        );
        for (index, count) in lower {
            text += &format!("{} {} {count}\n", index[0] + 1, index[1] + 1);
        }
        text.into_bytes()
    }
}

const NPY_TYPES: [&str; 18] = [
    "|i1", "|u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8", "<f4", ">f4",
    "<f8", ">f8",
];

fn fits(descr: &str, count: i64) -> bool {
    let (kind, bytes) = (&descr[1..2], descr[2..].parse::<u32>().unwrap());
    match kind {
        "f" => bytes == 8 || count as f32 as i64 == count,
        "i" => count.unsigned_abs() < 1 << (8 * bytes - 1).min(62),
        _ => (0..1 << (8 * bytes).min(62)).contains(&count),
    }
}

/// A NumPy array of any of the types that hold counts.
pub fn npy(descr: &str, shape: &[usize], counts: &[i64]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({sizes}), }}");
    let mut bytes = npy_header(&header);
    let width: usize = descr[2..].parse().unwrap();
    for &count in counts {
        let value = match &descr[1..] {
            "f4" => u64::from((count as f32).to_bits()),
            "f8" => (count as f64).to_bits(),
            _ => count as u64,
        };
        let mut low = value.to_le_bytes()[..width].to_vec();
        if descr.starts_with('>') {
            low.reverse();
        }
        bytes.extend(low);
    }
    bytes
}

/// Magic, version 1.0, and a header padded as NumPy pads it.
pub fn npy_header(dictionary: &str) -> Vec<u8> {
    let length = (10 + dictionary.len() + 1).next_multiple_of(64) - 10;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(format!("{dictionary:<width$}\n", width = length - 1).into_bytes());
    bytes
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Two members, one after the other, parted in the middle of whatever stands there.
fn members(bytes: &[u8]) -> Vec<u8> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    [gzip(first), gzip(second)].concat()
}
