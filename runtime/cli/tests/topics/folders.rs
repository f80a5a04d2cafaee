//! Folders of results, and of counts that were released elsewhere.

use super::*;

fn folder_error(arguments: &str, out: &Path) -> String {
    match tiny(arguments, out) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{} was written", out.display()),
    }
}

#[test]
fn a_folder_that_exists_stays_unless_forced() {
    let scratch = Scratch::new();
    let out = scratch.path("out");
    tiny("--seed 1", &out).unwrap();
    let before = contents(&out);
    assert!(folder_error("--seed 2", &out).contains("exists: give another name, or --force"));
    assert_eq!(contents(&out), before);
    tiny("--seed 2 --force", &out).unwrap();
    assert_ne!(contents(&out), before);
    assert_eq!(names(&out).len(), before.len());
    assert_eq!(scratch.names(), ["out"]);
    let error = skellam_cli::inspect::run(&skellam_cli::inspect::Flags { path: out })
        .unwrap_err()
        .to_string();
    assert!(error.contains("holds results of `skellam topics`"), "{error}");
}

#[test]
fn force_spares_what_this_program_did_not_write() {
    let scratch = Scratch::new();
    let thesis = scratch.path("thesis");
    fs::create_dir(&thesis).unwrap();
    fs::write(thesis.join("chapter.txt"), "years of work").unwrap();
    let file = PathBuf::from(scratch.write("file", "a file"));
    for other in [&thesis, &file] {
        let error = folder_error("--force", other);
        assert!(error.contains("so even --force leaves it alone"), "{error}");
    }

    let out = scratch.path("out");
    tiny("", &out).unwrap();
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let error = folder_error("--force", &out);
    assert!(error.contains("also holds `notes.txt`"), "{error}");
    assert_eq!(fs::read(out.join("notes.txt")).unwrap(), b"mine");
    assert_eq!(scratch.names(), ["file", "out", "thesis"]);
    assert_eq!(names(&thesis), ["chapter.txt"]);
}

#[test]
fn a_folder_that_cannot_be_made_is_refused_before_anything_is_read() {
    let scratch = Scratch::new();
    let file = PathBuf::from(scratch.write("file", "a file"));
    for (out, words) in [
        (file.join("out"), "cannot write results to "),
        (PathBuf::from("/"), "--out / does not end in the name of a folder"),
    ] {
        let error = run("--data /nowhere", &out).err().unwrap().to_string();
        assert!(error.starts_with(words), "{error}");
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
    let scratch = Scratch::new();
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
        assert!(topics.lines().all(|line| line.split('\t').count() == 5), "{topics}");
        assert!(!fs::read_to_string(out.join("topics.svg")).unwrap().contains("True"));
    }
}

#[test]
fn an_asserted_mechanism_is_said_to_be() {
    let scratch = Scratch::new();
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
    let scratch = Scratch::new();
    let of = |folder: &Path, more: &str| refused(&scratch, &format!("--released {} --k 2 {more}", folder.display()));
    let missing = scratch.path("nothing");
    let error = of(&missing, "");
    assert!(error.starts_with("cannot read "), "{error}");

    let folder = released_folder(&scratch, "altered");
    let words = scratch.write("words.txt", "one\ntwo\n");
    let error = of(&folder, &format!("--vocab {words}"));
    assert!(error.contains("words.txt has 2 words, but"), "{error}");
    let path = folder.join("metadata.json");
    let text = fs::read_to_string(&path).unwrap();
    let altered = text.replacen("\"epsilon\": \"4\"", "\"epsilon\": \"1\"", 1);
    assert_ne!(altered, text);
    fs::write(&path, altered).unwrap();
    let error = of(&folder, "");
    assert!(error.contains("was altered after it was written"), "{error}");

    let budget = Lplp::new(1, 1).unwrap();
    let counts = |shape: Vec<usize>| Sensitive::new(Counts::dense(shape, vec![1; 12]).unwrap());
    let zeroed = counts(vec![3, 4]).release(&Truncated(budget)).unwrap();
    let zeroed = zeroed.save(scratch.path("zeroed"), &Truncated(budget).into()).unwrap();
    let error = of(&zeroed, "");
    assert!(
        error.contains("by a copy of this example with `release y by TruncatedGeometric`"),
        "{error}"
    );
    let cube = counts(vec![3, 2, 2]).release(&budget).unwrap();
    let cube = cube.save(scratch.path("cube"), &budget.into()).unwrap();
    let error = of(&cube, "");
    assert!(error.contains("of shape [3, 2, 2]: topics need two modes"), "{error}");
}
