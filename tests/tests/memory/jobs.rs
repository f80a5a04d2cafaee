//! What the processes do that are watched from outside.

use std::time::Duration;

use skellam::prelude::*;

/// The name of the job that this process is asked to do.
pub const JOB: &str = "SKELLAM_TEST_JOB";

skellam::model! {
    /// A matrix of counts.
    pub model Matrix {
        index rows, cols, parts;
        latent theta[i in rows, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
        latent phi[k in parts, j in cols] ~ Gamma(shape = 0.3, rate = 1.0);
        count y[i in rows, j in cols] ~ Poisson(sum(k in parts) theta[i, k] * phi[k, j]);
    }
}

/// Counts that depend on their cells alone, one cell in `every` positive.
pub fn sparse(shape: &[usize], every: u64) -> Counts {
    let cells: u64 = shape.iter().map(|n| *n as u64).product();
    let cell = |i: u64| i * every + i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % every;
    let entries = (0..cells / every).map(|i| (cell(i), 1 + (i % 3) as i64));
    Counts::from_linear(shape.to_vec(), entries.collect()).unwrap()
}

pub fn gibbs() -> Gibbs {
    Gibbs {
        num_tune: 2,
        num_draws: 8,
        thin: Some(1),
        num_chains: Some(2),
        num_threads: Some(2),
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

pub fn cavi() -> Cavi {
    Cavi {
        max_iters: 4,
        anneal_iters: 1,
        num_restarts: 2,
        num_threads: Some(2),
        progress: Progress::Hidden,
        ..Cavi::default()
    }
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
    match job.split(' ').collect::<Vec<_>>()[..] {
        ["many", "components"] => {
            let counts = Counts::dense(vec![10, 20], vec![1; 200]).unwrap();
            let model = Matrix::new(&counts).unwrap().parts(10_000_000);
            println!("refused: {}", model.gibbs(&gibbs()).map(drop).unwrap_err());
            println!("refused: {}", model.cavi(&cavi()).map(drop).unwrap_err());
        }
        ["few", "chains"] => {
            let settings = Gibbs {
                num_draws: 60_000,
                num_chains: None,
                moves: Moves::Nothing,
                time_limit: Some(Duration::from_millis(100)),
                ..gibbs()
            };
            let counts = sparse(&[20, 20], 30);
            for progress in [Progress::Bar, Progress::Hidden] {
                let model = Matrix::new(&counts).unwrap().parts(3);
                let settings = Gibbs {
                    progress,
                    ..settings.clone()
                };
                let fit = model.gibbs(&settings).unwrap();
                println!("chains {}", fit.num_chains());
            }
        }
        ["store", draws] => {
            let folder = std::env::temp_dir().join(format!("skellam-memory-{}", std::process::id()));
            let settings = Gibbs {
                num_draws: draws.parse::<usize>().unwrap() / 2,
                max_retunes: 0,
                moves: Moves::Nothing,
                draws_in: Some(folder.clone()),
                keep: Keep::default().rates(KeepRates::Nothing),
                ..gibbs()
            };
            // 2,000 rows, 500 columns and 40 parts: 10^5 numbers.
            let model = Matrix::new(&sparse(&[2000, 500], 500)).unwrap().parts(40);
            let fit = model.gibbs(&settings).unwrap();
            let rows = fit.summary().rows().len();
            std::fs::remove_dir_all(folder).unwrap();
            assert!(rows > 400 && fit.num_draws() == settings.num_draws);
            println!("peak {}", kib("VmHWM:"));
        }
        _ => panic!("{job}"),
    }
}
