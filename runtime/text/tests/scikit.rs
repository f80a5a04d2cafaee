//! The pages of the book as documents: their counts are those of scikit-learn's `CountVectorizer`. `.ci/arviz` names an interpreter that has
//! it; without one the test says that it was skipped.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use skellam_text::{Corpus, StopWords, TextOptions, read_text};
use tempfile::tempdir;

/// The pages with a blank for everything but letters: there both take the same words out of a text.
fn pages(into: &Path) {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    for folder in [book.clone(), book.join("families"), book.join("privacy")] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "md") {
                let name = path
                    .strip_prefix(&book)
                    .unwrap()
                    .display()
                    .to_string()
                    .replace('/', "-");
                let text = fs::read_to_string(&path).unwrap();
                fs::write(
                    into.join(name),
                    text.replace(|letter: char| !letter.is_alphabetic(), " "),
                )
                .unwrap();
            }
        }
    }
}

fn hold(python: &str, folder: &Path, options: &TextOptions, [stop_words, vocabulary]: [&str; 2]) -> Corpus {
    let corpus = read_text(folder, options).unwrap();
    let output = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/count.py"))
        .arg(folder)
        .args([
            stop_words,
            &options.max_words.unwrap_or(0).to_string(),
            &options.max_share.to_string(),
            vocabulary,
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["words"], Value::from(corpus.words().to_vec()));
    let columns = corpus.words().len();
    let cells = corpus
        .counts()
        .iter_nonzero()
        .map(|(at, count)| Value::from(vec![(at / columns) as i64, (at % columns) as i64, count]));
    assert_eq!(found["cells"], Value::from(cells.collect::<Vec<_>>()));
    corpus
}

/// The least number of words, `at_least` or more, of which the last is more frequent than the next. Where two are as frequent, scikit-learn takes
/// one by the order that its sort leaves, and we take the first of the alphabet.
fn frequent(corpus: &Corpus, at_least: usize) -> usize {
    let columns = corpus.words().len();
    let mut totals = vec![0; columns];
    for (at, count) in corpus.counts().iter_nonzero() {
        totals[at % columns] += count;
    }
    totals.sort_unstable_by(|a, b| b.cmp(a));
    (at_least..columns)
        .find(|&many| totals[many - 1] > totals[many])
        .unwrap()
}

#[test]
fn counts_are_those_of_scikit_learn() {
    let scratch = tempdir().unwrap();
    let (folder, list) = (scratch.path().join("pages"), scratch.path().join("stop.txt"));
    fs::create_dir(&folder).unwrap();
    pages(&folder);
    fs::write(&list, "the\nof\nand\nis\n").unwrap();
    let options = TextOptions {
        stop_words: StopWords::read(&list).unwrap(),
        max_share: 0.7,
        ..TextOptions::default()
    };
    let Ok(python) = std::env::var("SKELLAM_PYTHON") else {
        println!("skipped: SKELLAM_PYTHON names no interpreter with scikit-learn; run .ci/arviz");
        return;
    };
    let all = hold(&python, &folder, &options, [list.to_str().unwrap(), "-"]);
    assert!(all.words().len() > 1000 && all.documents().len() > 40, "{all}");
    let some = TextOptions {
        max_words: Some(frequent(&all, 100)),
        ..options
    };
    let some = hold(&python, &folder, &some, [list.to_str().unwrap(), "-"]);
    let words = scratch.path().join("words.txt");
    fs::write(&words, some.words().join("\n")).unwrap();
    let of_these = TextOptions {
        vocabulary: Some(some.words().to_vec()),
        ..TextOptions::all_words()
    };
    hold(
        &python,
        &folder,
        &of_these,
        [list.to_str().unwrap(), words.to_str().unwrap()],
    );
    println!("equal to scikit-learn: {all}");
}
