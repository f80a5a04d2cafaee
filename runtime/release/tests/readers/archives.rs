//! NumPy archives: sparse matrices as SciPy saves them, single arrays, and what is neither. Arrays in Fortran order.

use std::io::Write;

use expect_test::expect;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use skellam_release::counts::{CountSlices, Format, ReadOptions, read_counts_from};

use super::both::both;
use super::errors::{self, refusal};
use super::write::{Table, cells, gzip, npy, npy_header};

/// A zip archive of these entries, deflated or stored, and what the headers say of their lengths.
fn zip(entries: &[(&str, Vec<u8>)], deflated: bool) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in entries {
        let mut crc = Crc::new();
        crc.update(bytes);
        let mut stored = bytes.clone();
        if deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(bytes).unwrap();
            stored = encoder.finish().unwrap();
        }
        // Version, flags, method, time, date.
        let mut header = [20u16, 0, if deflated { 8 } else { 0 }, 0, 33]
            .map(u16::to_le_bytes)
            .concat();
        header.extend(
            [crc.sum(), stored.len() as u32, bytes.len() as u32]
                .map(u32::to_le_bytes)
                .concat(),
        );
        header.extend([name.len() as u16, 0].map(u16::to_le_bytes).concat());
        directory.extend([b"PK\x01\x02\x14\x00", &header[..]].concat());
        directory.extend([0u8; 10]);
        directory.extend((file.len() as u32).to_le_bytes());
        directory.extend(name.bytes());
        file.extend([b"PK\x03\x04", &header[..], name.as_bytes(), &stored].concat());
    }
    let (start, length, number) = (file.len() as u32, directory.len() as u32, entries.len() as u16);
    file.extend(directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([number, number].map(u16::to_le_bytes).concat());
    file.extend([length, start].map(u32::to_le_bytes).concat());
    file.extend([0, 0]);
    file
}

fn text(descr: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (), }}");
    [npy_header(&header), bytes.to_vec()].concat()
}

fn list(values: &[i64]) -> Vec<u8> {
    npy("<i4", &[values.len()], values)
}

type Parts = Vec<(&'static str, Vec<u8>)>;

/// `[[0, 2, 0], [1, 0, 5]]` in each format; the second stands for `coo_array` of any number of modes.
fn matrices() -> [Parts; 4] {
    let shape = || ("shape.npy", npy("<i8", &[2], &[2, 3]));
    let of = |format: &[u8]| ("format.npy", text("|S3", format));
    [
        vec![
            ("indices.npy", list(&[1, 0, 2])),
            ("indptr.npy", list(&[0, 1, 3])),
            of(b"csr"),
            shape(),
            ("data.npy", list(&[2, 1, 5])),
        ],
        vec![
            ("coords.npy", npy("<i4", &[2, 3], &[0, 1, 1, 1, 0, 2])),
            of(b"coo"),
            shape(),
            ("data.npy", npy("<f8", &[3], &[2, 1, 5])),
            ("_is_array.npy", text("|b1", &[1])),
        ],
        vec![
            ("row.npy", list(&[0, 1, 1])),
            ("col.npy", list(&[1, 0, 2])),
            of(b"coo"),
            shape(),
            ("data.npy", npy("<u4", &[3], &[2, 1, 5])),
        ],
        vec![
            ("indices.npy", list(&[1, 0, 1])),
            ("indptr.npy", npy("<i8", &[4], &[0, 1, 2, 3])),
            ("format.npy", text("<U3", b"c\0\0\0s\0\0\0c\0\0\0")),
            shape(),
            ("data.npy", npy("|u1", &[3], &[1, 2, 5])),
        ],
    ]
}

#[test]
fn sparse_matrices_of_scipy_are_read() {
    let table = Table::new(&[2, 3], &[0, 2, 0, 1, 0, 5]);
    for parts in matrices() {
        for deflated in [true, false] {
            let file = zip(&parts, deflated);
            assert_eq!(both(&file, &ReadOptions::default()).unwrap(), table);
            assert!(read_counts_from(&file[..], &cells()).unwrap().is_sparse());
            let slices = CountSlices::from_bytes(&file[..], &cells()).unwrap();
            assert_eq!((slices.format(), slices.shape_from_data()), (Format::Npz, false));
        }
    }
    let three: Parts = vec![
        ("coords.npy", npy("<i4", &[3, 2], &[0, 1, 1, 1, 0, 1])),
        ("format.npy", text("|S3", b"coo")),
        ("shape.npy", npy("<i8", &[3], &[2, 2, 2])),
        ("data.npy", list(&[1, 2])),
    ];
    assert_eq!(
        both(&zip(&three, true), &cells()).unwrap(),
        Table::new(&[2, 2, 2], &[0, 0, 1, 0, 0, 0, 0, 2])
    );
}

#[test]
fn an_archive_of_one_array_is_read() {
    let file = zip(&[("counts.npy", npy("<i8", &[2, 2], &[1, 2, 3, 4]))], true);
    assert_eq!(both(&file, &cells()).unwrap(), Table::new(&[2, 2], &[1, 2, 3, 4]));
}

/// What `DataFrame.values` is, saved.
#[test]
fn arrays_in_fortran_order_are_read() {
    let by_columns = |shape: &[usize], stored: &[i64]| {
        let file = npy("<i8", shape, stored);
        let at = file.windows(5).position(|part| part == b"False").unwrap();
        let mut file = file;
        file.splice(at..at + 5, b"True ".iter().copied());
        file
    };
    let file = by_columns(&[4, 3], &[2, 0, 4, 0, 0, 3, 0, 0, 1, 0, 0, 5]);
    let table = Table::new(&[4, 3], &[2, 0, 1, 0, 3, 0, 4, 0, 0, 0, 0, 5]);
    assert_eq!(both(&file, &cells()).unwrap(), table);
    // Three modes: the value at [i, j, k] is 100 i + 10 j + k.
    let value = |at: [usize; 3]| (100 * at[0] + 10 * at[1] + at[2]) as i64;
    let all = |first: bool| -> Vec<i64> {
        let index = |n: usize| match first {
            true => [n % 2, n / 2 % 3, n / 6],
            false => [n / 12, n / 4 % 3, n % 4],
        };
        (0..24).map(|n| value(index(n))).collect()
    };
    let file = by_columns(&[2, 3, 4], &all(true));
    assert_eq!(both(&file, &cells()).unwrap(), Table::new(&[2, 3, 4], &all(false)));
    expect!["byte 144: `-5` at [0, 1] is negative; counts are not"]
        .assert_eq(&refusal(&by_columns(&[2, 2], &[0, 1, -5, 2]), &cells()));
}

#[test]
fn what_scipy_writes_as_matrix_market_is_read() {
    for (banner, body) in [
        ("array integer symmetric", "3 3\n0\n2\n1\n0\n3\n7\n"),
        ("array unsigned-integer SYMMETRIC", "3 3\n0\n2\n1\n0\n3\n7\n"),
        ("array Unsigned-Integer general", "3 3\n0\n2\n1\n2\n0\n3\n1\n3\n7\n"),
        (
            "coordinate unsigned-integer symmetric",
            "3 3 4\n2 1 2\n3 1 1\n3 2 3\n3 3 7\n",
        ),
    ] {
        let file = format!("%%MatrixMarket matrix {banner}\n%\n{body}");
        let table = Table::new(&[3, 3], &[0, 2, 1, 2, 0, 3, 1, 3, 7]);
        assert_eq!(both(file.as_bytes(), &cells()).unwrap(), table, "{banner}");
    }
}

#[test]
fn repeated_entries_add_up_on_request() {
    let twice: Parts = vec![
        ("row.npy", list(&[0, 1, 0])),
        ("col.npy", list(&[1, 0, 1])),
        ("format.npy", text("|S3", b"coo")),
        ("shape.npy", npy("<i8", &[2], &[2, 2])),
        ("data.npy", list(&[2, 1, 5])),
    ];
    let matrix = b"%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 2 2\n2 1 1\n1 2 5\n";
    let files = [
        zip(&twice, true),
        matrix.to_vec(),
        b"i,j,n\n0,1,2\n1,0,1\n0,1,5\n".to_vec(),
        b"i,j,n\n0,1,2\n0,1,5\n1,0,1\n".to_vec(),
    ];
    let added = ReadOptions {
        add_up: true,
        ..ReadOptions::default()
    };
    for file in files {
        assert_eq!(both(&file, &added).unwrap(), Table::new(&[2, 2], &[0, 7, 1, 0]));
        let refused = read_counts_from(&file[..], &cells()).unwrap_err().to_string();
        assert!(refused.contains("or ask for the sum"), "{refused}");
    }
    // Many times over, in order and not.
    let lines: String = (0..50).map(|n| format!("{},{},1\n", n / 25, n % 2)).collect();
    let backwards: String = lines.lines().rev().map(|line| format!("{line}\n")).collect();
    for lines in [lines, backwards] {
        let file = format!("i,j,n\n{lines}");
        assert_eq!(
            both(file.as_bytes(), &added).unwrap(),
            Table::new(&[2, 2], &[13, 12, 12, 13])
        );
    }
    expect!["line 3: the values of entry (0, 0) add up to more than 2^31, the largest count"]
        .assert_eq(&refusal(b"i,j,n\n0,0,2147483648\n0,0,1\n", &added));
}

/// One of the parts is another.
fn with(part: &'static str, bytes: Vec<u8>) -> Parts {
    let [mut parts, ..] = matrices();
    parts.retain(|(name, _)| *name != part);
    parts.push((part, bytes));
    parts
}

#[test]
fn archives_that_are_refused() {
    let [parts, ..] = matrices();
    let whole = zip(&parts, false);
    let header = npy_header("{'descr': '<i8', 'fortran_order': False, 'shape': (1099511627776, 8), }");
    let archives = [
        ("two arrays", vec![("a.npy", list(&[1])), ("b/c.npy", list(&[2]))]),
        ("another format", with("format.npy", text("|S3", b"bsr"))),
        ("a large index", with("indices.npy", list(&[1, 0, 3]))),
        ("a negative index", with("indices.npy", list(&[1, 0, -2]))),
        ("rows out of order", with("indptr.npy", list(&[0, 4, 3]))),
        ("too few rows", with("indptr.npy", list(&[0, 3]))),
        ("too few values", with("data.npy", list(&[2, 1]))),
        ("a negative value", with("data.npy", list(&[2, 1, -5]))),
        ("objects", with("data.npy", text("|O", b""))),
        ("no indices", parts[1..].to_vec()),
        ("no arrays", vec![("readme.txt", b"counts".to_vec())]),
        (
            "Excel",
            vec![("[Content_Types].xml", vec![]), ("xl/workbook.xml", vec![])],
        ),
        // A header that states more than deflate can make of the bytes behind it, and bytes that go on behind what is stated.
        ("a vast array", vec![("counts.npy", header)]),
        (
            "and more",
            vec![("counts.npy", [npy("<i8", &[2], &[1, 2]), vec![0; 1 << 24]].concat())],
        ),
    ];
    let mut files: Vec<_> = archives.iter().map(|(name, parts)| (*name, zip(parts, true))).collect();
    files.push(("gzip", gzip(&zip(&parts, true))));
    files.push(("cut short", whole[..whole.len() - 30].to_vec()));
    errors::files(
        &files,
        &cells(),
        expect![[r#"
            two arrays
            -> the archive holds 2 arrays (a, b/c) and not one array, nor a sparse matrix: save the counts alone, `numpy.save('counts.npy', array)`, or by `scipy.sparse.save_npz`
            another format
            -> sparse matrices of format `bsr` and 2 modes are not read: save `matrix.tocsr()`
            a large index
            -> entry 2 has the index 3 along mode 1, which has the size 3
            a negative index
            -> byte 136: `-2` of `indices` at [2] is negative; indices are not
            rows out of order
            -> `indptr` does not go with the other arrays: it has where each of the rows or columns ends among the indices; write it with `scipy.sparse.save_npz`
            too few rows
            -> `indptr` does not go with the other arrays: it has where each of the rows or columns ends among the indices; write it with `scipy.sparse.save_npz`
            too few values
            -> `data` does not go with the other arrays: it has one value for each index; write it with `scipy.sparse.save_npz`
            a negative value
            -> byte 136: `-5` of `data` at [2] is negative; counts are not
            objects
            -> `data`, byte 10: values of type `|O` are not read as counts: save `array.astype('int64')`
            no indices
            -> the archive has no `indices`: it is not one of `scipy.sparse.save_npz`, or lacks a part
            no arrays
            -> the file is a zip archive without arrays of NumPy: name the file that is in it
            Excel
            -> the file is an Excel workbook: save the sheet as CSV
            a vast array
            -> `counts` states 8796093022208 values, and 85 bytes do not hold as many: it is damaged; fetch the file again
            and more
            -> `counts`, byte 144: more bytes follow the 2 values of the array: save one array in a file
            gzip
            -> the file is a zip archive within gzip: decompress it (`gunzip`)
            cut short
            -> the archive is damaged or cut short (Missing end of central directory); fetch the file again, or write it with `numpy.savez`
        "#]],
    );
    let mut other = whole.clone();
    let at = whole.windows(4).position(|part| part == [2, 0, 0, 0]).unwrap();
    other[at] = 1;
    let refused = read_counts_from(other, &cells()).unwrap_err().to_string();
    assert!(
        refused.contains("its checksum differs") || refused.contains("size 0"),
        "{refused}"
    );
}

/// What is no text is named, and not said to be other than UTF-8.
#[test]
fn known_files_that_hold_no_text_are_named() {
    let zipped = zip(&[("xl/workbook.xml", vec![])], false);
    for (first, name) in [
        (&b"PAR1\x15\x04"[..], "Parquet"),
        (b"\x80\x05\x95\x92", "a pickle of Python"),
        (b"\x89HDF\r\n\x1a\n", "HDF5"),
        (b"ARROW1\0\0", "Arrow"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an Excel workbook of the old format"),
        (b"RDX3\nX\n", "data of R"),
        (b"BZh91AY", "compressed by bzip2"),
        (b"\xff\xfeu\0s\0", "text in UTF-16"),
        (&zipped, "an Excel workbook"),
        (&npy("<i8", &[1], &[1]), "a NumPy array"),
    ] {
        for bytes in [gzip(first), first.to_vec()] {
            for format in [None, Some("csv"), Some("matrix-market"), Some("bag-of-words")] {
                if (format.is_none() && name == "a NumPy array") || (format.is_none() && first == zipped) {
                    continue;
                }
                let options = ReadOptions {
                    format: format.map(|format| format.parse().unwrap()),
                    ..cells()
                };
                let refused = read_counts_from(&bytes[..], &options).unwrap_err().to_string();
                assert!(
                    refused.contains(name) || refused.contains("a zip archive"),
                    "{name}: {refused}"
                );
                assert!(!refused.contains("UTF-8:"), "{name}: {refused}");
            }
        }
    }
}
