//! Matrix Market files: every kind that is read, and what is refused of banners, sizes and entries.

use expect_test::expect;
use skellam_release::counts::{Counts, Format, ReadError, ReadOptions, read_counts_from};

use super::errors::texts;

fn read(bytes: &[u8]) -> Result<Counts, ReadError> {
    let options = ReadOptions {
        format: Some(Format::MatrixMarket),
        ..ReadOptions::default()
    };
    read_counts_from(bytes, &options)
}

fn said(text: &str) -> String {
    let refused = read(text.as_bytes()).err();
    refused.map_or_else(|| "no error".to_owned(), |error| error.to_string())
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
        let counts = read(text.as_bytes()).unwrap();
        assert_eq!(counts.shape(), [2, 3], "{text}");
        assert_eq!(counts.to_dense().unwrap(), expected, "{text}");
    }
    let pattern = read(b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n").unwrap();
    assert_eq!(pattern.to_dense().unwrap(), [0, 1, 0, 1, 0, 0, 0, 0, 1]);
    // Comments older than UTF-8 do not matter.
    let latin = b"%%MatrixMarket matrix coordinate integer general\n% M\xfcller\n1 1 0\n";
    assert_eq!(read(latin).unwrap().total(), 0);
}

/// A line of counts is not shown.
#[test]
fn banners() {
    assert!(said("").starts_with("the file is empty: a Matrix Market banner was expected"));
    texts(
        said,
        expect![[r#"
            2 3 2\n
            -> line 1: `# # #` is not a Matrix Market banner: it reads `%%MatrixMarket matrix coordinate integer general`
            %%MatrixMarket matrix coordinate integer\n
            -> line 1: `%%MatrixMarket matrix coordinate integer` is not a Matrix Market banner: it reads `%%MatrixMarket matrix coordinate integer general`
            %%Matrix matrix coordinate integer general\n
            -> line 1: `%%Matrix matrix coordinate integer gener...` is not a Matrix Market banner: it reads `%%MatrixMarket matrix coordinate integer general`
            %%MatrixMarket vector coordinate integer general\n
            -> line 1, column 16: object `vector` is not supported: use `matrix`
            %%MatrixMarket matrix elemental integer general\n
            -> line 1, column 23: format `elemental` is not supported: use `coordinate` or `array`
            %%MatrixMarket matrix coordinate complex general\n
            -> line 1, column 34: field `complex` is not supported: use `integer`, `unsigned-integer`, `real` (with whole values) or, for `coordinate`, `pattern`
            %%MatrixMarket matrix coordinate integer hermitian\n
            -> line 1, column 42: symmetry `hermitian` is not supported: use `general` or `symmetric`: counts have no other mirror images
            %%MatrixMarket matrix coordinate integer skew-symmetric\n
            -> line 1, column 42: symmetry `skew-symmetric` is not supported: use `general` or `symmetric`: counts have no other mirror images
            %%MatrixMarket matrix array pattern general\n
            -> line 1, column 29: field `pattern` is not supported: use `integer`, `unsigned-integer`, `real` (with whole values) or, for `coordinate`, `pattern`
            %%MatrixMarket matrix array integer hermitian\n
            -> line 1, column 37: symmetry `hermitian` is not supported: use `general` or `symmetric`: counts have no other mirror images
        "#]],
    );
}

/// Two thousand million squared cells would take exabytes: a lying header reserves nothing.
#[test]
fn sizes_and_entries() {
    texts(
        |rest| said(&format!("%%MatrixMarket matrix coordinate integer general\n{rest}")),
        expect![[r#"
            % only this\n
            -> line 3: the file ends before the line of sizes; expected rows, columns and number of entries
            2 3\n
            -> line 2 has 2 parts; expected rows, columns and number of entries
            2 99999999999999999999 1\n
            -> line 2, column 3: `99999999999999999999` is too large for a size
            -2 3 1\n
            -> line 2, column 1: `-2` is not a size: a whole number without sign
            0 3 0\n
            -> line 2: mode 0 of shape [0, 3] has size 0: every mode needs at least one cell
            4294967296 4294967296 0\n
            -> line 2: shape [4294967296, 4294967296] has more than 18446744073709551615 cells: its positions cannot be numbered; split the data
            2 3 7\n
            -> line 2: 7 entries are declared, but 2 x 3 has room for 6; correct the sizes
            2000000000 2000000000 4000000000000000000\n1 1 1\n
            -> line 4: the file ends after 1 of 4000000000000000000 entries: it was cut short; fetch it again
            2 3 1\n3 1 1\n
            -> line 3, column 1: `3` is outside 1 to 2, the rows of the matrix; indices count from 1
            2 3 1\n0 1 1\n
            -> line 3, column 1: `0` is outside 1 to 2, the rows of the matrix; indices count from 1
            2 3 1\n-1 1 1\n
            -> line 3, column 1: `-1` is outside 1 to 2, the rows of the matrix; indices count from 1
            2 3 1\n1 99999999999999999999999 1\n
            -> line 3, column 3: `99999999999999999999999` is outside 1 to 3, the columns of the matrix; indices count from 1
            2 3 1\n1 1 -4\n
            -> line 3, column 5: `-4` is negative; counts are not
            2 3 1\n1 1 -4.0\n
            -> line 3, column 5: `-4.0` is negative; counts are not
            2 3 1\n1 1  2.5\n
            -> line 3, column 6: `2.5` is not whole; counts are
            2 3 1\n1 1 nan\n
            -> line 3, column 5: `nan` is not finite; leave the entry out, or hold the cell out
            2 3 1\n1 1 inf\n
            -> line 3, column 5: `inf` is not finite; leave the entry out, or hold the cell out
            2 3 1\n1 1 2147483649\n
            -> line 3, column 5: `2147483649` is above 2^31, the largest count that is supported
            2 3 1\n1 1 123456789012345678901234567890\n
            -> line 3, column 5: `123456789012345678901234567890` is above 2^31, the largest count that is supported
            2 3 1\n1 1 2.0\n
            -> line 3, column 5: `2.0` is not written as an integer, which the banner declares; declare `real`
            2 3 1\n1 1 +\n
            -> line 3, column 5: `+` is not a count
            2 3 1\nx 1 1\n
            -> line 3, column 1: `x` is not an index: a whole number from 1
            2 3 1\n1 1\n
            -> line 3 has 2 parts; expected row, column and count
            2 3 3\n1 1 1\n1 2 1\n
            -> line 5: the file ends after 2 of 3 entries: it was cut short; fetch it again
            2 3 1\n1 1 1\n\n1 2 1\n
            -> line 5 follows the last of the 1 declared entries; correct the line of sizes or drop it
            2 3 3\n2 2 1\n1 1 1\n% note\n2 2 0\n
            -> line 6: entry (2, 2) was stated in line 3 already: state each cell once, or ask for the sum (`ReadOptions::add_up`; `--add-up`)
        "#]],
    );
    texts(
        |rest| said(&format!("%%MatrixMarket matrix {rest}")),
        expect![[r#"
            coordinate integer symmetric\n2 3 1\n1 1 1\n
            -> line 2: a symmetric matrix is square, but the sizes are 2 and 3; write it as `general`
            coordinate integer symmetric\n3 3 7\n
            -> line 2: 7 entries are declared, but 3 x 3 has room for 6; correct the sizes
            coordinate integer symmetric\n3 3 1\n1 2 1\n
            -> line 3: entry (1, 2) lies above the diagonal: a symmetric file states the lower triangle only; drop it or write `general`
            array integer general\n2000000000 2000000000\n1\n
            -> line 4: the file ends after 1 of 4000000000000000000 entries: it was cut short; fetch it again
        "#]],
    );
}
