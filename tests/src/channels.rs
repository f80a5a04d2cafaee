//! Channels that are wrong on purpose.
