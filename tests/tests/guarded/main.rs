//! What `tests/mutants/run` builds on a changed copy of the repository: self-tests of a few models, and joint moves. Quick to build.

mod laws;
mod moves;
