//! The example `topics`, run on a small corpus and on everything that can be wrong with its input.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use skellam::counts::{ReadError, TokenFault};
use skellam::prelude::*;
use skellam::release::{BudgetError, FileError};

#[path = "../topics/main.rs"]
#[expect(dead_code, reason = "nothing here calls `main` and what it prints")]
mod topics;

use topics::error::TopicsError;
use topics::flags::Flags;
use topics::folder::FolderError;
use topics::study::Study;

/// A folder of its own for one test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("skellam-topics-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn names(&self) -> Vec<String> {
        names(&self.0)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

const TINY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/reuters/tiny_bow.mtx");
const TINY_WORDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/reuters/tiny_vocab.txt");

/// Runs with the arguments, which are separated by spaces, into `out`.
fn run(arguments: &str, out: &Path) -> Result<Study, TopicsError> {
    let words = ["topics", "--quiet", "--out", out.to_str().unwrap()];
    let flags = Flags::try_parse_from(words.into_iter().chain(arguments.split_whitespace())).unwrap();
    topics::run(&flags)
}

/// A run on the tiny corpus, a few sweeps long.
fn tiny(arguments: &str, out: &Path) -> Result<Study, TopicsError> {
    let sweeps = if arguments.contains("--tune") {
        ""
    } else {
        " --tune 20 --draws 10"
    };
    run(
        &format!("--data {TINY} --vocab {TINY_WORDS} --k 4 {arguments}{sweeps}"),
        out,
    )
}

/// The error of a run, which must have left nothing where its results would be.
fn refused(scratch: &Scratch, arguments: &str) -> TopicsError {
    let before = scratch.names();
    let error = match run(&format!("{arguments} --tune 2 --draws 2"), &scratch.path("deep/er/out")) {
        Ok(_) => panic!("{arguments} was accepted"),
        Err(error) => error,
    };
    assert_eq!(scratch.names(), before, "{arguments}");
    error
}

/// The error that a Matrix Market file of this text causes.
fn refused_text(scratch: &Scratch, text: &str) -> ReadError {
    let path = scratch.write("counts.mtx", text);
    match refused(scratch, &format!("--data {} --k 2", path.display())) {
        TopicsError::File { path: named, source } => {
            assert_eq!(named, path);
            source
        }
        other => panic!("{text:?} gave {other:?}"),
    }
}

/// `rows cols entries` and the entries, under a banner that declares `field`.
fn matrix(field: &str, body: &str) -> String {
    format!("%%MatrixMarket matrix coordinate {field} general\n{body}")
}

fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| (name.clone(), fs::read(folder.join(name)).unwrap());
    names(folder).into_iter().map(read).collect()
}

#[test]
fn a_run_leaves_all_its_files_and_nothing_else() {
    let scratch = Scratch::new("all");
    let study = tiny("", &scratch.path("out")).unwrap();
    assert_eq!(study.folder, scratch.path("out"));
    assert_eq!(scratch.names(), ["out"]);
    let mut expected = topics::files::NAMES;
    expected.sort_unstable();
    assert_eq!(names(&study.folder), expected);
    let read = |name: &str| fs::read_to_string(study.folder.join(name)).unwrap();
    assert_eq!(read("topics.tsv").lines().count(), 1 + 4 * 10);
    assert_eq!(read("documents.tsv").lines().count(), 1 + 80);
    assert_eq!(read("scores.tsv").lines().count(), 1 + 5);
    assert!(read("topics.svg").ends_with("</svg>\n"));
    assert!(read("skellam-run.json").contains("promises nothing"));
}

#[test]
fn every_engine_runs() {
    let scratch = Scratch::new("engines");
    for engine in ["gibbs-augmented", "cavi", "cavi-augmented"] {
        let study = tiny(&format!("--engine {engine}"), &scratch.path(engine)).unwrap();
        assert!(study.scores.as_ref().unwrap().lines[1].deviance.is_finite(), "{engine}");
    }
}

#[test]
fn the_same_seed_gives_the_same_files_on_any_number_of_threads() {
    let scratch = Scratch::new("same");
    tiny("--seed 5 --threads 1", &scratch.path("one")).unwrap();
    tiny("--seed 5 --threads 2", &scratch.path("two")).unwrap();
    tiny("--seed 6 --threads 2", &scratch.path("other")).unwrap();
    assert_eq!(contents(&scratch.path("one")), contents(&scratch.path("two")));
    let topics = |name: &str| fs::read(scratch.path(name).join("topics.tsv")).unwrap();
    assert_ne!(topics("one"), topics("other"));
}

#[test]
fn fresh_noise_keeps_its_promise_and_says_what_does_not() {
    let scratch = Scratch::new("fresh");
    let study = tiny("--fresh-noise --epsilon 1/3 --n 2", &scratch.path("out")).unwrap();
    assert!(!study.released.promise().is_none());
    let words = study.promise();
    assert!(
        words.contains("(2, 1/3)-limited-precision") && words.contains("true counts"),
        "{words}"
    );
}

/// At this noise nothing is left of the signal, whichever way it is looked for.
#[test]
fn drowned_signals_are_said_to_be() {
    let scratch = Scratch::new("drowned");
    for engine in ["gibbs", "cavi"] {
        let study = tiny(&format!("--engine {engine} --epsilon 0.05"), &scratch.path(engine)).unwrap();
        let warnings = study.warnings();
        assert!(
            warnings.iter().any(|w| w.contains("larger epsilon / N")),
            "{engine}: {warnings:?}"
        );
        let run = fs::read_to_string(study.folder.join("skellam-run.json")).unwrap();
        assert!(run.contains("larger epsilon / N"), "{run}");
        let picture = fs::read_to_string(study.folder.join("topics.svg")).unwrap();
        assert!(picture.contains("drowned"), "{engine}");
    }
    let study = tiny("--tune 100 --draws 50 --epsilon 4", &scratch.path("clear")).unwrap();
    assert!(study.warnings().is_empty(), "{:?}", study.warnings());
}

#[test]
fn columns_without_words_are_numbered() {
    let scratch = Scratch::new("numbered");
    run(&format!("--data {TINY} --k 2 --tune 2 --draws 2"), &scratch.path("out")).unwrap();
    let topics = fs::read_to_string(scratch.path("out/topics.tsv")).unwrap();
    let word = topics.lines().nth(1).and_then(|line| line.split('\t').nth(2)).unwrap();
    assert!(word.strip_prefix('w').unwrap().parse::<usize>().is_ok(), "{word}");
}

#[test]
fn counts_that_are_none_are_refused_with_their_line() {
    let scratch = Scratch::new("counts");
    for (field, value, expected) in [
        ("integer", "-3", TokenFault::Negative),
        ("real", "1.5", TokenFault::Fractional),
        ("real", "NaN", TokenFault::NotFinite),
        ("real", "inf", TokenFault::NotFinite),
        ("integer", "9999999999", TokenFault::TooLarge),
    ] {
        let error = refused_text(&scratch, &matrix(field, &format!("3 4 2\n1 1 2\n2 2 {value}\n")));
        match error {
            ReadError::Token {
                line: 4, token, fault, ..
            } => assert_eq!((token.as_str(), fault), (value, expected)),
            other => panic!("{value} gave {other:?}"),
        }
    }
}

#[test]
fn broken_files_are_refused_with_their_line() {
    let scratch = Scratch::new("broken");
    let cut = refused_text(&scratch, &matrix("integer", "3 4 5\n1 1 2\n2 2 1\n"));
    assert!(
        matches!(
            cut,
            ReadError::Truncated {
                line: 5,
                found: 2,
                declared: 5
            }
        ),
        "{cut:?}"
    );
    let half = refused_text(&scratch, &matrix("integer", "3 4 2\n1 1 2\n2 2"));
    assert!(matches!(half, ReadError::Parts { line: 4, parts: 2, .. }), "{half:?}");
    let outside = refused_text(&scratch, &matrix("integer", "3 4 1\n1 5 2\n"));
    assert!(matches!(outside, ReadError::Token { line: 3, .. }), "{outside:?}");
    let banner = refused_text(&scratch, "1 1 2\n");
    assert!(matches!(banner, ReadError::Banner { .. }), "{banner:?}");
    let empty = refused_text(&scratch, "");
    assert!(matches!(empty, ReadError::Empty { .. }), "{empty:?}");
    let no_rows = refused_text(&scratch, &matrix("integer", "0 4 0\n"));
    assert!(matches!(no_rows, ReadError::Shape { line: 2, .. }), "{no_rows:?}");
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
            source: ReadError::EmptyWord { line: 2 },
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
    let is_empty = matches!(error, TopicsError::Model(Error::EmptyIndex { index: "topics" }));
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
        matches!(error, TopicsError::Budget(BudgetError::OutOfScale { .. })),
        "{error:?}"
    );
    let error = with("--n 0");
    assert!(
        matches!(error, TopicsError::Budget(BudgetError::NoPrecision)),
        "{error:?}"
    );
    let error = with("--threads 0");
    assert!(
        matches!(error, TopicsError::Model(Error::ZeroSetting { .. })),
        "{error:?}"
    );
}

#[test]
fn no_draws_are_refused() {
    let scratch = Scratch::new("draws");
    let Err(error) = run(&format!("--data {TINY} --k 2 --draws 0"), &scratch.path("out")) else {
        panic!("no draws were accepted")
    };
    let is_zero = matches!(error, TopicsError::Model(Error::ZeroSetting { setting: "num_draws" }));
    assert!(is_zero, "{error:?}");
    assert!(scratch.names().is_empty());
}

fn folder_error(arguments: &str, out: &Path) -> FolderError {
    match tiny(arguments, out) {
        Err(TopicsError::Folder(error)) => error,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("{} was written", out.display()),
    }
}

#[test]
fn a_folder_that_exists_stays_unless_forced() {
    let scratch = Scratch::new("exists");
    let out = scratch.path("out");
    tiny("--seed 1", &out).unwrap();
    let before = contents(&out);
    assert!(matches!(folder_error("--seed 2", &out), FolderError::Exists { .. }));
    assert_eq!(contents(&out), before);
    tiny("--seed 2 --force", &out).unwrap();
    assert_ne!(contents(&out), before);
    assert_eq!(names(&out).len(), before.len());
    assert_eq!(scratch.names(), ["out"]);
}

#[test]
fn force_spares_what_this_program_did_not_write() {
    let scratch = Scratch::new("foreign");
    let thesis = scratch.path("thesis");
    fs::create_dir(&thesis).unwrap();
    fs::write(thesis.join("chapter.txt"), "years of work").unwrap();
    assert!(matches!(folder_error("--force", &thesis), FolderError::NotOurs { .. }));
    let file = scratch.write("file", "a file");
    assert!(matches!(folder_error("--force", &file), FolderError::NotOurs { .. }));

    let out = scratch.path("out");
    tiny("", &out).unwrap();
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let error = folder_error("--force", &out);
    assert!(
        matches!(&error, FolderError::Foreign { name, .. } if name == "notes.txt"),
        "{error:?}"
    );
    assert_eq!(fs::read(out.join("notes.txt")).unwrap(), b"mine");
    assert_eq!(scratch.names(), ["file", "out", "thesis"]);
    assert_eq!(names(&thesis), ["chapter.txt"]);
}

#[test]
fn a_folder_that_cannot_be_made_is_refused_before_anything_is_read() {
    let scratch = Scratch::new("impossible");
    let file = scratch.write("file", "a file");
    for (out, is_io) in [(file.join("out"), true), (PathBuf::from("/"), false)] {
        let Err(TopicsError::Folder(error)) = run("--data /nowhere", &out) else {
            panic!("{} should have been refused first", out.display())
        };
        assert_eq!(matches!(error, FolderError::Io { .. }), is_io, "{error:?}");
        assert_eq!(matches!(error, FolderError::NoName { .. }), !is_io, "{error:?}");
    }
}

/// The tiny corpus as it is released into a folder: by its words alone nothing else is known.
fn released_folder(scratch: &Scratch, name: &str) -> PathBuf {
    let budget = Lplp::new(1, 4).unwrap();
    let counts = Sensitive::new(skellam::counts::read_matrix_market(TINY).unwrap());
    let released = counts.release(&budget).unwrap();
    released.save(scratch.path(name), &budget.into()).unwrap()
}

#[test]
fn counts_that_were_released_elsewhere_are_fitted_without_true_ones() {
    let scratch = Scratch::new("released");
    let folder = released_folder(&scratch, "data");
    for engine in ["gibbs", "cavi", "gibbs-augmented"] {
        let out = scratch.path(engine);
        let arguments = format!(
            "--released {} --vocab {TINY_WORDS} --k 4 --tune 20 --draws 10",
            folder.display()
        );
        let study = run(&format!("{arguments} --engine {engine}"), &out).unwrap();
        assert!(study.scores.is_none() && !out.join("scores.tsv").exists(), "{engine}");
        let words = study.promise();
        assert!(
            words.contains("(1, 4)-limited-precision") && words.contains("keep it too"),
            "{words}"
        );
        let run = fs::read_to_string(out.join("skellam-run.json")).unwrap();
        assert!(
            run.contains("\"provenance\": \"released with a promise\"") && run.contains("\"looks_at_true_counts\": []")
        );
        let topics = fs::read_to_string(out.join("topics.tsv")).unwrap();
        assert_eq!(topics.lines().count(), 1 + 4 * 10);
        assert!(topics.lines().all(|line| line.split('\t').count() == 7), "{topics}");
        assert!(!fs::read_to_string(out.join("topics.svg")).unwrap().contains("True"));
    }
}

#[test]
fn an_asserted_mechanism_is_said_to_be() {
    let scratch = Scratch::new("asserted");
    let budget = Lplp::kept_by_alpha(1, 0.1).unwrap();
    let values: Vec<i64> = (0..80 * 200).map(|i| if i % 7 == 0 { 3 } else { -(i % 2) }).collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(budget.alpha()).unwrap());
    let released = Released::assert_mechanism(vec![80, 200], values, law).unwrap();
    let folder = released.save(scratch.path("data"), &budget.into()).unwrap();
    let arguments = format!("--released {} --k 2 --tune 2 --draws 2", folder.display());
    let study = run(&arguments, &scratch.path("out")).unwrap();
    assert!(
        study.promise().contains("alpha = 0.100000 is asserted by the user"),
        "{}",
        study.promise()
    );
    for name in ["skellam-run.json", "topics.svg"] {
        let text = fs::read_to_string(scratch.path("out").join(name)).unwrap();
        assert!(text.contains("asserted by the user"), "{name}");
    }
}

#[test]
fn folders_that_are_not_what_the_model_declares_are_refused() {
    let scratch = Scratch::new("contradicts");
    let of = |folder: &Path, more: &str| refused(&scratch, &format!("--released {} --k 2 {more}", folder.display()));
    let folder_error = |error: TopicsError| match error {
        TopicsError::Released(error) => error,
        other => panic!("{other:?}"),
    };
    let missing = scratch.path("nothing");
    assert!(matches!(folder_error(of(&missing, "")), FileError::Read { .. }));

    let folder = released_folder(&scratch, "altered");
    let words = scratch.write("words.txt", "one\ntwo\n");
    let error = of(&folder, &format!("--vocab {}", words.display()));
    assert!(
        matches!(
            error,
            TopicsError::Vocabulary {
                words: 2,
                columns: 200,
                ..
            }
        ),
        "{error:?}"
    );
    let path = folder.join("metadata.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("4/1", "1/4", 1)).unwrap();
    assert!(matches!(folder_error(of(&folder, "")), FileError::Altered { .. }));
    fs::remove_file(&path).unwrap();
    assert!(matches!(
        folder_error(of(&folder, "")),
        FileError::Missing {
            file: "metadata.json",
            ..
        }
    ));

    let budget = Lplp::new(1, 1).unwrap();
    let counts = |shape: Vec<usize>| Sensitive::new(Counts::dense(shape, vec![1; 12]).unwrap());
    let zeroed = counts(vec![3, 4]).release(&Truncated(budget)).unwrap();
    let zeroed = zeroed.save(scratch.path("zeroed"), &Truncated(budget).into()).unwrap();
    assert!(matches!(
        of(&zeroed, ""),
        TopicsError::OtherLaw { ref found, expected: "TwoSidedGeometric", .. } if found == "TruncatedGeometric"
    ));
    let cube = counts(vec![3, 2, 2]).release(&budget).unwrap();
    let cube = cube.save(scratch.path("cube"), &budget.into()).unwrap();
    assert!(matches!(of(&cube, ""), TopicsError::Modes { ref shape, .. } if *shape == [3, 2, 2]));
}
