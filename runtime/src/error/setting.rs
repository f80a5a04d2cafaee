//! Settings of a run.

use thiserror::Error;

crate::plain_debug!(SettingError);

/// A setting of an engine, or of what it is asked for, that makes no sense.
#[derive(Error)]
#[non_exhaustive]
pub enum SettingError {
    /// A setting that must be positive.
    #[error("setting `{setting}` is 0: it must be at least 1")]
    Zero {
        /// Its name.
        setting: &'static str,
    },
    /// More threads than anybody can mean.
    #[error("num_threads = {threads}: at most {most} are supported")]
    TooManyThreads {
        /// How many were asked for.
        threads: usize,
        /// How many may be.
        most: usize,
    },
    /// Threads that the system would not start.
    #[error("threads = {threads} could not be started: {reason}")]
    Threads {
        /// How many.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// A check while the chains run, of a run that writes checkpoints.
    #[error(
        "a checkpoint does not hold the replicas that `gibbs_with_checks` makes while the chains run, so a continued run would have too \
         few: leave `checkpoint` out, or keep draws and call `predictive_check` afterwards"
    )]
    ReplicasNotInCheckpoint,
    /// Iterations that would all be spent on annealing.
    #[error(
        "max_iters = {max_iters} is not above anneal_iters = {anneal_iters}, so the bound would never be ascended: raise `max_iters` \
         or lower `anneal_iters`"
    )]
    OnlyAnnealed {
        /// Iterations allowed.
        max_iters: usize,
        /// Iterations of annealing.
        anneal_iters: usize,
    },
    /// Starting values of a latent that never moves.
    #[error(
        "`{latent}` is frozen, so it does not start anywhere else: leave it out of `starting_values`, or do not freeze it"
    )]
    StartsFrozen {
        /// The latent.
        latent: &'static str,
    },
    /// A tolerance that is negative or not a number.
    #[error("tol = {value}: it must be zero or positive")]
    Tolerance {
        /// Its value.
        value: f64,
    },
    /// A probability outside of `[0, 1]`.
    #[error("{value} is not a probability: give a number from 0 to 1")]
    Probability {
        /// What was given.
        value: f64,
    },
}
