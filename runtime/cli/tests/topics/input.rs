//! Input and settings that are refused.

use super::*;
use skellam::{SettingError, SizeError};

#[test]
fn columns_without_words_are_numbered() {
    let scratch = Scratch::new("numbered");
    run(&format!("--data {TINY} --k 2 --tune 2 --draws 2"), &scratch.path("out")).unwrap();
    let topics = fs::read_to_string(scratch.path("out/topics.tsv")).unwrap();
    let word = topics.lines().nth(1).and_then(|line| line.split('\t').nth(2)).unwrap();
    assert!(word.strip_prefix('w').unwrap().parse::<usize>().is_ok(), "{word}");
}

/// What is wrong with a file is said by the reader; it is said of this file, and nothing was written.
#[test]
fn broken_files_are_refused_with_their_line() {
    let scratch = Scratch::new("broken");
    let path = scratch.write("counts.mtx", &matrix("integer", "3 4 5\n1 1 2\n2 2 1\n"));
    match refused(&scratch, &format!("--data {} --k 2", path.display())) {
        TopicsError::File { path: named, source } => {
            assert_eq!(named, path);
            let expected = "line 5: the file ends after 2 of 5 entries";
            assert!(source.to_string().starts_with(expected), "{source}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_that_are_not_there_are_named() {
    let scratch = Scratch::new("missing");
    let error = refused(&scratch, "--data /nowhere/counts.mtx");
    assert!(error.to_string().contains("/nowhere/counts.mtx"), "{error}");
    let error = refused(&scratch, &format!("--data {TINY} --vocab /nowhere/words.txt"));
    assert!(error.to_string().contains("/nowhere/words.txt"), "{error}");
}

#[test]
fn counts_without_content_are_refused() {
    let scratch = Scratch::new("content");
    let zeros = scratch.write("zeros.mtx", &matrix("integer", "3 4 0\n"));
    let error = refused(&scratch, &format!("--data {} --k 2", zeros.display()));
    assert!(
        matches!(error, TopicsError::NoCounts { documents: 3, words: 4 }),
        "{error:?}"
    );
    let narrow = scratch.write("narrow.mtx", &matrix("integer", "3 1 1\n1 1 1\n"));
    let error = refused(&scratch, &format!("--data {} --k 2", narrow.display()));
    assert!(matches!(error, TopicsError::TooFewWords { words: 1 }), "{error:?}");
}

#[test]
fn a_vocabulary_of_the_wrong_length_is_refused_with_both_lengths() {
    let scratch = Scratch::new("vocabulary");
    let words = scratch.write("words.txt", "one\ntwo\nthree\n");
    let error = refused(&scratch, &format!("--data {TINY} --vocab {}", words.display()));
    assert!(
        matches!(
            error,
            TopicsError::Vocabulary {
                words: 3,
                columns: 200,
                ..
            }
        ),
        "{error:?}"
    );
    let message = error.to_string();
    assert!(
        message.contains("3 words") && message.contains("200 columns"),
        "{message}"
    );
    let gap = scratch.write("words.txt", "one\n\nthree\n");
    let error = refused(&scratch, &format!("--data {TINY} --vocab {}", gap.display()));
    let is_gap = matches!(
        error,
        TopicsError::File {
            source: ReadError::Content { at: Place::Line(2), .. },
            ..
        }
    );
    assert!(is_gap, "{error:?}");
}

#[test]
fn settings_without_sense_are_refused() {
    let scratch = Scratch::new("settings");
    let with = |flags: &str| refused(&scratch, &format!("--data {TINY} {flags}"));
    let error = with("--k 0");
    let is_empty = matches!(
        error,
        TopicsError::Model(Error::Size(SizeError::Empty { index: "topics" }))
    );
    assert!(is_empty, "{error:?}");
    let error = with("--k 201");
    assert!(matches!(error, TopicsError::TooManyTopics { k: 201, .. }), "{error:?}");
    for epsilon in ["0", "nan", "much"] {
        let error = with(&format!("--epsilon {epsilon}"));
        assert!(
            matches!(error, TopicsError::Budget(BudgetError::Epsilon(_))),
            "{error:?}"
        );
        assert!(error.to_string().contains(epsilon), "{error}");
    }
    let error = with("--epsilon 800");
    assert!(
        matches!(
            error,
            TopicsError::Budget(BudgetError::OutOfRange {
                name: "epsilon / N",
                ..
            })
        ),
        "{error:?}"
    );
    let error = with("--n 0");
    assert!(
        matches!(error, TopicsError::Budget(BudgetError::OutOfRange { name: "N", .. })),
        "{error:?}"
    );
    let error = with("--threads 0");
    assert!(
        matches!(error, TopicsError::Model(Error::Setting(SettingError::Zero { .. }))),
        "{error:?}"
    );
}

#[test]
fn no_draws_are_refused() {
    let scratch = Scratch::new("draws");
    let Err(error) = run(&format!("--data {TINY} --k 2 --draws 0"), &scratch.path("out")) else {
        panic!("no draws were accepted")
    };
    let is_zero = matches!(
        error,
        TopicsError::Model(Error::Setting(SettingError::Zero { setting: "num_draws" }))
    );
    assert!(is_zero, "{error:?}");
    assert!(scratch.names().is_empty());
}

/// Cells with words in place of numbers, and a wide table as pandas writes it: the words name the columns. What says nothing of its lines, and
/// flags about a file that was not given, are refused.
#[test]
fn tables_of_words_are_read_with_their_words() {
    let scratch = Scratch::new("tables");
    let quick = "--k 2 --tune 2 --draws 2";
    let long = "doc,word,count\na,sea,3\na,ice,1\nb,sea,2\nb,oil,4\n";
    let wide = ",ice,oil,sea\n0,1,0,3\n1,0,4,2\n";
    for (name, text, flags) in [("long", long, ""), ("wide", wide, "--rows named-counts")] {
        let path = scratch.path(&format!("{name}.csv"));
        fs::write(&path, text).unwrap();
        run(
            &format!("--data {} {quick} {flags}", path.display()),
            &scratch.path(name),
        )
        .unwrap();
        let topics = fs::read_to_string(scratch.path(name).join("topics.tsv")).unwrap();
        for word in ["ice", "oil", "sea"] {
            assert!(topics.contains(&format!("\t{word}\t")), "{name}: {topics}");
        }
    }
    let wide = scratch.path("wide.csv").display().to_string();
    let error = run(&format!("--data {wide} {quick}"), &scratch.path("refused"))
        .err()
        .unwrap();
    assert!(
        error.to_string().contains("nothing says what a line of 4 columns is"),
        "{error}"
    );
    let error = run(&format!("--rows cells {quick}"), &scratch.path("refused"))
        .err()
        .unwrap();
    assert!(matches!(error, TopicsError::NoData), "{error}");
}
