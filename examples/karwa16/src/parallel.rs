//! Independent pieces of work on all processors.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// What `work` makes of each item, in their order. An idle thread takes the next item, so the largest should come first.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let mut done: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let queue = Mutex::new(items.iter().zip(&mut done));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some((item, done)) = next() {
            *done = Some(work(item));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(run))));
    done.into_iter().flatten().collect()
}
