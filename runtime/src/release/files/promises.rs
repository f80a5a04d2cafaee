//! Promises as they are written: `null` for none.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::sealed::spelled;
use crate::release::{Delta, Promise, Ratio};

#[derive(Serialize, Deserialize)]
#[serde(remote = "Promise", tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Written {
    #[serde(rename = "pure")]
    Lplp {
        n: u64,
        #[serde(with = "spelled")]
        epsilon: Ratio,
    },
    Approximate {
        n: u64,
        #[serde(with = "spelled")]
        epsilon: Ratio,
        #[serde(with = "spelled")]
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
