//! Characters that are not seen: a byte order mark is read over, and what a terminal would obey is spelt out in messages.

use skellam_release::counts::{
    CountSlices, Counts, Format, ReadError, ReadOptions, read_counts_from, read_vocabulary_from,
};
use skellam_release::quoted;
use skellam_release::release::ReleasedFolder;

use super::write::{cells, gzip, npy};

const MARK: &str = "\u{feff}";

fn options(format: Option<Format>) -> ReadOptions {
    ReadOptions { format, ..cells() }
}

#[test]
fn a_byte_order_mark_is_read_over_in_every_text() {
    let counts = Counts::dense(vec![2, 2], vec![3, 0, 0, 4]).unwrap();
    for (format, text) in [
        (
            "matrix-market",
            "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 3\n2 2 4\n",
        ),
        (
            "matrix-market",
            "%%matrixmarket MATRIX array integer general\n2 2\n3\n0\n0\n4\n",
        ),
        ("csv", "0,0,3\n1,1,4\n"),
        ("tsv", "row\tcolumn\tcount\n0\t0\t3\n1\t1\t4\n"),
        ("bag-of-words", "2\n2\n2\n1 1 3\n2 2 4\n"),
    ] {
        let marked = format!("{MARK}{text}").into_bytes();
        for bytes in [gzip(&marked), marked] {
            // Whether the format is told or found out.
            for format in [None, Some(format.parse().unwrap())] {
                let read = read_counts_from(&bytes[..], &options(format)).unwrap();
                assert_eq!(
                    read.to_dense().unwrap(),
                    counts.to_dense().unwrap(),
                    "{text:?}, {format:?}"
                );
                let mut slices = CountSlices::from_bytes(&bytes[..], &options(format)).unwrap();
                assert_eq!(slices.next().unwrap().unwrap(), [3, 0], "{text:?}, {format:?}");
            }
        }
    }
    let words = read_vocabulary_from(format!("{MARK}sea\nice\n").as_bytes()).unwrap();
    assert_eq!(words, ["sea", "ice"]);
}

/// Colours of a terminal, a line that begins anew, words from right to left, and a character of no width.
const HOSTILE: &str = "\u{1b}[31m\r\u{202e}\u{200b}";
/// With and without its digits, which are hidden where a whole line is shown.
const SPELT: [&str; 2] = ["\\u{1b}[31m\\r\\u{202e}\\u{200b}", "\\u{1b}[##m\\r\\u{202e}\\u{200b}"];

fn spelt(message: &str) {
    assert!(SPELT.iter().any(|spelt| message.contains(spelt)), "{message:?}");
    let seen = |c: char| !c.is_control() && !('\u{200b}'..='\u{202e}').contains(&c);
    assert!(message.chars().all(seen), "{message:?}");
}

#[test]
fn messages_of_the_readers_spell_out_what_is_not_seen() {
    let files = [
        (None, format!("0,0,x{HOSTILE}\n")),
        (None, format!("words{HOSTILE}\n")),
        (Some(Format::MatrixMarket), format!("%%{HOSTILE}\n1 1 0\n")),
        (
            None,
            format!("%%MatrixMarket matrix x{HOSTILE} integer general\n1 1 0\n").replace('\r', ""),
        ),
        (
            None,
            format!("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 x{HOSTILE}\n").replace('\r', ""),
        ),
        (
            Some(Format::BagOfWords),
            format!("2x{HOSTILE}\n2\n0\n").replace('\r', ""),
        ),
    ];
    for (format, text) in files {
        let Err(error) = read_counts_from(text.as_bytes(), &options(format)) else {
            panic!("{text:?} was accepted")
        };
        let message = error.to_string();
        if text.contains('\r') {
            spelt(&message);
        } else {
            assert!(message.contains("\\u{1b}[31m\\u{202e}\\u{200b}"), "{message:?}");
            assert!(!message.chars().any(char::is_control), "{message:?}");
        }
    }
    let mut npy = npy("<i8", &[1], &[1]);
    let at = npy.windows(3).position(|window| window == b"<i8").unwrap();
    npy[at] = 0x1b;
    let message = read_counts_from(&npy[..], &options(None)).unwrap_err().to_string();
    assert!(
        message.contains("\\u{1b}i8") && !message.chars().any(char::is_control),
        "{message:?}"
    );
    let name = format!("/nowhere/{HOSTILE}");
    let missing = skellam_release::counts::read_counts(&name, &options(None)).unwrap_err();
    assert!(matches!(missing, ReadError::Open { .. }));
    spelt(&missing.to_string());
    spelt(&ReleasedFolder::open(&name).unwrap_err().to_string());
    spelt(&HOSTILE.parse::<Format>().unwrap_err().to_string());
}

#[test]
fn messages_about_numbers_and_names_spell_out_what_is_not_seen() {
    spelt(&skellam_release::release::Lplp::new(1, HOSTILE).unwrap_err().to_string());
    assert_eq!(quoted(HOSTILE).to_string(), SPELT[0]);
}
