//! Laws side by side on the processors that there are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use skellam::infer::pool;
use skellam::{Error, FormError};

use super::law::Check;
use super::report::Row;
use super::trial::{Found, Stopped, Trial};

/// Some laws, ready to be tried.
pub(super) struct Job<'a> {
    /// Which rows it may give; where it gives none, a row of the first says why.
    pub laws: &'static [Check],
    /// What that row is of.
    pub of: &'static str,
    run: Box<dyn Fn() -> Found + Send + Sync + 'a>,
}

impl<'a> Job<'a> {
    pub fn new(laws: &'static [Check], of: &'static str, run: impl Fn() -> Found + Send + Sync + 'a) -> Self {
        let run = Box::new(run);
        Self { laws, of, run }
    }

    /// Its rows, or none where its time was over. A panic is a failure, and a row says so: some are about a formula of generated code
    /// that no run can follow, some from a user's code.
    fn rows(&self, trial: &Trial<'_>) -> Option<Vec<Row>> {
        let (law, of) = (self.laws[0], self.of);
        let run = || trial.on_time().and_then(|()| (self.run)());
        Some(match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(rows)) => rows,
            Ok(Err(Stopped::OutOfTime)) => return None,
            Ok(Err(Stopped::LeftOut(why))) => vec![Row::skipped(law, of, why)],
            Ok(Err(Stopped::Error(error @ Error::Form(FormError::Missing { .. })))) => {
                vec![Row::skipped(law, of, error.to_string())]
            }
            Ok(Err(Stopped::Error(error))) => vec![Row::untried(law, of, error)],
            Err(told) => {
                let text = told.downcast_ref::<String>().map(|text| &text[..]);
                let text = text.or_else(|| told.downcast_ref::<&str>().copied());
                vec![Row::untried(Check::Tried, "all laws", text.unwrap_or_default())]
            }
        })
    }
}

/// Runs every job and returns what each found, in the order of the jobs, whoever ran them. Each job has a single thread for
/// whatever it would run in parallel: arrays of a tiny instance are not worth more. With `stop` no job is begun once one
/// has found a row that fails; nothing is found by those that were not begun.
pub(super) fn run(trial: &Trial<'_>, jobs: &[Job<'_>], stop: bool) -> Vec<Option<Vec<Row>>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let failed = AtomicBool::new(false);
    let mut found = vec![Some(Vec::new()); jobs.len()];
    let queue = Mutex::new(jobs.iter().zip(&mut found));
    let work = || {
        let single = pool(1);
        while !(stop && failed.load(Ordering::Relaxed)) {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((job, found)) = next else { break };
            *found = match &single {
                Ok(pool) => pool.install(|| job.rows(trial)),
                Err(error) => Some(vec![Row::untried(job.laws[0], job.of, error)]),
            };
            if found.iter().flatten().any(|row| !row.passed) {
                failed.store(true, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            scope.spawn(work);
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::super::cases::Blocks;
    use super::super::instance::{Instance, Subject};
    use super::*;

    /// Rows come in the order of the jobs until one fails; a panic is a row that fails.
    #[test]
    fn jobs_end_with_the_first_failure_if_they_are_to() {
        let trial = Trial {
            instance: &Instance::tiny(&Subject::of::<Blocks>()),
            seed: 1,
            effort: 1.0,
            until: None,
        };
        let job = |i: usize| {
            Job::new(&[Check::Draws], "all", move || match i {
                3 => panic!("no {}", "walk"),
                _ => Ok(vec![Row::tried(Check::Draws, i.to_string(), 0.0, 0.0, "")]),
            })
        };
        let jobs: Vec<Job<'_>> = (0..2000).map(job).collect();
        let rows = |stop: bool| -> Vec<Row> { run(&trial, &jobs, stop).into_iter().flatten().flatten().collect() };
        let (all, some) = (rows(false), rows(true));
        assert!((0..2000).all(|i| all[i].passed == (i != 3) && (i == 3 || all[i].of == i.to_string())));
        assert!(all[3].check == Check::Tried && all[3].note.contains("no walk"));
        assert!(some.len() < 2000 && some.iter().any(|row| !row.passed));
    }
}
