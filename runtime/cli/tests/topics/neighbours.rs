//! Two data sets that differ in one document, with one release: whatever does not look at the true counts is the same to the last byte.

use super::topics::files::LOOKS_AT_TRUE_COUNTS;
use super::topics::{folder, released, results};
use super::*;

/// The tiny corpus without the words of its first document, but for one: and how many counts that takes.
fn without_a_document(corpus: &str) -> (String, u64) {
    let (mut taken, mut entries) = (0, 0);
    let lines = corpus.lines().filter(|line| !line.starts_with('%')).map(|line| {
        entries += 1;
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["1", word, count] if entries > 2 => {
                taken += count.parse::<u64>().unwrap();
                format!("1 {word} 0")
            }
            _ => line.to_owned(),
        }
    });
    let body = lines.collect::<Vec<_>>().join("\n");
    (matrix("integer", &body), taken)
}

#[test]
fn neighbours_with_one_release_differ_in_the_listed_files_alone() {
    let scratch = Scratch::new();
    let corpus = fs::read_to_string(TINY).unwrap();
    let (neighbour, n) = without_a_document(&corpus);
    assert!(n > 20);
    let path = scratch.path("counts.mtx").display().to_string();
    for (name, more, listed) in [
        ("compared", "", &LOOKS_AT_TRUE_COUNTS[..]),
        ("alone", " --release-only", &[][..]),
    ] {
        let arguments = format!(
            "topics --quiet --data {path} --vocab {TINY_WORDS} --k 4 --tune 20 --draws 200 --seed-for-simulation 1 --n {n} --epsilon {}{more}",
            2 * n
        );
        let flags = Flags::try_parse_from(arguments.split_whitespace()).unwrap();
        let input = |text: &str| {
            fs::write(&path, text).unwrap();
            released::read(&flags).unwrap()
        };
        let (one, mut other) = (input(&corpus), input(&neighbour));
        assert_ne!(one.values, other.values);
        (other.released, other.values) = (one.released.clone(), one.values.clone());
        let folders = [("one", one), ("other", other)].map(|(which, input)| {
            let out = scratch.path(&format!("{name}-{which}"));
            let folder = folder::claim(Some(&out), false).unwrap();
            let study = results(&flags, input, folder).unwrap();
            assert_eq!(study.fits.exact.is_none(), listed.is_empty());
            out
        });
        let [one, other] = folders.each_ref().map(|folder| contents(folder));
        assert_eq!(names(&folders[0]), names(&folders[1]));
        let differ = one.iter().zip(&other).filter(|(one, other)| one != other);
        let mut differ: Vec<&str> = differ.map(|((name, _), _)| &name[..]).collect();
        let mut listed = listed.to_vec();
        listed.sort_unstable();
        differ.sort_unstable();
        // The picture shows some documents only, and may be the same.
        differ.retain(|name| *name != "topics.svg");
        let expected = listed.iter().copied().filter(|name| *name != "topics.svg");
        assert_eq!(differ, expected.collect::<Vec<&str>>());
        let text = fs::read_to_string(folders[0].join("skellam-run.json")).unwrap();
        let run: serde_json::Value = serde_json::from_str(&text).unwrap();
        let of_list = |list: &str| {
            let names = run[list].as_array().unwrap().iter();
            let mut names: Vec<String> = names.map(|name| name.as_str().unwrap().to_owned()).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(of_list("looks_at_true_counts"), listed);
        let others = names(&folders[0]);
        let others: Vec<String> = others.into_iter().filter(|name| !listed.contains(&&name[..])).collect();
        assert_eq!(of_list("from_the_release_only"), others);
    }
}

/// A release of one's own counts that nothing is compared with keeps its promise in all files.
#[test]
fn a_run_of_the_release_only_keeps_its_promise() {
    let scratch = Scratch::new();
    let study = tiny("--fresh-noise --release-only", &scratch.path("out")).unwrap();
    let words = study.promise();
    assert!(
        words.contains("limited-precision") && words.contains("keep it too"),
        "{words}"
    );
    assert!(study.fits.naive.is_none() && study.scores.is_none() && study.corpus.counts.is_none());
    let run = fs::read_to_string(study.folder.join("skellam-run.json")).unwrap();
    assert!(
        run.contains("\"noise\": \"operating system\"") && run.contains("\"epsilon\": \"2\""),
        "{run}"
    );
    assert!(
        !fs::read_to_string(study.folder.join("topics.svg"))
            .unwrap()
            .contains("True")
    );
}
