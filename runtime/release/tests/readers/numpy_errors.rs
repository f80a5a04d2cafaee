//! NumPy files that are refused, and how.

use expect_test::{Expect, expect};
use skellam_release::counts::{Format, ReadOptions};

use super::errors::{bytes, refused_by};
use super::write::{cells, npy, npy_header};

#[track_caller]
fn header(dictionary: &str, expected: Expect) {
    refused_by(&npy_header(dictionary), &cells(), expected);
}

#[test]
fn headers_of_numpy_arrays() {
    header(
        "{'descr': '<c16', 'fortran_order': False, 'shape': (2, 2), }",
        expect!["byte 10: values of type `<c16` are not read as counts: save `array.astype('int64')`"],
    );
    header(
        "{'descr': [('a', '<i8')], 'fortran_order': False, 'shape': (2,), }",
        expect!["byte 10: values of type `[...]` are not read as counts: save `array.astype('int64')`"],
    );
    header(
        "{'descr': '|i8', 'fortran_order': False, 'shape': (2, 2), }",
        expect!["byte 10: values of type `|i8` are not read as counts: save `array.astype('int64')`"],
    );
    header(
        "{'descr': '<i8', 'fortran_order': False, 'shape': (), }",
        expect!["byte 10: the shape is empty: give the size of at least one mode, such as `[documents, words]`"],
    );
    header(
        "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 0), }",
        expect!["byte 10: mode 1 of shape [2, 0] has size 0: every mode needs at least one cell"],
    );
    header(
        "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 9223372036854775808), }",
        expect![
            "byte 10: shape [2, 9223372036854775808] has more than 18446744073709551615 cells: its positions cannot be numbered; split the data"
        ],
    );
    header(
        "{'descr': '<i8', 'fortran_order': False, 'shape': (-2,), }",
        expect![[
            r#"byte 10: the header `{'descr': '<i8', 'fortran_order': False, 'shape': (-2,), }` is damaged: invalid value: integer `-2`, expected usize; write the array with `numpy.save`"#
        ]],
    );
    header(
        "{'descr': '<i8', 'fortran_order': False, 'shape': (2; 3), }",
        expect![[
            r#"byte 10: the header `{'descr': '<i8', 'fortran_order': False, 'shape': (2; 3), }` is damaged: expected `,` or `]`; write the array with `numpy.save`"#
        ]],
    );
    header(
        "{'descr': '<i8', 'fortran_order': maybe, 'shape': (2,), }",
        expect![[
            r#"byte 10: the header `{'descr': '<i8', 'fortran_order': maybe, 'shape': (2,), }` is damaged: expected value; write the array with `numpy.save`"#
        ]],
    );
    header(
        "{'descr': '<i8', 'fortran_order': False}",
        expect![[
            r#"byte 10: the header `{'descr': '<i8', 'fortran_order': False}` is damaged: missing field `shape`; write the array with `numpy.save`"#
        ]],
    );
    header(
        "{'descr': '<i8', 'descr': '<i8'}",
        expect![[
            r#"byte 10: the header `{'descr': '<i8', 'descr': '<i8'}` is damaged: duplicate field `descr`; write the array with `numpy.save`"#
        ]],
    );
    header(
        "{'descr' '<i8'}",
        expect![[
            r#"byte 10: the header `{'descr' '<i8'}` is damaged: expected `:`; write the array with `numpy.save`"#
        ]],
    );
    header(
        "{descr: '<i8'}",
        expect![[
            r#"byte 10: the header `{descr: '<i8'}` is damaged: key must be a string; write the array with `numpy.save`"#
        ]],
    );
    header(
        "{'descr': '<i8' 'shape'",
        expect![[
            r#"byte 10: the header `{'descr': '<i8' 'shape'` is damaged: expected `,` or `}`; write the array with `numpy.save`"#
        ]],
    );
    header(
        "{'descr': '<i8', 'fortran_order': False, 'shape': (2,)} x",
        expect![[
            r#"byte 10: the header `{'descr': '<i8', 'fortran_order': False, 'shape': (2,)} x` is damaged: trailing characters; write the array with `numpy.save`"#
        ]],
    );
    header(
        &"(".repeat(60_000),
        expect![[
            r#"byte 10: the header `((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((` is damaged: recursion limit exceeded; write the array with `numpy.save`"#
        ]],
    );
}

#[test]
fn numpy_files_before_their_header() {
    bytes(
        b"\x93NUMPY",
        expect!["byte 6: the file ends within its header: it was cut short; fetch it again"],
    );
    bytes(
        b"\x93NUMPY\x07\x00",
        expect![
            "byte 6: version 7.0 of the format is not supported: versions 1.0, 2.0 and 3.0 are; write it with `numpy.save`"
        ],
    );
    bytes(
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
        expect![
            "byte 8: the header is said to be 4294967295 bytes long, above 65536: the file is damaged, or holds a structure and not an array of counts"
        ],
    );
    bytes(
        b"\x93NUMPY\x01\x00\x40\x00{'descr'",
        expect!["byte 18: the file ends within its header: it was cut short; fetch it again"],
    );
    let options = ReadOptions {
        format: Some(Format::Npy),
        ..cells()
    };
    refused_by(
        b"0,1,2\n",
        &options,
        expect![[
            r#"byte 0: the file does not begin with `\x93NUMPY`: it is not a NumPy array; write it with `numpy.save`"#
        ]],
    );
}

#[test]
fn values_of_numpy_arrays() {
    bytes(
        &npy("<i8", &[2, 2], &[0, 1, -5, 2]),
        expect!["byte 144: `-5` at [1, 0] is negative; counts are not"],
    );
    bytes(
        &npy(">i2", &[2], &[0, -1]),
        expect!["byte 130: `-1` at [1] is negative; counts are not"],
    );
    bytes(
        &npy("<u8", &[1], &[-1]),
        expect!["byte 128: `18446744073709551615` at [0] is above 2^31, the largest count that is supported"],
    );
    bytes(
        &npy("|b1", &[2], &[1, 2]),
        expect!["byte 129: `2` at [1] is not a truth value, 0 or 1"],
    );
    let real = |value: f64| {
        let mut file = npy("<f8", &[1, 1], &[0]);
        let at = file.len() - 8;
        file[at..].copy_from_slice(&value.to_le_bytes());
        file
    };
    bytes(
        &real(0.5),
        expect!["byte 128: `0.5` at [0, 0] is not whole; counts are"],
    );
    bytes(
        &real(f64::NAN),
        expect!["byte 128: `NaN` at [0, 0] is not finite; leave the entry out, or hold the cell out"],
    );
    bytes(
        &real(-1.0),
        expect!["byte 128: `-1.0` at [0, 0] is negative; counts are not"],
    );
    bytes(
        &real(1e300),
        expect!["byte 128: `1e300` at [0, 0] is above 2^31, the largest count that is supported"],
    );
    let whole = npy("<i4", &[2, 2], &[0, 1, 2, 3]);
    bytes(
        &whole[..whole.len() - 1],
        expect!["the file ends after 3 of 4 values: it was cut short; fetch it again"],
    );
    bytes(
        &[&whole[..], b"x"].concat(),
        expect!["byte 144: more bytes follow the 4 values of the array: save one array in a file"],
    );
    bytes(
        &npy("<i8", &[1 << 40, 1 << 20], &[]),
        expect!["the file ends after 0 of 1152921504606846976 values: it was cut short; fetch it again"],
    );
    let options = ReadOptions {
        shape: Some(vec![4]),
        ..cells()
    };
    refused_by(
        &whole,
        &options,
        expect!["the file states shape [2, 2], but shape [4] was given: leave the shape to the file or correct it"],
    );
}
