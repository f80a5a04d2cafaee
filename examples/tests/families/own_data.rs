//! Examples that read a data set of the user's: its noise is from the operating system, whatever the seed, and no exact total of it is printed.

use std::fs;

use clap::CommandFactory;
use skellam_examples::{Example, Failure, Study};

use super::examples::{
    background, blocks, contingency, covariates, cp, custom_update, deep, difference, dynamics, flows, foldin, groups,
    hierarchical, lda, naive_bayes, negative_binomial, pairs, rounding, shrinkage, simplex, tucker, views,
};
use super::studies::run;

/// An example, the files of a data set for it, and the exact total of their counts.
struct Own {
    name: &'static str,
    study: fn(&str) -> Result<Study, Failure>,
    files: Vec<(&'static str, String)>,
    total: i64,
}

/// Cells of a tensor with their counts, which add up to a number that nothing else is, and to it.
fn cells(header: &str, shape: &[usize], counted: impl Fn(&[usize]) -> bool) -> (String, i64) {
    let (mut text, mut total) = (format!("{header}\n"), 0);
    for cell in 0..shape.iter().product::<usize>() {
        let mut at = vec![0; shape.len()];
        let mut rest = cell;
        for (index, size) in at.iter_mut().zip(shape).rev() {
            (*index, rest) = (rest % size, rest / size);
        }
        if counted(&at) {
            let count = 101 + 37 * cell as i64 % 71;
            total += count;
            let line: Vec<String> = at.iter().map(usize::to_string).collect();
            text.push_str(&format!("{}\t{count}\n", line.join("\t")));
        }
    }
    (text, total)
}

/// The same of a matrix as a Matrix Market file.
fn matrix(shape: [usize; 2], counted: impl Fn(&[usize]) -> bool) -> (String, i64) {
    let (text, total) = cells("", &shape, counted);
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let entry = |line: &&str| {
        let numbers: Vec<i64> = line.split('\t').map(|n| n.parse().unwrap()).collect();
        format!("{} {} {}\n", numbers[0] + 1, numbers[1] + 1, numbers[2])
    };
    let entries: String = lines.iter().map(entry).collect();
    let [rows, columns] = shape;
    let head = "%%MatrixMarket matrix coordinate integer general";
    (format!("{head}\n{rows} {columns} {}\n{entries}", lines.len()), total)
}

fn list(items: &[&str]) -> String {
    items.iter().map(|item| format!("{item}\n")).collect()
}

fn data_sets() -> Vec<Own> {
    let events = "sender\treceiver\taction\tyear\tcount";
    let (tensor, of_tensor) = cells(events, &[3, 3, 1, 5], |at| at[0] != at[1]);
    let (network, of_network) = matrix([6, 6], |at| at[0] < at[1]);
    let (mails, of_mails) = matrix([8, 7], |_| true);
    let (messages, of_messages) = matrix([7, 7], |at| at[0] != at[1]);
    let (votes, of_votes) = cells("class\tvote\tanswer\tcount", &[2, 2, 3], |_| true);
    let (tables, of_tables) = cells("admit\tgender\tdept\tcount", &[2, 2, 6], |_| true);
    vec![
        Own {
            name: "contingency",
            study: run::<contingency::Arguments>,
            files: vec![("UCBAdmissions.tsv", tables)],
            total: of_tables,
        },
        Own {
            name: "cp",
            study: run::<cp::Arguments>,
            files: vec![
                ("tiny_countries.txt", list(&["a", "b", "c"])),
                ("actions.txt", list(&["talk"])),
                ("years.txt", list(&["1", "2", "3", "4", "5"])),
                ("tiny_tensor.tsv", tensor.clone()),
            ],
            total: of_tensor,
        },
        Own {
            name: "dynamics",
            study: run::<dynamics::Arguments>,
            files: vec![("tiny_tensor.tsv", tensor)],
            total: of_tensor,
        },
        Own {
            name: "flows",
            study: run::<flows::Arguments>,
            files: vec![("counts161.mtx", messages)],
            total: of_messages,
        },
        Own {
            name: "groups",
            study: run::<groups::Arguments>,
            files: vec![
                ("tiny_bow.mtx", mails),
                ("doc_user.txt", list(&["0", "0", "0", "4", "4", "5", "5", "5"])),
            ],
            total: of_mails,
        },
        Own {
            name: "naive_bayes",
            study: run::<naive_bayes::Arguments>,
            files: vec![
                ("features.txt", list(&["a=n", "a=y", "a=?", "b=n", "b=y", "b=?"])),
                ("class_vote_answer.tsv", votes),
            ],
            total: of_votes,
        },
        Own {
            name: "pairs",
            study: run::<pairs::Arguments>,
            files: vec![
                ("lesmis.mtx", network),
                ("lesmis_names.txt", list(&["a", "b", "c", "d", "e", "f"])),
            ],
            total: of_network,
        },
    ]
}

/// A run with the flags that make it short.
fn short(own: &Own, folder: &str) -> Study {
    let more = match own.name {
        "contingency" => "--releases 2",
        "dynamics" => "--parts 2",
        _ => "",
    };
    let flags = format!("--tune 4 --draws 10 --chains 1 --seed 1 --epsilon 1/10 --engine gibbs {more} --data {folder}");
    (own.study)(&flags).unwrap_or_else(|e| panic!("{}: {e}", own.name))
}

/// Noise of two runs with one seed is equal by chance with probability below 1e-9: it has a standard deviation of 14 or more in each of 12 cells or more.
#[test]
fn data_of_the_user_get_noise_from_the_system() {
    let root = std::env::temp_dir().join(format!("skellam-own-data-{}", std::process::id()));
    for own in data_sets() {
        let folder = root.join(own.name);
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in &own.files {
            fs::write(folder.join(file), text).unwrap();
        }
        let runs = [(); 2].map(|()| short(&own, folder.to_str().unwrap()));
        let [(one, text), (two, _)] = runs
            .each_ref()
            .map(|study| (format!("{:?}", study.numbers), &study.text));
        assert!(!runs[0].numbers.is_empty(), "{}: {text}", own.name);
        if own.name == "flows" {
            assert!(text.contains("Nothing is released") && one == two, "{text}");
            continue;
        }
        assert_ne!(one, two, "{}", own.name);
        assert!(
            text.contains("the noise is from the operating system"),
            "{}: {text}",
            own.name
        );
        let compares = text.contains("error") == text.contains("This table compares with the true counts");
        assert!(compares, "{}: {text}", own.name);
        // Of people with a public number, the number is said to be public, and no share of theirs is printed.
        match own.name {
            "contingency" => assert!(text.starts_with(&format!("{} applicants, a public number", own.total))),
            "naive_bayes" => {
                assert!(
                    text.starts_with(&format!("{} people, a public number", own.total / 2)),
                    "{text}"
                );
                for exact in ["share of the first 0.", "true counts   ", "    true\n"] {
                    assert!(!text.contains(exact), "{exact}: {text}");
                }
            }
            _ => assert!(!text.contains(&own.total.to_string()), "{}: {text}", own.name),
        }
    }
    fs::remove_dir_all(&root).unwrap();
}

/// An example that reads data is among those that the test above runs.
#[test]
fn every_example_that_reads_data_is_known() {
    fn reads<E: Example + CommandFactory>() -> bool {
        E::command().get_arguments().any(|flag| flag.get_id() == "data")
    }
    let known: Vec<&str> = data_sets().iter().map(|own| own.name).collect();
    for (name, reads) in [
        ("background", reads::<background::Arguments>()),
        ("blocks", reads::<blocks::Arguments>()),
        ("contingency", reads::<contingency::Arguments>()),
        ("covariates", reads::<covariates::Arguments>()),
        ("cp", reads::<cp::Arguments>()),
        ("custom_update", reads::<custom_update::Arguments>()),
        ("deep", reads::<deep::Arguments>()),
        ("difference", reads::<difference::Arguments>()),
        ("dynamics", reads::<dynamics::Arguments>()),
        ("flows", reads::<flows::Arguments>()),
        ("foldin", reads::<foldin::Arguments>()),
        ("groups", reads::<groups::Arguments>()),
        ("hierarchical", reads::<hierarchical::Arguments>()),
        ("lda", reads::<lda::Arguments>()),
        ("naive_bayes", reads::<naive_bayes::Arguments>()),
        ("negative_binomial", reads::<negative_binomial::Arguments>()),
        ("pairs", reads::<pairs::Arguments>()),
        ("rounding", reads::<rounding::Arguments>()),
        ("shrinkage", reads::<shrinkage::Arguments>()),
        ("simplex", reads::<simplex::Arguments>()),
        ("tucker", reads::<tucker::Arguments>()),
        ("views", reads::<views::Arguments>()),
    ] {
        assert_eq!(reads, known.contains(&name), "{name}");
    }
}
