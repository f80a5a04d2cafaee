//! Tasks divided among threads.
//!
//! What rayon makes of a generic chain is compiled for each chain; tasks behind pointers are divided by code that is compiled once. Each
//! task takes much longer than what that costs.

use rayon::prelude::*;

/// What is to be done on some thread.
pub(crate) type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Does all tasks.
pub(crate) fn in_parallel(tasks: Vec<Task<'_>>) {
    tasks.into_par_iter().for_each(|task| task());
}

/// What each item becomes, in the order of the items, whatever the threads.
pub(crate) fn each_of<I: Send, T: Send>(items: impl IntoIterator<Item = I>, each: impl Fn(I) -> T + Sync) -> Vec<T> {
    let items: Vec<I> = items.into_iter().collect();
    let mut found: Vec<Option<T>> = Vec::new();
    found.resize_with(items.len(), || None);
    let (mut tasks, each) = (Vec::<Task<'_>>::with_capacity(items.len()), &each);
    for (item, found) in items.into_iter().zip(&mut found) {
        tasks.push(Box::new(move || *found = Some(each(item))));
    }
    in_parallel(tasks);
    found.into_iter().flatten().collect()
}
