//! `skellam topics`, run on a small corpus and on everything that can be wrong with its input.

#[path = "../common/mod.rs"]
mod common;
mod folders;
mod input;
mod neighbours;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use skellam::prelude::*;
use skellam_cli::refused::Refused;
use skellam_cli::topics;

use common::{Scratch, names};
use topics::flags::{Flags, OF_TRUTH};
use topics::study::Study;

const TINY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/reuters/tiny_bow.mtx");
const TINY_WORDS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../examples/data/reuters/tiny_vocab.txt"
);

/// Runs with the arguments, which are separated by spaces, into `out`.
fn run(arguments: &str, out: &Path) -> Result<Study, Refused> {
    let words = ["topics", "--quiet", "--out", out.to_str().unwrap()];
    let flags = Flags::try_parse_from(words.into_iter().chain(arguments.split_whitespace())).unwrap();
    topics::run(&flags)
}

/// A run on the tiny corpus, a few sweeps long, with noise from a known seed unless it is to be fresh.
fn tiny(arguments: &str, out: &Path) -> Result<Study, Refused> {
    let noise = if arguments.contains("--fresh-noise") {
        ""
    } else {
        " --seed-for-simulation 1"
    };
    let sweeps = if arguments.contains("--tune") {
        ""
    } else {
        " --tune 20 --draws 10"
    };
    run(
        &format!("--data {TINY} --vocab {TINY_WORDS} --k 4 {arguments}{sweeps}{noise}"),
        out,
    )
}

/// What a run says when it refuses, which must have left nothing where its results would be.
fn refused(scratch: &Scratch, arguments: &str) -> String {
    let before = scratch.names();
    let error = match run(&format!("--tune 2 --draws 2 {arguments}"), &scratch.path("deep/er/out")) {
        Ok(_) => panic!("{arguments} was accepted"),
        Err(error) => error,
    };
    assert_eq!(scratch.names(), before, "{arguments}");
    error.to_string()
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
    let scratch = Scratch::new();
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

/// What Ctrl-C does, from another thread.
#[test]
fn a_run_that_is_interrupted_saves_what_it_has() {
    let scratch = Scratch::new();
    let out = scratch.path("out");
    let arguments = format!(
        "topics --data {TINY} --vocab {TINY_WORDS} --k 4 --tune 2 --draws 100000 --seed-for-simulation 1 --quiet --out"
    );
    let mut words: Vec<&str> = arguments.split(' ').collect();
    words.push(out.to_str().unwrap());
    let flags = Flags::try_parse_from(words).unwrap();
    let interrupt = flags.interrupt.clone();
    let asked = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(700));
        interrupt.request();
    });
    let study = topics::run(&flags).unwrap();
    asked.join().unwrap();
    assert!(study.fits.naive.is_none() && study.fits.exact.is_none() && study.scores.is_none());
    let written = names(&study.folder);
    assert!(written.iter().all(|name| name != "scores.tsv") && written.len() == topics::files::NAMES.len() - 1);
}

#[test]
fn every_engine_runs() {
    let scratch = Scratch::new();
    for engine in ["gibbs-augmented", "cavi", "cavi-augmented", "cavi-published"] {
        let study = tiny(&format!("--engine {engine}"), &scratch.path(engine)).unwrap();
        assert!(study.scores.as_ref().unwrap().lines[1].deviance.is_finite(), "{engine}");
    }
}

#[test]
fn the_same_seed_gives_the_same_files_on_any_number_of_threads() {
    let scratch = Scratch::new();
    tiny("--seed 5 --threads 1", &scratch.path("one")).unwrap();
    tiny("--seed 5 --threads 2", &scratch.path("two")).unwrap();
    tiny("--seed 6 --threads 2", &scratch.path("other")).unwrap();
    assert_eq!(contents(&scratch.path("one")), contents(&scratch.path("two")));
    let topics = |name: &str| fs::read(scratch.path(name).join("topics.tsv")).unwrap();
    assert_ne!(topics("one"), topics("other"));
}

#[test]
fn fresh_noise_keeps_its_promise_and_says_what_does_not() {
    let scratch = Scratch::new();
    let study = tiny("--fresh-noise --epsilon 1/3 --n 2", &scratch.path("out")).unwrap();
    assert!(!study.released.promise().is_none());
    let words = study.promise();
    assert!(
        words.contains("(2, 1/3)-limited-precision") && words.contains("true counts"),
        "{words}"
    );
}

#[test]
fn counts_of_ones_own_get_fresh_noise_unless_a_seed_is_asked_for() {
    let scratch = Scratch::new();
    let short = format!("--data {TINY} --k 2 --tune 2 --draws 2 --seed 7");
    let own = |name: &str, more: &str| run(&format!("{short} {more}"), &scratch.path(name)).unwrap();
    let fresh = [own("one", ""), own("two", ""), own("three", "--fresh-noise")];
    for study in &fresh {
        assert!(!study.released.promise().is_none(), "{}", study.promise());
        let settings = fs::read_to_string(study.folder.join("skellam-run.json")).unwrap();
        assert!(settings.contains("\"noise\": \"operating system\""), "{settings}");
        assert!(settings.contains("\"noise_seed\": null"), "{settings}");
    }
    // 80 documents: equal by chance with probability below 2^-80.
    assert_ne!(fresh[0].released.values().unwrap(), fresh[1].released.values().unwrap());

    let seeded = [
        own("four", "--seed-for-simulation 3"),
        own("five", "--seed-for-simulation 3"),
    ];
    let [one, two] = seeded.each_ref().map(|study| study.released.values().unwrap());
    assert_eq!(one, two);
    let words = seeded[0].promise();
    assert!(
        words.contains("follows seed 3") && words.contains("promises nothing"),
        "{words}"
    );
}

#[test]
fn embedded_counts_alone_keep_their_seed() {
    let seed = |arguments: &str| {
        let words = ["topics"].into_iter().chain(arguments.split_whitespace());
        Flags::try_parse_from(words).map(|flags| flags.noise_seed())
    };
    assert_eq!(seed("").unwrap(), Some(1));
    assert_eq!(seed("--seed 5").unwrap(), Some(5));
    assert_eq!(seed("--seed 5 --seed-for-simulation 6").unwrap(), Some(6));
    assert_eq!(seed("--fresh-noise").unwrap(), None);
    assert_eq!(seed("--seed 5 --data mine.mtx").unwrap(), None);
    assert_eq!(seed("--seed-for-simulation 6 --data mine.mtx").unwrap(), Some(6));
    assert!(seed("--fresh-noise --seed-for-simulation 6").is_err());
}

/// Ten draws of a chain are too few: each fit says so, in a file and on standard error, however quiet the run. What is said of the fit of the
/// true counts has a file of its own, and a mark.
#[test]
fn doubts_about_each_fit_are_in_the_file_and_are_said() {
    let scratch = Scratch::new();
    let study = tiny("--tune 20 --draws 50", &scratch.path("out")).unwrap();
    let text = fs::read_to_string(study.folder.join("skellam-run.json")).unwrap();
    let run: serde_json::Value = serde_json::from_str(&text).unwrap();
    let warnings: Vec<&str> = run["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one.as_str())
        .collect();
    assert_eq!(warnings, study.warnings_of_release());
    let of_truth = fs::read_to_string(study.folder.join("true_count_warnings.txt")).unwrap();
    let of_truth: Vec<&str> = of_truth.lines().collect();
    assert_eq!(of_truth, study.warnings_of_truth());
    for (fit, warnings) in [
        ("noise modelled", &warnings),
        ("naive", &warnings),
        ("non-private", &of_truth),
    ] {
        let doubt = format!("{fit}: ");
        let said = |warning: &&str| warning.starts_with(&doubt) && warning.contains("10 draws: that is too few");
        assert!(warnings.iter().any(said), "{fit}: {warnings:?}");
    }

    let said = |out: &str, more: &[&str]| {
        let arguments =
            format!("--data {TINY} --vocab {TINY_WORDS} --k 4 --tune 20 --draws 50 --seed-for-simulation 1");
        let output = Command::new(env!("CARGO_BIN_EXE_skellam"))
            .arg("topics")
            .args(arguments.split_whitespace())
            .args(more)
            .arg("--out")
            .arg(scratch.path(out))
            .output()
            .unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let marked = |warning: &&str| format!("{OF_TRUTH}warning: {warning}");
    let of_release = warnings.iter().map(|warning| format!("warning: {warning}"));
    let expected: Vec<String> = of_release.chain(of_truth.iter().map(marked)).collect();
    assert_eq!(said("quiet", &["--quiet"]).lines().collect::<Vec<_>>(), expected);

    let aloud = said("aloud", &[]);
    let (of_truth, others): (Vec<&str>, Vec<&str>) = aloud.lines().partition(|line| line.starts_with(OF_TRUTH));
    for words in ["cells not zero", "fitting the true counts", "non-private: ", "scored"] {
        assert!(of_truth.iter().any(|line| line.contains(words)), "{words}: {aloud}");
        assert!(!others.iter().any(|line| line.contains(words)), "{words}: {aloud}");
    }
}

/// At this noise nothing is left of the signal, whichever way it is looked for.
#[test]
fn drowned_signals_are_said_to_be() {
    let scratch = Scratch::new();
    for engine in ["gibbs", "cavi"] {
        let study = tiny(&format!("--engine {engine} --epsilon 0.05"), &scratch.path(engine)).unwrap();
        let warnings = study.warnings();
        assert!(
            warnings.iter().any(|w| w.contains("larger epsilon / N")),
            "{engine}: {warnings:?}"
        );
        let said = fs::read_to_string(study.folder.join("true_count_warnings.txt")).unwrap();
        assert!(said.contains("larger epsilon / N"), "{said}");
        let picture = fs::read_to_string(study.folder.join("topics.svg")).unwrap();
        assert!(picture.contains("drowned"), "{engine}");
    }
    let study = tiny("--tune 100 --draws 50 --epsilon 4", &scratch.path("clear")).unwrap();
    assert!(study.warnings().is_empty(), "{:?}", study.warnings());
}
