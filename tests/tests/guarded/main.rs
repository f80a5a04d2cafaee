//! What `tests/mutants/run` builds on a changed copy of the repository: self-tests of a few models, joint moves, and likelihoods by line. Quick to
//! build.

mod by_line;
mod laws;
mod moves;
