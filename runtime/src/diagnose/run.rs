//! How a run went: why it ended, and how its chains were tuned. Doubts speak of both.

use std::fmt;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// Every sweep that was asked for was run.
    Completed,
    /// The tolerance was met.
    Converged,
    /// The tolerance was not met within `max_iters`.
    MaxIters,
    /// The time limit was reached.
    TimeLimit,
    /// Somebody asked for an end.
    Interrupted,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ended::Completed => "completed",
            Ended::Converged => "converged",
            Ended::MaxIters => "max_iters",
            Ended::TimeLimit => "time_limit",
            Ended::Interrupted => "interrupted",
        })
    }
}

/// How a chain was tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuned {
    /// Sweeps, over all rounds.
    pub sweeps: usize,
    /// Whether the log joint density still moved at the end, after as many rounds as were allowed.
    pub still_moving: bool,
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.still_moving {
            "was still on its way, by its log joint density, after"
        } else {
            "took"
        };
        write!(f, "{how} {} sweeps of tuning", self.sweeps)?;
        if self.still_moving {
            write!(f, ": raise `num_tune` (`--tune`) or `max_retunes`")?;
        }
        Ok(())
    }
}
