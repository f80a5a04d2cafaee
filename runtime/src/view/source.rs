//! Where the data of a count come from, in words that a file may repeat.

use crate::release::Provenance;

/// Where the data of a count come from, and what was promised about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What they are: `released`, `simulated`, `asserted`, `true counts`, `differences`, or `hidden`.
    pub kind: &'static str,
    /// The promise, in a sentence.
    pub promise: String,
}

impl Default for Source {
    fn default() -> Self {
        Self {
            kind: "unknown",
            promise: "nothing is known about where the data come from".to_owned(),
        }
    }
}

impl Source {
    /// Counts that were released.
    pub(crate) fn released(provenance: &Provenance) -> Self {
        let (kind, promise) = match provenance {
            Provenance::ReleasedHere(promise) => ("released", promise.to_string()),
            Provenance::Simulated { .. } => (
                "simulated",
                "the noise follows a known seed, so no privacy is promised".to_owned(),
            ),
            Provenance::Asserted => (
                "asserted",
                "released elsewhere, by the word of the user; nothing is promised here".to_owned(),
            ),
        };
        Self { kind, promise }
    }

    /// True counts.
    pub(crate) fn exact() -> Self {
        Self {
            kind: "true counts",
            promise: "this fit looked at true counts: it is not private".to_owned(),
        }
    }

    /// Hidden counts.
    pub(crate) fn hidden() -> Self {
        Self {
            kind: "hidden",
            promise: "nobody observed it: it is the total of other counts".to_owned(),
        }
    }

    /// Data drawn from a prior.
    pub fn drawn() -> Self {
        Self {
            kind: "simulated",
            promise: "drawn from the prior of the model: no data are in it".to_owned(),
        }
    }

    /// Differences that were observed as they are.
    pub(crate) fn differences() -> Self {
        Self {
            kind: "differences",
            promise: "observed as they are: nothing is promised of them here".to_owned(),
        }
    }
}
