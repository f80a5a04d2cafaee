//! What a run holds: refused before the first sweep where it does not fit, and not more with every draw where draws are written to a
//! store.
//!
//! What is measured is a process of its own, which is this program once more with the name of a job in its environment.

use std::process::{Command, Output};

use skellam::prelude::*;

mod jobs;

use jobs::{JOB, Matrix, cavi, gibbs, sparse};

/// Runs `job` in a process of its own, under a limit of its address space in KiB if one is given.
fn run(job: &str, limit: Option<u64>) -> Output {
    let program = std::env::current_exe().unwrap();
    let mut command = match limit {
        None => Command::new(program),
        Some(kib) => {
            let mut shell = Command::new("sh");
            shell
                .args(["-c", &format!("ulimit -v {kib}; exec \"$0\" \"$@\"")])
                .arg(program);
            shell
        }
    };
    let output = command
        .args(["--exact", "jobs::job", "--nocapture", "--test-threads=1"])
        .env(JOB, job)
        .output();
    output.unwrap()
}

/// Two chains that keep 200 draws of 10^5 numbers together, and ten times as many, the summary of the fit included.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_draws_in_a_store() {
    let [few, many] = [200, 2000].map(|draws| {
        let output = run(&format!("store {draws}"), None);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let peak = text
            .lines()
            .find_map(|line| line.split("peak ").nth(1)?.trim().parse::<f64>().ok());
        peak.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
    });
    println!(
        "peak {:.1} MiB with 200 draws, {:.1} MiB with 2,000",
        few / 1024.0,
        many / 1024.0
    );
    assert!(many < 1.05 * few, "{few} KiB with 200 draws, {many} KiB with 2,000");
}

/// Ten million components of a table of 10 x 20 take gigabytes: an error, where the process was aborted.
#[cfg(target_os = "linux")]
#[test]
fn what_does_not_fit_is_refused_before_the_first_sweep() {
    let output = run("many components", Some(2_000_000));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let refused: Vec<&str> = text.lines().filter(|line| line.contains("refused: ")).collect();
    assert!(
        refused.len() == 2 && refused.iter().all(|line| line.contains("GiB")),
        "{text}"
    );
}

/// Nobody asked for a number of chains, so as many are run as there is memory for; where that is fewer than usual, one line says so.
#[cfg(target_os = "linux")]
#[test]
fn chains_that_do_not_fit_are_left_out_with_a_word() {
    let output = run("few chains", Some(1_000_000));
    let [text, said] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success(), "{text}{said}");
    let chains: Vec<usize> = text
        .lines()
        .filter_map(|line| line.split("chains ").nth(1)?.parse().ok())
        .collect();
    assert!(chains.len() == 2 && (1..4).contains(&chains[0]), "{text}{said}");
    // Of the second run, whose progress is hidden, nothing is said.
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("no memory for more"))
        .collect();
    assert_eq!(lines.len(), 1, "{said}");
    let begun = (1..4).find(|begun| lines[0].starts_with(&format!("gibbs: {begun} of 4 chains")));
    // The time limit may leave some of them without draws.
    assert!(begun.is_some_and(|begun| begun >= chains[0]), "{said}");
}

/// A table of 1.6 billion cells, 200,000 of them positive, whose mean rates would take 13 GB: nobody asked for them.
#[test]
fn rates_of_a_large_table_are_not_kept_unasked() {
    let counts = sparse(&[40_000, 40_000], 8000);
    let model = Matrix::new(&counts).unwrap().parts(2);
    let settings = Gibbs {
        num_tune: 1,
        num_draws: 1,
        num_chains: Some(1),
        ..gibbs()
    };
    let fit = model.gibbs(&settings).unwrap();
    let error = fit.rate().unwrap_err().to_string();
    assert!(error.contains("KeepRates"), "{error}");
    // The draws of both latents were kept: some rates follow from them.
    let drawn = fit.rate_at(&[[5, 7], [39_999, 0]]).unwrap();
    let keep = Keep::default().latent("theta", Kept::Moments);
    let moments = model.gibbs(&Gibbs {
        keep,
        ..settings.clone()
    });
    let error = moments.unwrap().rate_at(&[[5, 7]]).unwrap_err().to_string();
    assert!(
        error.contains("KeepRates::At(cells)") && error.contains("Kept::Draws"),
        "{error}"
    );
    let chosen = Gibbs {
        keep: Keep::default().rates(KeepRates::At(vec![vec![5, 7], vec![39_999, 0]])),
        ..settings.clone()
    };
    let fit = model.gibbs(&chosen).unwrap();
    let kept = fit.rate_at(&[[5, 7], [39_999, 0]]).unwrap();
    assert!(kept.iter().all(|rate| *rate > 0.0));
    assert_eq!(drawn, kept);
    assert_eq!(fit.rate_blocks().map(|block| block.rates.len()).sum::<usize>(), 2);
    let all = Gibbs {
        keep: Keep::default().rates(KeepRates::All),
        num_chains: Some(1000),
        ..settings
    };
    let error = model.gibbs(&all).map(drop).unwrap_err();
    assert!(matches!(error, Error::TooLarge(_)), "{error}");
    // The rates of a variational fit follow from its factors: any of them can be had, one block at a time.
    let fit = model.cavi(&cavi()).unwrap();
    assert!(fit.rate_at(&[[5, 7]]).unwrap()[0] > 0.0);
    assert!(
        fit.rate_blocks()
            .next()
            .is_some_and(|block| block.rates.iter().all(|rate| *rate > 0.0))
    );
}
