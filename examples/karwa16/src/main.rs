//! Private naive Bayes: the exact posterior of a model whose likelihood was thought to be intractable, beside the estimators
//! that are in use.
//!
//! `cargo run --release -p karwa16`
//!
//! A table of answers for each feature is released with two-sided geometric noise; the class counts behind them are hidden.
//! `--study` measures squared errors and coverage over budgets and numbers of people, `--votes FOLDER` the accuracy of a
//! classifier that was learned from a release. `--engines` has the declared model fitted as well.

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;

mod ascent;
mod convolution;
mod declared;
mod draw;
mod estimate;
mod estimators;
mod exact;
mod flags;
mod model;
mod naive;
mod one;
mod parallel;
mod picture;
mod published;
mod report;
mod score;
mod study;
mod votes;

use flags::Flags;

/// Why there is nothing to show.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let start = Instant::now();
    let flags = match Flags::try_parse() {
        Ok(flags) => flags,
        Err(error) => {
            // `--help` comes this way too, and is not a failure.
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()));
        }
    };
    match run(&flags) {
        Ok(text) => {
            // A reader that has gone away, as `head` does, has read enough.
            let _ = io::stdout().lock().write_all(text.as_bytes());
            eprintln!("{:.1} s", start.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What the flags ask for, as text.
fn run(flags: &Flags) -> Result<String, Failure> {
    if flags.derivation {
        return Ok(format!("{}\n", declared::NaiveBayes::derivation()));
    }
    if let Some(folder) = &flags.votes {
        return votes::run(flags, folder);
    }
    if !flags.study {
        return one::run(flags);
    }
    // A folder that cannot be written is found before minutes are spent.
    let named = |error: io::Error| format!("{}: {error}", skellam::quoted(flags.out.display()));
    fs::create_dir_all(&flags.out).map_err(named)?;
    let results = study::run(flags)?;
    fs::write(flags.out.join("naive_bayes.csv"), report::csv(&results.rows)).map_err(named)?;
    fs::write(flags.out.join("naive_bayes.svg"), picture::svg(&results.rows)?).map_err(named)?;
    Ok(format!(
        "{}\n{}\n",
        report::tables(&results),
        skellam::quoted(flags.out.display())
    ))
}
