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

/// The prices at the mean of a corpus of e-mails, whatever N is.
#[test]
fn the_price_of_privacy() {
    for (n, epsilon) in [("1", "1,2,3"), ("4", "4,8,12")] {
        let (ok, said) = skellam(&["--rate", "0.00875", "--epsilon", epsilon, "--n", n]);
        assert!(ok, "{said}");
        let lines = said.lines().skip(3);
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
