//! What is said of a mistake: by the compiler in a crate of a user, and by the runtime where data are bound and where a run begins.

mod errors;
mod ui;
