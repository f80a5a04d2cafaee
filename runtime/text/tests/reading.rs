//! Documents of every kind, and everything that may be wrong with them.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use skellam_text::{StopWords, TextError, TextFormat, TextOptions, read_text, read_text_with};
use tempfile::{TempDir, tempdir};

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn error(path: &Path, options: &TextOptions) -> String {
    let error = read_text(path, options).unwrap_err().to_string();
    error.replace(&path.display().to_string(), "PATH")
}

/// Ships, wheat and oil in a folder, in one file a line, as TSV, as JSON lines, and each of them compressed.
#[test]
fn documents_are_the_same_however_they_lie() {
    let texts = [
        "Ships, ships and WHEAT.",
        "",
        "Wheat: 3.5 % more oil\u{2014}don\u{2019}t ship oil",
    ];
    let words = ["3.5", "and", "don't", "more", "oil", "ship", "ships", "wheat"];
    let dense = [0, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 2, 1, 0, 1];
    let lines = texts.join("\n");
    let tsv: String = texts
        .iter()
        .zip(["b/1", "b/2", "c"])
        .map(|(text, name)| format!("{name}\t{text}\r\n"))
        .collect();
    let json: String = (texts.iter().zip(["b/1", "b/2", "c"]))
        .map(|(text, name)| format!("{{\"id\": \"{name}\", \"body\": \"{text}\", \"year\": 1987}}\n"))
        .collect();
    let of_json = TextOptions {
        text_field: "body".to_owned(),
        name_field: Some("id".to_owned()),
        ..TextOptions::all_words()
    };
    let files = folder(&[
        ("all/b/1.txt", texts[0].as_bytes()),
        ("all/b/2.txt.gz", &gzip(texts[1].as_bytes())),
        ("all/c.md", format!("\u{feff}{}", texts[2]).as_bytes()),
        ("all/.hidden", b"\xff"),
        ("lines.txt", lines.as_bytes()),
        ("lines.txt.gz", &gzip(lines.as_bytes())),
        ("named.tsv", tsv.as_bytes()),
        ("named.jsonl", json.as_bytes()),
    ]);
    let plain = TextOptions::all_words();
    for (path, options, names) in [
        ("all", &plain, ["b/1.txt", "b/2.txt.gz", "c.md"]),
        ("lines.txt", &plain, ["1", "2", "3"]),
        ("lines.txt.gz", &plain, ["1", "2", "3"]),
        ("named.tsv", &plain, ["b/1", "b/2", "c"]),
        ("named.jsonl", &of_json, ["b/1", "b/2", "c"]),
    ] {
        let corpus = read_text(files.path().join(path), options).unwrap();
        assert_eq!(corpus.words(), words, "{path}");
        assert_eq!(corpus.documents(), names, "{path}");
        assert_eq!(corpus.counts().to_dense().unwrap(), dense, "{path}");
        assert_eq!(corpus.counts().labels(0).unwrap(), corpus.documents());
        assert_eq!(corpus.counts().labels(1).unwrap(), words);
        assert_eq!((corpus.counted(), corpus.without_words()), (11, 1), "{path}");
    }
}

#[test]
fn words_are_left_out_for_the_first_reason_and_counted_as_such() {
    let files = folder(&[("d.txt", b"the oil x 12 rig\noil rig rig pump\noil Rig\noil pump wheat")]);
    let path = files.path().join("d.txt");
    let mut seen = Vec::new();
    let corpus = read_text_with(
        &path,
        &TextOptions {
            max_share: 0.8,
            ..TextOptions::default()
        },
        |at, of| seen.push((at, of)),
    );
    let corpus = corpus.unwrap();
    assert_eq!(seen, [(1, None), (2, None), (3, None), (4, None)]);
    assert_eq!(corpus.words(), ["pump", "rig"]);
    assert_eq!(
        corpus.to_string(),
        "4 documents, 2 words, 6 occurrences; words left out: 1 too short, 1 numbers, 1 stop words, 1 in too few documents, \
         4 in too many documents"
    );
    // Wheat and pump occur twice and once; of equals the first.
    let some = TextOptions {
        max_words: Some(2),
        ..TextOptions::all_words()
    };
    assert_eq!(read_text(&path, &some).unwrap().words(), ["oil", "rig"]);
    let few = TextOptions {
        max_words: Some(4),
        ..TextOptions::all_words()
    };
    assert_eq!(read_text(&path, &few).unwrap().words(), ["12", "oil", "pump", "rig"]);
    let own = TextOptions {
        stop_words: StopWords::from_iter(["Oil", "rig"]),
        ..TextOptions::default()
    };
    assert_eq!(read_text(&path, &own).unwrap().words(), ["pump"]);
}

/// New documents by the words of old ones: columns stay, and what is unknown is said.
#[test]
fn a_vocabulary_is_kept_for_new_documents() {
    let files = folder(&[("new.txt", "wheat oil wheat\nbarley the\n".as_bytes())]);
    let of = |words: &[&str]| TextOptions {
        vocabulary: Some(words.iter().map(|word| word.to_string()).collect()),
        ..TextOptions::default()
    };
    let path = files.path().join("new.txt");
    let corpus = read_text(&path, &of(&["oil", "gold", "wheat"])).unwrap();
    assert_eq!(corpus.words(), ["oil", "gold", "wheat"]);
    assert_eq!(corpus.counts().to_dense().unwrap(), [1, 0, 2, 0, 0, 0]);
    assert_eq!((corpus.left_out().unknown, corpus.without_words()), (2, 1));
    assert!(
        corpus
            .to_string()
            .ends_with("words left out: 2 not in the vocabulary; one document has no word left")
    );
    for (words, expected) in [
        (
            &["oil", "oil"][..],
            "`vocabulary` is `oil` twice: a word has one column",
        ),
        (&[], "`vocabulary` is no words: nothing would be counted"),
        (
            &["Oil"],
            "`vocabulary` is `Oil`: the reader makes no such word of a text: write it in lower case, without blanks and punctuation around it",
        ),
    ] {
        assert_eq!(error(&path, &of(words)), expected);
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let files = folder(&[
        ("wrong/a.txt", b"all is well"),
        ("wrong/b.txt", b"oil \xe9 oil"),
        ("empty/.keep", b""),
        ("blank/a.txt", b""),
        ("blank/b.txt", b" \n"),
        ("lines.txt", b"first\nsec\xffond\n"),
        ("cut.txt.gz", &gzip(b"one line of oil")[..20]),
        ("no.tsv", b"a\toil\nb oil\n"),
        ("tabs.tsv", b"a\toil\tgas\n"),
        ("twice.tsv", b"a\toil\na\tgas\n"),
        ("bad.jsonl", b"{\"text\": \"oil\"}\n{\"text\": oil}\n"),
        ("field.jsonl", b"{\"id\": 1, \"body\": \"oil\"}\n"),
        ("kind.jsonl", b"{\"text\": [\"oil\"]}\n"),
        ("of.csv", b"oil"),
    ]);
    let all = TextOptions::all_words();
    for (name, expected) in [
        (
            "wrong",
            "PATH/b.txt: byte 4 begins no character of UTF-8: convert the file (`iconv -f LATIN1 -t UTF-8`), or take it out if it is no text",
        ),
        (
            "lines.txt",
            "PATH: byte 9 begins no character of UTF-8: convert the file (`iconv -f LATIN1 -t UTF-8`), or take it out if it is no text",
        ),
        (
            "empty",
            "PATH has no files: name a folder with a file for each document; those whose name begins with a dot are left out",
        ),
        (
            "blank",
            "PATH: none of 2 documents has a word: check that they are texts",
        ),
        (
            "no.tsv",
            "PATH, line 2: there is no tab: a line has a name, a tab and a text",
        ),
        (
            "tabs.tsv",
            "PATH, line 1: there is a second tab: a line has a name, a tab and a text, in which tabs are blanks",
        ),
        (
            "twice.tsv",
            "PATH, line 2: the name `a` is that of line 1, too: give every document its own",
        ),
        (
            "field.jsonl",
            "PATH, line 1: there is no field `text` (there are: body, id): name the field",
        ),
        (
            "kind.jsonl",
            "PATH, line 1: the field `text` is neither a text nor a number",
        ),
        (
            "of.csv",
            "the name of PATH does not say how documents lie in it: call it `.txt` (a document a line), `.tsv` (name, tab, text) or `.jsonl`, or name the format",
        ),
    ] {
        assert_eq!(error(&files.path().join(name), &all), expected, "{name}");
    }
    let rare = error(&files.path().join("wrong/a.txt"), &TextOptions::default());
    assert_eq!(
        rare,
        "PATH: no word of 1 documents is counted (words left out: 2 stop words, 1 in too few documents): count rarer words, or more frequent ones"
    );
    let bad = error(&files.path().join("bad.jsonl"), &all);
    assert!(
        bad.starts_with("PATH, line 2: column 10 is not JSON: expected value"),
        "{bad}"
    );
    let cut = error(&files.path().join("cut.txt.gz"), &all);
    assert!(cut.starts_with("cannot read PATH: "), "{cut}");
    let missing = error(&files.path().join("missing"), &all);
    assert!(missing.starts_with("cannot read PATH: No such file"), "{missing}");
    assert_eq!(
        read_text(
            files.path().join("of.csv"),
            &TextOptions {
                format: Some(TextFormat::Lines),
                ..all.clone()
            }
        )
        .unwrap()
        .words(),
        ["oil"]
    );
    let outside = TextOptions {
        max_share: f64::NAN,
        ..all
    };
    assert!(matches!(
        read_text(files.path(), &outside),
        Err(TextError::Option { name: "max_share", .. })
    ));
    let unknown = StopWords::of_language("klingon").unwrap_err().to_string();
    assert!(
        unknown.starts_with("there is no list of stop words for the language `klingon`: there are lists for "),
        "{unknown}"
    );
    assert!(
        "pdf"
            .parse::<TextFormat>()
            .unwrap_err()
            .to_string()
            .contains("`lines`, `tsv` and `jsonl`")
    );
}
