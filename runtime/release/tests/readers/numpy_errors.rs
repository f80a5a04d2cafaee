//! NumPy files that are refused, and how.

use expect_test::expect;
use skellam_release::counts::{Format, ReadOptions};

use super::errors::{files, refusal, texts};
use super::write::{cells, npy, npy_header};

#[test]
fn headers_of_numpy_arrays() {
    let say = |dictionary: &str| refusal(&npy_header(dictionary), &cells());
    texts(
        say,
        expect![[r#"
            {'descr': '<c16', 'fortran_order': False, 'shape': (2, 2), }
            -> byte 10: values of type `<c16` are not read as counts: save `array.astype('int64')`
            {'descr': [('a', '<i8')], 'fortran_order': False, 'shape': (2,), }
            -> byte 10: values of type `[...]` are not read as counts: save `array.astype('int64')`
            {'descr': '|i8', 'fortran_order': False, 'shape': (2, 2), }
            -> byte 10: values of type `|i8` are not read as counts: save `array.astype('int64')`
            {'descr': '<i8', 'fortran_order': False, 'shape': (), }
            -> byte 10: the shape is empty: give the size of at least one mode, such as `[documents, words]`
            {'descr': '<i8', 'fortran_order': False, 'shape': (2, 0), }
            -> byte 10: mode 1 of shape [2, 0] has size 0: every mode needs at least one cell
            {'descr': '<i8', 'fortran_order': False, 'shape': (2, 9223372036854775808), }
            -> byte 10: shape [2, 9223372036854775808] has more than 18446744073709551615 cells: its positions cannot be numbered; split the data
            {'descr': '<i8', 'fortran_order': False, 'shape': (-2,), }
            -> byte 10: the header `{'descr': '<i8', 'fortran_order': False, 'shape': (-2,), }` is damaged: invalid value: integer `-2`, expected usize; write the array with `numpy.save`
            {'descr': '<i8', 'fortran_order': False, 'shape': (2; 3), }
            -> byte 10: the header `{'descr': '<i8', 'fortran_order': False, 'shape': (2; 3), }` is damaged: expected `,` or `]`; write the array with `numpy.save`
            {'descr': '<i8', 'fortran_order': maybe, 'shape': (2,), }
            -> byte 10: the header `{'descr': '<i8', 'fortran_order': maybe, 'shape': (2,), }` is damaged: expected value; write the array with `numpy.save`
            {'descr': '<i8', 'fortran_order': False}
            -> byte 10: the header `{'descr': '<i8', 'fortran_order': False}` is damaged: missing field `shape`; write the array with `numpy.save`
            {'descr': '<i8', 'descr': '<i8'}
            -> byte 10: the header `{'descr': '<i8', 'descr': '<i8'}` is damaged: duplicate field `descr`; write the array with `numpy.save`
            {'descr' '<i8'}
            -> byte 10: the header `{'descr' '<i8'}` is damaged: expected `:`; write the array with `numpy.save`
            {descr: '<i8'}
            -> byte 10: the header `{descr: '<i8'}` is damaged: key must be a string; write the array with `numpy.save`
            {'descr': '<i8' 'shape'
            -> byte 10: the header `{'descr': '<i8' 'shape'` is damaged: expected `,` or `}`; write the array with `numpy.save`
            {'descr': '<i8', 'fortran_order': False, 'shape': (2,)} x
            -> byte 10: the header `{'descr': '<i8', 'fortran_order': False, 'shape': (2,)} x` is damaged: trailing characters; write the array with `numpy.save`
        "#]],
    );
    let deep = say(&"(".repeat(60_000));
    assert!(
        deep.ends_with("((` is damaged: recursion limit exceeded; write the array with `numpy.save`"),
        "{deep}"
    );
    assert!(deep.len() < 250, "{deep}");
}

#[test]
fn numpy_files_before_their_header() {
    files(
        &[
            ("magic alone", b"\x93NUMPY".to_vec()),
            ("version 7", b"\x93NUMPY\x07\x00".to_vec()),
            ("a long header", b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec()),
            ("a short header", b"\x93NUMPY\x01\x00\x40\x00{'descr'".to_vec()),
        ],
        &cells(),
        expect![[r#"
            magic alone
            -> byte 6: the file ends within its header: it was cut short; fetch it again
            version 7
            -> byte 6: version 7.0 of the format is not supported: versions 1.0, 2.0 and 3.0 are; write it with `numpy.save`
            a long header
            -> byte 8: the header is said to be 4294967295 bytes long, above 65536: the file is damaged, or holds a structure and not an array of counts
            a short header
            -> byte 18: the file ends within its header: it was cut short; fetch it again
        "#]],
    );
    let options = ReadOptions {
        format: Some(Format::Npy),
        ..cells()
    };
    expect![[
        r#"byte 0: the file does not begin with `\x93NUMPY`: it is not a NumPy array; write it with `numpy.save`"#
    ]]
    .assert_eq(&refusal(b"0,1,2\n", &options));
}

#[test]
fn values_of_numpy_arrays() {
    let real = |value: f64| {
        let mut file = npy("<f8", &[1, 1], &[0]);
        let at = file.len() - 8;
        file[at..].copy_from_slice(&value.to_le_bytes());
        file
    };
    let whole = npy("<i4", &[2, 2], &[0, 1, 2, 3]);
    files(
        &[
            ("negative", npy("<i8", &[2, 2], &[0, 1, -5, 2])),
            ("negative, the other order", npy(">i2", &[2], &[0, -1])),
            ("large", npy("<u8", &[1], &[-1])),
            ("no truth value", npy("|b1", &[2], &[1, 2])),
            ("a half", real(0.5)),
            ("no number", real(f64::NAN)),
            ("negative real", real(-1.0)),
            ("large real", real(1e300)),
            ("cut short", whole[..whole.len() - 1].to_vec()),
            ("and more", [&whole[..], b"x"].concat()),
            ("vast", npy("<i8", &[1 << 40, 1 << 20], &[])),
        ],
        &cells(),
        expect![[r#"
            negative
            -> byte 144: `-5` at [1, 0] is negative; counts are not
            negative, the other order
            -> byte 130: `-1` at [1] is negative; counts are not
            large
            -> byte 128: `18446744073709551615` at [0] is above 2^31, the largest count that is supported
            no truth value
            -> byte 129: `2` at [1] is not a truth value, 0 or 1
            a half
            -> byte 128: `0.5` at [0, 0] is not whole; counts are
            no number
            -> byte 128: `NaN` at [0, 0] is not finite; leave the entry out, or hold the cell out
            negative real
            -> byte 128: `-1.0` at [0, 0] is negative; counts are not
            large real
            -> byte 128: `1e300` at [0, 0] is above 2^31, the largest count that is supported
            cut short
            -> the file ends after 3 of 4 values: it was cut short; fetch it again
            and more
            -> byte 144: more bytes follow the 4 values of the array: save one array in a file
            vast
            -> the file ends after 0 of 1152921504606846976 values: it was cut short; fetch it again
        "#]],
    );
    let options = ReadOptions {
        shape: Some(vec![4]),
        ..cells()
    };
    expect!["the file states shape [2, 2], but shape [4] was given: leave the shape to the file or correct it"]
        .assert_eq(&refusal(&whole, &options));
}
