//! Counts that nobody may see in the clear, and what may be seen of them.
//!
//! ```text
//! Sensitive --budget and mechanism--> Released: noisy counts, their law, their promise
//! ```
//!
//! [`counts`] reads and holds counts, [`release`] adds noise under a budget and keeps accounts of what was promised,
//! [`channel`] is the law of an observation given its count, by which a model reads it.
//!
//! This crate draws noise and writes files; it fits nothing, and needs neither threads nor linear algebra.

pub mod channel;
pub mod counts;
#[doc(hidden)]
pub mod lock;
pub mod memory;
mod quoted;
#[doc(hidden)]
pub mod regular_file;
pub mod release;
#[doc(hidden)]
pub mod whole_file;

pub(crate) use skellam_math::plain_debug;
pub(crate) use skellam_math::{distribution, special};

pub use quoted::{Quoted, quoted};
