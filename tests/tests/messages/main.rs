//! What is said of a mistake: by the runtime where data are bound and where a run begins.

mod errors;
