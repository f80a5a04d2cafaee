//! `skellam power`: its table, and what it refuses.

use std::process::Command;

fn skellam(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_skellam"))
        .arg("power")
        .args(arguments)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// The last number of the first line.
fn price(said: &str) -> &str {
    let line = said.lines().nth(4).unwrap_or_else(|| panic!("{said}"));
    line.split_whitespace().last().unwrap()
}

/// The prices at the mean of a corpus of e-mails, whatever N is.
#[test]
fn the_price_of_privacy() {
    for (n, epsilon) in [("1", "1,2,3"), ("4", "4,8,12")] {
        let (ok, said) = skellam(&["--rate", "0.00875", "--epsilon", epsilon, "--n", n]);
        assert!(ok, "{said}");
        let lines = said.lines().skip(4).take(3);
        let prices: Vec<f64> = lines
            .map(|l| l.split_whitespace().last().unwrap().parse().unwrap())
            .collect();
        let near = prices
            .iter()
            .zip([107.0, 22.0, 7.4])
            .all(|(found, known)| (found / known - 1.0).abs() < 0.01);
        assert!(prices.len() == 3 && near, "{said}");
    }
}

/// Prices of other mechanisms are those of the page on mechanisms: shares of 8.9 %, 7.37 % and 0.72 % at a rate of 0.1.
#[test]
fn other_mechanisms() {
    for (flags, share) in [
        (&["--mechanism", "truncated"][..], 0.089),
        (&["--mechanism", "laplace", "--bits", "4"], 0.0737),
        (&["--mechanism", "skellam", "--delta", "1e-6"], 0.0072),
    ] {
        let (ok, said) = skellam(&[&["--rate", "0.1", "--epsilon", "1"], flags].concat());
        let price: f64 = price(&said).parse().unwrap();
        assert!(ok && (price * share - 1.0).abs() < 0.01, "{said}");
    }
    let (ok, said) = skellam(&["--rate", "0.1", "--epsilon", "1", "--delta", "1e-6"]);
    assert!(!ok && said.contains("--delta is for --mechanism skellam"), "{said}");
}

/// Rates of a file are the means of its columns, and the table says that it follows from counts.
#[test]
fn rates_of_a_file() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("counts.csv");
    std::fs::write(&file, "doc,word,count\n0,0,2\n1,0,4\n1,1,1\n").unwrap();
    let path = file.display().to_string();
    let (ok, said) = skellam(&["--counts", &path, "--epsilon", "1"]);
    assert!(ok && said.contains("If these are private"), "{said}");
    let (_, given) = skellam(&["--rate", "3,0.5", "--epsilon", "1"]);
    assert_eq!(price(&said), price(&given), "{said}{given}");
    let (ok, said) = skellam(&["--counts", scratch.path().to_str().unwrap(), "--epsilon", "1"]);
    assert!(!ok && said.contains("is a folder"), "{said}");
    let (ok, said) = skellam(&["--counts", &path, "--rate", "1", "--epsilon", "1"]);
    assert!(!ok && said.contains("cannot be used with"), "{said}");
}

#[test]
fn what_is_no_rate_or_budget_is_refused() {
    for (rate, epsilon, why) in [
        ("0", "1", "a rate of 0"),
        ("1", "0", "epsilon"),
        ("1", "x", "not a number"),
    ] {
        let (ok, said) = skellam(&["--rate", rate, "--epsilon", epsilon]);
        assert!(!ok && said.contains(why), "{said}");
    }
}
