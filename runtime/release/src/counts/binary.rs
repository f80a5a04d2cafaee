//! Files that are no text, by their first bytes: what they are is said, and not that they are not UTF-8.

/// What a file with these first bytes is, and what to do; `None` where it may be a text.
pub(super) fn named(first: &[u8]) -> Option<String> {
    const SAVE: &str = "save the counts as CSV, Matrix Market or NumPy";
    const KINDS: [(&[u8], &str, &str); 17] = [
        (
            b"PK\x03\x04",
            "a zip archive, such as an Excel workbook or a NumPy archive",
            "save a workbook as CSV, and leave the format of an archive to the file",
        ),
        (b"\x93NUMPY", "a NumPy array", "leave its format to the file"),
        (b"\x89HDF\r\n", "HDF5", SAVE),
        (b"PAR1", "Parquet", SAVE),
        (b"ARROW1", "Arrow or Feather", SAVE),
        (b"FEA1", "Feather", SAVE),
        (
            b"\xd0\xcf\x11\xe0",
            "an Excel workbook of the old format (.xls)",
            "save the sheet as CSV",
        ),
        (b"RDX", "data of R", SAVE),
        (b"SQLite format", "an SQLite database", SAVE),
        (b"MATLAB 5.0", "data of MATLAB", SAVE),
        (b"%PDF", "PDF", SAVE),
        (b"\x1f\x8b", "gzip within gzip", "decompress it once"),
        (b"BZh", "compressed by bzip2", "decompress it"),
        (b"\xfd7zXZ", "compressed by xz", "decompress it"),
        (b"\x28\xb5\x2f\xfd", "compressed by zstd", "decompress it"),
        (
            b"\xff\xfe",
            "text in UTF-16",
            "save it as UTF-8 (`iconv -f utf-16 -t utf-8`)",
        ),
        (
            b"\xfe\xff",
            "text in UTF-16",
            "save it as UTF-8 (`iconv -f utf-16 -t utf-8`)",
        ),
    ];
    let known = KINDS.iter().find(|(magic, ..)| first.starts_with(magic));
    // Protocols 2 to 5.
    let pickle = matches!(first, [0x80, 2..=5, ..]).then_some(("a pickle of Python", SAVE));
    let (kind, instead) = known.map(|&(_, kind, instead)| (kind, instead)).or(pickle)?;
    Some(format!("the file is {kind}: {instead}"))
}
