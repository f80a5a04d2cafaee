//! What a run holds: refused before the first sweep where it does not fit, and planned within a factor of 1.3 of the peak.
//!
//! Peaks are those of processes of their own, which are this program once more with the name of a job in its environment.

use std::process::{Command, Output};

use skellam::prelude::*;

mod jobs;
mod models;
mod settings;

use jobs::{JOB, planned, sparse};
use models::*;
use settings::*;

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

/// Measured, planned / peak: see the assertion. A test for each model, so that their processes run side by side: a peak is that of
/// one process.
#[cfg(target_os = "linux")]
fn plans_are_within_a_third_of_the_peak(model: &str) {
    let mut report = String::new();
    let mut worst = 1.0f64;
    let engines = match model {
        // A shape that is learned has no bound, and an ascent no draws.
        "spread" | "small" | "checked" => &["gibbs"][..],
        _ => &["gibbs", "cavi"],
    };
    for engine in engines {
        let job = format!("{model} {engine}");
        let output = run(&job, None);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let peak = text
            .lines()
            .find_map(|line| line.split("peak ").nth(1)?.trim().parse::<f64>().ok());
        let peak = peak.unwrap_or_else(|| panic!("{job}: {text}{}", String::from_utf8_lossy(&output.stderr)));
        let plan = planned(&job);
        let ratio = plan.total() / peak;
        worst = worst.max(ratio).max(1.0 / ratio);
        report.push_str(&format!(
            "{job}: planned / peak {ratio:.2}, peak {:.1} MiB\n{plan}\n",
            peak / 1048576.0
        ));
    }
    println!("{report}");
    assert!(worst <= 1.3, "{report}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_a_matrix_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("matrix");
}

/// Rates at monitored cells are most of what a long run on a small table holds, and are held once.
#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_many_draws_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("small");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_a_tensor_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("cp");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_a_network_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("blocks");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_two_views_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("views");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_a_release_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("noisy");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_lines_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("lines");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_lines_of_unknown_totals_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("open");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_the_job_of_the_readme_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("topics");
}

/// In the collapsed form a release that is not positive is not visited: `with_positive` says how many are.
#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_a_dense_release_of_a_matrix_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("private");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_a_dense_release_of_a_tensor_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("shared");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_a_run_with_checks_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("checked");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_a_learned_shape_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("spread");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_times_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("months");
}

#[cfg(target_os = "linux")]
#[test]
fn the_plan_of_differences_is_near_the_peak() {
    plans_are_within_a_third_of_the_peak("signed");
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
    let model = matrix::Matrix::new(&counts).unwrap().parts(2);
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
