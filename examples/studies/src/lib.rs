//! The studies as a library, for the program and its tests.

mod blocks;
mod claim;
mod corpus;
mod flags;
mod mode;
mod models;
mod naive_bayes;
mod network;
mod npmi;
mod numbers;
mod processes;
mod robust;
mod run;
mod topics;
mod topics_small;
mod variational;

use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;

pub use claim::{Claim, Verdict};
pub use flags::{Flags, Which};
use numbers::{Numbers, write_whole};
use run::{Found, Run};

/// Why there is nothing to show.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What came of one study.
#[derive(Debug)]
pub struct Outcome {
    /// Everything that is printed, and written to NAME.txt.
    pub text: String,
    /// The claims with their verdicts.
    pub claims: Vec<Claim>,
    /// Pieces of work that were not in NAME.csv before.
    pub made: usize,
    /// What differs from frozen numbers, a line each.
    pub off: Vec<String>,
}

/// The program.
pub fn main() -> ExitCode {
    let flags = match Flags::try_parse() {
        Ok(flags) => flags,
        Err(error) => {
            // `--help` comes this way too, and is not a failure.
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()));
        }
    };
    for which in flags.study.each() {
        match study(which, &flags) {
            Ok(outcome) => {
                println!("{}", outcome.text);
                if !outcome.off.is_empty() {
                    eprintln!(
                        "error: these differ from the frozen numbers\n{}",
                        outcome.off.join("\n")
                    );
                    return ExitCode::FAILURE;
                }
            }
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// Runs one study, or goes on with one that was stopped, and writes its files.
///
/// # Errors
/// Data that are missing, a file that cannot be written, or an engine that refuses.
pub fn study(which: Which, flags: &Flags) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let name = which.name();
    let named = |error: std::io::Error| format!("{}: {error}", skellam::quoted(flags.out.display()));
    fs::create_dir_all(&flags.out).map_err(named)?;
    let size = match (flags.quick, flags.full) {
        (true, _) => "quick",
        (_, true) => "full",
        _ => "default",
    };
    let heading = format!("{name}, seed {}, {size} sizes", flags.seed);
    let numbers = Numbers::open(&flags.out.join(format!("{name}.csv")), &heading)?;
    let mut run = Run {
        flags: flags.clone(),
        numbers,
        made: 0,
    };
    let Found { picture, text, claims } = of(which)(&mut run)?;
    write_whole(&flags.out.join(format!("{name}.svg")), picture.svg())?;
    let verdicts: Vec<String> = claims.iter().map(ToString::to_string).collect();
    let printed = format!(
        "{heading}\n{}; {:.1} s of work, {:.1} s now\n\n{text}\n{}\n",
        run::machine(),
        run.numbers.seconds(),
        start.elapsed().as_secs_f64(),
        verdicts.join("\n")
    );
    write_whole(&flags.out.join(format!("{name}.txt")), &printed)?;
    let (mut printed, mut off) = (printed, Vec::new());
    if let Some(frozen) = &flags.against {
        let (compared, differing) = run.numbers.against(frozen)?;
        printed += &format!("{compared} frozen numbers compared\n");
        off = differing;
    }
    Ok(Outcome {
        text: printed,
        claims,
        made: run.made,
        off,
    })
}

type Study = fn(&mut Run) -> Result<Found, Failure>;

fn of(which: Which) -> Study {
    match which {
        Which::Processes => processes::run,
        Which::Blocks => blocks::run,
        Which::TopicsSmall => topics_small::run,
        Which::Variational => variational::run,
        Which::Mode => mode::run,
        Which::Npmi => npmi::run,
        Which::Topics => topics::run,
        Which::Network => network::run,
        Which::Robust => robust::run,
        Which::NaiveBayes => naive_bayes::run,
        Which::All => |_| Err("`all` is several studies: ask for each".into()),
    }
}
