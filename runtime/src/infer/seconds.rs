//! Times of settings as seconds, where serde reads and writes them.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

fn time<E: serde::de::Error>(seconds: f64) -> Result<Duration, E> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|error| E::custom(format_args!("{seconds} is no number of seconds: {error}")))
}

/// Writes a time that may be missing.
pub fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs_f64()).serialize(to)
}

/// Reads it.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    Option::<f64>::deserialize(from)?.map(time).transpose()
}

/// A time that is never missing.
pub mod whole {
    use super::*;

    /// Writes it.
    pub fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        time.as_secs_f64().serialize(to)
    }

    /// Reads it.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        time(f64::deserialize(from)?)
    }
}
