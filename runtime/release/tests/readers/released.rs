//! Released values: of either sign, in every cell, in the formats of counts.

use expect_test::expect;
use skellam_release::counts::{Delimiter, Format, ReadOptions};
use skellam_release::release::{ReleasedValues, read_values, read_values_from};

use super::errors::texts;
use super::write::{Table, cells, gzip, npy};

fn of_options(bytes: &[u8], options: &ReadOptions) -> Result<ReleasedValues, String> {
    read_values_from(bytes, options).map_err(|error| error.to_string())
}

fn read(bytes: &[u8]) -> Result<ReleasedValues, String> {
    of_options(bytes, &cells())
}

/// But for bags of words, which have no signs.
#[test]
fn every_format_says_the_same() {
    let (shape, values) = ([2, 3], [4, -1, 9, -120, 7, 2]);
    let files = Table::new(&shape, &values).files(1);
    let files = files.into_iter().filter(|file| !file.name.starts_with("bag of words"));
    let mut read = 0;
    for file in files {
        let found = of_options(&file.bytes, &file.options).unwrap_or_else(|error| panic!("{}: {error}", file.name));
        assert_eq!(
            (&found.shape[..], &found.values[..]),
            (&shape[..], &values[..]),
            "{}",
            file.name
        );
        read += 1;
    }
    assert!(read >= 50, "{read} files");
    // Zeros are values, and stand where the others do.
    let values = [4, 0, 0, -120, 7, 0];
    let by_column = "%%MatrixMarket matrix array real general\n2 3\n4.0\n-120\n0\n7e0\n0\n0\n";
    for bytes in [npy("<f4", &shape, &values), by_column.as_bytes().to_vec()] {
        assert_eq!(self::read(&bytes).unwrap().values, values);
    }
}

#[test]
fn one_mode_three_modes_and_unsigned_types_are_read() {
    assert_eq!(read(b"0,-1\n1,2\n").unwrap().shape, [2]);
    assert_eq!(read(b"0,0,1,-1\n0,0,0,2\n").unwrap().values, [2, -1]);
    assert_eq!(read(&npy("<u2", &[3], &[1, 0, 65535])).unwrap().values, [1, 0, 65535]);
    let largest = 1 << 53;
    assert_eq!(
        read(&npy("<i8", &[2], &[largest, -largest])).unwrap().values,
        [largest, -largest]
    );
}

#[test]
fn a_file_that_does_not_open_says_so() {
    let error = read_values("/nowhere/released.csv", &cells()).unwrap_err();
    assert!(
        error.to_string().starts_with("cannot open /nowhere/released.csv"),
        "{error}"
    );
}

fn said(text: &str) -> String {
    said_of(text.as_bytes(), &cells())
}

fn said_of(bytes: &[u8], options: &ReadOptions) -> String {
    let message = of_options(bytes, options).err();
    message.unwrap_or_else(|| "no error".to_owned())
}

#[test]
fn every_cell_is_stated_once() {
    texts(
        said,
        expect![[r#"
            0,0,1\n0,1,2\n1,0,1\n
            -> cell (1, 1) has no value, and 3 of 4 cells have one: released values have every cell, zeros included; add those that are missing or correct the shape
            0,1,5\n
            -> cell (0, 0) has no value, and 1 of 2 cells have one: released values have every cell, zeros included; add those that are missing or correct the shape
            0,1\n2,1\n3,1\n
            -> cell (1) has no value, and 3 of 4 cells have one: released values have every cell, zeros included; add those that are missing or correct the shape
            0,0,1\n0,0,2\n
            -> line 2: entry (0, 0) was stated in line 1 already: state each cell once, or ask for the sum (`ReadOptions::add_up`; `--add-up`)
            %%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 -4\n
            -> cell (1, 2) has no value, and 1 of 4 cells have one: released values have every cell, zeros included; add those that are missing or correct the shape
            %%MatrixMarket matrix coordinate integer general\n1 1 1\n1 2 -4\n
            -> line 3, column 3: `2` is outside 1 to 1, the columns of the matrix; indices count from 1
            %%MatrixMarket matrix array integer general\n2 1\n-4\n
            -> line 4: the file ends after 1 of 2 entries: it was cut short; fetch it again
        "#]],
    );
}

/// A first line that is half numbers, a field that is empty, an index that is not a number.
#[test]
fn no_value_goes_lost() {
    texts(
        said,
        expect![[r#"
            2,5.x\n1,7\n0,-1\n
            -> line 1, column 3: `5.x` is not a released value, and not the last name of a header either, since this line has numbers
            2.0,5\n1,7\n0,-1\n
            -> line 1, column 1: `2.0` is not an index: a whole number without sign or point
            0,,5\n1,,6\n
            -> line 1, column 3: `` is not an index: a whole number without sign or point
            0,0,,-3\n
            -> line 1, column 5: `` is not an index: a whole number without sign or point
            0,0,1\n-1,0,2\n
            -> line 2, column 1: `-1` is below 0, the first index; correct the cell or the base of indices
        "#]],
    );
    assert_eq!(read(b"2,5.0\n1,7\n0,-1\n").unwrap().values, [-1, 7, 5]);
}

#[test]
fn values_are_whole_and_of_a_size() {
    texts(
        said,
        expect![[r#"
            0,2.5\n
            -> line 1, column 3: `2.5` is not a released value: a whole number from -2^53 to 2^53
            0,nan\n
            -> line 1, column 3: `nan` is not a released value: a whole number from -2^53 to 2^53
            0,x\n
            -> line 1, column 3: `x` is not a released value, and not the last name of a header either, since this line has numbers
            0,-9007199254740993\n
            -> line 1, column 3: `-9007199254740993` is not a released value: a whole number from -2^53 to 2^53
            0,123456789012345678901234567890\n
            -> line 1, column 3: `123456789012345678901234567890` is not a released value: a whole number from -2^53 to 2^53
            %%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 -4.0\n
            -> line 3, column 5: `-4.0` is not written as an integer, which the banner declares; declare `real`
        "#]],
    );
    expect!["byte 128: `18446744073709551615` at [0] is not a released value: a whole number from -2^53 to 2^53"]
        .assert_eq(&said_of(&npy("<u8", &[1], &[-1]), &cells()));
    expect!["byte 136: `-9223372036854775808` at [1] is not a released value: a whole number from -2^53 to 2^53"]
        .assert_eq(&said_of(&npy("<i8", &[2], &[0, i64::MIN]), &cells()));
}

#[test]
fn contradictions_are_refused() {
    let of_shape = |shape: &[usize]| ReadOptions {
        shape: Some(shape.to_vec()),
        ..cells()
    };
    let of_format = |format| ReadOptions {
        format: Some(format),
        ..cells()
    };
    let matrix = b"%%MatrixMarket matrix coordinate integer general\n2 1 2\n1 1 -4\n2 1 3\n";
    let array = npy("<i8", &[1], &[-1]);
    let messages = [
        said_of(matrix, &of_shape(&[3, 3])),
        said_of(b"0,1\n1,2\n", &of_shape(&[3])),
        said_of(b"0,1\n1,2\n", &of_format(Format::Npy)),
        said_of(&[&array[..], b"x"].concat(), &cells()),
        said_of(&array, &of_format(Format::Delimited(Delimiter::Comma))),
        said_of(&gzip(b"0,1\n")[..12], &cells()),
    ];
    expect![[r#"
        the file states shape [2, 1], but shape [3, 3] was given: leave the shape to the file or correct it
        cell (2) has no value, and 2 of 3 cells have one: released values have every cell, zeros included; add those that are missing or correct the shape
        byte 0: the file does not begin with `\x93NUMPY`: it is not a NumPy array; write it with `numpy.save`
        byte 136: more bytes follow the 1 values of the array: save one array in a file
        the file is a NumPy array: leave its format to the file
        line 1: reading stopped: the gzip stream is damaged or cut short (incomplete deflate stream); fetch the file again"#]].assert_eq(&messages.join("\n"));
    texts(
        said,
        expect![[r#"
            %%MatrixMarket matrix coordinate integer general\n3 3 9\n1 1 -4\n2 1 3\n
            -> line 5: the file ends after 2 of 9 entries: it was cut short; fetch it again
            %%MatrixMarket matrix coordinate integer general\n2 1 1\n1 1 -4\n2 1 3\n
            -> line 4 follows the last of the 1 declared entries; correct the line of sizes or drop it
        "#]],
    );
}

#[test]
fn what_has_no_values_is_refused() {
    assert!(said("").starts_with("the file is empty: a file of counts was expected"));
    texts(
        said,
        expect![[r#"
            i,j,value\n
            -> the file is empty: a line with indices and a count, or a shape (`ReadOptions::shape`), was expected; check that it was written completely
            %%MatrixMarket matrix coordinate integer general\n
            -> line 2: the file ends before the line of sizes; expected rows, columns and number of entries
            2\n2\n1\n1 1 1\n
            -> the format `bag-of-words` holds no released values: it has no signs and leaves zeros out; write every cell as CSV, Matrix Market or NumPy
            %%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n
            -> line 1, column 34: field `pattern` is not supported: use `integer` or `real` (with whole values), which state the value that was released
            %%MatrixMarket matrix coordinate integer symmetric\n1 1 1\n1 1 1\n
            -> line 1, column 42: symmetry `symmetric` is not supported: use `general`: each cell has noise of its own, and a mirrored one would have none
        "#]],
    );
}
