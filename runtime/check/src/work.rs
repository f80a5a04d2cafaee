//! Laws side by side on the processors that there are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use skellam::infer::pool;

use super::report::{Check, Row};

/// A law, ready to be tried.
pub(super) type Job<'a> = Box<dyn Fn() -> Vec<Row> + Send + Sync + 'a>;

/// The rows of a job. A panic is a failure, and the row says so, whether it is about a formula of generated code that no run can follow or in a user's code.
fn tried(job: &Job<'_>) -> Vec<Row> {
    catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|told| {
        let text = told.downcast_ref::<String>().cloned();
        let text = text.or_else(|| told.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        vec![Row::panicked(&text.unwrap_or_default())]
    })
}

/// Runs every job and returns their rows in the order of the jobs, whoever ran them. Each job has a single thread for
/// whatever it would run in parallel: arrays of a tiny instance are not worth more. With `stop` no job is begun once one
/// has found a row that fails.
pub(super) fn run(jobs: Vec<Job<'_>>, stop: bool) -> Vec<Row> {
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(jobs.len());
    let failed = AtomicBool::new(false);
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(vec![Vec::new(); jobs.len()]));
    let work = || {
        let single = pool(1);
        loop {
            if stop && failed.load(Ordering::Relaxed) {
                break;
            }
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { break };
            let found = match &single {
                Ok(pool) => pool.install(|| tried(job)),
                Err(error) => vec![Row::error(Check::JointRatio, "all", error)],
            };
            if found.iter().any(|row| !row.passed) {
                failed.store(true, Ordering::Relaxed);
            }
            if let Ok(mut rows) = rows.lock() {
                rows[number] = found;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    match rows.into_inner() {
        Ok(rows) => rows.into_iter().flatten().collect(),
        Err(poisoned) => poisoned.into_inner().into_iter().flatten().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_the_order_of_the_jobs() {
        let jobs = (0..20)
            .map(|i| -> Job<'_> { Box::new(move || vec![Row::tried(Check::Counts, format!("{i}"), 0.0, 0.0, "")]) });
        let of: Vec<String> = run(jobs.collect(), false).into_iter().map(|row| row.of).collect();
        let expected: Vec<String> = (0..20).map(|i| i.to_string()).collect();
        assert_eq!(of, expected);
    }

    #[test]
    fn a_panic_is_a_row_that_fails() {
        let jobs: Vec<Job<'_>> = vec![Box::new(|| panic!("no {}", "walk")), Box::new(Vec::new)];
        let rows = run(jobs, false);
        assert!(
            matches!(&rows[..], [row] if row.check == Check::Tried && !row.passed && row.note.contains("no walk")),
            "{rows:?}"
        );
    }

    #[test]
    fn a_failure_may_end_the_rest() {
        let jobs = || -> Vec<Job<'_>> {
            let of = |i: usize| -> Job<'_> {
                Box::new(move || vec![Row::tried(Check::Counts, format!("{i}"), i as f64, 2.5, "")])
            };
            (0..2000).map(of).collect()
        };
        assert_eq!(run(jobs(), false).len(), 2000);
        let rows = run(jobs(), true);
        assert!(rows.len() < 2000 && rows.iter().any(|row| !row.passed));
    }
}
