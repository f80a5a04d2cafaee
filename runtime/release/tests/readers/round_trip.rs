//! What is written in any format is read back.

use proptest::prelude::*;
use skellam_release::counts::{
    Absent, CountSlices, Delimiter, Format, ReadError, ReadFault, ReadOptions, read_counts_from,
};

use super::both::both;
use super::write::{Table, cells, gzip, npy};

fn all_files_say(table: &Table, least: usize) {
    let mut read = 0;
    for seed in [0, 1, 2] {
        for file in table.files(seed) {
            let found = both(&file.bytes, &file.options).unwrap_or_else(|error| panic!("{}: {error}", file.name));
            assert_eq!(found, *table, "{}", file.name);
            read += 1;
        }
    }
    assert!(read >= 3 * least, "{read} files");
}

#[test]
fn every_format_says_the_same() {
    all_files_say(&Table::new(&[3, 4], &[0, 2, 0, 7, 1, 0, 0, 0, 0, 90, 5, 3]), 70);
}

#[test]
fn empty_slices_are_slices() {
    let mut counts = vec![0; 6 * 3];
    (counts[4], counts[13]) = (1, 1);
    all_files_say(&Table::new(&[6, 3], &counts), 70);
    all_files_say(&Table::new(&[4, 2], &[0; 8]), 70);
}

#[test]
fn one_mode_and_four() {
    all_files_say(&Table::new(&[5], &[4, 0, 0, 1, 2]), 55);
    let counts: Vec<i64> = (0..2 * 3 * 2 * 4).map(|at| if at % 5 == 0 { at } else { 0 }).collect();
    all_files_say(&Table::new(&[2, 3, 2, 4], &counts), 55);
}

#[test]
fn symmetric_files_are_mirrored() {
    let table = Table::new(&[3, 3], &[1, 2, 0, 2, 0, 5, 0, 5, 4]);
    assert!(table.files(1).iter().any(|file| file.name == "mtx symmetric"));
    all_files_say(&table, 70);
}

#[test]
fn the_largest_count_is_read() {
    all_files_say(&Table::new(&[2, 2], &[1 << 31, 0, 1, (1 << 31) - 1]), 40);
}

#[test]
fn formats_are_told_from_their_content() {
    let options = cells();
    for (text, format) in [
        (
            "%%matrixmarket matrix coordinate integer general\n1 2 1\n1 2 3\n",
            Format::MatrixMarket,
        ),
        ("1\n2\n1\n1 2 3\n", Format::BagOfWords),
        (
            "# note\n\nrow,column,count\n0,1,3\n",
            Format::Delimited(Delimiter::Comma),
        ),
        (
            "\u{feff}row\tcolumn\tcount\n0\t1\t3\n",
            Format::Delimited(Delimiter::Tab),
        ),
        ("0;1;3", Format::Delimited(Delimiter::Semicolon)),
    ] {
        for bytes in [text.as_bytes().to_vec(), gzip(text.as_bytes())] {
            let slices = CountSlices::from_bytes(bytes.clone(), &options).unwrap();
            assert_eq!(slices.format(), format);
            assert_eq!(
                slices.shape_from_data(),
                matches!(format, Format::Delimited(_)),
                "{text}"
            );
            assert_eq!(both(&bytes, &options).unwrap(), Table::new(&[1, 2], &[0, 3]), "{text}");
        }
    }
    let array = npy("<i8", &[1, 2], &[0, 3]);
    assert_eq!(CountSlices::from_bytes(array, &options).unwrap().format(), Format::Npy);
}

#[test]
fn sparse_files_stay_sparse_and_dense_ones_dense() {
    for file in Table::new(&[2, 2], &[0, 2, 0, 0]).files(0) {
        let dense = file.name.contains("npy") || file.name.contains("array");
        let counts = read_counts_from(file.bytes, &file.options).unwrap();
        assert_eq!(counts.is_sparse(), !dense, "{}", file.name);
    }
}

#[test]
fn delimited_text_without_a_shape_spans_its_largest_indices() {
    let text = "3,1,2\n1,4,0\n";
    let mut options = cells();
    assert!(matches!(
        read_counts_from(text.as_bytes(), &options),
        Err(ReadError::Content {
            fault: ReadFault::Base,
            ..
        })
    ));
    assert!(matches!(
        CountSlices::from_bytes(text.as_bytes(), &options),
        Err(ReadError::Content {
            fault: ReadFault::Base,
            ..
        })
    ));
    options.base = Some(0);
    assert_eq!(read_counts_from(text.as_bytes(), &options).unwrap().shape(), [4, 5]);
    options.base = Some(1);
    assert_eq!(read_counts_from(text.as_bytes(), &options).unwrap().shape(), [3, 4]);
    let last = ReadOptions {
        base: Some(u64::MAX),
        ..cells()
    };
    assert_eq!(
        read_counts_from(&b"18446744073709551615,1\n"[..], &last)
            .unwrap()
            .shape(),
        [1]
    );
    options.shape = Some(vec![9, 9]);
    let slices = CountSlices::from_bytes(text.as_bytes(), &options).unwrap();
    assert_eq!((slices.shape(), slices.shape_from_data()), (&[9, 9][..], false));
}

#[test]
fn a_shape_given_too_may_agree() {
    let options = ReadOptions {
        shape: Some(vec![1, 2]),
        ..cells()
    };
    assert!(both(&npy("|u1", &[1, 2], &[1, 2]), &options).is_ok());
    assert!(both(b"1\n2\n0\n", &options).is_ok());
}

/// Reading may go on in a thread of its own.
#[test]
fn slices_are_sent() {
    fn sent<T: Send>(_: &T) {}
    sent(&CountSlices::from_bytes(&b"0,1\n"[..], &cells()).unwrap());
}

fn table() -> impl Strategy<Value = Table> {
    prop::collection::vec(1usize..5, 1..5).prop_flat_map(|shape| {
        let cells = shape.iter().product::<usize>();
        let count = prop_oneof![3 => Just(0i64), 2 => 0i64..3, 1 => 0i64..=1 << 31];
        prop::collection::vec(count, cells).prop_map(move |counts| Table::new(&shape, &counts))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read_back(table in table(), seed in 0u64..100) {
        for file in table.files(seed) {
            let found = both(&file.bytes, &file.options);
            prop_assert_eq!(found.as_ref().ok(), Some(&table), "{}: {:?}", file.name, found);
        }
    }
}

/// A cell that a file of triplets does not state is a zero, or missing where that is said.
#[test]
fn absent_cells_are_zeros_or_missing_by_choice() {
    let text = "0,0,3\n1,2,0\n2,1,1\n";
    let read = |absent| {
        let options = ReadOptions {
            absent,
            shape: Some(vec![3, 3]),
            ..cells()
        };
        read_counts_from(text.as_bytes(), &options).unwrap()
    };
    assert!(read(Absent::Zero).mask().is_empty());
    let missing = read(Absent::Missing);
    assert_eq!((missing.num_nonzero(), missing.mask().len()), (2, 6));
    // The zero that was stated was observed.
    assert!(!missing.mask().is_held_out(5) && missing.mask().is_held_out(4));
    assert_eq!(missing.mask().scored().count(), 0);
}
