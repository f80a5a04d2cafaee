//! What messages may not tell: a count that is well-formed. The page on threats says so.

use skellam_release::counts::{CountSlices, Counts, CountsError, Format, ReadError, ReadOptions, read_counts_from};
use skellam_release::release::read_values_from;

use super::write::{cells, gzip, npy};

const SECRET: i64 = 31337;

fn silent(what: &str, error: &ReadError) {
    for text in [error.to_string(), format!("{error:?}")] {
        assert!(!text.contains("31337"), "{what}: {text}");
    }
}

/// Every cell of every file is the secret, or no count at all.
#[test]
fn a_message_tells_no_count() {
    let coordinate = "%%MatrixMarket matrix coordinate integer general\n";
    let symmetric = "%%MatrixMarket matrix coordinate integer symmetric\n";
    let array = "%%MatrixMarket matrix array integer general\n";
    let whole = npy("<i8", &[2], &[SECRET, SECRET]);
    let mut files: Vec<Vec<u8>> = [
        "0,0,S\n0,0,S\n",
        "1,1,S\n0,0,S\n1,1,S\n",
        "0,0,S\n0,S\n",
        "0,0,S\n0,0,0,S\n",
        "0,0,S\n0,x,S\n",
        "0,0,S\n-1,0,S\n",
        "0,0,S\n0,0,-4\n",
        "0,0,S\n0,0,2.5\n",
        "0,0,S\n0,0,4294967296\n",
        "0,0,S\n0,\"0,S\n",
        "0,0,S\n0,\"1\"2,S\n",
        "0,S\n99999999999999999999,S\n",
        "2\n3\n1\n1 1 S\n1 2 S\n",
        "2\n3\n2\n1 1 S\n1 1 S\n",
        "2\n3\n3\n1 1 S\n1 2 S\n",
        "2\n3\n1\n1 1 1 S\n",
        "2\n3\n1\n1 4 S\n",
    ]
    .iter()
    .map(|text| text.replace('S', &SECRET.to_string()).into_bytes())
    .collect();
    for (banner, rest) in [
        (coordinate, "2 2 1\n1 1 S\n1 2 S\n"),
        (coordinate, "2 2 2\n1 1 S\n1 1 S\n"),
        (coordinate, "2 2 3\n1 1 S\n1 2 S\n"),
        (coordinate, "2 2 1\n1 3 S\n"),
        (coordinate, "2 2 1\n1 1 1 S\n"),
        (symmetric, "2 2 1\n1 2 S\n"),
        (array, "1 1\nS\nS\n"),
        (array, "1 2\nS S\nS\n"),
        (array, "1 2\nS\n"),
    ] {
        files.push([banner, &rest.replace('S', &SECRET.to_string())].concat().into_bytes());
    }
    files.push(whole[..whole.len() - 1].to_vec());
    files.push([&whole[..], b"31337"].concat());
    files.push(npy("<i8", &[2], &[SECRET, -1]));
    for bytes in files {
        for bytes in [gzip(&bytes), bytes] {
            let what = bytes.escape_ascii().to_string();
            let options = cells();
            silent(&what, &read_counts_from(bytes.clone(), &options).expect_err(&what));
            silent(
                &what,
                &CountSlices::from_bytes(bytes.clone(), &options).expect_err(&what),
            );
            let words = Some(Format::BagOfWords);
            for format in [None, words] {
                let options = ReadOptions { format, ..cells() };
                // Some are in order as released values: a cell below zero is.
                let _ = read_values_from(bytes.clone(), &options).map_err(|error| silent(&what, &error));
            }
        }
    }
}

#[test]
fn a_cell_given_twice_is_named_without_its_counts() {
    let error = Counts::sparse(vec![2], vec![(vec![1], SECRET), (vec![1], 42)]).unwrap_err();
    assert_eq!(error, CountsError::Duplicate { index: vec![1] });
    assert_eq!(
        error.to_string(),
        "the cell at [1] is given twice: state each cell once"
    );
}
