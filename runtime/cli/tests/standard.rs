//! `skellam network` and `skellam events` on files and releases: what they print and write, and what they refuse.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/data")
        .join(name)
}

fn skellam(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_skellam"))
        .args(arguments)
        .output()
        .unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = skellam(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = skellam(arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

const SHORT: [&str; 7] = ["--quiet", "--tune", "60", "--draws", "20", "--chains", "1"];

/// A release of a network is fitted with its noise modelled; the fit is saved, and the picture is drawn.
#[test]
fn a_network_that_was_released() {
    let scratch = tempfile::tempdir().unwrap();
    let [release, out] = ["release", "out"].map(|name| scratch.path().join(name).display().to_string());
    let counts = data("blocks.mtx").display().to_string();
    printed(&[
        "release",
        &counts,
        "--n",
        "1",
        "--epsilon",
        "1",
        "--seed-for-simulation",
        "1",
        "--quiet",
        "--out",
        &release,
    ]);
    let said = printed(&[&["network", &release, "-k", "4", "--out", &out], &SHORT[..]].concat());
    assert!(
        said.contains("groups (share of the counts") && !said.contains("not private"),
        "{said}"
    );
    assert_eq!(said.lines().filter(|line| line.contains('%')).count(), 4, "{said}");
    let inspected = printed(&["inspect", &out]);
    assert!(inspected.contains("a fit of `Network`"), "{inspected}");
    // The report has what was released and what was derived, and nothing that a browser would ask a network for.
    let made = std::fs::read_to_string(scratch.path().join("out/report.html")).unwrap();
    for part in [
        "default-src 'none'",
        "aria-label=\"Matrices of y\"",
        "\nobserved\n",
        "<math",
        "id=\"topics\"",
        "R-hat",
    ] {
        assert!(made.contains(part), "{part}");
    }
    let outside = made
        .match_indices("://")
        .filter(|(at, _)| !made[at + 3..].starts_with("www.w3.org/"));
    assert_eq!(outside.count(), 0);
    // The same page by the command, but for the checks, which need what was observed.
    let (before, rest) = made.split_once("<h2>Does the model predict such data?</h2>").unwrap();
    let after = rest.find("<h2>What was derived</h2>").unwrap();
    assert!(rest[..after].contains("totals of actors, mode 1") && rest[..after].contains("<svg"));
    let (fit, page) = (format!("{out}/fit.npz"), format!("{out}/again.html"));
    printed(&["report", &fit, "--observed", &release, "--out", &page]);
    assert!(format!("{before}{}", &rest[after..]) == std::fs::read_to_string(&page).unwrap());
    printed(&["report", &fit, "--title", "<Groups>", "--out", &page]);
    let without = std::fs::read_to_string(&page).unwrap();
    assert!(without.contains("<h1>&lt;Groups&gt;</h1>") && !without.contains("\nobserved\n"));
    // Other data do not fit, and leave the page as it is.
    let other = data("covariates.mtx").display().to_string();
    let said = refused(&["report", &fit, "--observed", &other, "--out", &page]);
    assert!(said.contains("does not hold of"), "{said}");
    assert!(without == std::fs::read_to_string(&page).unwrap());
    let picture = std::fs::read_to_string(scratch.path().join("out/picture.svg")).unwrap();
    assert!(picture.starts_with("<svg") || picture.starts_with("<?xml"));
    // The folder stays as it is.
    assert!(refused(&[&["network", &release, "--out", &out], &SHORT[..]].concat()).contains("is there already"));
}

/// Names of an edge list are numbered apart in rows and columns: a network has one set of actors. Counts from an actor to itself are left out, which is said.
#[test]
fn an_edge_list_with_names() {
    let scratch = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = scratch.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let edges = file(
        "edges.csv",
        "from,to,count\nann,bob,30\nbob,cid,25\ncid,dan,40\ncid,cid,7\n",
    );
    let output = skellam(&[&["network", &edges, "-k", "2"], &SHORT[..]].concat());
    let [said, noted] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(
        ["ann", "bob", "cid", "dan"].iter().all(|name| said.contains(name)),
        "{said}"
    );
    assert!(noted.contains("7 of 102 counts are from an actor to itself"), "{noted}");
    let other = file("other.csv", "doc,word,count\nx,apple,3\ny,pear,2\n");
    assert!(refused(&["network", &other]).contains("no name is both in the rows and in the columns"));
    // Released, the two numberings can no longer be told apart.
    let out = scratch.path().join("release").display().to_string();
    let seed = [
        "--seed-for-simulation",
        "1",
        "--quiet",
        "--publish-names",
        "--out",
        &out,
    ];
    printed(&[&["release", &edges, "--n", "1", "--epsilon", "1"], &seed[..]].concat());
    assert!(refused(&["network", &out]).contains("numbers them apart"));
}

/// A file of true counts is fitted as it is, and that is said; kinds are printed with the names that are given.
#[test]
fn events_of_four_modes_in_a_file() {
    let scratch = tempfile::tempdir().unwrap();
    let actions = scratch.path().join("actions.txt");
    std::fs::write(&actions, "talk\ntrade\nthreaten\nfight\n").unwrap();
    let (events, names) = (data("cp.tsv").display().to_string(), format!("2={}", actions.display()));
    let shape = ["--shape", "16,16,4,12"];
    let said = printed(
        &[
            &["events", &events, "-k", "3", "--labels", &names],
            &shape[..],
            &SHORT[..],
        ]
        .concat(),
    );
    assert!(
        said.contains("kinds of events") && said.contains("not private"),
        "{said}"
    );
    assert!(
        ["talk", "trade", "threaten", "fight"]
            .iter()
            .all(|action| said.contains(action)),
        "{said}"
    );
    let wrong = format!("0={}", actions.display());
    let error = refused(&[&["events", &events, "--labels", &wrong], &shape[..], &SHORT[..]].concat());
    assert!(error.contains("has 4 names, and mode 0 has 16 values"), "{error}");
    let error = refused(&[&["network", &events], &shape[..], &SHORT[..]].concat());
    assert!(
        error.contains("[16, 16, 4, 12]") && error.contains("two modes of one size"),
        "{error}"
    );
    let error = refused(&["events", "nowhere.tsv"]);
    assert!(error.contains("nowhere.tsv"), "{error}");
}

/// Texts are fitted as they are; their words and names stand beside the topics. What cannot be read is refused, and nothing is left.
#[test]
fn topics_of_texts() {
    let scratch = tempfile::tempdir().unwrap();
    let texts = scratch.path().join("texts");
    std::fs::create_dir(&texts).unwrap();
    for number in 0..12 {
        let text = ["wheat ships grain harvest ", "bank rate loan interest "][number % 2].repeat(5);
        std::fs::write(texts.join(format!("{number:02}.txt")), text).unwrap();
    }
    let out = scratch.path().join("out");
    let arguments = |out: &str| {
        let texts = texts.display().to_string();
        let all = [
            "topics", &texts, "--k", "2", "--quiet", "--tune", "50", "--draws", "100", "--chains", "1", "--out", out,
        ];
        all.map(str::to_owned).to_vec()
    };
    let run = |out: &Path| {
        let all = arguments(&out.display().to_string());
        skellam(&all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let found = run(&out);
    let said = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(
        found.status.success() && said.contains("nothing of this is private"),
        "{found:?}"
    );
    let mut topics: Vec<Vec<&str>> = (said.lines().filter(|line| line.contains('%')))
        .map(|line| line.split_whitespace().skip(1).take(4).collect())
        .collect();
    topics.iter_mut().for_each(|words| words.sort_unstable());
    topics.sort_unstable();
    assert_eq!(
        topics,
        [
            ["bank", "interest", "loan", "rate"],
            ["grain", "harvest", "ships", "wheat"]
        ],
        "{said}"
    );
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    assert!(read("documents.tsv").contains("\n07.txt\t") && read("topics.tsv").contains("\tharvest"));
    assert!(
        read("generated.rs").contains("P(k) ∝ E[θ[d,k]] E[φ[k,v]]"),
        "{}",
        read("generated.rs")
    );
    for (name, bytes, why) in [
        ("bad.txt", &b"wheat \xff ships"[..], "bad.txt"),
        ("empty", b"", "has a word"),
    ] {
        std::fs::remove_dir_all(&texts).unwrap();
        std::fs::create_dir(&texts).unwrap();
        std::fs::write(texts.join(name), bytes).unwrap();
        let refused = run(&scratch.path().join("other"));
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(1));
        println!("{error}");
        assert!(error.contains(why) && !scratch.path().join("other").exists(), "{error}");
    }
}
