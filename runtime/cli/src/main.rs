//! The command `skellam`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skellam_cli::run()
}
