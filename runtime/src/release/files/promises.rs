//! Promises as they are written: `null` for none.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::sealed::exact;
use crate::release::{Delta, Promise, Ratio};

#[derive(Serialize, Deserialize)]
#[serde(remote = "Promise", tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Written {
    #[serde(rename = "pure")]
    Lplp {
        n: u64,
        #[serde(with = "exact")]
        epsilon: Ratio,
    },
    Approximate {
        n: u64,
        #[serde(with = "exact")]
        epsilon: Ratio,
        #[serde(with = "shortest")]
        delta: Delta,
    },
    #[serde(skip)]
    None,
}

#[derive(Deserialize)]
struct Read(#[serde(with = "Written")] Promise);

pub(in crate::release) fn serialize<S: Serializer>(promise: &Promise, to: S) -> Result<S::Ok, S::Error> {
    match promise {
        Promise::None => to.serialize_none(),
        promise => Written::serialize(promise, to),
    }
}

pub(in crate::release) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Promise, D::Error> {
    let promise = Option::<Read>::deserialize(from)?.map_or(Promise::None, |read| read.0);
    match promise {
        Promise::Lplp { n: 0, .. } | Promise::Approximate { n: 0, .. } => {
            Err(D::Error::custom("a promise has the `n` 0; expected at least 1"))
        }
        promise => Ok(promise),
    }
}

/// A delta as the shortest text that reads back as the same double.
mod shortest {
    use super::*;

    pub fn serialize<S: Serializer>(delta: &Delta, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{:e}", delta.get()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Delta, D::Error> {
        let text = String::deserialize(from)?;
        // What is no number is no probability either.
        let delta = Delta::new(text.parse().unwrap_or(f64::NAN));
        delta.map_err(|error| D::Error::custom(format!("`{text}`: {error}")))
    }
}
