//! Tests of the reader.

use crate::counts::{Counts, Place, ReadError, read_matrix_market_from};

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

#[track_caller]
fn refused(result: Result<Counts, ReadError>, expected: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.starts_with(expected), "{message}");
}

#[test]
fn bad_banners_say_what_is_wrong() {
    refused(read(""), "the file is empty: a Matrix Market banner was expected");
    for text in [
        "2 3 2\n",
        "%%MatrixMarket matrix coordinate integer\n",
        "%%Matrix matrix coordinate integer general\n",
    ] {
        // A line of counts is not shown.
        let line = text.trim().replace(|c: char| c.is_ascii_digit(), "#");
        refused(read(text), &format!("line 1: `{}", &line[..line.len().min(40)]));
    }
    for (text, part, column) in [
        ("vector coordinate integer general", "object `vector`", 16),
        ("matrix elemental integer general", "format `elemental`", 23),
        ("matrix coordinate complex general", "field `complex`", 34),
        ("matrix coordinate integer hermitian", "symmetry `hermitian`", 42),
        (
            "matrix coordinate integer skew-symmetric",
            "symmetry `skew-symmetric`",
            42,
        ),
        ("matrix array pattern general", "field `pattern`", 29),
        ("matrix array integer hermitian", "symmetry `hermitian`", 37),
    ] {
        let read = read(&format!("%%MatrixMarket {text}\n1 1 0\n"));
        refused(read, &format!("line 1, column {column}: {part} is not supported: use"));
    }
}

#[test]
fn bad_sizes_say_what_is_wrong() {
    for (rest, expected) in [
        ("% only this\n", "line 3: the file ends before the line of sizes"),
        (
            "2 3\n",
            "line 2 has 2 parts; expected rows, columns and number of entries",
        ),
        (
            "2 99999999999999999999 1\n",
            "line 2, column 3: `99999999999999999999` is too large for a size",
        ),
        ("-2 3 1\n", "line 2, column 1: `-2` is not a size"),
        ("0 3 0\n", "line 2: mode 0 of shape [0, 3] has size 0"),
        (
            "4294967296 4294967296 0\n",
            "line 2: shape [4294967296, 4294967296] has more than",
        ),
        ("2 3 7\n", "line 2: 7 entries are declared, but 2 x 3 has room for 6"),
    ] {
        refused(coordinate(rest), expected);
    }
    for (rest, expected) in [
        (
            "2 3 1\n1 1 1\n",
            "line 2: a symmetric matrix is square, but the sizes are 2 and 3",
        ),
        ("3 3 7\n", "line 2: 7 entries are declared, but 3 x 3 has room for 6"),
        ("3 3 1\n1 2 1\n", "line 3: entry (1, 2) lies above the diagonal"),
    ] {
        let symmetric = "%%MatrixMarket matrix coordinate integer symmetric\n";
        refused(read(&format!("{symmetric}{rest}")), expected);
    }
}

#[test]
fn a_lying_header_reserves_nothing() {
    // Two billion squared cells would take exabytes.
    let sizes = "2000000000 2000000000 4000000000000000000\n1 1 1\n";
    refused(
        coordinate(sizes),
        "line 4: the file ends after 1 of 4000000000000000000 entries",
    );
    let array = read("%%MatrixMarket matrix array integer general\n2000000000 2000000000\n1\n");
    refused(array, "line 4: the file ends after 1 of");
}

#[test]
fn bad_entries_carry_line_column_and_token() {
    let rows = "is outside 1 to 2, the rows of the matrix; indices count from 1";
    let columns = "is outside 1 to 3, the columns of the matrix; indices count from 1";
    let negative = "is negative; counts are not";
    let not_finite = "is not finite; leave the entry out, or hold the cell out";
    let too_large = "is above 2^31, the largest count that is supported";
    for (entry, wanted_column, wanted_token, wanted) in [
        ("3 1 1", 1, "3", rows),
        ("0 1 1", 1, "0", rows),
        ("-1 1 1", 1, "-1", rows),
        ("1 99999999999999999999999 1", 3, "99999999999999999999999", columns),
        ("1 1 -4", 5, "-4", negative),
        ("1 1 -4.0", 5, "-4.0", negative),
        ("1 1  2.5", 6, "2.5", "is not whole; counts are"),
        ("1 1 nan", 5, "nan", not_finite),
        ("1 1 inf", 5, "inf", not_finite),
        ("1 1 2147483649", 5, "2147483649", too_large),
        (
            "1 1 123456789012345678901234567890",
            5,
            "123456789012345678901234567890",
            too_large,
        ),
        (
            "1 1 2.0",
            5,
            "2.0",
            "is not written as an integer, which the banner declares",
        ),
        ("1 1 +", 5, "+", "is not a count"),
        ("x 1 1", 1, "x", "is not an index: a whole number from 1"),
    ] {
        match coordinate(&format!("2 3 1\n{entry}\n")) {
            Err(ReadError::Token {
                at: Place::Column { line: 3, column },
                token,
                what,
            }) => {
                assert_eq!((column, token.as_str()), (wanted_column, wanted_token), "{entry}");
                assert!(what.starts_with(wanted), "{entry}: {what}");
            }
            other => panic!("{entry}: {other:?}"),
        }
    }
    refused(
        coordinate("2 3 1\n1 1\n"),
        "line 3 has 2 parts; expected row, column and count",
    );
    let error = coordinate("2 3 1\n1 1 -4\n").unwrap_err().to_string();
    assert_eq!(error, "line 3, column 5: `-4` is negative; counts are not");
}

#[test]
fn too_few_too_many_and_twice() {
    refused(
        coordinate("2 3 3\n1 1 1\n1 2 1\n"),
        "line 5: the file ends after 2 of 3 entries",
    );
    refused(
        coordinate("2 3 1\n1 1 1\n\n1 2 1\n"),
        "line 5 follows the last of the 1 declared entries",
    );
    refused(
        coordinate("2 3 3\n2 2 1\n1 1 1\n% note\n2 2 0\n"),
        "line 6: entry (2, 2) was stated in line 3 already",
    );
}
