//! Every study at `--quick`, from the repository alone: it ends, it goes on where it was stopped, and its verdicts are those that its numbers can bear.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use studies::{Flags, Verdict, Which, study};

fn flags(which: Which, out: &Path) -> Flags {
    Flags::parse_from(["studies", &which.name(), "--quick", "--out", out.to_str().unwrap()])
}

/// The verdicts that do not hang on chance at these sizes; `None` where they may.
fn expected(which: Which) -> Option<&'static [Verdict]> {
    use Verdict::{DoesNotHold, Holds};
    match which {
        // In the second claim of `processes` the law as printed is a mutant, which has to be seen.
        Which::Processes | Which::Mode => Some(&[Holds, DoesNotHold]),
        Which::Blocks => Some(&[DoesNotHold, Holds]),
        Which::TopicsSmall => Some(&[Holds, Holds]),
        Which::NaiveBayes => Some(&[DoesNotHold, Holds, Holds, DoesNotHold]),
        _ => None,
    }
}

/// A mutant that kept a piece that was cut short, lost one that was finished, or lost a digit on the way through the file would give other numbers.
#[test]
fn every_study_ends_and_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    for which in Which::All.each() {
        let (name, flags) = (which.name(), flags(which, folder.path()));
        let first = study(which, &flags).unwrap();
        assert!(first.made > 0 && !first.claims.is_empty(), "{name}");
        let verdicts: Vec<Verdict> = first.claims.iter().map(|claim| claim.verdict).collect();
        if let Some(expected) = expected(which) {
            assert_eq!(verdicts, expected, "{name}: {}", first.text);
        }
        let file = |extension: &str| -> PathBuf { folder.path().join(format!("{name}.{extension}")) };
        let svg = fs::metadata(file("svg")).unwrap().len();
        assert!(svg < 61_440, "{name}.svg: {svg} bytes");
        let lines =
            |path: PathBuf| -> Vec<String> { fs::read_to_string(path).unwrap().lines().map(String::from).collect() };
        let whole = lines(file("csv"));
        // Stopped within its last piece: that alone is made again, and comes out the same, but for the time.
        fs::write(file("csv"), format!("{}\nsome", whole[..whole.len() - 1].join("\n"))).unwrap();
        let second = study(which, &flags).unwrap();
        assert_eq!(second.made, 1, "{name}");
        let of_time = |line: &String| line.contains(",seconds,") || line.contains(",processor seconds");
        let untimed = |lines: Vec<String>| -> Vec<String> { lines.into_iter().filter(|line| !of_time(line)).collect() };
        assert_eq!(untimed(lines(file("csv"))), untimed(whole), "{name}");
        assert_eq!(study(which, &flags).unwrap().made, 0, "{name}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let refused = |arguments: &[&str]| {
        let flags = Flags::parse_from([&["studies"], arguments, &["--out", out]].concat());
        study(flags.study, &flags).unwrap_err().to_string()
    };
    assert!(refused(&["network"]).contains("--data"));
    let error = refused(&["network", "--data", out]);
    assert!(
        error.contains("counts161.mtx") && error.contains("results.md"),
        "{error}"
    );
    fs::create_dir(folder.path().join("enron_network")).unwrap();
    fs::write(folder.path().join("enron_network/counts161.mtx"), "other").unwrap();
    let error = refused(&["network", "--data", out]);
    assert!(error.contains("SHA-256"), "{error}");
    study(Which::Mode, &flags(Which::Mode, folder.path())).unwrap();
    let error = refused(&["mode", "--seed", "2"]);
    assert!(error.contains("seed 1") && error.contains("--out"), "{error}");
}
