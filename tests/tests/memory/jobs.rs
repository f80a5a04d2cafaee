//! What the processes do whose peaks are measured, and what is planned for it.

use std::time::Duration;

use skellam::infer::{Memory, Plan};
use skellam::prelude::*;

use super::models::*;
use super::settings::*;

/// The name of the job that this process is asked to do.
pub const JOB: &str = "SKELLAM_TEST_JOB";

/// Counts that depend on their cells alone, one cell in `every` positive.
pub fn sparse(shape: &[usize], every: u64) -> Counts {
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

/// What is planned for a job.
pub fn planned(job: &str) -> Memory {
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
                    // A diagonal cell is not a cell of the model.
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
