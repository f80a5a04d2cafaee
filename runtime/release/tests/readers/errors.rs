//! What is refused, and the message that says where and what to do.

use expect_test::{Expect, expect};
use skellam_release::counts::{CountSlices, Delimiter, Format, ReadError, ReadOptions, read_counts_from};

use super::write::{cells, gzip};

/// What both doors say of these bytes.
#[track_caller]
pub fn refusal(bytes: &[u8], options: &ReadOptions) -> String {
    let said = |error: Option<ReadError>| error.map_or_else(|| "no error".to_owned(), |error| error.to_string());
    let whole = said(read_counts_from(bytes, options).err());
    assert_eq!(whole, said(CountSlices::from_bytes(bytes, options).err()));
    whole
}

/// Texts in lines of their own, with `\n` for the ends of their lines, and below each of them what `say` says of it.
#[track_caller]
pub fn texts(say: impl Fn(&str) -> String, expected: Expect) {
    let lines = expected.data().lines().map(str::trim);
    let texts = lines.filter(|line| !line.is_empty() && !line.starts_with("-> "));
    let said = texts.map(|text| format!("{text}\n-> {}\n", say(&text.replace("\\n", "\n"))));
    expected.assert_eq(&said.collect::<String>());
}

/// Files by their names, and below each name what both doors say of the file.
#[track_caller]
pub fn files(files: &[(&str, Vec<u8>)], options: &ReadOptions, expected: Expect) {
    let said = files
        .iter()
        .map(|(name, bytes)| format!("{name}\n-> {}\n", refusal(bytes, options)));
    expected.assert_eq(&said.collect::<String>());
}

fn of_cells(text: &str) -> String {
    refusal(text.as_bytes(), &cells())
}

#[test]
fn files_of_no_format() {
    files(
        &[
            ("nothing", vec![]),
            ("a comment", b"# note\n\n".to_vec()),
            ("words", b"\n words\n".to_vec()),
            // It may be a line of counts, which no message shows.
            ("bars", b"3|14|1592\n".to_vec()),
            ("a mark", b"\xff\xfe".to_vec()),
            ("gzip of nothing", b"\x1f\x8b\x00\x00".to_vec()),
            ("gzip cut short", gzip(b"0,1\n0,1\n")[..15].to_vec()),
            ("gzip and more", [&gzip(b"0,1\n")[..], b"left over"].concat()),
            ("a long line", vec![b' '; (1 << 20) + 1]),
            ("latin", b"0,1,2\n0,\xff,2\n".to_vec()),
        ],
        &cells(),
        expect![[r#"
            nothing
            -> the file is empty: a file of counts was expected; check that it was written completely
            a comment
            -> the file is empty: a file of counts was expected; check that it was written completely
            words
            -> line 2: `words` does not begin a known format of counts: name the format (`ReadOptions::format`)
            bars
            -> line 1: `#|##|####` does not begin a known format of counts: name the format (`ReadOptions::format`)
            a mark
            -> the file is text in UTF-16: save it as UTF-8 (`iconv -f utf-16 -t utf-8`)
            gzip of nothing
            -> line 1: reading stopped: the gzip stream is damaged or cut short (unexpected end of file); fetch the file again
            gzip cut short
            -> line 1: reading stopped: the gzip stream is damaged or cut short (incomplete deflate stream); fetch the file again
            gzip and more
            -> line 1: reading stopped: the gzip stream is damaged or cut short (unexpected end of file); fetch the file again
            a long line
            -> line 1 is longer than 1048576 bytes: this is not a text file of one entry a line
            latin
            -> line 2, column 3: byte 0xff is not UTF-8: convert the file to UTF-8 (`iconv -t utf-8`)
        "#]],
    );
}

#[test]
fn delimited_text() {
    texts(
        of_cells,
        expect![[r#"
            0,1,x\n
            -> line 1, column 5: `x` is not a count, and not the last name of a header either, since this line has numbers
            0,1,\n
            -> line 1, column 5: `` is not a count
            i,j,n\n0, 1,x\n
            -> line 2, column 6: `x` is not a count
            i,j,n\n0,1,-4\n
            -> line 2, column 5: `-4` is negative; counts are not
            i,j,n\n0,1,2.5\n
            -> line 2, column 5: `2.5` is not whole; counts are
            i,j,n\n0,1,2147483649\n
            -> line 2, column 5: `2147483649` is above 2^31, the largest count that is supported
            i,j,n\n0,1,nan\n
            -> line 2, column 5: `nan` is not finite; leave the entry out, or hold the cell out
            i,j,n\n0,1.0,3\n
            -> line 2, column 3: `1.0` is not an index: a whole number without sign or point
            i,j,n\n0,,3\n
            -> line 2, column 3: `` is not an index: a whole number without sign or point
            i,j,n\n-1,0,3\n
            -> line 2, column 1: `-1` is below 0, the first index; correct the cell or the base of indices
            0,0\n-x,1\n
            -> line 2, column 1: `-x` is not an index: a whole number without sign or point
            i,j,n\n0,99999999999999999999999,3\n
            -> line 2, column 3: `99999999999999999999999` is too large for a size
            i,j,n\n0,18446744073709551615,3\n
            -> line 2, column 3: `18446744073709551615` is too large for a size
            i,j,n\n0,9223372036854775807,3\n3,0,1\n
            -> line 3: shape [4, 9223372036854775808] has more than 18446744073709551615 cells: its positions cannot be numbered; split the data
            i,j,n\n
            -> the file is empty: a line with indices and a count, or a shape (`ReadOptions::shape`), was expected; check that it was written completely
            i,j,n\n0,1\n
            -> line 2 has 2 fields, but line 1 has 3: every line has an index for each mode and last the count, or the count of each column
            0,1,2\n# note\n0,1,2,3\n
            -> line 3 has 4 fields, but line 1 has 3: every line has an index for each mode and last the count, or the count of each column
            0,1,2\n0,"1,2\n
            -> line 2, column 3: `"1` has a quote that is not closed or not at an end; quote the whole field or none of it
            0,1,2\n0,"1"2,2\n
            -> line 2, column 3: `"1"2` has a quote that is not closed or not at an end; quote the whole field or none of it
            0,1,2\n5,5,1\n0,1,0\n
            -> line 3: entry (0, 1) was stated in line 1 already: state each cell once, or ask for the sum (`ReadOptions::add_up`; `--add-up`)
            5,5,2\n# note\n0,1,2\n5,5,0\n
            -> line 4: entry (5, 5) was stated in line 1 already: state each cell once, or ask for the sum (`ReadOptions::add_up`; `--add-up`)
        "#]],
    );
}

/// The shape, the first index, and a text.
#[test]
fn delimited_text_against_a_shape() {
    let say = |case: &str| {
        let [shape, base, text] = case.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{case}")
        };
        let options = ReadOptions {
            format: Some(Format::Delimited(Delimiter::Comma)),
            shape: Some(shape.split_whitespace().map(|size| size.parse().unwrap()).collect()),
            base: Some(base.parse().unwrap()),
            ..cells()
        };
        refusal(text.as_bytes(), &options)
    };
    texts(
        say,
        expect![[r#"
            18 | 0 | 17\n
            -> line 1 has 1 parts; expected one index or more and a count, parted by the delimiter of the file
            3 | 0 | 0,1,2\n
            -> line 1 has 3 fields, the count and indices of 2 modes, but shape [3] was given, of 1 modes: give the size of each mode
            3 3 | 0 | 0,1,2\n0,3,1\n
            -> line 2, column 3: `3` is outside 0 to 2, the indices of mode 2; correct the cell, the shape or the base of indices
            3 3 | 1 | 1,0,2\n
            -> line 1, column 3: `0` is outside 1 to 3, the indices of mode 2; correct the cell, the shape or the base of indices
            1 | 18446744073709551614 | 18446744073709551615,7\n
            -> line 1, column 1: `18446744073709551615` is outside 18446744073709551614 to 18446744073709551614, the indices of mode 1; correct the cell, the shape or the base of indices
            3 0 | 0 | 0,1,2\n
            -> the shape given: mode 1 of shape [3, 0] has size 0: every mode needs at least one cell
        "#]],
    );
    assert!(say(" | 0 | 0,1,2\n").starts_with("the shape given: the shape is empty"));
    let stated = ReadOptions {
        shape: Some(vec![3, 2]),
        ..cells()
    };
    let matrix = b"%%MatrixMarket matrix coordinate integer general\n2 3 0\n";
    expect!["the file states shape [2, 3], but shape [3, 2] was given: leave the shape to the file or correct it"]
        .assert_eq(&refusal(matrix, &stated));
}

/// Whole such a file is read, since sparse counts do not hold its empty cells.
#[test]
fn slices_too_large_to_hold() {
    let text = "%%MatrixMarket matrix coordinate integer general\n1 2147483649 0\n";
    assert!(read_counts_from(text.as_bytes(), &cells()).is_ok());
    let error = CountSlices::from_bytes(text.as_bytes(), &cells()).unwrap_err();
    expect![[r#"
        one slice of shape [1, 2147483649] along its first mode has 2147483649 cells, more than the 2^31 that are held at once: put a longer mode first or split the file"#]].assert_eq(&error.to_string());
}

#[test]
fn bags_of_words() {
    texts(
        of_cells,
        expect![[r#"
            2\n
            -> line 2: the file ends before the line of sizes; expected three lines with the number of documents, of words and of entries
            2\n3\n4 1\n
            -> line 3 has 2 parts; expected three lines with the number of documents, of words and of entries
            2\n3\n7\n
            -> line 3: 7 entries are declared, but 2 x 3 has room for 6; correct the sizes
            0\n3\n0\n
            -> line 3: mode 0 of shape [0, 3] has size 0: every mode needs at least one cell
            2\n3\n2\n1 1 1\n
            -> line 5: the file ends after 1 of 2 entries: it was cut short; fetch it again
            2\n3\n1\n1 1 1\n1 2 1\n
            -> line 5 follows the last of the 1 declared entries; correct the line of sizes or drop it
            2\n3\n1\n1 4 1\n
            -> line 4, column 3: `4` is outside 1 to 3, the words of the matrix; indices count from 1
            2\n3\n1\n0 1 1\n
            -> line 4, column 1: `0` is outside 1 to 2, the documents of the matrix; indices count from 1
            2\n3\n1\n1 1 -1\n
            -> line 4, column 5: `-1` is negative; counts are not
            2\n3\n2\n1 1 1\n1 1 1\n
            -> line 5: entry (1, 1) was stated in line 4 already: state each cell once, or ask for the sum (`ReadOptions::add_up`; `--add-up`)
            99999999999999999999\n3\n1\n
            -> line 1, column 1: `99999999999999999999` is too large for a size
        "#]],
    );
}
