//! What the examples of the families share, in one line.

pub use std::process::ExitCode;

pub use crate::error::ExampleError;
pub use crate::flags::{Engine, Flags, Folder};
pub use crate::harness::{agree, doubts_of, exit_code, interrupt, main as run};
pub use crate::nature::{Nature, each_cell, numbers, release, released_numbers, row_major};
pub use crate::study::Study;
pub use crate::text::{column_sums, components, largest, leading, numbered, top};
pub use crate::{data, example, fitted, rates, sampled};
