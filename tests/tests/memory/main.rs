//! What a run holds: refused before the first sweep where it does not fit, and planned within a factor of 1.3 of the peak.
//!
//! Peaks are those of processes of their own, which are this program once more with the name of a job in its environment.

use std::process::{Command, Output};
use std::time::Duration;

use skellam::infer::{Memory, Plan};
use skellam::prelude::*;

mod models;
mod settings;

use models::*;
use settings::*;

/// The name of the job that this process is asked to do.
const JOB: &str = "SKELLAM_TEST_JOB";

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
        .args(["--exact", "job", "--nocapture", "--test-threads=1"])
        .env(JOB, job)
        .output();
    output.unwrap()
}

/// Counts that depend on their cells alone, one cell in `every` positive.
fn sparse(shape: &[usize], every: u64) -> Counts {
    let cells: u64 = shape.iter().map(|n| *n as u64).product();
    let cell = |i: u64| i * every + i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % every;
    let entries = (0..cells / every).map(|i| (cell(i), 1 + (i % 3) as i64));
    Counts::from_linear(shape.to_vec(), entries.collect()).unwrap()
}

/// Values of every sign.
fn values(cells: usize) -> Vec<i64> {
    (0..cells).map(|cell| (cell * cell % 7) as i64 - 2).collect()
}

/// A release of every cell.
fn released(shape: [usize; 2], alpha: f64) -> Released<TwoSidedGeometric> {
    let law = TwoSidedGeometric::new(alpha).unwrap();
    Released::assert_mechanism(shape.to_vec(), values(shape[0] * shape[1]), law.into()).unwrap()
}

/// A release of every cell, one in [`FEW`] positive and half of the others negative.
fn few_positive(shape: &[usize]) -> Released<TwoSidedGeometric> {
    let cells: usize = shape.iter().product();
    let value = |cell: usize| match cell % FEW {
        0 => 1 + (cell % 3) as i64,
        _ => -((cell * 7 % 2) as i64),
    };
    let law = TwoSidedGeometric::new(0.4).unwrap();
    Released::assert_mechanism(shape.to_vec(), (0..cells).map(value).collect(), law.into()).unwrap()
}

/// Sizes of the jobs, large beside what any process holds.
const MATRIX: [usize; 3] = [6000, 3000, 40];
const EVERY: u64 = 30;
const SMALL: [usize; 3] = [20, 20, 3];
const CP: [usize; 4] = [400, 300, 60, 20];
const ACTORS: [usize; 2] = [2500, 12];
const VIEWS: [usize; 4] = [5000, 2000, 1500, 30];
const NOISY: [usize; 3] = [1000, 1000, 10];
/// Of a released table every cell is given, and few are positive.
const PRIVATE: [usize; 3] = [4000, 2500, 10];
const SHARED: [usize; 4] = [250, 300, 100, 8];
const FEW: usize = 40;
const HELD_OUT: usize = 100_000;
const LINES: [usize; 3] = [800, 80, 10];
const OPEN: [usize; 3] = [800, 60, 8];
const SPREAD: [usize; 3] = [1000, 800, 10];
const MONTHS: [usize; 3] = [3000, 4000, 20];
const SIGNED: [usize; 3] = [400, 600, 10];
/// The first command of the README: a small table, of which the rates of every cell and all draws are kept.
const TOPICS: [usize; 3] = [395, 4258, 20];

fn planned(job: &str) -> Memory {
    let cells = |shape: &[usize]| shape.iter().map(|n| *n as f64).product::<f64>();
    let stored =
        |plan: Plan, count: &str, shape: &[usize]| plan.with_stored(count, cells(shape) / EVERY as f64).unwrap();
    let (model, engine) = job.split_once(' ').unwrap();
    let plan = match model {
        "matrix" => {
            let [rows, cols, parts] = MATRIX;
            stored(
                matrix::Matrix::plan(matrix::MatrixSizes { rows, cols, parts }),
                "y",
                &MATRIX[..2],
            )
        }
        "small" => {
            let [rows, cols, parts] = SMALL;
            let sizes = matrix::MatrixSizes { rows, cols, parts };
            stored(matrix::Matrix::plan(sizes), "y", &SMALL[..2])
        }
        "cp" => {
            let [rows, cols, times, parts] = CP;
            stored(
                cp::Cp::plan(cp::CpSizes {
                    rows,
                    cols,
                    times,
                    parts,
                }),
                "y",
                &CP[..3],
            )
        }
        "blocks" => {
            let [actors, groups] = ACTORS;
            stored(
                blocks::Blocks::plan(blocks::BlocksSizes { actors, groups }),
                "y",
                &[actors, actors],
            )
        }
        "noisy" => {
            let [rows, cols, parts] = NOISY;
            let plan = noisy::Noisy::plan(noisy::NoisySizes { rows, cols, parts });
            plan.with_held_out("y", HELD_OUT as f64).unwrap()
        }
        "lines" => {
            let [docs, words, topics] = LINES;
            lines::Lines::plan(lines::LinesSizes { docs, words, topics })
        }
        "open" => {
            let [docs, words, topics] = OPEN;
            open::Open::plan(open::OpenSizes { docs, words, topics })
        }
        "topics" => {
            let [docs, words, topics] = TOPICS;
            topics::Topics::plan(topics::TopicsSizes { docs, words, topics })
        }
        "private" => {
            let [docs, words, topics] = PRIVATE;
            let plan = topics::Topics::plan(topics::TopicsSizes { docs, words, topics });
            plan.with_positive("y", (docs * words / FEW) as f64).unwrap()
        }
        "shared" => {
            let [rows, cols, times, parts] = SHARED;
            let plan = shared::Shared::plan(shared::SharedSizes {
                rows,
                cols,
                times,
                parts,
            });
            plan.with_positive("y", (rows * cols * times / FEW) as f64).unwrap()
        }
        "checked" => {
            let [docs, words, topics] = PRIVATE;
            let plan = topics::Topics::plan(topics::TopicsSizes { docs, words, topics });
            let plan = plan.with_positive("y", (docs * words / FEW) as f64).unwrap();
            plan.with_checks(&checks())
        }
        "spread" => {
            let [rows, cols, parts] = SPREAD;
            let plan = spread::Spread::plan(spread::SpreadSizes { rows, cols, parts });
            stored(plan, "y", &SPREAD[..2])
        }
        "months" => {
            let [times, words, parts] = MONTHS;
            let plan = months::Months::plan(months::MonthsSizes { times, words, parts });
            stored(plan, "y", &MONTHS[..2])
        }
        "signed" => {
            let [rows, cols, parts] = SIGNED;
            signed::Signed::plan(signed::SignedSizes { rows, cols, parts })
        }
        _ => {
            let [rows, words, tags, parts] = VIEWS;
            let plan = views::Views::plan(views::ViewsSizes {
                rows,
                words,
                tags,
                parts,
            });
            stored(stored(plan, "y", &[rows, words]), "m", &[rows, tags])
        }
    };
    let augmented = model == "noisy";
    if engine == "gibbs" {
        let settings = match model {
            "lines" | "open" | "checked" => few_sweeps(),
            "topics" => forty_draws(),
            "small" => many_draws(),
            _ => gibbs(),
        };
        plan.gibbs(&form_of(augmented, settings)).unwrap()
    } else {
        plan.cavi(&ascent_of(augmented, cavi()))
    }
}

/// Fits with either engine; the fit is dropped at the end.
macro_rules! fit {
    ($model:expr, $engine:expr) => {
        fit!($model, $engine, false)
    };
    ($model:expr, $engine:expr, $augmented:expr) => {{
        let model = $model;
        match $engine {
            "gibbs" => drop(model.gibbs(&form_of($augmented, gibbs())).unwrap()),
            _ => drop(model.cavi(&ascent_of($augmented, cavi())).unwrap()),
        }
    }};
}

/// Forgets the peak so far: making up the data takes more memory than holding them.
fn forget_peak() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

fn kib(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// What this process is asked to do, if anything.
#[test]
fn job() {
    let Ok(job) = std::env::var(JOB) else { return };
    match job.as_str() {
        "many components" => {
            let counts = Counts::dense(vec![10, 20], vec![1; 200]).unwrap();
            let model = matrix::Matrix::new(&counts).unwrap().parts(10_000_000);
            println!("refused: {}", model.gibbs(&gibbs()).map(drop).unwrap_err());
            println!("refused: {}", model.cavi(&cavi()).map(drop).unwrap_err());
        }
        "few chains" => {
            let settings = Gibbs {
                num_draws: 60_000,
                num_chains: None,
                time_limit: Some(Duration::from_millis(100)),
                ..many_draws()
            };
            let counts = sparse(&SMALL[..2], EVERY);
            for progress in [Progress::Bar, Progress::Hidden] {
                let model = matrix::Matrix::new(&counts).unwrap().parts(SMALL[2]);
                let settings = Gibbs {
                    progress,
                    ..settings.clone()
                };
                let fit = model.gibbs(&settings).unwrap();
                println!("chains {}", fit.num_chains());
            }
        }
        _ => {
            let (model, engine) = job.split_once(' ').unwrap();
            let before = kib("VmRSS:");
            match model {
                "matrix" => {
                    let counts = sparse(&MATRIX[..2], EVERY);
                    forget_peak();
                    fit!(matrix::Matrix::new(&counts).unwrap().parts(MATRIX[2]), engine);
                }
                "small" => {
                    let counts = sparse(&SMALL[..2], EVERY);
                    forget_peak();
                    let model = matrix::Matrix::new(&counts).unwrap().parts(SMALL[2]);
                    drop(model.gibbs(&many_draws()).unwrap());
                }
                "cp" => {
                    let counts = sparse(&CP[..3], EVERY);
                    forget_peak();
                    fit!(cp::Cp::new(&counts).unwrap().parts(CP[3]), engine);
                }
                "blocks" => {
                    let [actors, groups] = ACTORS;
                    // A diagonal cell is no cell of the model.
                    let all = sparse(&[actors, actors], EVERY);
                    let entries = all.iter_nonzero().filter(|(cell, _)| cell / actors != cell % actors);
                    let entries = entries.map(|(cell, count)| (cell as u64, count)).collect();
                    let counts = Counts::from_linear(vec![actors, actors], entries).unwrap();
                    drop(all);
                    forget_peak();
                    fit!(blocks::Blocks::new(&counts).unwrap().groups(groups), engine);
                }
                "noisy" => {
                    let [rows, cols, parts] = NOISY;
                    let released = released([rows, cols], 0.4);
                    let mask = Mask::random(&[rows, cols], HELD_OUT as f64 / (rows * cols) as f64, 1).unwrap();
                    let released = released.hold_out(&mask).unwrap();
                    let reach = Array::new(vec![rows], vec![1.0; rows]).unwrap();
                    forget_peak();
                    let model = noisy::Noisy::new(&released).unwrap().parts(parts).reach(&reach);
                    fit!(model, engine, true);
                }
                "lines" => {
                    let [docs, words, topics] = LINES;
                    let released = released([docs, words], 0.4);
                    forget_peak();
                    let model = lines::Lines::new(&released).unwrap().topics(topics);
                    let model = model.length(vec![words as f64; docs]);
                    match engine {
                        "gibbs" => drop(model.gibbs(&few_sweeps()).unwrap()),
                        _ => drop(model.cavi(&cavi()).unwrap()),
                    }
                }
                "open" => {
                    let [docs, words, topics] = OPEN;
                    let released = released([docs, words], 0.4);
                    forget_peak();
                    let model = open::Open::new(&released).unwrap().topics(topics);
                    match engine {
                        "gibbs" => drop(model.gibbs(&few_sweeps()).unwrap()),
                        _ => drop(model.cavi(&cavi()).unwrap()),
                    }
                }
                "topics" => {
                    let [docs, words, topics] = TOPICS;
                    let released = released([docs, words], 0.135);
                    forget_peak();
                    let model = topics::Topics::new(&released).unwrap().topics(topics);
                    match engine {
                        "gibbs" => drop(model.gibbs(&forty_draws()).unwrap()),
                        _ => drop(model.cavi(&cavi()).unwrap()),
                    }
                }
                "private" => {
                    let released = few_positive(&PRIVATE[..2]);
                    forget_peak();
                    fit!(topics::Topics::new(&released).unwrap().topics(PRIVATE[2]), engine);
                }
                "shared" => {
                    let released = few_positive(&SHARED[..3]);
                    forget_peak();
                    fit!(shared::Shared::new(&released).unwrap().parts(SHARED[3]), engine);
                }
                "checked" => {
                    let released = few_positive(&PRIVATE[..2]);
                    forget_peak();
                    let model = topics::Topics::new(&released).unwrap().topics(PRIVATE[2]);
                    drop(model.gibbs_with_checks(&few_sweeps(), &checks()).unwrap());
                }
                "spread" => {
                    let counts = sparse(&SPREAD[..2], EVERY);
                    forget_peak();
                    let model = spread::Spread::new(&counts).unwrap().parts(SPREAD[2]);
                    drop(model.gibbs(&gibbs()).unwrap());
                }
                "months" => {
                    let counts = sparse(&MONTHS[..2], EVERY);
                    forget_peak();
                    fit!(months::Months::new(&counts).unwrap().parts(MONTHS[2]), engine);
                }
                "signed" => {
                    let [rows, cols, parts] = SIGNED;
                    let data = Differences::dense(vec![rows, cols], values(rows * cols)).unwrap();
                    forget_peak();
                    fit!(signed::Signed::new(&data).unwrap().parts(parts), engine);
                }
                _ => {
                    let [rows, words, tags, parts] = VIEWS;
                    let (y, m) = (sparse(&[rows, words], EVERY), sparse(&[rows, tags], EVERY));
                    forget_peak();
                    fit!(
                        views::Views::new(views::ViewsData { y: &y, m: &m })
                            .unwrap()
                            .parts(parts),
                        engine
                    );
                }
            }
            println!("peak {}", 1024.0 * (kib("VmHWM:") - before));
        }
    }
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
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    // The rates of a variational fit follow from its factors: any of them can be had, one block at a time.
    let fit = model.cavi(&cavi()).unwrap();
    assert!(fit.rate_at(&[[5, 7]]).unwrap()[0] > 0.0);
    assert!(
        fit.rate_blocks()
            .next()
            .is_some_and(|block| block.rates.iter().all(|rate| *rate > 0.0))
    );
}
