//! Helpers shared by the test files: declared models, their naive twins, tests of hypotheses.

pub mod capture;
pub mod cases;
pub mod channels;
pub mod data;
pub mod declared;
pub mod everything;
pub mod families;
pub mod geweke;
pub mod mutants;
pub mod quadrature;
pub mod statistics;
pub mod tiny;
pub mod twin;
