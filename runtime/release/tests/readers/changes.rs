//! Files on a disk: found by their extension, and changed under the reader's hands.

use std::fs;
use std::path::{Path, PathBuf};

use skellam_release::counts::{
    CountSlices, Delimiter, Format, ReadError, ReadOptions, read_counts, read_matrix_market,
};

use super::both::drain;
use super::write::{Table, cells, gzip};
use tempfile::{TempDir, tempdir};

fn file(scratch: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = scratch.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn format(path: &Path) -> Format {
    CountSlices::open(path, &cells()).unwrap().format()
}

#[test]
fn the_extension_decides_where_the_first_line_does_not() {
    let scratch = tempdir().unwrap();
    // One column of names has commas, the other tabs.
    let text = b"a,b\tc,d,e\n";
    let rows = |delimiter: &str| [&text[..], format!("0{delimiter}1\n").as_bytes()].concat();
    let open = |name: &str, bytes: &[u8]| CountSlices::open(file(&scratch, name, bytes), &cells());
    assert!(matches!(open("x.tsv", &rows("\t")), Ok(s) if s.format() == Format::Delimited(Delimiter::Tab)));
    let refused = open("x.txt", &rows(",")).unwrap_err().to_string();
    assert!(refused.contains("fields, but line"), "{refused}");
    let semicolons = file(&scratch, "x.csv", b"0;1;2\n");
    assert_eq!(format(&semicolons), Format::Delimited(Delimiter::Semicolon));
    let compressed = file(&scratch, "y.tsv.gz", &gzip(&rows("\t")));
    assert_eq!(format(&compressed), Format::Delimited(Delimiter::Tab));
    let misnamed = file(
        &scratch,
        "z.csv",
        b"%%MatrixMarket matrix coordinate integer general\n1 1 0\n",
    );
    assert_eq!(format(&misnamed), Format::MatrixMarket);
    let bare = file(&scratch, "w.mtx", b"1 1 0\n");
    let error = read_counts(bare, &cells()).unwrap_err();
    assert!(error.to_string().contains("is not a Matrix Market banner"), "{error}");
}

#[test]
fn both_doors_read_the_file_that_the_old_one_reads() {
    let scratch = tempdir().unwrap();
    let path = file(
        &scratch,
        "a.mtx",
        b"%%MatrixMarket matrix coordinate integer general\n2 2 2\n2 1 4\n1 1 3\n",
    );
    let options = cells();
    assert_eq!(
        read_counts(&path, &options).unwrap(),
        read_matrix_market(&path).unwrap()
    );
    assert_eq!(
        drain(CountSlices::open(&path, &options).unwrap()).unwrap(),
        Table::new(&[2, 2], &[3, 0, 4, 0])
    );
}

#[test]
fn a_path_that_is_no_file_is_refused() {
    let scratch = tempdir().unwrap();
    for path in [scratch.path().join("absent"), scratch.path().to_owned()] {
        assert!(matches!(read_counts(&path, &cells()), Err(ReadError::Open { .. })));
        assert!(matches!(
            CountSlices::open(&path, &cells()),
            Err(ReadError::Open { .. })
        ));
    }
}

/// A sorted file takes one scan, a shuffled one a scan for each block: both notice.
#[test]
fn a_file_that_changes_gives_no_more_slices() {
    let scratch = tempdir().unwrap();
    let (sorted, shuffled) = ("0,1\n1,2\n2,3\n3,4\n", "3,4\n0,1\n2,3\n1,2\n");
    let options = ReadOptions {
        block_bytes: 8,
        ..cells()
    };
    for (before, after) in [(sorted, "0,1\n1,2\n2,3\n3,4\n\n"), (shuffled, "3,4\n0,1\n2,3\n1,25\n")] {
        let path = file(&scratch, "counts.csv", before.as_bytes());
        let mut slices = CountSlices::open(&path, &options).unwrap();
        assert_eq!(slices.next().unwrap(), Some(&[1][..]));
        fs::write(&path, after).unwrap();
        assert!(matches!(slices.next(), Err(ReadError::Changed)), "{before}");
        assert!(matches!(slices.next(), Err(ReadError::Stopped)), "{before}");
    }
}

/// Same length, same time: only the entries tell.
#[test]
fn a_change_that_leaves_no_trace_is_found_in_the_entries() {
    let scratch = tempdir().unwrap();
    let options = ReadOptions {
        block_bytes: 8,
        ..cells()
    };
    for (before, after, good) in [
        ("0,1\n1,2\n2,3\n", "0,1\n1,3\n2,2\n", 2),
        ("2,3\n1,2\n0,1\n", "2,3\n1,1\n0,2\n", 0),
        ("2,3\n1,2\n0,1\n", "2,3\n1,2\n1,2\n", 0),
    ] {
        let path = file(&scratch, "counts.csv", before.as_bytes());
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        let mut slices = CountSlices::open(&path, &options).unwrap();
        fs::write(&path, after).unwrap();
        fs::File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(modified)
            .unwrap();
        for slice in 0..good {
            assert!(slices.next().is_ok(), "slice {slice} of {before}");
        }
        assert!(matches!(slices.next(), Err(ReadError::Changed)), "{before}");
    }
}

#[test]
fn another_file_of_the_same_name_is_not_mistaken() {
    let scratch = tempdir().unwrap();
    let path = file(&scratch, "counts.csv", b"1,2\n0,1\n");
    let options = ReadOptions {
        block_bytes: 8,
        ..cells()
    };
    let slices = CountSlices::open(&path, &options).unwrap();
    fs::rename(file(&scratch, "other.csv", b"1,8\n0,9\n"), &path).unwrap();
    assert_eq!(drain(slices).unwrap(), Table::new(&[2], &[1, 2]));
}

#[test]
fn no_counts_are_shown_by_debug() {
    let scratch = tempdir().unwrap();
    let path = file(&scratch, "counts.csv", b"0,77\n");
    let mut slices = CountSlices::open(&path, &cells()).unwrap();
    slices.next().unwrap();
    assert!(!format!("{slices:?}").contains("77"));
}
