//! From the command line to what is printed.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use skellam::diagnose::Warning;
use skellam::infer::{CaviFit, Doubt, GibbsFit, Interrupt};
use skellam::model::{Derivation, EngineForm};
use skellam::selftest::Report;

use crate::Failure;
use crate::flags::Flags;
use crate::study::Study;

/// One example.
pub trait Example: Parser {
    /// What every example can be asked for.
    fn flags(&self) -> &Flags;

    /// The derivation of its model.
    fn derivation() -> Derivation;

    /// The same for one form of inference.
    fn derivation_of(form: EngineForm) -> Derivation;

    /// The self-test of its model.
    fn self_test() -> Report;

    /// Fits the model.
    ///
    /// # Errors
    ///
    /// Data or settings that do not work, with the offending value.
    fn study(&self) -> Result<Study, Failure>;
}

/// Runs an example. Mistakes end it with one line and exit code 1.
pub fn main<E: Example>() -> ExitCode {
    let start = Instant::now();
    let example = match E::try_parse() {
        Ok(example) => example,
        Err(error) => {
            // `--help` comes this way too, and is not a failure.
            let _ = if error.use_stderr() {
                let text = error.to_string();
                writeln!(io::stderr(), "{}", text.lines().next().unwrap_or_default())
            } else {
                error.print()
            };
            return ExitCode::from(u8::from(error.use_stderr()));
        }
    };
    if example.flags().derivation {
        let derivation = match example.flags().engine {
            Some(engine) => E::derivation_of(engine),
            None => E::derivation(),
        };
        say(&format!("{derivation}\n"));
        return ExitCode::SUCCESS;
    }
    if example.flags().self_test {
        let report = E::self_test();
        say(&format!("{report}\n"));
        return ExitCode::from(u8::from(!report.passed()));
    }
    match example.study() {
        Ok(study) => {
            say(&study.text);
            eprintln!("{:.1} s", start.elapsed().as_secs_f64());
            exit_code()
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Says on standard error what keeps a Gibbs fit from being believed, and returns whether its chains are in the same place.
pub fn agree(fit: &GibbsFit) -> bool {
    let doubts = fit.doubts();
    doubts.iter().for_each(|doubt| eprintln!("warning: {doubt}"));
    let apart = |doubt: &Doubt| {
        matches!(
            doubt,
            Doubt::Draws(Warning::ChainsApart { .. } | Warning::NotMixed { .. })
        )
    };
    !doubts.iter().any(apart)
}

/// Says on standard error what keeps a variational fit from being believed.
pub fn doubts_of(fit: &CaviFit) {
    for doubt in fit.doubts() {
        eprintln!("warning: {doubt}");
    }
}

/// The exit code of a program whose fits are done: 130, and a line on standard error, where Ctrl-C ended them.
pub fn exit_code() -> ExitCode {
    if !interrupt().is_requested() {
        return ExitCode::SUCCESS;
    }
    eprintln!("stopped by Ctrl-C: these are the fits as far as they had got");
    ExitCode::from(130)
}

/// What Ctrl-C asks for an end; where it cannot be caught, it ends the program at once as it always does.
pub fn interrupt() -> Interrupt {
    Interrupt::on_ctrl_c().unwrap_or_default()
}

/// Writes to standard output. A reader that has gone away, as `head` does, has read enough.
fn say(text: &str) {
    let _ = io::stdout().lock().write_all(text.as_bytes());
}
