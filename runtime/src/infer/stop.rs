//! Why a run ended, and how to end one early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::diagnose::run::Ended;

/// A request to end a run after the present sweep, from any thread: what exists by then is returned.
///
/// ```
/// use skellam::infer::{Gibbs, Interrupt};
/// let interrupt = Interrupt::default();
/// let settings = Gibbs { interrupt: interrupt.clone(), ..Default::default() };
/// interrupt.request();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks for an end.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The interrupt that Ctrl-C requests. The first time it is pressed, runs with this interrupt end after the present sweep and
    /// return what exists; the second time it ends the program at once, with exit code 130. A program that was stopped so
    /// should save what it has and exit with that code itself.
    ///
    /// Every call returns the same interrupt. Nothing is installed before the first one.
    ///
    /// ```no_run
    /// use skellam::infer::{Gibbs, Interrupt};
    /// let interrupt = Interrupt::on_ctrl_c()?;
    /// let settings = Gibbs { interrupt: interrupt.clone(), ..Default::default() };
    /// // .. fit, save ..
    /// if interrupt.is_requested() {
    ///     std::process::exit(130);
    /// }
    /// # Ok::<(), skellam::Error>(())
    /// ```
    ///
    /// # Errors
    /// The system lets no handler be installed.
    #[cfg(feature = "ctrl-c")]
    pub fn on_ctrl_c() -> Result<Self, crate::error::Error> {
        use signal_hook::{consts::SIGINT, flag};
        use std::sync::{Mutex, PoisonError};
        static INSTALLED: Mutex<Option<Interrupt>> = Mutex::new(None);
        let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(interrupt) = &*installed {
            return Ok(interrupt.clone());
        }
        let interrupt = Self::default();
        // In this order: the first time, the flag is still down when the first of them looks at it.
        flag::register_conditional_shutdown(SIGINT, 130, interrupt.0.clone())
            .and_then(|_| flag::register(SIGINT, interrupt.0.clone()))
            .map_err(|source| crate::file::SavedError::Signal { source })?;
        *installed = Some(interrupt.clone());
        Ok(interrupt)
    }

    /// Whether an end was asked for.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When a run must end before it is done.
pub(super) struct Limits {
    begun: Instant,
    limit: Option<Duration>,
    interrupt: Interrupt,
}

impl Limits {
    pub fn new(limit: Option<Duration>, interrupt: &Interrupt) -> Self {
        Self {
            begun: Instant::now(),
            limit,
            interrupt: interrupt.clone(),
        }
    }

    /// Why the run must end now, if it must.
    pub fn reached(&self) -> Option<Ended> {
        if self.interrupt.is_requested() {
            return Some(Ended::Interrupted);
        }
        self.limit
            .is_some_and(|limit| self.begun.elapsed() >= limit)
            .then_some(Ended::TimeLimit)
    }

    pub fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }
}
