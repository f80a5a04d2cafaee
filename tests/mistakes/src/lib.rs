//! The cases are in `ui`, and `tests/messages.rs` runs them.
