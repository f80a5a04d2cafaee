//! Errors of models and engines, by kind. Each carries the offending value, says where it is and what to do.
//!
//! Positions: a `cell` of a count has a number from 0 along each of its indices, an `entry` of an array is its row-major position from 0, and the
//! `line`s of an array run along one index, and are numbered in row-major order of the others.

mod form;
mod mask;
mod query;
mod run;
mod setting;
mod size;
mod total;
mod value;

pub use form::{FormError, Formless};
pub use mask::MaskError;
pub use query::QueryError;
pub use run::RunError;
pub use setting::SettingError;
pub use size::SizeError;
pub use total::TotalError;
pub use value::ValueError;

use thiserror::Error as ThisError;

use crate::distribution::ParameterError;
use crate::memory::TooLarge;

crate::plain_debug!(Error);

/// What can go wrong between data and posterior.
#[derive(ThisError)]
#[non_exhaustive]
pub enum Error {
    /// Sizes of index sets.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Hyperparameters and data arrays.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// Settings of a run.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Forms of inference.
    #[error(transparent)]
    Form(#[from] FormError),
    /// Counts that add up to a total.
    #[error(transparent)]
    Total(#[from] TotalError),
    /// What is held out.
    #[error(transparent)]
    Mask(#[from] MaskError),
    /// What a model or a fit is asked for.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The Fisher information of a channel.
    #[error(transparent)]
    Information(#[from] crate::channel::InformationError),
    /// What stops a run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Components that cannot be aligned, or draws that cannot be summed up.
    #[error(transparent)]
    Diagnose(#[from] crate::diagnose::DiagnoseError),
    /// More memory than there is.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// Counts that cannot be read or make no sense.
    #[error(transparent)]
    Counts(#[from] crate::counts::CountsError),
    /// A shape, an array or a mask that does not go together with its numbers.
    #[error(transparent)]
    Shape(#[from] crate::counts::ShapeError),
    /// A release that cannot be made.
    #[error(transparent)]
    Release(#[from] crate::release::ReleaseError),
    /// A file of counts that cannot be read.
    #[error(transparent)]
    Read(#[from] crate::counts::ReadError),
    /// A budget that promises nothing, or nothing that can be kept.
    #[error(transparent)]
    Budget(#[from] crate::release::BudgetError),
    /// A release that a ledger refuses.
    #[error(transparent)]
    Ledger(#[from] crate::release::LedgerError),
    /// A folder of released counts that cannot be written or read.
    #[error(transparent)]
    File(#[from] crate::release::FileError),
    /// A fit or a checkpoint that cannot be written, read or continued.
    #[error(transparent)]
    Saved(#[from] crate::file::SavedError),
    /// Data that cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] crate::simulate::SimulationError),
    /// A parameter of a distribution or a channel.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

/// `` `theta`, `phi` and `psi` ``
fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [first @ .., second, last] => {
            let first: String = first.iter().map(|name| format!("{name}, ")).collect();
            format!("{first}{second} and {last}")
        }
        names => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as StdError;

    use super::*;
    use crate::counts::{Counts, ReadOptions, read_counts_from};

    /// As `main` shows it.
    fn shown(error: Box<dyn StdError>) -> String {
        format!("Error: {error:?}")
    }

    #[test]
    fn main_shows_the_sentence() {
        let Err(negative) = Counts::dense(vec![1, 2], vec![0, -1]) else {
            panic!("a count of -1 was taken")
        };
        assert!(matches!(negative, crate::counts::CountsError::Value { .. }));
        let sentence = "Error: the count at [0, 1] is -1: true counts are not negative";
        assert!(shown(negative.clone().into()).starts_with(sentence));
        assert!(shown(Error::from(negative).into()).starts_with(sentence));
        let Err(read) = read_counts_from(*b"i,j,n\n0,0,x\n", &ReadOptions::default()) else {
            panic!("an x was taken for a count")
        };
        let shown = shown(read.into());
        assert!(shown.contains("line 2") && !shown.contains('{'), "{shown}");
    }

    #[test]
    fn a_name_that_a_terminal_would_obey_is_spelt_out() {
        let unknown = Error::Query(QueryError::UnknownLatent {
            given: "\u{1b}[31mphi".to_owned(),
            known: "`theta`".to_owned(),
        });
        let message = unknown.to_string();
        assert!(message.contains("\\u{1b}[31mphi"), "{message}");
        assert!(!message.chars().any(char::is_control), "{message}");
    }
}
