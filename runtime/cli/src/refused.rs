//! Why a command refused or failed.

use std::fmt;
use std::path::Path;

use skellam::counts::ReadError;
use skellam::quoted;

/// Why a command refused or failed, with the value that caused it and what to do. Nothing half-written is left then.
#[derive(Debug)]
pub struct Refused(String);

impl Refused {
    /// For this reason.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }

    /// An error of the file at `path`; one that does not open names itself.
    pub fn of_file(path: &Path, source: ReadError) -> Self {
        match source {
            ReadError::Open { .. } | ReadError::NotAFile { .. } => source.into(),
            _ => Self(format!("{}: {source}", quoted(path.display()))),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a library says.
impl<E: std::error::Error> From<E> for Refused {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}
