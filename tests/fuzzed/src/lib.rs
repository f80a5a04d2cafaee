//! What the fuzz targets do with an input: none makes one panic, and all doors of a reader give the same answer. A target says whether it took
//! the input, which the tests compare for `tests/fuzz/seeds`.

use std::fs;
use std::path::PathBuf;

use proc_macro2::TokenStream;
use skellam::counts::{CountSlices, Delimiter, Format, ReadError, ReadFault, ReadOptions, Rows, read_counts_from};
use skellam::release::read_values_from;

mod archive;
mod fits;
mod forgery;
#[cfg(test)]
mod hostile;
#[path = "../../../runtime/tests/common/reseal.rs"]
mod reseal;
#[cfg(test)]
mod tests;

/// What is done with an input.
pub type Target = fn(&[u8]) -> bool;

/// Every target by its name, which is that of its file in `fuzz_targets` and of its folder in `seeds`, both in `tests/fuzz`.
pub const TARGETS: [(&str, Target); 11] = [
    ("any", any),
    ("bag_of_words", bag_of_words),
    ("checkpoint", checkpoint),
    ("declaration", declaration),
    ("delimited", delimited),
    ("fit", fit),
    ("folder", folder),
    ("ledger", ledger),
    ("matrix_market", matrix_market),
    ("npy", npy),
    ("npz", npz),
];

/// A file of unknown format, a compressed one perhaps.
pub fn any(bytes: &[u8]) -> bool {
    all_doors(bytes, None)
}

/// A bag of words.
pub fn bag_of_words(bytes: &[u8]) -> bool {
    all_doors(bytes, Some(Format::BagOfWords))
}

/// Delimited text, whatever its lines are said to be.
pub fn delimited(bytes: &[u8]) -> bool {
    for rows in [Rows::Cells, Rows::Counts, Rows::NamedCounts, Rows::Events] {
        all_doors_of(bytes, Some(Format::Delimited(Delimiter::Comma)), Some(rows));
    }
    all_doors(bytes, Some(Format::Delimited(Delimiter::Comma)))
}

/// A Matrix Market file.
pub fn matrix_market(bytes: &[u8]) -> bool {
    all_doors(bytes, Some(Format::MatrixMarket))
}

/// A NumPy array.
pub fn npy(bytes: &[u8]) -> bool {
    all_doors(bytes, Some(Format::Npy))
}

/// A NumPy archive.
pub fn npz(bytes: &[u8]) -> bool {
    all_doors(bytes, Some(Format::Npz))
}

/// A declaration: whatever is written, the macro reports every mistake or expands to Rust.
pub fn declaration(bytes: &[u8]) -> bool {
    // What is no text, or no sequence of tokens, never reaches the macro.
    let tokens = std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse::<TokenStream>().ok());
    let Some(tokens) = tokens else { return false };
    let expansion = skellam_compiler::expand(tokens);
    let is_refused = expansion.to_string().contains("compile_error");
    syn::parse2::<syn::File>(expansion).expect("items of Rust, or errors");
    !is_refused
}

/// Tables up to this many cells are compared cell by cell.
const COMPARED: usize = 1 << 16;

/// Reads the bytes whole, by slices, in blocks of a few slices, and as released values, whatever the first index is said to be. Says whether they are counts.
fn all_doors(bytes: &[u8], format: Option<Format>) -> bool {
    all_doors_of(bytes, format, None)
}

fn all_doors_of(bytes: &[u8], format: Option<Format>, rows: Option<Rows>) -> bool {
    for (base, block_bytes) in [(Some(1), 0), (Some(u64::MAX), 4096)] {
        all_doors_by(
            bytes,
            ReadOptions {
                format,
                rows,
                base,
                block_bytes,
                ..ReadOptions::default()
            },
        );
    }
    all_doors_by(
        bytes,
        ReadOptions {
            format,
            rows,
            block_bytes: 256,
            ..ReadOptions::default()
        },
    )
}

fn all_doors_by(bytes: &[u8], options: ReadOptions) -> bool {
    let whole = read_counts_from(bytes, &options);
    let slices = CountSlices::from_bytes(bytes, &options);
    if let Ok(counts) = &whole {
        // A text of n bytes states fewer than n cells, or mirrors them; deflate shrinks by a factor of 1032 at most.
        let most = if bytes.starts_with(b"\x1f\x8b") { 2 * 1032 } else { 2 } * bytes.len();
        let (held, cells) = (counts.num_nonzero(), counts.num_cells());
        assert!(
            held <= most && (counts.is_sparse() || cells <= most),
            "{held} of {cells} cells from {} bytes",
            bytes.len()
        );
    }
    if let Ok(released) = read_values_from(bytes, &options) {
        assert_eq!(released.values.len(), released.shape.iter().product::<usize>());
        if let Ok(counts) = &whole {
            assert_eq!(released.values, counts.to_dense().expect("as many cells"));
        }
    }
    let is_taken = whole.is_ok();
    match (whole, slices) {
        (Ok(counts), Ok(mut slices)) if counts.num_cells() <= COMPARED => {
            let mut dense = Vec::new();
            while let Some(slice) = slices.next().expect("the file does not change") {
                dense.extend_from_slice(slice);
            }
            assert_eq!(dense, counts.to_dense().expect("few cells"));
        }
        (
            Ok(_),
            Ok(_)
            | Err(ReadError::Content {
                fault: ReadFault::TooLarge,
                ..
            }),
        )
        | (Err(_), Err(_)) => {}
        (whole, slices) => panic!("read in two ways: {:?}, {:?}", whole.err(), slices.err()),
    }
    is_taken
}

/// What stands between the files of a folder in one input.
const BETWEEN: &[u8] = b"\n---\n";

/// A folder of up to three files, the metadata first: opened, verified and read whole, as sums and masked, with its digests put right.
pub fn folder(bytes: &[u8]) -> bool {
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
    let place = place("folder");
    let is_taken = forgery::read_folder(&place, metadata.unwrap_or_default(), streams);
    // What is left is written over by the next input, or lies in the temporary folder of the system.
    let _ = fs::remove_dir_all(place);
    is_taken
}

/// A ledger: read, and charged where it is one, with its digest put right.
pub fn ledger(bytes: &[u8]) -> bool {
    let place = place("ledger");
    let is_taken = forgery::read_ledger(&place, bytes);
    let _ = fs::remove_file(place);
    is_taken
}

/// A saved fit: read by every door, with its sums and its digest put right.
pub fn fit(bytes: &[u8]) -> bool {
    let place = place("fit");
    let is_taken = fits::read_fit(&place, bytes);
    let _ = fs::remove_file(place);
    is_taken
}

/// A checkpoint of which the numbers of one array are others: `0/chain/sweep 3`. The run goes on from it.
pub fn checkpoint(bytes: &[u8]) -> bool {
    let place = place("checkpoint");
    let is_taken = fits::read_checkpoint(&place, bytes);
    let _ = fs::remove_file(place);
    is_taken
}

/// One place for each thread, written over by every input: tests run on several threads at once.
fn place(name: &str) -> PathBuf {
    let (process, thread) = (std::process::id(), std::thread::current().id());
    std::env::temp_dir().join(format!("skellam-fuzz-{name}-{process}-{thread:?}"))
}
