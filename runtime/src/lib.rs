//! Runtime of the skellam language.

pub mod channel;
pub mod counts;
pub mod diagnose;
pub mod distribution;
pub mod release;
pub mod special;
