//! The command `skellam`: releases counts privately and fits standard models to files, without a line of Rust.
//!
//! ```text
//! counts.mtx --skellam release--> counts.release/ --skellam topics--> out/topics/
//!                                                 --skellam network, skellam events--> fit.npz, picture.svg
//! ```
//!
//! Each subcommand has a module: its flags, and a function that does what they ask.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

pub mod inspect;
pub mod new;
pub mod power;
mod reading;
pub mod refused;
pub mod release;
pub mod report;
pub mod standard;
pub mod topics;

/// Releases counts privately and fits models to them.
///
/// Exit codes: 0 if the command did what was asked; 1 if it refused or failed, and left nothing half-written; 130 if Ctrl-C ended it, after it saved what
/// there was.
#[derive(Debug, Parser)]
#[command(name = "skellam", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Release a file of counts privately: add noise to every count, and say what that promises.
    Release(release::flags::Flags),
    /// Fit topics to released word counts, and draw them.
    Topics(topics::flags::Flags),
    /// Find groups in a network: counts from actors to actors.
    Network(standard::Flags),
    /// Find kinds of events in a table of three or four modes, such as from whom, to whom, what, and when.
    Events(standard::Flags),
    /// Say what released counts can tell, before anything is released: information of a release, and how many times more
    /// documents privacy costs.
    Power(power::Flags),
    /// Begin a crate with a model of your own: a declaration, a program and a test.
    New(new::Flags),
    /// Say what a release, a ledger or a saved fit is: its promise, its summary, its warnings.
    Inspect(inspect::Flags),
    /// Make a page for a browser of a saved fit: its promise, whether to believe it, its components, what was derived.
    Report(report::Flags),
    /// Print the completions of a shell, to be sourced by it.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // `--help` and `--version` come this way too, and are not failures.
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()));
        }
    };
    match arguments.command {
        Command::Release(flags) => release::command(&flags),
        Command::Topics(flags) => topics::command(flags),
        Command::Network(flags) => standard::network::command(&flags),
        Command::Events(flags) => standard::events::command(&flags),
        Command::Power(flags) => said(power::run(&flags)),
        Command::New(flags) => said(new::run(&flags)),
        Command::Inspect(flags) => said(inspect::run(&flags)),
        Command::Report(flags) => said(report::run(&flags)),
        Command::Completions { shell } => {
            let mut completions = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "skellam", &mut completions);
            said::<std::convert::Infallible>(Ok(String::from_utf8_lossy(&completions).into_owned()))
        }
    }
}

/// Prints what a command found, or its error. A reader that has gone away, as `head` does, has read enough.
fn said<E: std::fmt::Display>(found: Result<String, E>) -> ExitCode {
    use std::io::Write as _;
    match found {
        Ok(text) => {
            let _ = std::io::stdout().lock().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
