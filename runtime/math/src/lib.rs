//! Numbers of count models: special functions ([`special`]), laws to draw from ([`distribution`]) and random streams
//! ([`streams`]).
//!
//! Nothing here knows of counts that were observed, of models, or of privacy.

pub mod distribution;
mod plain_debug;
pub mod special;
pub mod streams;
