//! Tests of the reader and the writer.

use std::fs;

use proptest::prelude::*;

use super::super::write_aside::tests::Scratch;
use super::super::{Counts, ReadError, ShapeError, TokenFault, WriteError};
use super::*;

fn read(text: &str) -> Result<Counts, ReadError> {
    read_matrix_market_from(text.as_bytes())
}

fn coordinate(rest: &str) -> Result<Counts, ReadError> {
    read(&format!("%%MatrixMarket matrix coordinate integer general\n{rest}"))
}

#[test]
fn every_supported_kind_is_read() {
    let expected = [0, 2, 0, 0, 0, 7];
    let texts = [
        "%%MatrixMarket matrix coordinate integer general\n% note\n\n2 3 2\n1 2 2\n2 3 7\n",
        "%%matrixmarket MATRIX Coordinate Real General\r\n2 3 3\r\n2 3 7e0\r\n1 2 2.0\r\n1 1 0\r\n",
        "%%MatrixMarket matrix array integer general\n2 3\n0\n0\n2\n0\n0\n7",
        "%%MatrixMarket matrix array real general\n2 3\n0\n0\n2.0\n0\n%\n0\n+7\n",
    ];
    for text in texts {
        let counts = read(text).unwrap();
        assert_eq!(counts.shape(), [2, 3], "{text}");
        assert_eq!(counts.to_dense().unwrap(), expected, "{text}");
    }
    let pattern = read("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n").unwrap();
    assert_eq!(pattern.to_dense().unwrap(), [0, 1, 0, 1, 0, 0, 0, 0, 1]);
    // Comments older than UTF-8 do not matter.
    let latin = b"%%MatrixMarket matrix coordinate integer general\n% M\xfcller\n1 1 0\n";
    assert_eq!(read_matrix_market_from(&latin[..]).unwrap().total(), 0);
}

#[test]
fn bad_banners_say_what_is_wrong() {
    assert!(matches!(read(""), Err(ReadError::Empty { .. })));
    for text in [
        "2 3 2\n",
        "%%MatrixMarket matrix coordinate integer\n",
        "%%Matrix matrix coordinate integer general\n",
    ] {
        assert!(matches!(read(text), Err(ReadError::Banner { .. })), "{text}");
    }
    for (text, part, place) in [
        ("vector coordinate integer general", "object", 16),
        ("matrix elemental integer general", "format", 23),
        ("matrix coordinate complex general", "field", 34),
        ("matrix coordinate integer hermitian", "symmetry", 42),
        ("matrix coordinate integer skew-symmetric", "symmetry", 42),
        ("matrix array pattern general", "field", 29),
        ("matrix array integer symmetric", "symmetry", 37),
    ] {
        match read(&format!("%%MatrixMarket {text}\n1 1 0\n")) {
            Err(ReadError::Unsupported { what, column, .. }) => assert_eq!((what, column), (part, place), "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn bad_sizes_say_what_is_wrong() {
    assert!(matches!(
        coordinate("% only this\n"),
        Err(ReadError::NoSizes { line: 3, .. })
    ));
    assert!(matches!(
        coordinate("2 3\n"),
        Err(ReadError::Parts { line: 2, parts: 2, .. })
    ));
    let overflow = TokenFault::Overflow;
    assert!(matches!(
        coordinate("2 99999999999999999999 1\n"),
        Err(ReadError::Token { line: 2, column: 3, fault, .. }) if fault == overflow
    ));
    assert!(matches!(
        coordinate("-2 3 1\n"),
        Err(ReadError::Token { line: 2, column: 1, .. })
    ));
    let shape = vec![0, 3];
    assert!(matches!(
        coordinate("0 3 0\n"),
        Err(ReadError::Shape { line: 2, source: ShapeError::EmptyMode { mode: 0, shape: s } }) if s == shape
    ));
    assert!(matches!(
        coordinate("4294967296 4294967296 0\n"),
        Err(ReadError::Shape {
            source: ShapeError::TooManyCells { .. },
            ..
        })
    ));
    assert!(matches!(
        coordinate("2 3 7\n"),
        Err(ReadError::TooManyDeclared {
            declared: 7,
            cells: 6,
            ..
        })
    ));
    let symmetric = |rest: &str| read(&format!("%%MatrixMarket matrix coordinate integer symmetric\n{rest}"));
    assert!(matches!(
        symmetric("2 3 1\n1 1 1\n"),
        Err(ReadError::NotSquare {
            rows: 2,
            columns: 3,
            ..
        })
    ));
    assert!(matches!(
        symmetric("3 3 7\n"),
        Err(ReadError::TooManyDeclared { cells: 6, .. })
    ));
    assert!(matches!(
        symmetric("3 3 1\n1 2 1\n"),
        Err(ReadError::UpperTriangle {
            line: 3,
            row: 1,
            column: 2
        })
    ));
}

#[test]
fn a_lying_header_reserves_nothing() {
    // Two billion squared cells would take exabytes.
    let sizes = "2000000000 2000000000 4000000000000000000\n1 1 1\n";
    assert!(matches!(
        coordinate(sizes),
        Err(ReadError::Truncated {
            found: 1,
            declared: 4000000000000000000,
            ..
        })
    ));
    let array = read("%%MatrixMarket matrix array integer general\n2000000000 2000000000\n1\n");
    assert!(matches!(array, Err(ReadError::Truncated { found: 1, line: 4, .. })));
}

#[test]
fn bad_entries_carry_line_column_and_token() {
    let fault = |entry: &str| match coordinate(&format!("2 3 1\n{entry}\n")) {
        Err(ReadError::Token {
            line: 3,
            column,
            token,
            fault,
        }) => (column, token, fault),
        other => panic!("{entry}: {other:?}"),
    };
    let at = |column: usize, token: &str, fault: TokenFault| (column, token.to_owned(), fault);
    let (rows, columns) = (
        TokenFault::OutOfRange { mode: "row", size: 2 },
        TokenFault::OutOfRange {
            mode: "column",
            size: 3,
        },
    );
    assert_eq!(fault("3 1 1"), at(1, "3", rows));
    assert_eq!(fault("0 1 1"), at(1, "0", rows));
    assert_eq!(fault("-1 1 1"), at(1, "-1", rows));
    assert_eq!(
        fault("1 99999999999999999999999 1"),
        at(3, "99999999999999999999999", columns)
    );
    assert_eq!(fault("1 1 -4"), at(5, "-4", TokenFault::Negative));
    assert_eq!(fault("1 1 -4.0"), at(5, "-4.0", TokenFault::Negative));
    assert_eq!(fault("1 1  2.5"), at(6, "2.5", TokenFault::Fractional));
    assert_eq!(fault("1 1 nan"), at(5, "nan", TokenFault::NotFinite));
    assert_eq!(fault("1 1 inf"), at(5, "inf", TokenFault::NotFinite));
    assert_eq!(fault("1 1 2147483649"), at(5, "2147483649", TokenFault::TooLarge));
    assert_eq!(fault("1 1 123456789012345678901234567890").2, TokenFault::TooLarge);
    assert!(matches!(fault("1 1 2.0"), (5, _, TokenFault::Expected { .. })));
    assert!(matches!(fault("1 1 +"), (5, _, TokenFault::Expected { .. })));
    assert!(matches!(fault("x 1 1"), (1, _, TokenFault::Expected { .. })));
    assert!(matches!(
        coordinate("2 3 1\n1 1\n"),
        Err(ReadError::Parts { line: 3, parts: 2, .. })
    ));
    let error = coordinate("2 3 1\n1 1 -4\n").unwrap_err().to_string();
    assert_eq!(error, "line 3, column 5: `-4` is negative; counts are not");
}

#[test]
fn too_few_too_many_and_twice() {
    assert!(matches!(
        coordinate("2 3 3\n1 1 1\n1 2 1\n"),
        Err(ReadError::Truncated {
            line: 5,
            found: 2,
            declared: 3
        })
    ));
    assert!(matches!(
        coordinate("2 3 1\n1 1 1\n\n1 2 1\n"),
        Err(ReadError::TooManyEntries {
            line: 5,
            declared: 1,
            ..
        })
    ));
    assert!(matches!(
        coordinate("2 3 3\n2 2 1\n1 1 1\n% note\n2 2 0\n"),
        Err(ReadError::Duplicate {
            line: 6,
            first_line: 3,
            index
        }) if index == [2, 2]
    ));
}

#[test]
fn only_two_modes_are_written_and_only_once() {
    let scratch = Scratch::new("matrix-market");
    let path = scratch.0.join("counts.mtx");
    let counts = Counts::sparse(vec![2, 3], vec![(vec![1, 2], 7)]).unwrap();
    write_matrix_market(&path, &counts).unwrap();
    let written = "%%MatrixMarket matrix coordinate integer general\n2 3 1\n2 3 7\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), written);
    assert_eq!(read_matrix_market(&path).unwrap(), counts);
    assert!(matches!(
        write_matrix_market(&path, &counts),
        Err(WriteError::Exists { .. })
    ));
    let tensor = Counts::dense(vec![1, 1, 1], vec![1]).unwrap();
    let result = write_matrix_market(scratch.0.join("tensor.mtx"), &tensor);
    assert!(matches!(result, Err(WriteError::NotMatrix { .. })));
    assert!(!scratch.0.join("tensor.mtx").exists());
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_matrix_market_from(&bytes[..]);
    }

    /// Nearly right files get past the banner, which random bytes never do.
    #[test]
    fn no_nearly_right_file_makes_it_panic(
        banner in prop::sample::select(vec!["coordinate integer general", "coordinate real symmetric", "array integer general", "coordinate pattern general"]),
        body in "([0-9]{1,3}|-1|1e9|nan|99999999999999999999|%x)(( |\n)([0-9]{1,2}|-1|2\\.5|1e300|x|é)){0,20}",
    ) {
        let _ = read(&format!("%%MatrixMarket matrix {banner}\n{body}\n"));
    }

    #[test]
    fn one_broken_byte_never_panics(at in 0usize..80, byte in any::<u8>()) {
        let mut bytes = b"%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 1 5\n2 3 1\n3 2 8\n".to_vec();
        let last = bytes.len() - 1;
        bytes[at.min(last)] = byte;
        let _ = read_matrix_market_from(&bytes[..]);
    }

    #[test]
    fn what_is_written_is_read_back(
        rows in 1usize..7,
        columns in 1usize..7,
        values in prop::collection::vec(prop_oneof![Just(0i64), 0i64..5, Just(1i64 << 31)], 36),
    ) {
        let values = values[..rows * columns].to_vec();
        let counts = Counts::dense(vec![rows, columns], values.clone()).unwrap();
        let mut text = Vec::new();
        write_matrix_market_to(&mut text, &counts).unwrap();
        let back = read_matrix_market_from(&text[..]).unwrap();
        prop_assert_eq!(back.shape(), counts.shape());
        prop_assert_eq!(back.to_dense().unwrap(), values);
    }
}
