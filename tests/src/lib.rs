//! Helpers shared by the test files: declared models, mistakes, random data, means with their errors.

pub mod data;
pub mod declared;
pub mod everything;
pub mod families;
pub mod mutants;
pub mod statistics;
