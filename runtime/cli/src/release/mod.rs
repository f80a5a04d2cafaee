//! `skellam release IN --n 4 --epsilon 1 --out OUT`: releases a file of counts privately.
//!
//! Reads Matrix Market, CSV and other text, NumPy and SciPy, and bag of words, plain or gzip, one slice of the first mode at a time; writes
//! every released value, with the promise that was made, into a folder that appears whole or not at all.

use std::process::ExitCode;

use skellam::release::ReleasedFolder;

mod account;
mod counted;
mod duration;
pub mod flags;
mod foreign;
mod lines;
pub mod mechanism;
mod report;

use crate::refused::Refused;
use flags::Flags;
pub use report::grouped;

/// Runs the command.
pub fn command(flags: &Flags) -> ExitCode {
    match run(flags) {
        Ok(folder) => {
            // The release is there, whoever reads of it.
            if let Err(error) = report::print(flags, &folder) {
                eprintln!(
                    "error: {} is complete, but its report could not be printed: {error}",
                    skellam::quoted(folder.path().display())
                );
                return ExitCode::FAILURE;
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Everything: what cannot work is refused before a budget is charged, and a budget is charged before anything is
/// published. The folder that is returned was read again and compared with what was written.
pub fn run(flags: &Flags) -> Result<ReleasedFolder, Refused> {
    report::leftovers(flags);
    let out = if flags.already_released {
        foreign::assert(flags)?
    } else {
        counted::release(flags)?
    };
    let folder = ReleasedFolder::open(out)?;
    folder.verify()?;
    Ok(folder)
}

/// The promise of a folder in plain words.
pub fn words(folder: &ReleasedFolder) -> String {
    format!("{}{}", report::promise(folder), report::noise(folder))
}
