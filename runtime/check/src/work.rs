//! Laws side by side on the processors that there are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use skellam::infer::pool;
use skellam::{Error, FormError};

use super::law::Check;
use super::report::Row;
use super::trial::{Found, Stopped};

/// Some laws, ready to be tried.
pub(super) struct Job<'a> {
    /// Which rows it may give; where it gives none, a row of the first says why.
    pub laws: &'static [Check],
    /// What that row is of.
    pub of: &'static str,
    pub run: Box<dyn Fn() -> Found + Send + Sync + 'a>,
}

impl Job<'_> {
    /// Its rows, or none where its time was over. A panic is a failure, and a row says so: some are about a formula of generated code
    /// that no run can follow, some from a user's code.
    fn rows(&self) -> Option<Vec<Row>> {
        let (law, of) = (self.laws[0], self.of);
        Some(match catch_unwind(AssertUnwindSafe(&self.run)) {
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
pub(super) fn run(jobs: &[Job<'_>], stop: bool) -> Vec<Option<Vec<Row>>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let failed = AtomicBool::new(false);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![Some(Vec::new()); jobs.len()]));
    let work = || {
        let single = pool(1);
        while !(stop && failed.load(Ordering::Relaxed)) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { break };
            let rows = match &single {
                Ok(pool) => pool.install(|| job.rows()),
                Err(error) => Some(vec![Row::untried(job.laws[0], job.of, error)]),
            };
            if rows.iter().flatten().any(|row| !row.passed) {
                failed.store(true, Ordering::Relaxed);
            }
            found.lock().unwrap_or_else(PoisonError::into_inner)[number] = rows;
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            scope.spawn(work);
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job<'a>(run: impl Fn() -> Found + Send + Sync + 'a) -> Job<'a> {
        Job {
            laws: &[Check::Draws],
            of: "all",
            run: Box::new(run),
        }
    }

    #[test]
    fn rows_come_in_the_order_of_the_jobs_until_one_fails() {
        let of = |i: usize| job(move || Ok(vec![Row::tried(Check::Draws, i.to_string(), i as f64, 2.5, "")]));
        let jobs: Vec<Job<'_>> = (0..2000).map(of).collect();
        let rows = |stop: bool| run(&jobs, stop).into_iter().flatten().flatten();
        assert!(rows(false).enumerate().all(|(i, row)| row.of == i.to_string()));
        assert!(rows(true).count() < 2000 && rows(true).any(|row| !row.passed));
    }

    #[test]
    fn a_panic_is_a_row_that_fails() {
        let found = run(
            &[job(|| panic!("no {}", "walk")), job(|| Err(Stopped::OutOfTime))],
            false,
        );
        let [Some(rows), None] = &found[..] else {
            panic!("{found:?}")
        };
        assert!(
            matches!(&rows[..], [row] if row.check == Check::Tried && !row.passed && row.note.contains("no walk")),
            "{rows:?}"
        );
    }
}
