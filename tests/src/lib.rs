//! Helpers shared by the test files.
